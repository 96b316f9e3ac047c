#include "sightline/export/runs/recovered_copy.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "sightline/recorder/dialect/record_writer.h"
#include "sightline/recorder/framing/record_format.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline {
namespace {

// The regions of the reader that have no steps yet.
void NoteLost(const std::vector<SkippedRegion>& skipped, std::optional<std::int64_t> after,
              std::optional<std::int64_t> before, std::vector<LostRegion>& lost) {
  // The last one may have grown since.
  if (!lost.empty() && lost.size() <= skipped.size()) lost.back().region = skipped[lost.size() - 1];
  while (lost.size() < skipped.size()) lost.push_back({skipped[lost.size()], after, before});
}

// The sound records of a file, found anew: at each offset a record is either whole, with both
// checksums, or there is no record, and the search goes on at the next offset.
class PlainSearch {
 public:
  explicit PlainSearch(const ReadableFile& file) : file_(file) {}

  Status Start() {
    SIGHTLINE_ASSIGN_OR_RETURN(size_, file_.Size());
    return {};
  }

  // The next one, or false at the end.
  Result<bool> Next() {
    while (at_ + kRecordOverhead <= size_) {
      std::uint64_t length = 0;
      SIGHTLINE_ASSIGN_OR_RETURN(const bool header, HeaderAt(at_, length));
      if (header) {
        SIGHTLINE_ASSIGN_OR_RETURN(const bool sound, PayloadAt(at_, length));
        if (sound) {
          offset_ = std::exchange(at_, at_ + kRecordOverhead + length);
          return true;
        }
        vain_ += length;
        if (vain_ > kMaxVain + 16 * size_) at_ += kRecordOverhead + length - 1;
      }
      ++at_;
    }
    return false;
  }

  const std::string& payload() const { return payload_; }
  std::uint64_t offset() const { return offset_; }

 private:
  static constexpr std::uint64_t kMaxVain = std::uint64_t{1} << 26U;
  static constexpr std::uint64_t kWindow = std::uint64_t{1} << 20U;

  Result<bool> HeaderAt(std::uint64_t offset, std::uint64_t& length) {
    if (offset < window_offset_ || offset + kRecordHeaderSize > window_offset_ + window_.size()) {
      window_.resize(std::min(kWindow, size_ - offset));
      SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got, file_.ReadAt(offset, window_));
      window_.resize(got);
      window_offset_ = offset;
      if (got < kRecordHeaderSize) return false;
    }
    const char* header = window_.data() + (offset - window_offset_);
    length = RecordLengthAt(header);
    return length <= size_ - offset - kRecordOverhead && RecordLengthHolds(header);
  }

  Result<bool> PayloadAt(std::uint64_t offset, std::uint64_t length) {
    payload_.resize(length + kRecordFooterSize);
    SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got,
                               file_.ReadAt(offset + kRecordHeaderSize, payload_));
    if (got != payload_.size()) return false;
    const bool holds = HasMaskedCrc({payload_.data(), length}, payload_.data() + length);
    payload_.resize(length);
    return holds;
  }

  const ReadableFile& file_;
  std::uint64_t size_ = 0;
  std::uint64_t at_ = 0;
  std::uint64_t offset_ = 0;
  std::uint64_t vain_ = 0;
  std::string window_;
  std::uint64_t window_offset_ = 0;
  std::string payload_;
};

// A record whose payload is not an event of the dialect is not copied.
bool MayBeNoEvent(const std::string& payload) {
  EventView event;
  return !ParseEvent(EventFileKind::kMindSporeSummary, payload, event) ||
         !ParseEvent(EventFileKind::kMindSporeLineage, payload, event) ||
         !ParseEvent(EventFileKind::kTensorBoard, payload, event);
}

}  // namespace

Result<RecoveredFile> CopySoundRecords(FileSystem& file_system, const EventSource& source,
                                       const std::string& output) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto reader, OpenEventSource(source, &file_system));
  SIGHTLINE_ASSIGN_OR_RETURN(auto file, file_system.OpenForWrite(output, OpenMode::kCreateNew));
  RecordWriter writer(std::move(file), 0);
  RecoveredFile copied;
  std::optional<std::int64_t> last_step;
  ReadOutcome outcome = ReadOutcome::kEnd;
  while ((outcome = reader->Next()) == ReadOutcome::kRecord) {
    const EventView& event = reader->event();
    const auto step = event.values.empty() ? std::nullopt : std::optional(event.step);
    NoteLost(reader->skipped(), last_step, std::nullopt, copied.lost);
    if (step) {
      // Events without values, such as a file's first, say nothing about steps.
      for (auto lost = copied.lost.rbegin(); lost != copied.lost.rend() && !lost->before_step;
           ++lost) {
        lost->before_step = step;
      }
      last_step = step;
    }
    SIGHTLINE_RETURN_IF_ERROR(writer.Write(event.payload));
    ++copied.records;
  }
  if (outcome == ReadOutcome::kError) return Error(reader->status());
  NoteLost(reader->skipped(), last_step, std::nullopt, copied.lost);
  if (source.tail) copied.journal_records = source.tail->payloads.size();
  SIGHTLINE_RETURN_IF_ERROR(writer.Flush());
  copied.bytes = writer.end();
  SIGHTLINE_RETURN_IF_ERROR(writer.Sync());
  SIGHTLINE_RETURN_IF_ERROR(writer.Close());
  return copied;
}

Status CheckRecoveredCopy(FileSystem& file_system, const EventSource& source,
                          const std::string& output) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto original, OpenSourceBytes(source, &file_system));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto copy, file_system.OpenForRead(output));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t copy_bytes, copy->Size());
  PlainSearch wanted(*original);
  PlainSearch written(*copy);
  SIGHTLINE_RETURN_IF_ERROR(wanted.Start());
  SIGHTLINE_RETURN_IF_ERROR(written.Start());
  std::uint64_t sound_to = 0;  // Of the copy.
  const auto advance = [&]() -> Result<bool> {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool more, written.Next());
    if (more && written.offset() != sound_to)
      return Error(StatusCode::kDataLoss, fmt::format("{}: damaged at {}", output, sound_to));
    if (more) sound_to += kRecordOverhead + written.payload().size();
    return more;
  };
  SIGHTLINE_ASSIGN_OR_RETURN(bool have, advance());
  for (;;) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool more, wanted.Next());
    if (!more) break;
    if (have && written.payload() == wanted.payload()) {
      SIGHTLINE_ASSIGN_OR_RETURN(have, advance());
    } else if (!MayBeNoEvent(wanted.payload())) {
      return Status(StatusCode::kDataLoss,
                    fmt::format("{}: the sound record at {} of {} is missing", output,
                                wanted.offset(), source.path));
    }
  }
  if (have || sound_to != copy_bytes) {
    return Status(StatusCode::kDataLoss,
                  fmt::format("{}: has a record at {} that is not in {}", output,
                              have ? written.offset() : sound_to, source.path));
  }
  return {};
}

}  // namespace sightline
