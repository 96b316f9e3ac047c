// DumpFileSystem: a file system that uncompresses dumps as it reads them.
//
// Code that opens dumps by path uses LocalDumps(), and so reads compressed and other dumps alike:
//
//   graphs/20_validate_0542.ir
//   graphs/20_validate_0542.ir.gz              as the dumper may write it
//
// A compressed dump must not unpack to more than 64 times its size, except up to 256 MB. Real dumps
// are far below that.
//
// Any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {

class DumpFileSystem : public FileSystem {
 public:
  // `base` must outlive this object and what it opened. A file with more than `most_bytes`,
  // unpacked, is not opened.
  explicit DumpFileSystem(FileSystem& base, std::uint64_t most_bytes = kMaxFileBytes)
      : base_(base), most_bytes_(most_bytes) {}

  Result<std::unique_ptr<ReadableFile>> OpenForRead(const std::string& path) override;
  Result<FileInfo> Stat(const std::string& path) override { return base_.Stat(path); }
  Result<std::vector<std::string>> List(const std::string& directory) override {
    return base_.List(directory);
  }
  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override {
    return base_.OpenForWrite(path, mode);
  }
  Status CreateDirectories(const std::string& path) override {
    return base_.CreateDirectories(path);
  }
  Status Remove(const std::string& path) override { return base_.Remove(path); }
  Status Rename(const std::string& from, const std::string& to) override {
    return base_.Rename(from, to);
  }
  Status RenameExclusive(const std::string& from, const std::string& to) override {
    return base_.RenameExclusive(from, to);
  }
  Status Link(const std::string& from, const std::string& to) override {
    return base_.Link(from, to);
  }
  Result<std::uint64_t> FreeBytes(const std::string& path) override {
    return base_.FreeBytes(path);
  }
  Status SyncDirectory(const std::string& path) override { return base_.SyncDirectory(path); }
  // Always kUnimplemented: the bytes may not be those of a real file.
  Result<std::string> MappablePath(const std::string& path) override;

 private:
  FileSystem& base_;
  const std::uint64_t most_bytes_;
};

// Over FileSystem::Local(); lives forever.
FileSystem& LocalDumps();

// Reads the dump at a path of LocalDumps() with ReadIr; also kInvalidArgument if the file is not a
// dump.
Result<Module> ReadDump(const std::string& path);

}  // namespace sightline::ir
