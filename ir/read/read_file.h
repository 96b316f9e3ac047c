// Reads whole files.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::ir {

// kInvalidArgument, with both numbers, for more than `limit` bytes.
Status CheckSize(std::uint64_t bytes, std::uint64_t limit);

// The file's bytes; kInvalidArgument if there are more than `limit`.
Result<std::string> ReadAll(const ReadableFile& file, std::uint64_t limit);

// The same for the file at a path, which errors name.
Result<std::string> ReadFile(FileSystem& files, const std::string& path, std::uint64_t limit);

}  // namespace sightline::ir
