#include "sightline/runs/query/tag_filter.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include <memory>

namespace sightline {

Result<TagFilter> MakeTagFilter(std::string_view option, std::string_view pattern) {
  if (pattern.empty()) return TagFilter();
  RE2::Options options;
  options.set_log_errors(false);
  const auto expression =
      std::make_shared<const RE2>(re2::StringPiece(pattern.data(), pattern.size()), options);
  if (!expression->ok()) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} {}: not a regular expression of RE2 ({})", option, pattern,
                             expression->error()));
  }
  return TagFilter([expression](std::string_view tag) {
    return RE2::PartialMatch(re2::StringPiece(tag.data(), tag.size()), *expression);
  });
}

}  // namespace sightline
