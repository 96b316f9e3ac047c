#include "sightline/profiler/import/source/message_stream.h"

#include <algorithm>

namespace sightline::profiler {

using wire::WireType;

bool MessageStream::Fail() {
  const Status& read = window_.status();
  status_ = read.ok() ? Status(StatusCode::kDataLoss,
                               "the file ends within a message, or is damaged, at byte " +
                                   std::to_string(window_.offset()))
                      : read;
  return false;
}

bool MessageStream::Have(std::uint64_t bytes) {
  while (window_.rest().size() < bytes)
    if (!window_.More()) return false;
  return true;
}

bool MessageStream::SkipPending() {
  while (pending_ > 0) {
    const std::uint64_t step = std::min<std::uint64_t>(pending_, window_.rest().size());
    window_.Skip(static_cast<std::size_t>(step));
    pending_ -= step;
    if (pending_ > 0 && !window_.More()) return false;
  }
  return true;
}

bool MessageStream::Varint(std::uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (!Have(1)) return false;
    const auto byte = static_cast<unsigned char>(window_.rest().front());
    window_.Skip(1);
    value |= static_cast<std::uint64_t>(byte & 0x7fU) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool MessageStream::Next(wire::Field& field) {
  if (!status_.ok()) return false;
  if (!SkipPending()) return Fail();
  if (!ends_.empty() && window_.offset() >= ends_.back()) {
    const bool sound = window_.offset() == ends_.back();
    ends_.pop_back();
    return sound ? false : Fail();
  }
  if (ends_.empty() && !Have(1)) return window_.status().ok() ? false : Fail();
  std::uint64_t key = 0;
  if (!Varint(key)) return Fail();
  field = {};
  field.number = static_cast<std::uint32_t>(key >> 3U);
  field.type = static_cast<WireType>(key & 7U);
  switch (field.type) {
    case WireType::kVarint:
      return Varint(field.number_value) || Fail();
    case WireType::kBytes:
      if (!Varint(field.number_value)) return Fail();
      pending_ = field.number_value;
      if (!ends_.empty() && pending_ > ends_.back() - std::min(ends_.back(), window_.offset()))
        return Fail();
      return true;
    case WireType::kFixed64:
      pending_ = sizeof(std::uint64_t);
      return true;
    case WireType::kFixed32:
      pending_ = sizeof(std::uint32_t);
      return true;
    case WireType::kStartGroup:
    case WireType::kEndGroup:
      return Fail();  // No format of ours has groups.
  }
  return Fail();  // Two values that are no type.
}

void MessageStream::Enter() {
  ends_.push_back(window_.offset() + pending_);
  pending_ = 0;
}

std::string_view MessageStream::Take() {
  if (!Have(pending_)) {
    Fail();
    return {};
  }
  const std::string_view bytes = window_.rest().substr(0, static_cast<std::size_t>(pending_));
  window_.Skip(bytes.size());
  pending_ = 0;
  return bytes;
}

}  // namespace sightline::profiler
