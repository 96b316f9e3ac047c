#include "sightline/recorder/framing/record_reader.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <new>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline {
namespace {

constexpr std::uint64_t kWindowBytes = std::uint64_t{1} << 20U;
constexpr std::uint64_t kMinWindowBytes = 4096;

// Larger records are read if they are expected, but not searched for: random bytes that look like a
// header nearly always have a huge length.
constexpr std::uint64_t kMaxSearchedLength = std::uint64_t{1} << 40U;

// During a search, each header with a right checksum costs a check of its whole payload. A file
// made of such headers would take quadratic time. Once the reader has checked more than this
// multiple of the file's size in vain, it believes the lengths instead.
constexpr std::uint64_t kMaxVainRounds = 16;
constexpr std::uint64_t kMaxVainBytes = std::uint64_t{64} << 20U;

template <typename T>
T Load(const char* at) {
  T value;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

// The first position in `bytes` of a header whose checksum holds and whose length is at most
// `max_length`; bytes.size() if there is none. Nearly every position is rejected by its length
// alone, since few arbitrary lengths are that small.
std::size_t FindHeader(std::string_view bytes, std::uint64_t max_length) {
  static const std::uint32_t zero_length_crc =
      crc32c::Mask(crc32c::Value(std::string_view("\0\0\0\0\0\0\0\0", 8)));
  if (bytes.size() < kRecordHeaderSize) return bytes.size();
  const char* const end = bytes.data() + (bytes.size() - kRecordHeaderSize);
  for (const char* at = bytes.data(); at <= end; ++at) {
    const auto length = RecordLengthAt(at);
    if (length > max_length) continue;
    // Blocks of zeros pass the test above at every position.
    const bool holds = length == 0 ? Load<std::uint32_t>(at + kRecordLengthSize) == zero_length_crc
                                   : RecordLengthHolds(at);
    if (holds) return static_cast<std::size_t>(at - bytes.data());
  }
  return bytes.size();
}

}  // namespace

std::string_view SkipReasonName(SkipReason reason) {
  switch (reason) {
    case SkipReason::kLengthChecksum:
      return "length checksum";
    case SkipReason::kPayloadChecksum:
      return "payload checksum";
    case SkipReason::kTruncated:
      return "truncated";
    case SkipReason::kMalformedEvent:
      return "malformed event";
  }
  return "unknown";
}

RecordReader::RecordReader(std::unique_ptr<ReadableFile> file, Tail tail, std::uint64_t offset)
    : file_(std::move(file)), tail_(tail), window_offset_(offset) {}

ReadOutcome RecordReader::Next() {
  const auto available = static_cast<std::uint64_t>(limit_ - cursor_);
  if (available >= kRecordOverhead) [[likely]] {
    const auto length = RecordLengthAt(cursor_);
    if (length <= available - kRecordOverhead && RecordLengthHolds(cursor_) &&
        RecordPayloadHolds(cursor_, length)) [[likely]] {
      return Accept(length);
    }
  }
  return NextSlowly();
}

ReadOutcome RecordReader::Accept(std::uint64_t length) {
  record_offset_ = position();
  payload_ = {cursor_ + kRecordHeaderSize, length};
  cursor_ += kRecordOverhead + length;
  ++records_;
  return ReadOutcome::kRecord;
}

// For a record at the cursor that is damaged, or not whole within the window.
ReadOutcome RecordReader::NextSlowly() {
  payload_ = {};
  const std::uint64_t size_before = size_;
  if (status_ = RefreshSize(); !status_.ok()) return ReadOutcome::kError;
  if (stalled_ && size_ == size_before) return ReadOutcome::kEnd;
  // The bytes in the tail of a growing file may have changed since they were read.
  if (stalled_) Seek(position());
  stalled_ = false;

  const std::uint64_t expected = position();
  SkipReason reason = SkipReason::kLengthChecksum;
  switch (Examine(expected)) {
    case Verdict::kSound:
      ForgetSearch();
      return Accept(RecordLengthAt(cursor_));
    case Verdict::kError:
      return ReadOutcome::kError;
    case Verdict::kNothing:
      return Stall();
    case Verdict::kBeyondEnd:
      if (tail_ == Tail::kGrowing) return Stall();
      reason = SkipReason::kTruncated;
      break;
    case Verdict::kBadLength:
      break;
    case Verdict::kBadPayload:
      reason = SkipReason::kPayloadChecksum;
      break;
  }

  std::uint64_t found = size_;
  switch (FindSound(expected, found)) {
    case Verdict::kSound:
      Skip(expected, found, reason);
      return Accept(RecordLengthAt(cursor_));
    case Verdict::kError:
      Seek(expected);
      return ReadOutcome::kError;
    case Verdict::kNothing:
    case Verdict::kBadLength:
    case Verdict::kBadPayload:
    case Verdict::kBeyondEnd:
      break;
  }
  if (tail_ == Tail::kGrowing) {
    Seek(expected);
    return Stall();
  }
  Skip(expected, size_, reason);
  Seek(size_);
  return Stall();
}

ReadOutcome RecordReader::Stall() {
  stalled_ = true;
  return ReadOutcome::kEnd;
}

void RecordReader::SkipTo(std::uint64_t offset) {
  payload_ = {};
  Seek(offset);
  stalled_ = false;
  ForgetSearch();
}

void RecordReader::Finish() {
  tail_ = Tail::kFinal;
  payload_ = {};
  if (!stalled_) return;
  Seek(position());
  stalled_ = false;
  ForgetSearch();
}

void RecordReader::ForgetSearch() {
  scanned_to_ = 0;
  incomplete_.clear();
}

void RecordReader::Reject(SkipReason reason) {
  --records_;
  Skip(record_offset_, position(), reason);
}

void RecordReader::Skip(std::uint64_t begin, std::uint64_t end, SkipReason reason) {
  ForgetSearch();
  if (begin == end) return;
  if (!skipped_.empty() && skipped_.back().offset + skipped_.back().length == begin) {
    skipped_.back().length += end - begin;
  } else {
    skipped_.push_back({begin, end - begin, reason});
  }
}

Status RecordReader::RefreshSize() {
  SIGHTLINE_ASSIGN_OR_RETURN(size_, file_->Size());
  return {};
}

// Forgets the window.
void RecordReader::Seek(std::uint64_t offset) {
  window_offset_ = offset;
  cursor_ = limit_ = window_.get();
}

// Puts the cursor at `offset` and makes the window hold `need` bytes from there, or all bytes up to
// the file's end. REQUIRES: offset + need <= size_, or need is small.
Status RecordReader::Fill(std::uint64_t offset, std::uint64_t need) {
  const auto held = static_cast<std::uint64_t>(limit_ - window_.get());
  if (offset < window_offset_ || offset - window_offset_ > held) {
    Seek(offset);
  } else {
    cursor_ = window_.get() + (offset - window_offset_);
  }
  auto available = static_cast<std::uint64_t>(limit_ - cursor_);
  if (available >= need) return {};

  char* target = window_.get();
  std::unique_ptr<char[]> larger;
  // A small file needs no large window.
  const std::uint64_t ahead = std::min(kWindowBytes, size_ - std::min(size_, offset));
  if (const std::uint64_t wanted = std::max({need, ahead, kMinWindowBytes}); capacity_ < wanted) {
    capacity_ = std::max(need, std::bit_ceil(std::min(wanted, kWindowBytes)));
    larger.reset(new (std::nothrow) char[capacity_]);
    if (larger == nullptr) {
      capacity_ = 0;
      window_.reset();
      Seek(offset);
      return Status(StatusCode::kResourceExhausted,
                    "no memory for a record of " + std::to_string(need) + " bytes");
    }
    target = larger.get();
  }
  if (available > 0) std::memmove(target, cursor_, available);
  if (larger != nullptr) window_ = std::move(larger);
  window_offset_ = offset;
  cursor_ = window_.get();
  limit_ = cursor_ + available;
  while (available < need) {
    auto read =
        file_->ReadAt(offset + available, {window_.get() + available, capacity_ - available});
    if (!read) return read.error();
    if (*read == 0) break;
    available += *read;
    limit_ += *read;
  }
  return {};
}

RecordReader::Verdict RecordReader::Examine(std::uint64_t offset) {
  if (status_ = Fill(offset, kRecordHeaderSize); !status_.ok()) return Verdict::kError;
  const auto available = static_cast<std::uint64_t>(limit_ - cursor_);
  if (available == 0) return Verdict::kNothing;
  if (available < kRecordHeaderSize) return Verdict::kBeyondEnd;
  if (!RecordLengthHolds(cursor_)) return Verdict::kBadLength;
  const auto length = RecordLengthAt(cursor_);
  const std::uint64_t room = size_ - std::min(size_, offset);
  if (room < kRecordOverhead || length > room - kRecordOverhead) return Verdict::kBeyondEnd;
  if (status_ = Fill(offset, kRecordOverhead + length); !status_.ok()) return Verdict::kError;
  // The file may be shorter than it was a moment ago.
  if (static_cast<std::uint64_t>(limit_ - cursor_) < kRecordOverhead + length)
    return Verdict::kBeyondEnd;
  return RecordPayloadHolds(cursor_, length) ? Verdict::kSound : Verdict::kBadPayload;
}

RecordReader::Verdict RecordReader::FindSound(std::uint64_t damaged, std::uint64_t& found) {
  if (const Verdict completed = FindCompleted(found); completed != Verdict::kNothing)
    return completed;
  std::uint64_t at = std::max(damaged + 1, scanned_to_);
  while (at + kRecordHeaderSize <= size_) {
    if (status_ = Fill(at, kRecordHeaderSize); !status_.ok()) return Verdict::kError;
    const std::string_view bytes(cursor_, static_cast<std::size_t>(limit_ - cursor_));
    if (bytes.size() < kRecordHeaderSize) break;
    // In a growing file, a record that is not complete yet counts, too.
    const std::uint64_t max_length =
        tail_ == Tail::kGrowing ? kMaxSearchedLength : std::min(kMaxSearchedLength, size_ - at);
    const std::size_t header = FindHeader(bytes, max_length);
    if (header == bytes.size()) {
      at += bytes.size() - (kRecordHeaderSize - 1);
      continue;
    }
    at += header;
    const auto length = RecordLengthAt(cursor_ + header);
    const Verdict verdict = Examine(at);
    if (verdict == Verdict::kSound) found = at;
    if (verdict == Verdict::kSound || verdict == Verdict::kError) return verdict;
    if (verdict == Verdict::kBeyondEnd && tail_ == Tail::kGrowing) {
      incomplete_.push_back({at, at + kRecordOverhead + length});
    }
    at += verdict == Verdict::kBeyondEnd || MayLookInside(length) ? 1 : kRecordOverhead + length;
  }
  scanned_to_ = at;
  return Verdict::kNothing;
}

// Looks for a sound record among those in a growing file's tail that were not complete when they
// were seen.
RecordReader::Verdict RecordReader::FindCompleted(std::uint64_t& found) {
  std::vector<Incomplete> still;
  Verdict verdict = Verdict::kNothing;
  for (const Incomplete& record : incomplete_) {
    if (record.end > size_) {
      still.push_back(record);
      continue;
    }
    verdict = Examine(record.offset);
    if (verdict == Verdict::kSound) found = record.offset;
    if (verdict == Verdict::kSound || verdict == Verdict::kError) return verdict;
    if (verdict == Verdict::kBadPayload) MayLookInside(record.end - record.offset);
  }
  incomplete_ = std::move(still);
  return Verdict::kNothing;
}

// Counts `length` bytes that are not a record after all. False if the search has checked too many.
bool RecordReader::MayLookInside(std::uint64_t length) {
  bytes_checked_in_vain_ += length;
  return bytes_checked_in_vain_ <= kMaxVainBytes + kMaxVainRounds * size_;
}

}  // namespace sightline
