#include "sightline/ir/read/read_file.h"

namespace sightline::ir {

Status CheckSize(std::uint64_t bytes, std::uint64_t limit) {
  if (bytes <= limit) return {};
  return {StatusCode::kInvalidArgument, "the file has " + std::to_string(bytes) +
                                            " bytes; at most " + std::to_string(limit) +
                                            " can be read"};
}

Result<std::string> ReadAll(const ReadableFile& file, std::uint64_t limit) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file.Size());
  SIGHTLINE_RETURN_IF_ERROR(CheckSize(size, limit));
  std::string bytes(size, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file.ReadAt(0, bytes));
  bytes.resize(got);
  return bytes;
}

Result<std::string> ReadFile(FileSystem& files, const std::string& path, std::uint64_t limit) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  auto bytes = ReadAll(*file, limit);
  if (!bytes) return Error(bytes.error().WithContext(path));
  return bytes;
}

}  // namespace sightline::ir
