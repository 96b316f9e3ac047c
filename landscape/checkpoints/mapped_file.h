// MappedFile: the bytes of a file, mapped if the file system can do that, otherwise (in tests) read
// into memory.
//
// Any thread may read. If another program makes the file shorter, what it removed reads as zeros,
// and Shrank() says so: the first Open installs a handler of SIGBUS, which hands other faults on to
// the handler before it.
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
  // Whether bytes were asked for that the file does not have any more.
  bool Shrank() const;

 private:
  MappedFile() = default;

  struct Range;
  class Ranges;

  std::string_view bytes_;
  Range* range_ = nullptr;  // If it is mapped.
  std::string copy_;
};

}  // namespace sightline::landscape
