#include "sightline/recorder/translation/block_log_reader.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <optional>

namespace sightline {
namespace {

constexpr std::size_t kCrcBytes = 4;

std::uint64_t LengthOf(const char* header) {
  std::uint16_t length = 0;
  std::memcpy(&length, header + kCrcBytes, sizeof(length));
  return length;
}

// Whether the checksum of the whole fragment at `header` holds.
bool Holds(const char* header, std::uint64_t length) {
  std::uint32_t expected = 0;
  std::memcpy(&expected, header, sizeof(expected));
  const auto* const type =
      reinterpret_cast<const Bytef*>(header) + BlockLogReader::kHeaderBytes - 1;
  return crc32(0, type, static_cast<uInt>(length + 1)) == expected;
}

}  // namespace

// Damage counts once a sound record follows it, or the file will not grow any more.
ReadOutcome BlockLogReader::Next() {
  payload_.clear();
  std::uint64_t at = position_;
  std::uint64_t begin = at;  // Of the record whose fragments are read.
  bool inside = false;
  std::optional<SkippedRegion> damage;
  const auto lose = [&](std::uint64_t from, std::uint64_t to, SkipReason reason) {
    if (!damage) damage = SkippedRegion{from, 0, reason};
    damage->length = to - damage->offset;
    inside = false;
  };
  for (Fragment fragment;;) {
    const Verdict verdict = ReadFragment(at, fragment);
    if (verdict == Verdict::kError) return ReadOutcome::kError;
    if (verdict == Verdict::kIncomplete || verdict == Verdict::kNothing) {
      if (tail_ == Tail::kGrowing) return ReadOutcome::kEnd;
      if (inside || verdict == Verdict::kIncomplete)
        lose(inside ? begin : fragment.begin, fragment.end, fragment.reason);
      position_ = fragment.end;
      TakeDamage(damage);
      return ReadOutcome::kEnd;
    }
    at = fragment.end;
    if (verdict == Verdict::kBad) {
      lose(inside ? begin : fragment.begin, at, fragment.reason);
      continue;
    }
    const bool begins = fragment.type == Type::kWhole || fragment.type == Type::kFirst;
    // The rest of a record whose beginning is lost, or the record after one without an end.
    if (begins == inside)
      lose(inside ? begin : fragment.begin, inside ? fragment.begin : at, SkipReason::kTruncated);
    if (begins) {
      begin = fragment.begin;
      payload_.clear();
    } else if (!inside) {
      continue;
    }
    payload_.append(fragment.bytes);
    inside = fragment.type == Type::kFirst || fragment.type == Type::kMiddle;
    if (inside) continue;
    TakeDamage(damage);
    offset_ = begin;
    position_ = at;
    ++records_;
    return ReadOutcome::kRecord;
  }
}

BlockLogReader::Verdict BlockLogReader::ReadFileHeader(Fragment& header) {
  header.begin = 0;
  header.end = std::min<std::uint64_t>(block_.size(), kHeaderBytes);
  header.reason = SkipReason::kTruncated;
  if (block_.empty()) return Verdict::kNothing;
  if (block_.size() < kHeaderBytes) return Verdict::kIncomplete;
  header.reason = SkipReason::kLengthChecksum;
  return block_.starts_with(letters_) ? Verdict::kSound : Verdict::kBad;
}

BlockLogReader::Verdict BlockLogReader::ReadFragment(std::uint64_t at, Fragment& fragment) {
  fragment.end = at == 0 ? kHeaderBytes : at;
  if (kBlockBytes - at % kBlockBytes < kHeaderBytes) at += kBlockBytes - at % kBlockBytes;
  const std::uint64_t within = at == 0 ? kHeaderBytes : at % kBlockBytes;
  const std::uint64_t bytes = within + kHeaderBytes;
  if (status_ = LoadBlock(at - at % kBlockBytes, bytes); !status_.ok()) return Verdict::kError;
  if (at == 0) {
    const Verdict verdict = ReadFileHeader(fragment);
    if (verdict != Verdict::kSound) return verdict;
  }
  fragment.begin = block_begin_ + within;
  fragment.reason = SkipReason::kTruncated;
  if (within >= block_.size()) return Verdict::kNothing;
  const auto incomplete = [&] {
    fragment.end = block_begin_ + block_.size();
    return Verdict::kIncomplete;
  };
  if (block_.size() < bytes) return incomplete();
  const std::uint64_t behind = bytes + LengthOf(block_.data() + within);
  if (behind > block_.size()) {
    if (status_ = LoadBlock(block_begin_, kBlockBytes); !status_.ok()) return Verdict::kError;
    if (behind > kBlockBytes) return BadToTheBlocksEnd(fragment, SkipReason::kLengthChecksum);
    if (behind > block_.size()) return incomplete();
  }
  if (!IsSoundAt(within)) {
    if (status_ = LoadBlock(block_begin_, kBlockBytes); !status_.ok()) return Verdict::kError;
    if (!IsSoundAt(behind)) return BadToTheBlocksEnd(fragment, SkipReason::kPayloadChecksum);
    fragment.reason = SkipReason::kPayloadChecksum;
    fragment.end = block_begin_ + behind;
    return Verdict::kBad;
  }
  const char* const header = block_.data() + within;
  fragment.type = static_cast<Type>(header[kHeaderBytes - 1]);
  fragment.bytes = {header + kHeaderBytes, static_cast<std::size_t>(behind - bytes)};
  fragment.end = block_begin_ + behind;
  return Verdict::kSound;
}

BlockLogReader::Verdict BlockLogReader::BadToTheBlocksEnd(Fragment& fragment, SkipReason reason) {
  fragment.reason = reason;
  fragment.end = block_begin_ + block_.size();
  return block_.size() < kBlockBytes ? Verdict::kIncomplete : Verdict::kBad;
}

// Whether a sound fragment begins there.
bool BlockLogReader::IsSoundAt(std::uint64_t within) const {
  if (within + kHeaderBytes > block_.size()) return false;
  const char* const header = block_.data() + within;
  const std::uint64_t length = LengthOf(header);
  if (within + kHeaderBytes + length > block_.size()) return false;
  const auto type = static_cast<Type>(header[kHeaderBytes - 1]);
  return type >= Type::kWhole && type <= Type::kLast && Holds(header, length);
}

// A block that does not have `wanted` bytes is read again, since the file may have grown.
Status BlockLogReader::LoadBlock(std::uint64_t begin, std::uint64_t wanted) {
  if (block_begin_ == begin && block_.size() >= wanted) return {};
  block_begin_ = begin;
  block_.resize(kBlockBytes);
  std::size_t held = 0;
  while (held < kBlockBytes) {
    const auto got = file_->ReadAt(begin + held, std::span(block_).subspan(held));
    if (!got) {
      block_.clear();
      return got.error();
    }
    if (*got == 0) break;
    held += *got;
  }
  block_.resize(held);
  return {};
}

void BlockLogReader::TakeDamage(const std::optional<SkippedRegion>& damage) {
  if (damage) Skip(damage->offset, damage->offset + damage->length, damage->reason);
}

void BlockLogReader::Reject(SkipReason reason) {
  --records_;
  Skip(offset_, position_, reason);
}

void BlockLogReader::Skip(std::uint64_t begin, std::uint64_t end, SkipReason reason) {
  if (begin == end) return;
  if (!skipped_.empty() && skipped_.back().offset + skipped_.back().length == begin) {
    skipped_.back().length += end - begin;
  } else {
    skipped_.push_back({begin, end - begin, reason});
  }
}

}  // namespace sightline
