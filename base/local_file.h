// Files of the operating system that are already open, by descriptor.
#pragma once

#include <memory>
#include <string>

#include "sightline/base/file_system.h"

namespace sightline {

// Reads the regular file `fd`, and closes it at its end; `path` is for messages.
std::unique_ptr<ReadableFile> ReadableFileOf(int fd, std::string path);

}  // namespace sightline
