// Staging: values that were added and wait for Record(step), already in the form of a journal
// entry's values, so that recording them is one copy. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sightline/recorder/journal/journal_entry.h"

namespace sightline {

class Staging {
 public:
  // Values may take `limit` bytes together; one that is larger than half of it is copied on its
  // own, outside of them.
  explicit Staging(std::size_t limit);

  // False when there is no room left. REQUIRES: CheckValue(value) is OK and the tag is clean.
  bool Add(std::string_view tag, const Value& value);

  bool empty() const { return count_ == 0; }
  std::uint32_t count() const { return count_; }
  std::string_view bytes() const { return {buffer_.get(), size_}; }
  // CRC32C of bytes().
  std::uint32_t checksum() const { return checksum_; }
  // As the caller gave them, for the statistics.
  std::uint64_t given_bytes() const { return given_bytes_; }

  // The copy of the large value, and its bytes; nullptr and 0 where there is none.
  const std::shared_ptr<const void>& large() const { return large_; }
  std::uint64_t large_bytes() const { return large_bytes_; }

  void Clear();

 private:
  const std::size_t limit_;
  // Allocated once, and touched only as far as it is used.
  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0;
  std::uint32_t checksum_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t given_bytes_ = 0;
  std::uint64_t large_bytes_ = 0;
  std::shared_ptr<const void> large_;
};

}  // namespace sightline
