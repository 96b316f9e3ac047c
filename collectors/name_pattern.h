// NamePattern: a regular expression that an option gives for names. Immutable, so any thread may
// ask.
//
//   Result<NamePattern> pattern = NamePattern::Make("histogram_regular", "dense.*weight");
//   pattern->Matches("dense1.weight")   // true
#pragma once

#include <cstddef>
#include <regex>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

inline constexpr std::size_t kMaxPatternBytes = 1000;

class NamePattern {
 public:
  // `pattern`, the value of `option`, is an ECMAScript regular expression without back-references:
  // matching takes time in proportion to the name. kInvalidArgument, naming both, for a bad or too
  // long one.
  static Result<NamePattern> Make(std::string_view option, std::string_view pattern);

  // Whether it matches at the start of `name`, as Python's re.match does. Names longer than
  // kMaxTagBytes are never matched.
  bool Matches(std::string_view name) const;

 private:
  explicit NamePattern(std::regex regex) : regex_(std::move(regex)) {}

  std::regex regex_;
};

}  // namespace sightline
