// NamePattern: a user's regular expression for the names of parameters and for tags. The syntax is
// that of Python's `re`, as PCRE2 has it: with look-ahead, look-behind, named groups and
// back-references. \u and \U, which PCRE2 lacks, are refused.
//
//   Result<NamePattern> pattern = NamePattern::Make("histogram_regular", "(?!.*bias)dense");
//   pattern->MatchesAtStart("dense1.weight")   // true
//
// Such expressions can take exponential time. Matching therefore stops after kMaxSteps steps of
// PCRE2, about a millisecond, which are the same on every machine. Immutable, so any thread may
// ask.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

class NamePattern {
 public:
  static constexpr std::size_t kMaxPatternBytes = 1000;
  static constexpr int kMaxSteps = 100'000;  // From each place in the name where a match may begin.

  // Compiles `pattern`, the value of `option`. kInvalidArgument, naming both, if it is bad or
  // longer than kMaxPatternBytes.
  static Result<NamePattern> Make(std::string_view option, std::string_view pattern);

  // Whether it matches at the start of `name` like Python's re.match, or anywhere in it like
  // re.search. Bytes that are not UTF-8 count as U+FFFD, as they do in tags. Never matches names
  // longer than kMaxTagBytes. kResourceExhausted, naming option, pattern and name, if matching took
  // more than kMaxSteps.
  Result<bool> MatchesAtStart(std::string_view name) const;
  Result<bool> MatchesAnywhere(std::string_view name) const;

 private:
  struct Compiled;
  explicit NamePattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  Result<bool> Matches(std::string_view name, bool at_start) const;

  std::shared_ptr<const Compiled> compiled_;
};

}  // namespace sightline
