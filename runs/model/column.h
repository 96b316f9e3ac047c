// Column: a sequence of numbers that grows at its end. A copy shares the memory and costs nothing;
// numbers that are appended to one of the two do not appear in the other. So the columns of a
// growing file serve each Run that is made of it, without a copy of the numbers.
//
//   Column<double> all;
//   for (const double value : values) all.push_back(value);
//   const Column<double> now = all;  // Shares.
//   all.push_back(7);                // `now` stays as it is.
//
// Several copies may append. The first one appends in place. Another one that appends the same
// values finds them there already; with other values it moves to memory of its own. One thread at a
// time may append to the copies of one column; any thread may read.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "sightline/base/memory/column_memory.h"

namespace sightline {

template <typename T>
class Column {
  // Values are compared and copied as bytes, so that NaN equals itself.
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  using value_type = T;             // NOLINT(readability-identifier-naming)
  using const_iterator = const T*;  // NOLINT(readability-identifier-naming)

  Column() = default;
  Column(const std::vector<T>& values) { Append(values); }  // NOLINT(google-explicit-constructor)
  Column(std::initializer_list<T> values) { Append({values.begin(), values.size()}); }
  // A column of `count` values; fill(T*) must write them.
  template <typename Fill>
  Column(std::size_t count, Fill fill) : buffer_(std::make_shared<Buffer>(count)), size_(count) {
    fill(buffer_->values);
    buffer_->used = count;
  }
  Column(const Column&) = default;
  Column& operator=(const Column&) = default;
  Column(Column&& other) noexcept { *this = std::move(other); }
  Column& operator=(Column&& other) noexcept {
    std::swap(buffer_, other.buffer_);
    std::swap(size_, other.size_);
    return *this;
  }
  ~Column() = default;

  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const T* data() const { return buffer_ == nullptr ? nullptr : buffer_->values; }
  const T& operator[](std::size_t i) const { return buffer_->values[i]; }
  const T& back() const { return buffer_->values[size_ - 1]; }
  const T* begin() const { return data(); }
  const T* end() const { return data() + size_; }

  // If a MemoryLimit has moved the numbers to a file, copies those from position `i` on to `into`
  // and returns true; otherwise returns false.
  bool ReadFar(std::size_t i, std::span<T> into) const {
    return buffer_ != nullptr && buffer_->memory != nullptr &&
           buffer_->memory->ReadFar(i * sizeof(T),
                                    {reinterpret_cast<char*>(into.data()), into.size_bytes()});
  }

  // The first `size` numbers; shares the memory. REQUIRES: size <= size().
  Column First(std::size_t size) const {
    Column first = *this;
    first.size_ = size;
    return first;
  }

  void push_back(const T& value) {
    if (buffer_ != nullptr && size_ == buffer_->used && size_ < buffer_->capacity) [[likely]] {
      buffer_->values[size_++] = value;
      buffer_->used = size_;
      return;
    }
    Append({&value, 1});
  }

  // `values` may be a part of this column.
  void Append(std::span<const T> values) {
    if (buffer_ != nullptr) values = values.subspan(TakeWhatIsThere(values));
    if (values.empty()) return;
    if (buffer_ != nullptr && buffer_->memory == nullptr && buffer_.use_count() == 1)
      buffer_->Grow(std::max(1 + values.size(), kLeast));
    const std::shared_ptr<Buffer> before = buffer_;  // `values` may be in it.
    if (buffer_ == nullptr || size_ != buffer_->used || values.size() > buffer_->capacity - size_) {
      const std::size_t least = buffer_ == nullptr && values.size() == 1 ? 1 : kLeast;
      Reserve(std::max({size_ * 2, size_ + values.size(), least}));
    }
    std::memcpy(&buffer_->values[size_], values.data(), values.size_bytes());
    size_ += values.size();
    buffer_->used = size_;
  }

 private:
  static constexpr std::size_t kLeast = 8;  // That more than one number get.
  static constexpr std::size_t kPiece = (std::size_t{8} << 20U) / sizeof(T);  // Copied at once.

  struct Buffer {
    explicit Buffer(std::size_t size) : capacity(size) {
      if (size > 1) memory = std::make_unique<ColumnBytes>(size * sizeof(T));
      values = reinterpret_cast<T*>(size > 1 ? memory->data() : only);
    }
    // Moves the one number to memory of this size. `only` keeps it, for those who append it.
    void Grow(std::size_t size) {
      memory = std::make_unique<ColumnBytes>(size * sizeof(T));
      std::memcpy(memory->data(), only, sizeof(T));
      values = reinterpret_cast<T*>(memory->data());
      capacity = size;
    }
    std::unique_ptr<ColumnBytes> memory;  // Null: `only` holds the one number.
    T* values;
    std::size_t capacity;
    std::size_t used = 0;  // By the longest of the columns that share it.
    // A run may have a million columns of one number.
    alignas(T) char only[sizeof(T)];
  };

  // Returns how many of the first `values` another copy has already appended after the last number
  // of this one, and takes them over.
  std::size_t TakeWhatIsThere(std::span<const T> values) {
    const std::size_t there = std::min(buffer_->used - size_, values.size());
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): bits, as said above.
    if (there == 0 || std::memcmp(end(), values.data(), there * sizeof(T)) != 0) return 0;
    size_ += there;
    return there;
  }

  void Reserve(std::size_t capacity) {
    auto larger = std::make_shared<Buffer>(capacity);
    for (std::size_t done = 0; done < size_; done += kPiece) {
      if (done != 0) MemoryLimit::Keep();
      std::memcpy(&larger->values[done], &data()[done], std::min(kPiece, size_ - done) * sizeof(T));
    }
    larger->used = size_;
    buffer_ = std::move(larger);
  }

  std::shared_ptr<Buffer> buffer_;
  std::size_t size_ = 0;
};

// ColumnReader: reads single numbers of a column that are far from each other. If a MemoryLimit has
// moved the column to a file, it reads blocks, since each access to the mapped file would make 64
// KB resident. Borrows the column. One thread.
template <typename T>
class ColumnReader {
 public:
  static constexpr std::size_t kBlock = 64;

  explicit ColumnReader(const Column<T>& column) : column_(&column) {}
  explicit ColumnReader(std::span<const T> numbers) : loaded_(numbers) {}
  ~ColumnReader() = default;
  ColumnReader(const ColumnReader&) = delete;
  ColumnReader& operator=(const ColumnReader&) = delete;

  // REQUIRES: i < the column's size.
  T operator[](std::size_t i) {
    if (i - begin_ >= loaded_.size()) [[unlikely]]
      Load(i);
    return loaded_[i - begin_];
  }

 private:
  void Load(std::size_t i) {
    begin_ = i / kBlock * kBlock;
    const auto block = std::span(block_).first(std::min(kBlock, column_->size() - begin_));
    loaded_ = block;
    if (column_->ReadFar(begin_, block)) return;
    begin_ = 0;
    loaded_ = *column_;
  }

  const Column<T>* column_ = nullptr;
  std::size_t begin_ = 0;
  std::span<const T> loaded_;
  std::array<T, kBlock> block_ = {};
};

}  // namespace sightline
