// NamePattern: an option's regular expression for names. Immutable, so any thread may ask.
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
  // Compiles `pattern`, the value of `option`. It is an ECMAScript regular expression without
  // back-references, so that matching takes time in proportion to the name. kInvalidArgument,
  // naming both, if it is bad or longer than kMaxPatternBytes.
  static Result<NamePattern> Make(std::string_view option, std::string_view pattern);

  // Whether it matches at the start of `name`, like Python's re.match. Never matches names longer
  // than kMaxTagBytes.
  bool Matches(std::string_view name) const;

 private:
  explicit NamePattern(std::regex regex) : regex_(std::move(regex)) {}

  std::regex regex_;
};

}  // namespace sightline
