// ByteSource: reads a file from start to end, and unpacks it if it is compressed by gzip.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::profiler {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // Reads the next bytes, at most `buffer.size()`, and returns how many; 0 at the end. kDataLoss if
  // the rest cannot be unpacked; the bytes before it are sound.
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
};

// Opens the file at `path`. A gzip file takes 300 KB of memory, whatever its size.
Result<std::unique_ptr<ByteSource>> OpenByteSource(FileSystem& file_system,
                                                   const std::string& path);

}  // namespace sightline::profiler
