#include "sightline/base/system/small_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "sightline/base/descriptor.h"

namespace sightline {

std::string ReadSmallFile(const std::string& path, std::size_t most) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  if (file.get() < 0) return text;
  std::array<char, 4096> piece{};
  while (text.size() < most) {
    const ssize_t got = read(file.get(), piece.data(), std::min(piece.size(), most - text.size()));
    if (got <= 0) break;
    text.append(piece.data(), static_cast<std::size_t>(got));
  }
  return text;
}

}  // namespace sightline
