// MappedFile: the bytes of a file, mapped if the file system can do that, otherwise (in tests) read
// into memory.
//
// Immutable, so any thread may read. The file must not become shorter while it is mapped.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"

namespace sightline::landscape {

class MappedFile {
 public:
  static Result<std::shared_ptr<const MappedFile>> Open(FileSystem& file_system,
                                                        const std::string& path);
  ~MappedFile();
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;

  std::string_view bytes() const { return bytes_; }

 private:
  MappedFile() = default;

  std::string_view bytes_;
  void* mapping_ = nullptr;
  std::string copy_;
};

}  // namespace sightline::landscape
