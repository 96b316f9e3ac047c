// gzip files (RFC 1952). Any thread; a GzipReader in one thread at a time. If zlib gets no memory,
// std::bad_alloc is thrown.
//
//   const std::string packed = Gzip(text);
//   auto unpacked = Gunzip(packed, 64 << 20);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

struct z_stream_s;

namespace sightline {

// `level`: 1 (fastest) to 9 (smallest).
std::string Gzip(std::string_view bytes, int level = 6);

// What stands around deflated data: gzip's header (RFC 1952), or zlib's (RFC 1950).
enum class Wrapper : std::uint8_t { kGzip, kZlib };

// The content of a gzip file. kDataLoss if `packed` is not a whole one, or if the content has more
// than `limit` bytes. Takes about as much memory as the content, and at most that of `limit`.
Result<std::string> Gunzip(std::string_view packed, std::size_t limit,
                           Wrapper wrapper = Wrapper::kGzip);

// Unpacks a gzip file piece by piece, in 50 KB of memory.
class GzipReader {
 public:
  explicit GzipReader(Wrapper wrapper = Wrapper::kGzip);
  ~GzipReader();
  GzipReader(const GzipReader&) = delete;
  GzipReader& operator=(const GzipReader&) = delete;

  // Unpacks the next bytes of the file into `out`, until it is full or `packed` is used up. Removes
  // the bytes that it used from the front of `packed`, and returns how many it unpacked; 0 if it
  // needs more of the file. kDataLoss if the file is damaged here; the bytes before are sound.
  Result<std::size_t> Read(std::string_view& packed, std::span<char> out);

  // Whether the file may end here: a file has one or more members, and none of them is unfinished.
  bool complete() const { return complete_; }

 private:
  std::unique_ptr<z_stream_s> stream_;
  bool complete_ = false;
};

}  // namespace sightline
