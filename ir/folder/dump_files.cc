#include "sightline/ir/folder/dump_files.h"

#include <algorithm>
#include <cstring>

#include "sightline/base/compress/gzip.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/read/read_file.h"

namespace sightline::ir {
namespace {

// Up to here a compressed file may have any ratio.
constexpr std::uint64_t kAnyRatio = std::uint64_t{256} << 20U;
constexpr std::uint64_t kMostRatio = 64;

// Bytes that were uncompressed.
class MemoryFile final : public ReadableFile {
 public:
  explicit MemoryFile(std::string bytes) : bytes_(std::move(bytes)) {}

  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset >= bytes_.size()) return 0;
    const std::size_t got = std::min(buffer.size(), bytes_.size() - offset);
    std::memcpy(buffer.data(), bytes_.data() + offset, got);
    return got;
  }
  Result<std::uint64_t> Size() const override { return bytes_.size(); }

 private:
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<ReadableFile>> DumpFileSystem::OpenForRead(const std::string& path) {
  if (!path.ends_with(".gz")) {
    SIGHTLINE_ASSIGN_OR_RETURN(auto file, base_.OpenForRead(path));
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
    SIGHTLINE_RETURN_IF_ERROR(CheckSize(size, most_bytes_).WithContext(path));
    return file;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string compressed, ReadFile(base_, path, most_bytes_));
  auto plain = Gunzip(compressed,
                      std::min(most_bytes_, std::max(kAnyRatio, compressed.size() * kMostRatio)));
  if (!plain) return Error(plain.error().WithContext(path));
  return std::make_unique<MemoryFile>(*std::move(plain));
}

Result<std::string> DumpFileSystem::MappablePath(const std::string& path) {
  return Error(StatusCode::kUnimplemented, path + " is read through a file system of dumps");
}

FileSystem& LocalDumps() {
  static DumpFileSystem dumps(FileSystem::Local());
  return dumps;
}

Result<Module> ReadDump(const std::string& path) {
  const auto info = LocalDumps().Stat(path);
  if (info && info->is_directory)
    return Error(StatusCode::kInvalidArgument, path + " is a folder; name a dump in it");
  Result<Module> module = ReadIr(LocalDumps(), path);
  if (module && module->lines.empty())
    return Error(StatusCode::kInvalidArgument, path + " is empty, not a dump");
  if (module && !HoldsDump(*module)) {
    return Error(StatusCode::kInvalidArgument,
                 path + " is not a dump: " + ToText(module->problems.front()));
  }
  return module;
}

}  // namespace sightline::ir
