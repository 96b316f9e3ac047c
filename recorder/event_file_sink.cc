#include "sightline/recorder/event_file_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sightline/recorder/crc32c.h"
#include "sightline/recorder/record_format.h"
#include "sightline/recorder/wire.h"

namespace sightline {
namespace {

constexpr std::size_t kBufferBytes = std::size_t{256} << 10;
// Larger pieces go to the operating system from where they lie, without a copy into the buffer.
constexpr std::size_t kDirectBytes = std::size_t{16} << 10;
constexpr char kTemporaryPrefix[] = ".sightline-";
// Tries for a free name before it is an error; each raises the number in the name.
constexpr int kNameTries = 100'000;

void CopyName(const std::string& from, char (&to)[kMaxFileNameBytes]) {
  std::memset(to, 0, sizeof(to));
  std::memcpy(to, from.data(), std::min(from.size(), sizeof(to) - 1));
}

char* PutRecordHeader(char* out, std::uint64_t payload_bytes) {
  wire::PutFixed(out, payload_bytes);
  const std::uint32_t crc = crc32c::Value(std::string_view(out, kRecordLengthSize));
  return wire::PutFixed(out + kRecordLengthSize, crc32c::Mask(crc));
}

}  // namespace

EventFileSink::EventFileSink(Config config, std::unique_ptr<Dialect> dialect, Journal& journal,
                             std::size_t slot)
    : config_(std::move(config)),
      dialect_(std::move(dialect)),
      journal_(journal),
      slot_(slot),
      stored_(journal.LoadProgress(slot)),
      buffer_(new char[kBufferBytes]) {
  taken_ = done();
}

Status EventFileSink::OpenNew() {
  stored_.file_digits = config_.run.opened_digits;
  journal_.StoreProgress(slot_, stored_);
  return dialect_->opens_at_once() ? OpenSegment(0) : Status();
}

Status EventFileSink::Resume() {
  if (stored_.intended_name[0] != '\0') SIGHTLINE_RETURN_IF_ERROR(AdoptIntended());
  cursor_ = taken_offset_ = stored_.file_offset;
  return stored_.file_name[0] == '\0' || stored_.stopped != 0 ? Status() : Reopen();
}

Status EventFileSink::Reopen() {
  auto opened = config_.file_system->OpenForWrite(PathOf(stored_.file_name), OpenMode::kOpenExisting);
  // Somebody removed it: what comes goes to a new file.
  if (!opened && opened.error().code() == StatusCode::kNotFound) return {};
  if (!opened) return opened.error();
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, (*opened)->Size());
  file_ = *std::move(opened);
  // Shorter than the journal knows: only after a power loss. What is missing cannot be had back; go on behind it.
  if (size < stored_.file_offset) cursor_ = taken_offset_ = stored_.file_offset = size;
  return {};
}

Status EventFileSink::EnsureOpen(std::int64_t step) {
  if (file_ == nullptr && stored_.file_name[0] != '\0') SIGHTLINE_RETURN_IF_ERROR(Reopen());
  return file_ == nullptr ? OpenSegment(step) : Status();
}

// A kill between the choice of a name and the note that the file has it: the file is ours if its
// first record is; otherwise it is somebody else's, and the next event opens one under a higher
// number.
Status EventFileSink::AdoptIntended() {
  const std::string name = stored_.intended_name;
  CopyName("", stored_.intended_name);
  auto file = config_.file_system->OpenForRead(PathOf(name.c_str()));
  if (!file) return {};
  char start[4096];
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, (*file)->ReadAt(0, start));
  const std::string_view text(start, got);
  std::uint64_t payload_bytes = 0;
  if (!dialect_->has_header() || got < kRecordHeaderSize) return {};
  std::memcpy(&payload_bytes, start, sizeof(payload_bytes));
  if (payload_bytes > got - kRecordHeaderSize) return {};
  if (text.substr(kRecordHeaderSize, payload_bytes).find(config_.run.session_id) ==
      std::string_view::npos)
    return {};
  CopyName(name, stored_.file_name);
  stored_.segment += 1;
  stored_.file_offset = payload_bytes + kRecordOverhead;
  journal_.StoreProgress(slot_, stored_);
  return {};
}

Result<std::string> EventFileSink::HeaderRecord(std::uint32_t segment, std::int64_t first_step) {
  std::string record;
  if (!dialect_->has_header()) return record;
  Payload payload;
  dialect_->EncodeHeader(config_.clock->WallSeconds(), segment, first_step, payload);
  char frame[kRecordHeaderSize];
  record.append(frame, PutRecordHeader(frame, payload.size()));
  std::uint32_t crc = 0;
  payload.ForEachChunk([&](std::string_view chunk) {
    crc = crc32c::Extend(crc, chunk);
    record.append(chunk);
  });
  wire::AppendFixed(record, crc32c::Mask(crc));
  return record;
}

Status EventFileSink::OpenSegment(std::int64_t first_step) {
  const std::uint32_t segment = stored_.segment + 1;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string header, HeaderRecord(segment, first_step));
  const std::string temporary =
      JoinPath(config_.directory,
               fmt::format("{}{}-{}.tmp", kTemporaryPrefix, config_.run.session_id, slot_));
  // What a killed recorder left under this name may be a second link to a finished file: never
  // write into it.
  if (const Status removed = config_.file_system->Remove(temporary);
      !removed.ok() && removed.code() != StatusCode::kNotFound) {
    return removed;
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto made,
                             config_.file_system->OpenForWrite(temporary, OpenMode::kCreateNew));
  SIGHTLINE_RETURN_IF_ERROR(made->WriteAt(0, header));
  SIGHTLINE_RETURN_IF_ERROR(made->Close());
  SIGHTLINE_RETURN_IF_ERROR(PublishSegment(temporary, header.size(), segment));
  file_ = nullptr;
  cursor_ = taken_offset_ = stored_.file_offset;
  if (config_.observer.file_created) config_.observer.file_created(PathOf(stored_.file_name));
  if (config_.observer.written) config_.observer.written(header.size());
  return Reopen();
}

Status EventFileSink::PublishSegment(const std::string& temporary, std::uint64_t header_bytes,
                                     std::uint32_t segment) {
  // The first file of a run may take the number it was given; the next ones need a larger one,
  // since readers order files by it.
  std::uint64_t digits = stored_.file_digits + (segment == 1 ? 0 : 1);
  Status status;
  for (int tries = 0; tries < kNameTries; ++tries, ++digits) {
    const std::string name = dialect_->FileName(digits);
    if (name.size() >= kMaxFileNameBytes) {
      return Status(StatusCode::kInvalidArgument,
                    fmt::format("file name {} is too long; shorten the hostname", name));
    }
    stored_.file_digits = digits;
    CopyName(name, stored_.intended_name);
    journal_.StoreProgress(slot_, stored_);
    status = config_.file_system->RenameExclusive(temporary, PathOf(stored_.intended_name));
    if (status.ok()) {
      CopyName(name, stored_.file_name);
      CopyName("", stored_.intended_name);
      stored_.segment = segment;
      stored_.file_offset = segment_begin_ = header_bytes;
      journal_.StoreProgress(slot_, stored_);
      return {};
    }
    if (status.code() != StatusCode::kAlreadyExists) break;
  }
  return status;
}

Status EventFileSink::MakeRoom(std::uint64_t bytes, std::int64_t step) {
  SIGHTLINE_RETURN_IF_ERROR(EnsureOpen(step));
  const std::uint64_t limit = config_.max_file_size;
  if (limit == 0 || end_offset() + bytes <= limit) return {};
  if (config_.on_file_full == OnFileFull::kStop) {
    SIGHTLINE_RETURN_IF_ERROR(Flush());
    stored_.stopped = 1;
    journal_.StoreProgress(slot_, stored_);
    return file_->Close();
  }
  // An event larger than the limit gets a file of its own.
  if (end_offset() == segment_begin_) return {};
  SIGHTLINE_RETURN_IF_ERROR(Flush());
  SIGHTLINE_RETURN_IF_ERROR(file_->Close());
  return OpenSegment(step);
}

Status EventFileSink::Append(const PreparedEvent& event, const JournalCursor& behind) {
  if (stored_.stopped == 0) {
    const bool scalar = event.values.size() == 1 && event.values[0].kind == ValueKind::kScalar;
    SIGHTLINE_RETURN_IF_ERROR(scalar ? PutScalar(event) : PutEvent(event));
  }
  if (stored_.stopped != 0 && config_.observer.left_out)
    config_.observer.left_out(event.values.size());
  EventTaken(behind);
  return {};
}

// The common event, without the detour over a Payload.
Status EventFileSink::PutScalar(const PreparedEvent& event) {
  if (!dialect_->takes_scalars()) return {};
  const PreparedValue& value = event.values[0];
  const std::size_t room = value.tag.size() + kMaxScalarRecordOverhead;
  if (buffered_ + room > kBufferBytes) SIGHTLINE_RETURN_IF_ERROR(WriteOut());
  if (file_ == nullptr) SIGHTLINE_RETURN_IF_ERROR(EnsureOpen(event.step));
  char* const begin = buffer_.get() + buffered_;
  const char* end = dialect_->PutScalarRecord(begin, event.wall_time, event.step, value.tag, value.scalar);
  const auto size = static_cast<std::size_t>(end - begin);
  if (config_.max_file_size == 0 || end_offset() + size <= config_.max_file_size) {
    buffered_ += size;
    return {};
  }
  const std::string record(begin, size);
  SIGHTLINE_RETURN_IF_ERROR(MakeRoom(size, event.step));
  return stored_.stopped != 0 ? Status() : Put(record);
}

Status EventFileSink::PutEvent(const PreparedEvent& event) {
  std::size_t count = 0;
  const Status spelled = dialect_->Encode(event, payloads_, count);
  if (!spelled.ok() && config_.observer.unspeakable) config_.observer.unspeakable(spelled.WithContext(name()));
  if (count == 0) return {};
  // All records of an event stay in one file: the journal knows how far a file got in whole events.
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < count; ++i) bytes += payloads_[i].size() + kRecordOverhead;
  SIGHTLINE_RETURN_IF_ERROR(MakeRoom(bytes, event.step));
  for (std::size_t i = 0; i < count && stored_.stopped == 0; ++i) {
    SIGHTLINE_RETURN_IF_ERROR(PutRecord(payloads_[i]));
  }
  return {};
}

void EventFileSink::Skip(const JournalCursor& behind) { EventTaken(behind); }

void EventFileSink::EventTaken(const JournalCursor& behind) {
  taken_ = behind;
  taken_offset_ = end_offset();
}

Status EventFileSink::PutRecord(const Payload& payload) {
  char frame[kRecordHeaderSize];
  PutRecordHeader(frame, payload.size());
  SIGHTLINE_RETURN_IF_ERROR(Put(std::string_view(frame, sizeof(frame))));
  std::uint32_t crc = 0;
  Status status;
  payload.ForEachChunk([&](std::string_view chunk) {
    if (!status.ok()) return;
    crc = crc32c::Extend(crc, chunk);
    status = Put(chunk);
  });
  SIGHTLINE_RETURN_IF_ERROR(status);
  char footer[kRecordFooterSize];
  wire::PutFixed(footer, crc32c::Mask(crc));
  return Put(std::string_view(footer, sizeof(footer)));
}

Status EventFileSink::Put(std::string_view bytes) {
  if (bytes.size() < kDirectBytes) {
    if (buffered_ + bytes.size() > kBufferBytes) SIGHTLINE_RETURN_IF_ERROR(WriteOut());
    std::memcpy(buffer_.get() + buffered_, bytes.data(), bytes.size());
    buffered_ += bytes.size();
    return {};
  }
  SIGHTLINE_RETURN_IF_ERROR(WriteOut());
  SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(cursor_, bytes));
  cursor_ += bytes.size();
  if (config_.observer.written) config_.observer.written(bytes.size());
  return {};
}

Status EventFileSink::WriteOut() {
  if (buffered_ != 0) {
    SIGHTLINE_RETURN_IF_ERROR(file_->WriteAt(cursor_, std::string_view(buffer_.get(), buffered_)));
    cursor_ += buffered_;
    if (config_.observer.written) config_.observer.written(buffered_);
    buffered_ = 0;
  }
  StoreTaken();
  return {};
}

// The journal learns of whole events only; what lies in the file behind them is written again after
// a kill.
void EventFileSink::StoreTaken() {
  if (taken_.position == stored_.position) return;
  stored_.position = taken_.position;
  stored_.sequence = taken_.sequence;
  stored_.file_offset = taken_offset_;
  journal_.StoreProgress(slot_, stored_);
}

Status EventFileSink::Flush() { return WriteOut(); }

void EventFileSink::Rollback() {
  buffered_ = 0;
  taken_ = done();
  cursor_ = taken_offset_ = stored_.file_offset;
  // So that no reader waits for the rest of a record. If this fails too, the next write overwrites
  // it.
  if (file_ != nullptr) (void)file_->Truncate(cursor_).ok();
}

Status EventFileSink::Sync() {
  return file_ == nullptr || stored_.stopped != 0 ? Status() : file_->Sync();
}

Status EventFileSink::Close() {
  if (file_ == nullptr) return {};
  const Status status = file_->Close();
  file_ = nullptr;
  return status;
}

}  // namespace sightline
