#include "sightline/recorder/dialect/record_writer.h"

#include <cstring>
#include <exception>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/base/wire.h"
#include "sightline/recorder/dialect/scalar_record.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline {
namespace {

// A piece of at least this size is written directly, without the buffer.
constexpr std::size_t kDirectBytes = std::size_t{16} << 10;

}  // namespace

void RecordWriter::Attach(std::unique_ptr<WritableFile> file, std::uint64_t offset) {
  file_ = std::move(file);
  flushed_ = offset;
  buffered_ = 0;
}

Status RecordWriter::Write(std::string_view payload) {
  char frame[kRecordHeaderSize];
  scalar_record::PutHeader(frame, payload.size());
  SIGHTLINE_RETURN_IF_ERROR(WriteFramed({frame, sizeof(frame)}));
  SIGHTLINE_RETURN_IF_ERROR(WriteFramed(payload));
  char footer[kRecordFooterSize];
  wire::PutFixed(footer, crc32c::Mask(crc32c::Value(payload)));
  return WriteFramed({footer, sizeof(footer)});
}

Status RecordWriter::Write(const Payload& payload) {
  char frame[kRecordHeaderSize];
  scalar_record::PutHeader(frame, payload.size());
  SIGHTLINE_RETURN_IF_ERROR(WriteFramed({frame, sizeof(frame)}));
  std::uint32_t crc = 0;
  SIGHTLINE_RETURN_IF_ERROR(payload.ForEachChunk([&](const Payload::Chunk& chunk) {
    crc = chunk.crc ? crc32c::Combine(crc, *chunk.crc, chunk.bytes.size())
                    : crc32c::Extend(crc, chunk.bytes);
    return WriteFramed(chunk.bytes);
  }));
  char footer[kRecordFooterSize];
  wire::PutFixed(footer, crc32c::Mask(crc));
  return WriteFramed({footer, sizeof(footer)});
}

Status RecordWriter::WriteFramed(std::string_view bytes) {
  if (bytes.size() < kDirectBytes) {
    if (buffered_ + bytes.size() > kBufferBytes) SIGHTLINE_RETURN_IF_ERROR(Flush());
    std::memcpy(buffer_.get() + buffered_, bytes.data(), bytes.size());
    buffered_ += bytes.size();
    return {};
  }
  SIGHTLINE_RETURN_IF_ERROR(Flush());
  SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(flushed_, bytes));
  flushed_ += bytes.size();
  return {};
}

Status RecordWriter::Flush() {
  if (buffered_ == 0) return {};
  SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(flushed_, {buffer_.get(), buffered_}));
  flushed_ += buffered_;
  buffered_ = 0;
  return {};
}

void RecordWriter::Discard(std::uint64_t offset) {
  buffered_ = 0;
  flushed_ = offset;
  try {
    if (file_ != nullptr) (void)file_->Truncate(offset).ok();
  } catch (const std::exception&) {  // The cut failed, and there is no memory to tell why.
  }
}

Status RecordWriter::Close() {
  if (file_ == nullptr) return {};
  Status status = file_->Close();
  file_ = nullptr;
  return status;
}

}  // namespace sightline
