#include "sightline/profiler/import/source/byte_source.h"

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
      if (unpacked > 0 || buffer.empty()) return unpacked;
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, packed_->Read(input_));
      if (read == 0 && !reader_.complete())
        return Error(StatusCode::kDataLoss, "the gzip file is cut off");
      if (read == 0) return std::size_t{0};
      rest_ = std::string_view(input_.data(), read);
    }
  }

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 18U;

  std::unique_ptr<ByteSource> packed_;
  GzipReader reader_;
  std::vector<char> input_;
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
