#include "sightline/tools/cli/runs/tag_filter.h"

#include <memory>
#include <regex>

#include "sightline/base/tag.h"

namespace sightline {

Result<TagFilter> MakeTagFilter(const std::string& option, const std::string& pattern) {
  if (pattern.empty()) return TagFilter();
  try {
    const auto expression = std::make_shared<const std::regex>(pattern);
    // Tags of ours end there; the bound keeps std::regex from recursing too deep on foreign ones.
    return TagFilter([expression](std::string_view tag) {
      tag = tag.substr(0, kMaxTagBytes);
      return std::regex_search(tag.begin(), tag.end(), *expression);
    });
  } catch (const std::regex_error& error) {
    return Error(StatusCode::kInvalidArgument,
                 option + " " + pattern + ": no regular expression (" + error.what() + ")");
  }
}

}  // namespace sightline
