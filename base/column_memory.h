// Where the numbers of columns lie: on the heap, and while a MemoryLimit is set those of large
// columns in a file without a name, which the process maps. What of it is resident is let go of
// whenever the process comes near to its limit; the next look brings it back.
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
  // `is_filled`: from end to end, so that large pages spare most of the faults.
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
  // Copies what begins at byte `begin` from the file, mapping nothing. False where it is in none.
  bool ReadFar(std::size_t begin, std::span<char> into) const;

 private:
  char* data_ = nullptr;
  std::size_t heap_size_ = 0;          // 0: in `chunk_`.
  bool is_huge_ = false;               // On the heap, in large pages.
  std::shared_ptr<SpillChunk> chunk_;  // Lives as long as a column lies in it.
};

// Such bytes by their address alone, for containers, which reserve more than they fill. Throws
// std::bad_alloc.
char* NewColumn(std::size_t size);
void DeleteColumn(char* column);

template <typename T>
struct ColumnAllocator {
  using value_type = T;  // NOLINT(readability-identifier-naming)

  ColumnAllocator() = default;
  template <typename Other>
  ColumnAllocator(const ColumnAllocator<Other>&) {}  // NOLINT(google-explicit-constructor)

  // Called for `resize` and the like: zeros would be resident before anything is known.
  template <typename U>
  void construct(U* at) {
    ::new (static_cast<void*>(at)) U;
  }
  T* allocate(std::size_t count) { return reinterpret_cast<T*>(NewColumn(count * sizeof(T))); }
  void deallocate(T* column, std::size_t) { DeleteColumn(reinterpret_cast<char*>(column)); }
  bool operator==(const ColumnAllocator&) const = default;
};

// A vector whose values lie where those of columns do. Numbers that `resize` adds are not
// initialized.
template <typename T>
using ColumnVector = std::vector<T, ColumnAllocator<T>>;

// The resident memory of this process while the object lives: mapped pages count, too. What no
// column holds - a program's own state, one event at a time - cannot be let go of, so `bytes` below
// some 100 MB may be passed. One at a time.
class MemoryLimit {
 public:
  static constexpr std::uint64_t kLeast = 64'000'000;
  static constexpr std::chrono::milliseconds kLook{5};

  // Large columns go to a file in `folder`, which is made where it is missing; the file has no name
  // and is gone with the process. The limit's own thread looks every `look`. kInvalidArgument for
  // fewer than kLeast bytes, kFailedPrecondition where there is a limit, kIoError where no file can
  // be made.
  static Result<std::unique_ptr<MemoryLimit>> Set(std::uint64_t bytes, const std::string& folder,
                                                  std::chrono::milliseconds look = kLook);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Lets go of columns where that is due, as the limit's own thread does; on a busy machine that
  // one may come late. A loop through large columns calls it for each of its steps: it looks once
  // in many.
  static void Keep(std::size_t step) {
    constexpr std::size_t kSteps = std::size_t{1} << 16U;
    if (step % kSteps == 0) Keep();
  }
  static void Keep();

  // Bytes of columns in the file now.
  std::uint64_t spilled_bytes() const;

 private:
  explicit MemoryLimit(std::shared_ptr<SpillFile> file) : file_(std::move(file)) {}

  std::shared_ptr<SpillFile> file_;
};

}  // namespace sightline
