// SourceTexts: lines of the source files that graphs and profiles name, if these files are beneath
// a directory of --source-root.
//
// A file is named by its path on the machine where the graph was compiled. That path is tried
// first; then, below each directory, its longest end that exists: for "/home/u/net/train.py" that
// is DIR/home/u/net/train.py, or else DIR/u/net/train.py, and so on. May be called from any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/store/beneath_file_system.h"

namespace sightline::dashboard {

struct SourceLines {
  std::string file;        // Where it was found.
  std::int64_t first = 1;  // The number of the first line in `lines`.
  std::vector<std::string> lines;
};

class SourceTexts {
 public:
  // The errors of BeneathFileSystem::Open.
  static Result<std::unique_ptr<SourceTexts>> Open(const std::vector<std::string>& directories);

  bool any() const { return !files_->roots().empty(); }
  // `line`, with ten lines before it and ten after it. kNotFound if the file does not exist or is
  // outside the directories, kInvalidArgument if it is not a text or larger than 4 MB.
  Result<SourceLines> Around(std::string_view path, std::int64_t line) const;

 private:
  explicit SourceTexts(std::unique_ptr<BeneathFileSystem> files) : files_(std::move(files)) {}

  std::unique_ptr<BeneathFileSystem> files_;
};

}  // namespace sightline::dashboard
