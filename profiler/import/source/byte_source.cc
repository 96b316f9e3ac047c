#include "sightline/profiler/import/source/byte_source.h"

#include <zlib.h>

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

namespace sightline::profile {
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
      : packed_(std::move(packed)), input_(kInputBytes) {
    // 32: gzip or zlib by the header.
    ready_ = inflateInit2(&stream_, MAX_WBITS + 32) == Z_OK;
  }
  ~GzipSource() override {
    if (ready_) inflateEnd(&stream_);
  }
  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  Result<std::size_t> Read(std::span<char> buffer) override {
    if (!ready_) return Error(StatusCode::kResourceExhausted, "zlib has no memory");
    stream_.next_out = reinterpret_cast<Bytef*>(buffer.data());
    const auto room = static_cast<uInt>(
        std::min<std::size_t>(buffer.size(), std::numeric_limits<uInt>::max() / 2));
    stream_.avail_out = room;
    while (stream_.avail_out == room && !ended_) {
      if (Status status = Step(); !status.ok()) return tl::unexpected<Status>(std::move(status));
    }
    return room - stream_.avail_out;
  }

 private:
  static constexpr std::size_t kInputBytes = std::size_t{1} << 18U;

  // Decompresses some bytes, or finds the end.
  Status Step() {
    if (stream_.avail_in == 0) {
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, packed_->Read(input_));
      if (read == 0) {
        ended_ = true;
        return member_ended_ ? Status() : Status(StatusCode::kDataLoss, "the gzip file is cut off");
      }
      stream_.next_in = reinterpret_cast<Bytef*>(input_.data());
      stream_.avail_in = static_cast<uInt>(read);
      if (member_ended_) {  // Another member may follow (RFC 1952); other bytes are ignored.
        if (inflateReset(&stream_) != Z_OK) return Status(StatusCode::kDataLoss, "zlib failed");
        member_ended_ = false;
      }
    }
    const int code = inflate(&stream_, Z_NO_FLUSH);
    if (code == Z_STREAM_END) {
      member_ended_ = true;
      if (stream_.avail_in > 0) {
        if (inflateReset(&stream_) != Z_OK) return Status(StatusCode::kDataLoss, "zlib failed");
        member_ended_ = false;
      }
      return {};
    }
    if (code == Z_OK || code == Z_BUF_ERROR) return {};
    ended_ = true;
    return Status(StatusCode::kDataLoss, "the gzip file is damaged");
  }

  std::unique_ptr<ByteSource> packed_;
  std::vector<char> input_;
  z_stream stream_{};
  bool ready_ = false;
  bool ended_ = false;
  bool member_ended_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> OpenByteSource(FileSystem& files, const std::string& path) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(std::unique_ptr<ReadableFile> file, files.OpenForRead(path));
  char magic[2] = {};
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::size_t read, file->ReadAt(0, magic));
  const bool packed = read == 2 && magic[0] == '\x1f' && magic[1] == '\x8b';
  std::unique_ptr<ByteSource> source = std::make_unique<FileSource>(std::move(file));
  if (packed) source = std::make_unique<GzipSource>(std::move(source));
  return source;
}

}  // namespace sightline::profile
