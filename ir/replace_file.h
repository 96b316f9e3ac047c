// Writes a file that is there whole or not at all: packs, and what is kept of folders.
#pragma once

#include <functional>
#include <string>

#include "sightline/recorder/file_system.h"
#include "sightline/recorder/status.h"

namespace sightline::ir {

// Where ReplaceFile writes until the file is whole.
std::string TemporaryPath(const std::string& path);

// Writes TemporaryPath(path) by `write`, and gives it the name `path`: what is there is replaced.
// On an error of either the temporary file is removed, and what is at `path` stays.
Status ReplaceFile(FileSystem& files, const std::string& path,
                   const std::function<Status(WritableFile&)>& write);

}  // namespace sightline::ir
