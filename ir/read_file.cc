#include "sightline/ir/read_file.h"

namespace sightline::ir {

Result<std::string> ReadFile(FileSystem& files, const std::string& path, std::uint64_t limit) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file->Size());
  if (size > limit) {
    return Error(StatusCode::kInvalidArgument, path + " has " + std::to_string(size) +
                                                   " bytes; at most " + std::to_string(limit) +
                                                   " can be read");
  }
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t got, file->ReadAt(0, bytes));
  bytes.resize(got);
  return bytes;
}

}  // namespace sightline::ir
