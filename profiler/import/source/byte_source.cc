#include "sightline/profiler/import/source/byte_source.h"

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/compress/gzip.h"

namespace sightline::profiler {
namespace {

class FileSource : public ByteSource {
 public:
  explicit FileSource(std::unique_ptr<ReadableFile> file) : file_(std::move(file)) {}

  Result<std::size_t> Read(std::span<char> buffer) override {
    auto read = file_->ReadAt(offset_, buffer);
    if (read) offset_ += *read;
    return read;
  }

 private:
  std::unique_ptr<ReadableFile> file_;
  std::uint64_t offset_ = 0;
};

class GzipSource : public ByteSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> packed)
      : packed_(std::move(packed)), input_(kInputBytes) {}

  Result<std::size_t> Read(std::span<char> buffer) override {
    for (;;) {
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t unpacked, reader_.Read(rest_, buffer));
      unpacked_bytes_ += unpacked;
      if (unpacked_bytes_ > kAnyRatio && unpacked_bytes_ / kMostRatio > packed_bytes_) {
        return Error(StatusCode::kDataLoss,
                     "the gzip file unpacks to more than 100 times its size, as no profile does");
      }
      if (unpacked > 0 || buffer.empty()) return unpacked;
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, packed_->Read(input_));
      packed_bytes_ += read;
      if (read == 0 && !reader_.complete())
        return Error(StatusCode::kDataLoss, "the gzip file is cut off");
      if (read == 0) return std::size_t{0};
      rest_ = std::string_view(input_.data(), read);
    }
  }

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 18U;
  static constexpr std::uint64_t kAnyRatio = std::uint64_t{256} << 20U;  // Up to here.
  static constexpr std::uint64_t kMostRatio = 100;

  std::unique_ptr<ByteSource> packed_;
  GzipReader reader_;
  std::vector<char> input_;
  std::uint64_t packed_bytes_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
  std::string_view rest_;  // The part of input_ that is not unpacked.
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenByteSource(FileSystem& file_system,
                                                   const std::string& path) {
  SIGHTLINE_ASSIGN_OR_RETURN(std::unique_ptr<ReadableFile> file, file_system.OpenForRead(path));
  char magic[2] = {};
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, file->ReadAt(0, magic));
  const bool packed = read == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
  std::unique_ptr<ByteSource> source = std::make_unique<FileSource>(std::move(file));
  if (packed) source = std::make_unique<GzipSource>(std::move(source));
  return source;
}

}  // namespace sightline::profiler
