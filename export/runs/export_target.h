// ExportTarget: a file or a folder that either is complete or does not exist.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(auto target, ExportTarget::Open("out.csv", ExportTarget::kFile,
//                                                              /*replace=*/false));
//   ... write target.temporary() ...
//   return target.Commit();
//
// The file or folder has a hidden name beside the target until Commit renames it in one step.
// Without Commit, the destructor removes it. A killed process (SIGKILL) leaves the hidden one. One
// thread; the local file system.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "sightline/base/status.h"

namespace sightline {

class ExportTarget {
 public:
  enum class Kind : std::uint8_t { kFile, kFolder };

  // kAlreadyExists if something is at `given` and `replace` is false; kNotFound if the folder
  // around it does not exist. With `replace`, a file is replaced by a file. A folder is replaced
  // only if it is empty or an earlier export (it contains kMarker), so that users do not lose
  // files of their own. `on_named` gets the hidden name before anything has it.
  static Result<ExportTarget> Open(
      const std::string& given, Kind kind, bool replace,
      const std::function<void(const std::string& temporary)>& on_named = {});

  ExportTarget(ExportTarget&& other) noexcept;
  ExportTarget(const ExportTarget&) = delete;
  ExportTarget& operator=(ExportTarget&&) = delete;
  ExportTarget& operator=(const ExportTarget&) = delete;
  ~ExportTarget();

  // Where to write. A folder exists already and contains only kMarker; a file does not exist yet.
  const std::string& temporary() const { return temporary_; }

  // Gives it its name, and removes an earlier export. kAlreadyExists if `replace` is false and
  // somebody took the name meanwhile.
  Status Commit();

  // An empty file in an exported folder.
  static constexpr char kMarker[] = ".sightline-export";

 private:
  ExportTarget(std::string path, std::string temporary, Kind kind, bool replace);

  std::string path_;
  std::string temporary_;  // Empty after Commit.
  Kind kind_;
  bool replace_;
};

}  // namespace sightline
