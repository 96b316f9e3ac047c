#include "sightline/recorder/writing/event_file_sink.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "sightline/recorder/framing/file_name.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline {
namespace {

constexpr char kTemporaryPrefix[] = ".sightline-";
// If so many names are taken, it is an error. Each try raises the number in the name.
constexpr int kNameTries = 100'000;

void CopyName(const std::string& from, char (&to)[kMaxFileNameBytes]) {
  std::memset(to, 0, sizeof(to));
  std::memcpy(to, from.data(), std::min(from.size(), sizeof(to) - 1));
}

}  // namespace

EventFileSink::EventFileSink(Config config, std::unique_ptr<Dialect> dialect, Journal& journal,
                             std::size_t slot)
    : config_(std::move(config)),
      dialect_(std::move(dialect)),
      journal_(journal),
      slot_(slot),
      stored_(journal.LoadProgress(slot)) {
  taken_ = done();
}

Status EventFileSink::OpenNew() {
  stored_.file_digits = config_.run.opened_digits;
  StoreProgress();
  return dialect_->opens_at_once() ? OpenSegment(0) : Status();
}

// The slot may be older than the files: by one file if the process was killed after it named the
// file and before it moved the slot, and by any number of files after a power loss. The sound
// records in them stay. A torn record at the end of the newest file is cut off.
Status EventFileSink::Resume() {
  if (stored_.stopped != 0) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::string> later, FilesAfterTheSlot());
  if (stored_.file_name[0] != '\0')
    SIGHTLINE_RETURN_IF_ERROR(Keep(stored_.file_name, stored_.file_offset, 0));
  for (const std::string& name : later) {
    const std::uint32_t segment = ++stored_.segment;
    SIGHTLINE_RETURN_IF_ERROR(Keep(name, 0, dialect_->Header(0, segment, 0).size()));
    stored_.file_digits = ParseEventFileName(name)->seconds;
    CopyName(name, stored_.file_name);
  }
  if (stored_.file_name[0] == '\0') return {};
  SIGHTLINE_RETURN_IF_ERROR(Reopen());
  if (!file_.attached()) return {};
  SIGHTLINE_RETURN_IF_ERROR(file_.CutTo(kept_.end()));
  file_.GoOnAt(kept_.end());
  stored_.file_offset = noted_ = taken_end_ = taken_offset_ = kept_.end();
  return {};
}

// Adds the records of a file to those that are kept. If the file is shorter than the slot says, it
// has lost bytes that were not synced. Its last record may then be torn, so all of it is read.
Status EventFileSink::Keep(const std::string& file_name, std::uint64_t offset, std::size_t skip) {
  auto file = config_.file_system->OpenForRead(PathOf(file_name.c_str()));
  // Somebody removed the file.
  if (!file && file.error().code() == StatusCode::kNotFound) return {};
  if (!file) return file.error();
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, (*file)->Size());
  return kept_.Add(*std::move(file), size < offset ? 0 : offset, skip);
}

// The files of this session and dialect after the slot's file, in the order of their numbers.
Result<std::vector<std::string>> EventFileSink::FilesAfterTheSlot() {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto names, config_.file_system->List(config_.directory));
  std::vector<std::string> later;
  for (const std::string& name : names) {
    const auto parsed = ParseEventFileName(name);
    if (!parsed || parsed->seconds < stored_.file_digits || name == stored_.file_name ||
        name != dialect_->FileName(parsed->seconds))
      continue;
    SIGHTLINE_ASSIGN_OR_RETURN(const bool is_ours, IsOurs(name));
    if (is_ours) later.push_back(name);
  }
  std::sort(later.begin(), later.end(), ReadsBefore);
  return later;
}

// Whether the first record of the file names our session.
Result<bool> EventFileSink::IsOurs(const std::string& file_name) {
  auto file = config_.file_system->OpenForRead(PathOf(file_name.c_str()));
  if (!file) return false;
  char start[4096];
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, (*file)->ReadAt(0, start));
  const std::string_view text(start, got);
  std::uint64_t payload_bytes = 0;
  if (got < kRecordHeaderSize) return false;
  std::memcpy(&payload_bytes, start, sizeof(payload_bytes));
  if (payload_bytes > got - kRecordHeaderSize) return false;
  // The search is for the whole field, since a session that continues this one has its id, too, in
  // another field.
  return text.substr(kRecordHeaderSize, payload_bytes).find(SessionIdField(config_.run)) !=
         std::string_view::npos;
}

Status EventFileSink::Reopen() {
  auto opened =
      config_.file_system->OpenForWrite(PathOf(stored_.file_name), OpenMode::kOpenExisting);
  // Somebody removed the file, so a new one will be opened.
  if (!opened && opened.error().code() == StatusCode::kNotFound) return {};
  if (!opened) return opened.error();
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, (*opened)->Size());
  // The file is shorter than the journal says only after a power loss. The missing bytes are lost;
  // continue at the end.
  stored_.file_offset = std::min(stored_.file_offset, size);
  file_.Attach(*std::move(opened), stored_.file_offset);
  noted_ = taken_end_ = taken_offset_ = stored_.file_offset;
  return {};
}

Status EventFileSink::EnsureOpen(std::int64_t step) {
  if (!file_.attached() && stored_.file_name[0] != '\0') SIGHTLINE_RETURN_IF_ERROR(Reopen());
  return file_.attached() ? Status() : OpenSegment(step);
}

// Makes a file with its header under a temporary name, and returns its size.
Result<std::uint64_t> EventFileSink::MakeSegment(const std::string& temporary,
                                                 std::uint32_t segment, std::int64_t first_step) {
  FileSystem& fs = *config_.file_system;
  // A killed recorder may have left this name as a second link to a finished file, so never write
  // into it.
  if (const Status removed = fs.Remove(temporary);
      !removed.ok() && removed.code() != StatusCode::kNotFound) {
    return Error(removed);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(auto made, fs.OpenForWrite(temporary, OpenMode::kCreateNew));
  RecordWriter writer(std::move(made), 0);
  for (const Payload& payload :
       dialect_->Header(config_.clock->WallSeconds(), segment, first_step)) {
    SIGHTLINE_RETURN_IF_ERROR(writer.Write(payload));
  }
  SIGHTLINE_RETURN_IF_ERROR(writer.Flush());
  SIGHTLINE_RETURN_IF_ERROR(writer.Close());
  return writer.flushed();
}

Status EventFileSink::OpenSegment(std::int64_t first_step) {
  const std::uint32_t segment = stored_.segment + 1;
  const std::string temporary =
      JoinPath(config_.directory,
               fmt::format("{}{}-{}.tmp", kTemporaryPrefix, config_.run.session_id, slot_));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t header_bytes,
                             MakeSegment(temporary, segment, first_step));
  SIGHTLINE_RETURN_IF_ERROR(PublishSegment(temporary, header_bytes, segment));
  if (config_.observer.file_created) config_.observer.file_created(PathOf(stored_.file_name));
  if (config_.observer.written) config_.observer.written(header_bytes);
  return Reopen();
}

Status EventFileSink::PublishSegment(const std::string& temporary, std::uint64_t header_bytes,
                                     std::uint32_t segment) {
  // The first file of a run may have the number that the run was given. Each following file needs a
  // larger number, since readers order files by it.
  std::uint64_t digits = stored_.file_digits + (segment == 1 ? 0 : 1);
  Status status;
  for (int tries = 0; tries < kNameTries; ++tries, ++digits) {
    const std::string name = dialect_->FileName(digits);
    if (name.size() >= kMaxFileNameBytes) {
      return Status(StatusCode::kInvalidArgument,
                    fmt::format("file name {} is too long; shorten the hostname", name));
    }
    status = config_.file_system->RenameExclusive(temporary, PathOf(name.c_str()));
    if (status.ok()) {
      new_name_ = true;
      CopyName(name, stored_.file_name);
      stored_.file_digits = digits;
      stored_.segment = segment;
      stored_.file_offset = segment_begin_ = header_bytes;
      kept_.BeginFile();
      StoreProgress();
      return {};
    }
    if (status.code() != StatusCode::kAlreadyExists) break;
  }
  return status;
}

Status EventFileSink::MakeRoom(std::uint64_t bytes, std::int64_t step) {
  SIGHTLINE_RETURN_IF_ERROR(EnsureOpen(step));
  if (Takes(bytes)) return {};
  if (config_.on_file_full == OnFileFull::kStop) {
    SIGHTLINE_RETURN_IF_ERROR(Flush());
    stored_.stopped = 1;
    StoreProgress();
    return CloseFull();
  }
  // An event larger than the limit gets a file of its own.
  if (file_.end() == segment_begin_) return {};
  SIGHTLINE_RETURN_IF_ERROR(Flush());
  SIGHTLINE_RETURN_IF_ERROR(CloseFull());
  return OpenSegment(step);
}

Status EventFileSink::CloseFull() {
  unsynced_.push_back(PathOf(stored_.file_name));
  return file_.Close();
}

Status EventFileSink::Append(const PreparedEvent& event, const JournalCursor& behind) {
  // A scalar always has the same form, however it arrives, so that a replay makes the same bytes.
  if (event.values.size() == 1 && event.values[0].kind == ValueKind::kScalar && !event.incomplete) {
    const PreparedValue& value = event.values[0];
    const PlacedScalar scalar{{event.wall_time, event.step, value.tag, value.scalar}, behind};
    return AppendScalars({&scalar, 1});
  }
  if (stored_.stopped == 0) SIGHTLINE_RETURN_IF_ERROR(PutEvent(event));
  if (stored_.stopped != 0 && config_.observer.left_out)
    config_.observer.left_out(slot_, event.values.size());
  EventTaken(behind);
  return {};
}

Status EventFileSink::AppendScalars(std::span<const PlacedScalar> events) {
  if (!dialect_->takes_scalars()) {
    EventTaken(events.back().behind);
    return {};
  }
  for (const PlacedScalar& scalar : events) {
    if (stored_.stopped == 0) SIGHTLINE_RETURN_IF_ERROR(PutScalar(scalar.event));
    if (stored_.stopped != 0 && config_.observer.left_out) config_.observer.left_out(slot_, 1);
    EventTaken(scalar.behind);
  }
  return {};
}

// Writes the record directly into the file's buffer, without a Payload.
Status EventFileSink::PutScalar(const ScalarEvent& event) {
  const std::size_t room = event.tag.size() + kMaxScalarRecordOverhead;
  if (!file_.attached()) SIGHTLINE_RETURN_IF_ERROR(EnsureOpen(event.step));
  Status status;
  char* const begin = file_.Reserve(room, status);
  if (begin == nullptr) return status;
  const char* end =
      dialect_->PutScalarRecord(begin, event.wall_time, event.step, event.tag, event.value);
  const auto size = static_cast<std::size_t>(end - begin);
  if (!kept_.exhausted() && kept_.TakeFramed({begin, size})) return {};
  if (Takes(size)) {
    file_.Advance(size);
    return {};
  }
  const std::string record(begin, size);
  SIGHTLINE_RETURN_IF_ERROR(MakeRoom(size, event.step));
  return stored_.stopped != 0 ? Status() : file_.WriteFramed(record);
}

Status EventFileSink::PutEvent(const PreparedEvent& event) {
  std::size_t count = 0;
  const Status spelled = dialect_->Encode(event, payloads_, count);
  if (!spelled.ok() && config_.observer.unspeakable)
    config_.observer.unspeakable(spelled.WithContext(name()));
  std::size_t first = 0;
  if (!kept_.exhausted()) {
    while (first < count && kept_.Take(payloads_[first])) ++first;
    // If some of the event's values are lost, they were in its last record.
    if (event.incomplete && (first == 0 || first < count) && kept_.TakeAt(event.wall_time))
      return {};
  }
  if (first == count) return {};
  // All records of an event are in the same file, since the journal counts whole events.
  std::uint64_t bytes = 0;
  for (std::size_t i = first; i < count; ++i) bytes += payloads_[i].size() + kRecordOverhead;
  if (first == 0) SIGHTLINE_RETURN_IF_ERROR(MakeRoom(bytes, event.step));
  for (std::size_t i = first; i < count && stored_.stopped == 0; ++i) {
    SIGHTLINE_RETURN_IF_ERROR(file_.Write(payloads_[i]));
  }
  return {};
}

void EventFileSink::Skip(const JournalCursor& behind) { EventTaken(behind); }

void EventFileSink::EventTaken(const JournalCursor& behind) {
  if (file_.flushed() != noted_) NoteFlushed();
  taken_ = behind;
  taken_end_ = file_.end();
  const bool ends_it = kept_.exhausted() || kept_.next_is_in_earlier_file();
  taken_offset_ = ends_it ? taken_end_ : kept_.next_offset();
}

void EventFileSink::NoteFlushed() {
  if (config_.observer.written) config_.observer.written(file_.flushed() - noted_);
  noted_ = file_.flushed();
  if (noted_ >= taken_end_) StoreTaken();
}

// Stores the progress up to the last whole event. After a kill, a replay continues from there.
void EventFileSink::StoreTaken() {
  if (taken_.position == stored_.position) return;
  stored_.position = taken_.position;
  stored_.sequence = taken_.sequence;
  stored_.file_offset = taken_offset_;
  StoreProgress();
}

// While a replay is among the records of earlier files, the slot does not move. If the replay is
// killed, the next one starts from the same place.
void EventFileSink::StoreProgress() {
  if (!kept_.next_is_in_earlier_file()) journal_.StoreProgress(slot_, stored_);
}

Status EventFileSink::Flush() {
  SIGHTLINE_RETURN_IF_ERROR(file_.Flush());
  NoteFlushed();
  return {};
}

// Also cuts the file, so that no reader waits for the rest of a record.
void EventFileSink::Rollback() {
  taken_ = done();
  taken_offset_ = stored_.file_offset;
  noted_ = taken_end_ = std::max(stored_.file_offset, kept_.end());
  file_.Discard(noted_);
}

Status EventFileSink::Sync() {
  FileSystem& fs = *config_.file_system;
  for (; !unsynced_.empty(); unsynced_.pop_back()) {
    auto file = fs.OpenForWrite(unsynced_.back(), OpenMode::kOpenExisting);
    if (!file && file.error().code() == StatusCode::kNotFound) continue;  // Somebody removed it.
    if (!file) return file.error();
    SIGHTLINE_RETURN_IF_ERROR((*file)->Sync());
  }
  SIGHTLINE_RETURN_IF_ERROR(file_.Sync());
  if (!new_name_) return {};
  SIGHTLINE_RETURN_IF_ERROR(fs.SyncDirectory(config_.directory));
  new_name_ = false;
  return {};
}

Status EventFileSink::Close() { return file_.Close(); }

}  // namespace sightline
