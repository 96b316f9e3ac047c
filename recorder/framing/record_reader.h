// RecordReader: reads the records of one event file, and verifies every checksum. It continues
// after damage, and after the end of a file that has grown.
//
//   RecordReader reader(std::move(file));
//   while (reader.Next() == ReadOutcome::kRecord) Use(reader.payload());
//   for (const SkippedRegion& region : reader.skipped()) Warn(region);
//
// Damage (docs/event_file.md): after a damaged record, the reader searches from the record's second
// byte on for the first offset with a whole record whose two checksums hold. Everything before that
// is one skipped region. So a damaged payload or length costs only its own record, and bytes that
// were lost, inserted or torn off cost only the records that they touch.
//
// If a record reaches beyond the file's end, a live writer may not have completed it, or it may be
// torn. Tail says which to assume:
// - kGrowing: it is not complete yet. So is damage that no good record follows. Next returns kEnd,
//   and continues there when the file has grown. Finish() switches to kFinal.
// - kFinal: the rest is damage. Good records inside it, which a later writer appended, are found.
//
// A length is neither followed nor allocated before its checksum holds and the file is known to be
// that long. Memory: one buffer of at most 1 MiB, or as large as the largest record. One thread at
// a time.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline {

enum class ReadOutcome : std::uint8_t {
  kRecord,  // There is a record.
  kEnd,     // There is none now; call again when the file may have grown.
  kError,   // The file cannot be read (status()). Another call tries again.
};

enum class Tail : std::uint8_t { kFinal, kGrowing };

enum class SkipReason : std::uint8_t {
  kLengthChecksum,   // The length of a record does not match its checksum.
  kPayloadChecksum,  // The length is right, but the payload is damaged.
  kTruncated,        // A record reaches beyond the file's end.
  kMalformedEvent,   // The record is sound, its payload is not an event (EventReader reports it).
};

// "length checksum", "payload checksum", "truncated", "malformed event".
std::string_view SkipReasonName(SkipReason reason);

// Bytes of a file that were not read as records. Adjacent regions are merged, and have the reason
// of the first one.
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

  // The payload of the current record, and where the record begins. The payload is valid until the
  // next call of Next, SkipTo or Finish.
  std::string_view payload() const { return payload_; }
  std::uint64_t offset() const { return record_offset_; }
  // Where the next record is expected: after the current one, or at the beginning of a growing
  // file's unread tail.
  std::uint64_t position() const {
    return window_offset_ + static_cast<std::uint64_t>(cursor_ - window_.get());
  }
  // The number of sound records so far, without rejected ones.
  std::uint64_t records() const { return records_; }

  // Continues at `offset`, for a caller that knows the records before it.
  void SkipTo(std::uint64_t offset);

  // Call this when the file will not grow any more. The next calls of Next read its tail.
  void Finish();

  // Counts the current record as a skipped region, since its payload is of no use.
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

  // Moves the cursor to `offset` and checks the record there. With kError, status_ has the cause.
  Verdict Examine(std::uint64_t offset);
  // Finds the first sound record after damage at `damaged`. kNothing if there is none.
  Verdict FindSound(std::uint64_t damaged, std::uint64_t& found);
  Verdict FindCompleted(std::uint64_t& found);
  bool MayLookInside(std::uint64_t length);
  void ForgetSearch();
  void Skip(std::uint64_t begin, std::uint64_t end, SkipReason reason);

  std::unique_ptr<ReadableFile> file_;
  Tail tail_;
  std::uint64_t size_ = 0;  // The size of the file when it was last asked for.

  // The bytes of the file from window_offset_ on end at limit_; the next record begins at cursor_.
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

  // What is known about damage in a growing file's tail, so that a call looks only at new bytes.
  bool stalled_ = false;  // Nothing more could be read when the file had size_ bytes.
  // No sound record begins before this offset, except at incomplete_; 0: no damage.
  std::uint64_t scanned_to_ = 0;
  std::vector<Incomplete> incomplete_;

  std::uint64_t bytes_checked_in_vain_ = 0;
};

}  // namespace sightline
