// When a console's lines were printed: the file beside it, which `sightline run` writes
// (docs/console_file.md).
//
// The file has a row each second at most, of 16 bytes: the number of bytes that were in the console
// before (uint64), and the time at which the next ones were read, in seconds since the Unix epoch
// (binary64), both little-endian. So the time of a byte is that of the last row whose number is not
// larger, to one second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"

namespace sightline {

struct ConsoleTime {
  std::uint64_t offset = 0;
  double seconds = 0;

  static constexpr std::size_t kBytes = 16;
  std::string Serialize() const;
};

// The times of a console, which may grow. Nothing of the file is kept: a question reads a few rows.
// Any thread.
class ConsoleTimes {
 public:
  // Without the file `path`, there are no times.
  ConsoleTimes(FileSystem& files, const std::string& path);

  bool empty() const { return Count() == 0; }
  // When the byte at `offset` was read; none if no row says.
  std::optional<double> TimeAt(std::uint64_t offset) const;
  // Where the console was at `seconds`: the byte that was read next, or within the second before
  // it. 0 before the first row, and that of the last row after it. If the clock was set back, it is
  // one of the places with that time.
  std::uint64_t OffsetAt(double seconds) const;
  // The rows that say when the bytes from `begin` to `end` were read. Rows whose numbers do not
  // grow, or whose times are not finite, are left out. At most kMostRows.
  std::vector<ConsoleTime> Between(std::uint64_t begin, std::uint64_t end) const;
  static constexpr std::size_t kMostRows = std::size_t{64} << 10U;

 private:
  std::size_t Count() const;
  // Rows from `first` on; fewer than `count` at the end.
  std::vector<ConsoleTime> Rows(std::size_t first, std::size_t count) const;
  // The number of rows before the first one that is after something.
  std::size_t CountNotAfter(const std::function<bool(const ConsoleTime&)>& is_after) const;

  std::unique_ptr<ReadableFile> file_;  // Null: there is none.
};

}  // namespace sightline
