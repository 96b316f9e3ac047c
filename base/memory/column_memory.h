// Memory for columns of numbers. It is on the heap. While a MemoryLimit is set, large columns are
// in a file without a name that the process maps. When the process comes near to its limit, the
// pages of this file are released; the next access reads them again.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto limit, MemoryLimit::Set(512 << 20, folder));
//   ... open runs and profiles of any size ...
//
// Callable from any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

class SpillFile;
class SpillChunk;

// Bytes of one column, not initialized.
class ColumnBytes {
 public:
  // `is_filled`: the caller will fill all of it, so that large pages avoid most page faults.
  explicit ColumnBytes(std::size_t size, bool is_filled = true);
  ~ColumnBytes();
  ColumnBytes(ColumnBytes&& other) noexcept
      : data_(std::exchange(other.data_, nullptr)),
        heap_size_(std::exchange(other.heap_size_, 0)),
        is_huge_(std::exchange(other.is_huge_, false)),
        chunk_(std::move(other.chunk_)) {}
  ColumnBytes(const ColumnBytes&) = delete;
  ColumnBytes& operator=(const ColumnBytes&) = delete;
  ColumnBytes& operator=(ColumnBytes&&) = delete;

  char* data() const { return data_; }  // Aligned for every number.
  // Copies the bytes from `begin` on out of the file, without mapping them. False if the column is
  // on the heap.
  bool ReadFar(std::size_t begin, std::span<char> into) const;

 private:
  char* data_ = nullptr;
  std::size_t heap_size_ = 0;          // 0: in `chunk_`.
  bool is_huge_ = false;               // On the heap, in large pages.
  std::shared_ptr<SpillChunk> chunk_;  // Lives as long as a column is in it.
};

// ColumnBytes that are known by their address alone, for containers, which reserve more than they
// fill. Throws std::bad_alloc.
char* NewColumn(std::size_t size);
void DeleteColumn(char* column);

template <typename T>
struct ColumnAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming)

  ColumnAllocator() = default;
  template <typename Other>
  ColumnAllocator(const ColumnAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)

  // Called by `resize` and the like. Does not write zeros, since these would become resident.
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  T* allocate(std::size_t count) { return reinterpret_cast<T*>(NewColumn(count * sizeof(T))); }
  void deallocate(T* column, std::size_t) { DeleteColumn(reinterpret_cast<char*>(column)); }
  bool operator==(const ColumnAllocator&) const = default;
};

// A vector in such memory. Numbers that `resize` adds are not initialized.
template <typename T>
using ColumnVector = std::vector<T, ColumnAllocator<T>>;

// Limits the resident memory of this process while the object lives; mapped pages count, too.
// Memory outside of columns (the program's own state, one event at a time) cannot be released, so a
// limit below about 100 MB may be exceeded. One at a time.
class MemoryLimit {
 public:
  static constexpr std::uint64_t kLeast = 64'000'000;
  static constexpr std::chrono::milliseconds kLook{5};

  // Large columns go to a file in `folder`, which is created if it is missing. The file has no
  // name, and disappears with the process. A thread of the limit checks the memory every `look`.
  // kInvalidArgument for fewer than kLeast bytes, kFailedPrecondition if there is a limit already,
  // kIoError if the file cannot be created.
  static Result<std::unique_ptr<MemoryLimit>> Set(std::uint64_t bytes, const std::string& folder,
                                                  std::chrono::milliseconds look = kLook);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Releases pages of columns if that is due, as the limit's thread does, which may come late on a
  // busy machine. A loop through large columns calls it at each step; it checks once in many steps.
  static void Keep(std::size_t step) {
    constexpr std::size_t kSteps = std::size_t{1} << 16U;
    if (step % kSteps == 0) Keep();
  }
  static void Keep();

  // Bytes of columns that are in the file now.
  std::uint64_t spilled_bytes() const;

 private:
  explicit MemoryLimit(std::shared_ptr<SpillFile> file) : file_(std::move(file)) {}

  std::shared_ptr<SpillFile> file_;
};

}  // namespace sightline
