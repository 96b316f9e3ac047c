#include "sightline/collectors/rules/name_pattern.h"

#include <fmt/format.h>

#include "sightline/base/tag.h"
#include "sightline/base/utf8.h"

namespace sightline {
namespace {

constexpr auto kSyntax = std::regex::ECMAScript
#ifdef __GLIBCXX__
                         // Otherwise (a+)+b takes exponential time, and long names a deep stack.
                         | std::regex_constants::__polynomial
#endif
    ;
constexpr std::size_t kMaxQuotedBytes = 100;  // Of a bad pattern in a message.

Status BadPattern(std::string_view option, std::string_view pattern, std::string_view why) {
  return Status(StatusCode::kInvalidArgument,
                fmt::format("{} is '{}', but must be a regular expression of at most {} bytes "
                            "without back-references, e.g. 'conv.*weight' ({})",
                            option, ToUtf8(pattern, kMaxQuotedBytes), kMaxPatternBytes, why));
}

}  // namespace

Result<NamePattern> NamePattern::Make(std::string_view option, std::string_view pattern) {
  if (pattern.size() > kMaxPatternBytes) {
    return Error(BadPattern(option, pattern, fmt::format("it has {} bytes", pattern.size())));
  }
  try {
    return NamePattern(std::regex(pattern.begin(), pattern.end(), kSyntax));
  } catch (const std::exception& error) {  // std::regex_error, or no memory for its automaton.
    return Error(BadPattern(option, pattern, error.what()));
  }
}

bool NamePattern::Matches(std::string_view name) const {
  if (name.size() > kMaxTagBytes) return false;
  try {
    return std::regex_search(name.begin(), name.end(), regex_,
                             std::regex_constants::match_continuous);
  } catch (const std::exception&) {  // std::regex_error: too complex for the library.
    return false;
  }
}

}  // namespace sightline
