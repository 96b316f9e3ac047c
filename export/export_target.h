// ExportTarget: a file or a folder that is there whole or not at all.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(auto target, ExportTarget::Open("out.csv", ExportTarget::kFile,
//                                                              /*replace=*/false));
//   ... write target.temporary() ...
//   return target.Commit();
//
// What is written stands beside the target under a hidden name until Commit gives it its own in one
// step; without Commit the destructor removes it. A process that is killed (SIGKILL) leaves the
// hidden one. One thread; the local file system.
#pragma once

#include <cstdint>
#include <string>

#include "sightline/base/status.h"

namespace sightline {

class ExportTarget {
 public:
  enum class Kind : std::uint8_t { kFile, kFolder };

  // kAlreadyExists where something is at `given` and `replace` is false; kNotFound without a folder
  // around it. With `replace`: a file gives way to a file; a folder only where it is empty or an
  // earlier export (it holds kMarker), so that nobody's own files are removed.
  static Result<ExportTarget> Open(const std::string& given, Kind kind, bool replace);

  ExportTarget(ExportTarget&& other) noexcept;
  ExportTarget(const ExportTarget&) = delete;
  ExportTarget& operator=(ExportTarget&&) = delete;
  ExportTarget& operator=(const ExportTarget&) = delete;
  ~ExportTarget();

  // Where to write. Of kFolder it is there and empty but for kMarker; of kFile it is not there yet.
  const std::string& temporary() const { return temporary_; }

  // Gives it its name. kAlreadyExists where, without `replace`, somebody else took it meanwhile.
  Status Commit();

  // An empty file in an exported folder.
  static constexpr char kMarker[] = ".sightline-export";

 private:
  ExportTarget(std::string path, std::string temporary, Kind kind, bool replace);

  std::string path_;
  std::string temporary_;  // Empty: nothing is to be removed.
  Kind kind_;
  bool replace_;
};

}  // namespace sightline
