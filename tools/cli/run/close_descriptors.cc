#include "sightline/tools/cli/run/close_descriptors.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

namespace sightline {

void CloseDescriptorsExcept(std::vector<int> kept) {
#ifdef SYS_close_range
  kept.push_back(STDERR_FILENO);
  std::sort(kept.begin(), kept.end());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    const auto first = static_cast<unsigned>(kept[i] + 1);
    const unsigned last = i + 1 < kept.size() ? static_cast<unsigned>(kept[i + 1]) - 1 : ~0U;
    if (first <= last && kept[i] >= STDERR_FILENO) syscall(SYS_close_range, first, last, 0U);
  }
#else
  (void)kept;
#endif
}

}  // namespace sightline
