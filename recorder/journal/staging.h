// Staging: the values that wait for RecordStaged(step). They have the form of a journal
// entry already, so that recording them is one copy. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sightline/recorder/journal/journal_entry.h"

namespace sightline {

class Staging {
 public:
  // All values together may take `limit` bytes. A value larger than half of that is copied into
  // memory of its own; there may be one such value.
  explicit Staging(std::size_t limit);

  // Adds a copy of the value. False if there is no room. REQUIRES: CheckValue(tag, value) is OK and
  // the tag is clean.
  bool Add(std::string_view tag, const Value& value);

  bool empty() const { return count_ == 0; }
  std::uint32_t count() const { return count_; }
  std::string_view bytes() const { return {buffer_.get(), size_}; }
  // CRC32C of bytes().
  std::uint32_t checksum() const { return checksum_; }
  // Bytes of the values and tags that callers gave, for the statistics.
  std::uint64_t given_bytes() const { return given_bytes_; }

  // The copy of the large value, and its size; nullptr and 0 if there is none.
  const std::shared_ptr<const void>& large() const { return large_; }
  std::uint64_t large_bytes() const { return large_bytes_; }

  void Clear();

 private:
  const std::size_t limit_;
  // Allocated once, with `limit_` bytes. Only the pages in use are touched.
  std::unique_ptr<char[]> buffer_;
  std::size_t size_ = 0;
  std::uint32_t checksum_ = 0;
  std::uint32_t count_ = 0;
  std::uint64_t given_bytes_ = 0;
  std::uint64_t large_bytes_ = 0;
  std::shared_ptr<const void> large_;
};

}  // namespace sightline
