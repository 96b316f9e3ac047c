#include "sightline/recorder/journal/staging.h"

#include <cstring>

namespace sightline {

Staging::Staging(std::size_t limit) : limit_(limit) {}

bool Staging::Add(std::string_view tag, const Value& value) {
  const bool large = DataBytes(value) > limit_ / 2;
  const std::uint64_t bytes = EntryValueBytes(tag, value, large);
  // A large value's copy is outside of the buffer. There is only one at a time, since memory is
  // bounded.
  if (size_ + bytes > limit_ || (large && large_ != nullptr)) return false;
  if (buffer_ == nullptr)
    buffer_.reset(new char[limit_]);  // NOLINT(modernize-make-unique): not to be zeroed.
  if (large) {
    Value copy = value;
    const std::uint64_t data_bytes = DataBytes(value);
    const std::shared_ptr<char[]> own(new char[data_bytes]);
    std::memcpy(own.get(), HasTensor(value.kind) ? value.tensor.data : value.message.data(),
                data_bytes);
    copy.tensor.data = own.get();
    copy.message = std::string_view(own.get(), data_bytes);
    large_ = own;
    large_bytes_ = data_bytes;
    PutEntryValue(buffer_.get() + size_, tag, copy, true, checksum_);
  } else {
    PutEntryValue(buffer_.get() + size_, tag, value, false, checksum_);
  }
  size_ += bytes;
  given_bytes_ += tag.size() + DataBytes(value);
  ++count_;
  return true;
}

void Staging::Clear() {
  size_ = 0;
  checksum_ = 0;
  count_ = 0;
  given_bytes_ = large_bytes_ = 0;
  large_.reset();
}

}  // namespace sightline
