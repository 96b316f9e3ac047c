// SourceTexts: lines of the source files that graphs and profiles name, as far as they lie beneath
// the directories of --source-root.
//
// Files are named as they were where they were compiled. Such a path is looked for as it is, then
// below each directory by as much of its end as is there: of "/home/u/net/train.py" that is
// DIR/home/u/net/train.py, else DIR/u/net/train.py, and so on. Callable from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/beneath_file_system.h"

namespace sightline::dashboard {

struct SourceLines {
  std::string file;        // Where it was found.
  std::int64_t first = 1;  // Number of the first of `lines`.
  std::vector<std::string> lines;
};

class SourceTexts {
 public:
  // The errors of BeneathFileSystem::Open.
  static Result<std::unique_ptr<SourceTexts>> Open(const std::vector<std::string>& directories);

  bool any() const { return !files_->roots().empty(); }
  // Ten lines before `line` and ten behind it. kNotFound for a file that is not there or outside,
  // kInvalidArgument for one that is no text or larger than 4 MB.
  Result<SourceLines> Around(std::string_view path, std::int64_t line) const;

 private:
  explicit SourceTexts(std::unique_ptr<BeneathFileSystem> files) : files_(std::move(files)) {}

  std::unique_ptr<BeneathFileSystem> files_;
};

}  // namespace sightline::dashboard
