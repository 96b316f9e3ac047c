#include "sightline/runs/source/record_skimmer.h"

#include <algorithm>

#include "sightline/base/wire.h"
#include "sightline/recorder/framing/record_format.h"

namespace sightline {
namespace {

constexpr std::uint64_t kWindow = 4096;
// Fields up to this size are copied. Larger tags and metadata are left to RecordReader.
constexpr std::uint64_t kSmallField = 2048;
// If none of so many records is large, it is faster to read them all.
constexpr std::uint64_t kSmallRecords = 10'000;

// Field numbers of both dialects (docs/event_file.md).
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSummaryValue = 1;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kMetadata = 9;  // TensorBoard's.
// TensorBoard's, of a tensor.
constexpr std::uint32_t kVersionNumber = 3;  // The last field before those with elements.
constexpr std::uint32_t kStringVal = 8;

}  // namespace

// `need` bytes of the file at `offset`, valid until the next call; null if there are not as many.
const char* RecordSkimmer::At(std::uint64_t offset, std::uint64_t need) {
  if (offset < window_offset_ || offset + need > window_offset_ + window_.size()) {
    window_.resize(std::max(need, kWindow));
    const auto read = file_.ReadAt(offset, window_);
    window_.resize(read ? *read : 0);
    window_offset_ = offset;
  }
  return window_.size() - (offset - window_offset_) < need ? nullptr
                                                           : &window_[offset - window_offset_];
}

bool RecordSkimmer::Next() {
  if (since_large_ > kSmallRecords) return false;
  const char* const header = At(position_, kRecordHeaderSize);
  if (header == nullptr || !RecordLengthHolds(header)) return false;
  const std::uint64_t length = RecordLengthAt(header);
  const auto fits = [&] {
    const std::uint64_t room = size_ - std::min(size_, position_);
    return room >= kRecordOverhead && length <= room - kRecordOverhead;
  };
  if (!fits()) {
    const auto size = file_.Size();
    size_ = size ? *size : 0;
    if (!fits()) return false;
  }
  const std::uint64_t begin = position_ + kRecordHeaderSize;
  checked_ = length < kLarge;
  if (checked_) {
    const char* const record = At(position_, kRecordOverhead + length);
    if (record == nullptr || !RecordPayloadHolds(record, length)) return false;
    payload_ = {record + kRecordHeaderSize, length};
    ++since_large_;
  } else {
    skimmed_.clear();
    const std::uint64_t end = begin + length + kRecordFooterSize;
    if (!SkimEvent({begin, begin + length}, skimmed_)) return false;
    // If this record was torn, other records lie where the rest of it should be, and none ends
    // here.
    const char* const next = end == size_ ? nullptr : At(end, kRecordHeaderSize);
    if (end != size_ && (next == nullptr || !RecordLengthHolds(next))) return false;
    payload_ = skimmed_;
    since_large_ = 0;
  }
  offset_ = position_;
  position_ = begin + length + kRecordFooterSize;
  return true;
}

bool RecordSkimmer::ReadHead(Range& rest, Head& head) {
  constexpr std::uint64_t kLongest = 20;  // Two varints.
  const std::uint64_t some = std::min(kLongest, rest.end - rest.begin);
  const char* const bytes = At(rest.begin, some);
  if (bytes == nullptr) return false;
  std::uint64_t used = 0;
  const auto varint = [&](std::uint64_t& value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && used < some; shift += 7) {
      const auto byte = static_cast<std::uint8_t>(bytes[used++]);
      value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
      if (byte < 0x80) return true;
    }
    return false;
  };
  std::uint64_t key = 0;
  std::uint64_t value = 0;
  if (!varint(key) || key >> 3U == 0 || key >> 32U != 0) return false;
  head.number = static_cast<std::uint32_t>(key >> 3U);
  const auto type = static_cast<wire::WireType>(key & 7U);
  head.is_bytes = type == wire::WireType::kBytes;
  if ((head.is_bytes || type == wire::WireType::kVarint) && !varint(value)) return false;
  std::uint64_t content = head.is_bytes ? value : 0;
  if (type == wire::WireType::kFixed64) content = sizeof(std::uint64_t);
  if (type == wire::WireType::kFixed32) content = sizeof(std::uint32_t);
  if (type == wire::WireType::kStartGroup || type == wire::WireType::kEndGroup) return false;
  if (content > rest.end - rest.begin - used) return false;
  head.whole = {rest.begin, rest.begin + used + content};
  head.content = {rest.begin + used, head.whole.end};
  rest.begin = head.whole.end;
  return true;
}

bool RecordSkimmer::CopyWhole(const Head& head, std::string& out) {
  const std::uint64_t size = head.whole.end - head.whole.begin;
  const char* const bytes = At(head.whole.begin, size);
  if (bytes == nullptr) return false;
  out.append(bytes, size);
  return true;
}

bool RecordSkimmer::SkimEvent(Range rest, std::string& out) {
  while (rest.begin < rest.end) {
    Head head;
    if (!ReadHead(rest, head)) return false;
    if (head.is_bytes && head.number == kSummary) {
      std::string summary;
      if (!SkimSummary(head.content, summary)) return false;
      wire::AppendBytes(out, kSummary, summary);
    } else if (head.whole.end - head.whole.begin <= kSmallField) {
      if (!CopyWhole(head, out)) return false;
    } else {
      wire::AppendBytes(out, head.number, {});
    }
  }
  return true;
}

bool RecordSkimmer::SkimSummary(Range rest, std::string& out) {
  while (rest.begin < rest.end) {
    Head head;
    if (!ReadHead(rest, head)) return false;
    if (!head.is_bytes || head.number != kSummaryValue) {
      if (head.whole.end - head.whole.begin > kSmallField || !CopyWhole(head, out)) return false;
      continue;
    }
    std::string value;
    if (!SkimValue(head.content, value)) return false;
    wire::AppendBytes(out, kSummaryValue, value);
  }
  return true;
}

bool RecordSkimmer::SkimValue(Range rest, std::string& out) {
  while (rest.begin < rest.end) {
    Head head;
    if (!ReadHead(rest, head)) return false;
    if (head.whole.end - head.whole.begin <= kSmallField) {
      if (!CopyWhole(head, out)) return false;
    } else if (head.number == kTag ||
               (head.number == kMetadata && kind_ == EventFileKind::kTensorBoard)) {
      return false;
    } else if (head.is_bytes && head.number == kTensor && kind_ == EventFileKind::kTensorBoard) {
      std::string tensor;
      if (!SkimTensor(head.content, tensor)) return false;
      wire::AppendBytes(out, kTensor, tensor);
    } else {
      wire::AppendBytes(out, head.number, {});
    }
  }
  return true;
}

bool RecordSkimmer::SkimTensor(Range rest, std::string& out) {
  while (rest.begin < rest.end) {
    Head head;
    if (!ReadHead(rest, head)) return false;
    if (head.number > kVersionNumber && head.number != kStringVal) return true;  // Numbers.
    if (head.whole.end - head.whole.begin > kSmallField) {
      wire::AppendBytes(out, head.number, {});
    } else if (!CopyWhole(head, out)) {
      return false;
    }
  }
  return true;
}

}  // namespace sightline
