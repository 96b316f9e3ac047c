// ArraySink: takes named NumPy arrays, for a folder of .npy files or one .npz file. Private to this
// folder.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

class ArraySink {
 public:
  virtual ~ArraySink() = default;
  // `name`: a relative path without ".npy", unique.
  virtual Status Put(const std::string& name, const TensorView& array) = 0;
  // The same for an array of bytes that come in parts, which may be too many for memory. `parts`
  // may be called twice. An error that its first call returns leaves no array.
  using Parts = std::function<Status(const std::function<void(std::string_view)>&)>;
  virtual Status PutParts(const std::string& name, const std::vector<std::int64_t>& shape,
                          const Parts& parts) = 0;
  virtual Status Close() = 0;
};

// Files <folder>/<name>.npy.
std::unique_ptr<ArraySink> MakeNpyFolder(FileSystem& file_system, std::string folder);

// Members <name>.npy of a zip archive of any size (ZIP64), not compressed, as numpy.savez writes it
// and numpy.load opens it. Format: PKWARE's APPNOTE.TXT 6.3.
std::unique_ptr<ArraySink> MakeNpzFile(std::unique_ptr<WritableFile> file);

}  // namespace sightline
