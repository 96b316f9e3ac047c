#include "sightline/base/version.h"

#include <fmt/format.h>

namespace sightline {

std::string_view Version() { return SIGHTLINE_VERSION; }

std::string_view Commit() { return SIGHTLINE_COMMIT; }

std::string ToolChain() {
#if defined(__clang__)
  std::string text =
      fmt::format("Clang {}.{}.{}", __clang_major__, __clang_minor__, __clang_patchlevel__);
#else
  std::string text = fmt::format("GCC {}.{}.{}", __GNUC__, __GNUC_MINOR__, __GNUC_PATCHLEVEL__);
#endif
#if defined(_LIBCPP_VERSION)
  text += fmt::format(", libc++ {}.{}", _LIBCPP_VERSION / 10000, _LIBCPP_VERSION / 100 % 100);
#elif defined(__GLIBCXX__)
  text += fmt::format(", libstdc++ {}", __GLIBCXX__);
#endif
#if defined(__GLIBC__)
  text += fmt::format(", glibc {}.{}", __GLIBC__, __GLIBC_MINOR__);
#endif
  return text;
}

}  // namespace sightline
