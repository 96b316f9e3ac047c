// PathMap: where the source files that a dump names are on this machine. A dump names them as they
// were where it was written.
//
//   PathMap paths;
//   paths.Add("/home/user", "/work");
//   paths.Apply("/home/user/net.py");  // "/work/net.py"
//
// One thread at a time while it is filled; afterwards any thread may read.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sightline::ir {

class PathMap {
 public:
  // Paths at or below `from` are at or below `to`. If several rules match a path, the one with the
  // longest `from` is used.
  void Add(std::string from, std::string to);

  std::string Apply(std::string_view path) const;
  // Maps the paths in a report: "In file /a/net.py:3", "File \"/a/net.py\", line 3".
  std::string ApplyToReport(std::string_view text) const;

 private:
  struct Rule {
    std::string from;
    std::string to;
  };
  std::vector<Rule> rules_;
};

}  // namespace sightline::ir
