// Where the numbers of columns lie: on the heap, and while a MemoryLimit is set those of large
// columns in a file without a name, which the process maps. What of it is resident is let go of
// whenever the process comes near to its limit; the next look brings it back.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto limit, MemoryLimit::Set(512 << 20, folder));
//   ... open runs of any size ...
//
// Callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "sightline/base/status.h"

namespace sightline {

class SpillFile;
class SpillChunk;

// Bytes of one column, not initialized.
class ColumnBytes {
 public:
  explicit ColumnBytes(std::size_t size);
  ~ColumnBytes();
  ColumnBytes(const ColumnBytes&) = delete;
  ColumnBytes& operator=(const ColumnBytes&) = delete;

  char* data() const { return data_; }  // Aligned for every number.
  // Copies what begins at byte `begin` from the file, mapping nothing. False where it is in none.
  bool ReadFar(std::size_t begin, std::span<char> into) const;

 private:
  char* data_ = nullptr;
  std::size_t heap_size_ = 0;          // 0: in `chunk_`.
  std::shared_ptr<SpillChunk> chunk_;  // Lives as long as a column lies in it.
};

// Lets go of what is mapped where the process comes near to its MemoryLimit, if it has one. For
// whoever goes through columns faster than the thread that does so, too, may notice.
void KeepBelowMemoryLimit();

// The resident memory of this process while the object lives: mapped pages count, too. What no
// column holds - a program's own state, one event at a time - cannot be let go of, so `bytes` below
// some 100 MB may be passed. One at a time.
class MemoryLimit {
 public:
  static constexpr std::uint64_t kLeast = 64'000'000;

  // Large columns go to a file in `folder`, which is made where it is missing; the file has no name
  // and is gone with the process. kInvalidArgument for fewer than kLeast bytes,
  // kFailedPrecondition where there is a limit, kIoError where no file can be made.
  static Result<std::unique_ptr<MemoryLimit>> Set(std::uint64_t bytes, const std::string& folder);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

  // Bytes of columns in the file now.
  std::uint64_t spilled_bytes() const;

 private:
  explicit MemoryLimit(std::shared_ptr<SpillFile> file) : file_(std::move(file)) {}

  std::shared_ptr<SpillFile> file_;
};

}  // namespace sightline
