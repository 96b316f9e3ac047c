// RecordReader: the records of one event file, every checksum verified. Reads on past damage, and
// resumes where a growing file ended.
//
//   RecordReader reader(std::move(file));
//   while (reader.Next() == ReadOutcome::kRecord) Use(reader.payload());
//   for (const SkippedRegion& region : reader.skipped()) Warn(region);
//
// What it does on damage (docs/event_file.md): the next good record is the first offset after the
// damaged record's first byte where a whole record with both checksums lies; everything before it
// is one skipped region. So a damaged payload costs exactly its record, a damaged length too, and
// bytes that were lost, inserted or torn off cost only the records that they touch.
//
// A record that reaches beyond the file's end may be one that a live writer has not completed, or
// one that was torn. Tail says which to assume:
// - kGrowing: not yet; the same with damage that no good record follows. Next returns kEnd, and
//   goes on there when the file has grown. Finish() turns the reader to:
// - kFinal: what is left is damage, and good records inside it (appended by a later writer) are
//   found.
//
// A length is neither followed nor allocated before its checksum holds and the file is known to be
// that long. Memory: one buffer of at most 1 MiB, or of the largest record. One thread at a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

enum class ReadOutcome : std::uint8_t {
  kRecord,  // There is one.
  kEnd,     // Nothing now; call again when the file may have grown.
  kError,   // The file cannot be read, see status(). Calling again tries again.
};

enum class Tail : std::uint8_t { kFinal, kGrowing };

enum class SkipReason : std::uint8_t {
  kLengthChecksum,   // The checksum of a record's length does not hold.
  kPayloadChecksum,  // The length is right, the payload is damaged.
  kTruncated,        // A record reaches beyond the file's end.
  kMalformedEvent,   // A sound record whose payload is no event (reported by EventReader).
};

// "length checksum", "payload checksum", "truncated", "malformed event".
std::string_view SkipReasonName(SkipReason reason);

// Bytes of a file that were not read as records. Adjacent regions are one, with the first one's
// reason.
struct SkippedRegion {
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  SkipReason reason = SkipReason::kLengthChecksum;

  friend bool operator==(const SkippedRegion&, const SkippedRegion&) = default;
};

class RecordReader {
 public:
  // `offset`: where the first record is expected.
  explicit RecordReader(std::unique_ptr<ReadableFile> file, Tail tail = Tail::kFinal,
                        std::uint64_t offset = 0);

  // Moves to the next record.
  ReadOutcome Next();

  // Of the current record. The payload is valid until the next call of Next or Finish.
  std::string_view payload() const { return payload_; }
  std::uint64_t offset() const { return record_offset_; }
  // Where the next record is expected: after the current one, or where a growing file's unread
  // tail begins.
  std::uint64_t position() const {
    return window_offset_ + static_cast<std::uint64_t>(cursor_ - window_.get());
  }
  // Sound records so far, rejected ones not counted.
  std::uint64_t records() const { return records_; }

  // Somebody else read the records in front of `offset`; the next one is expected there.
  void SkipTo(std::uint64_t offset);

  // The file will not grow any more: the next calls of Next read what is in its tail.
  void Finish();

  // The current record's payload is of no use: counts it among the skipped regions.
  void Reject(SkipReason reason);

  const std::vector<SkippedRegion>& skipped() const { return skipped_; }
  // Why the last call returned kError.
  const Status& status() const { return status_; }

 private:
  enum class Verdict : std::uint8_t {
    kSound,
    kBadLength,
    kBadPayload,
    kBeyondEnd,
    kNothing,
    kError
  };

  // A header in the tail of a growing file whose record is not complete yet.
  struct Incomplete {
    std::uint64_t offset;
    std::uint64_t end;
  };

  ReadOutcome Accept(std::uint64_t length);
  ReadOutcome NextSlowly();
  ReadOutcome Stall();
  Status RefreshSize();
  Status Fill(std::uint64_t offset, std::uint64_t need);
  void Seek(std::uint64_t offset);

  // Moves the cursor to `offset` and looks at the record there; kError leaves its cause in status_.
  Verdict Examine(std::uint64_t offset);
  // Behind damage at `damaged`: the first sound record, kNothing when there is none before the end.
  Verdict FindSound(std::uint64_t damaged, std::uint64_t& found);
  Verdict FindCompleted(std::uint64_t& found);
  bool MayLookInside(std::uint64_t length);
  void ForgetSearch();
  void Skip(std::uint64_t begin, std::uint64_t end, SkipReason reason);

  std::unique_ptr<ReadableFile> file_;
  Tail tail_;
  std::uint64_t size_ = 0;  // Of the file, when last asked.

  // Bytes of the file from window_offset_ on, up to limit_; the next record begins at cursor_.
  std::unique_ptr<char[]> window_;
  std::uint64_t capacity_ = 0;
  std::uint64_t window_offset_ = 0;
  const char* cursor_ = nullptr;
  const char* limit_ = nullptr;

  std::string_view payload_;
  std::uint64_t record_offset_ = 0;
  std::uint64_t records_ = 0;
  std::vector<SkippedRegion> skipped_;
  Status status_;

  // Of damage in a growing file's tail, so that a call looks at new bytes only.
  bool stalled_ = false;  // Nothing more could be read when the file had size_ bytes.
  std::uint64_t scanned_to_ =
      0;  // No sound record begins before, except at incomplete_; 0: no damage.
  std::vector<Incomplete> incomplete_;

  std::uint64_t bytes_checked_in_vain_ = 0;
};

}  // namespace sightline
