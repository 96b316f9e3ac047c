// Files of the operating system that were opened elsewhere: by a descriptor, not by a path.
#pragma once

#include <memory>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

// The regular file that `fd` has open, which it closes; `path` is for messages.
std::unique_ptr<ReadableFile> ReadableFileOf(int fd, std::string path);

}  // namespace sightline
