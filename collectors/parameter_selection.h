// ParameterSelection: which of a network's parameters have their histograms recorded.
//
//   Result<ParameterSelection> selection = ParameterSelection::Make("dense.*weight");
//   selection->Selects(index, "dense1.weight")   // true
//
// Immutable, so any thread may ask.
#pragma once

#include <cstddef>
#include <optional>
#include <regex>
#include <string>
#include <string_view>

#include "sightline/recorder/status.h"

namespace sightline {

// How many parameters are recorded when no pattern says which; MindSpore's number.
inline constexpr std::size_t kDefaultHistograms = 5;

inline constexpr std::size_t kMaxPatternBytes = 1000;

class ParameterSelection {
 public:
  // The first kDefaultHistograms.
  ParameterSelection() = default;

  // Those whose name `pattern`, an ECMAScript regular expression, matches at its start, as Python's
  // re.match does. No back-references: matching takes time in proportion to the name.
  // kInvalidArgument for a bad or too long pattern.
  static Result<ParameterSelection> Make(std::string_view pattern);

  // `index` counts all parameters from 0. Names longer than kMaxTagBytes are never matched by a
  // pattern.
  bool Selects(std::size_t index, std::string_view name) const;

 private:
  std::optional<std::regex> pattern_;
};

}  // namespace sightline
