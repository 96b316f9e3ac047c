// The bytes of a file from its start to its end, unpacked where the file is gzip's.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::profile {

class ByteSource {
 public:
  virtual ~ByteSource() = default;

  // The next bytes, at most `buffer.size()`; 0 at the end. kDataLoss where the rest cannot be
  // unpacked; what came before is sound.
  virtual Result<std::size_t> Read(std::span<char> buffer) = 0;
};

// Of the file at `path`. Memory: 300 KB for a gzip file, whatever its size.
Result<std::unique_ptr<ByteSource>> OpenByteSource(FileSystem& files, const std::string& path);

}  // namespace sightline::profile
