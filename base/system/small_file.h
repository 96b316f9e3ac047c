// Files of the system, such as those of /proc, which have no size. Any thread.
#pragma once

#include <cstddef>
#include <string>

namespace sightline {

// The first `most` bytes of a file; empty if it cannot be read.
std::string ReadSmallFile(const std::string& path, std::size_t most = std::size_t{64} << 10U);

}  // namespace sightline
