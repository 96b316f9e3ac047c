// ParameterSelection: which of a network's parameters have their histograms recorded.
//
//   Result<ParameterSelection> selection = ParameterSelection::Make("dense.*weight");
//   selection->Selects(index, "dense1.weight")   // true
//
// Immutable, so any thread may ask.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/collectors/name_pattern.h"

namespace sightline {

// How many parameters are recorded when no pattern says which; MindSpore's number.
inline constexpr std::size_t kDefaultHistograms = 5;

class ParameterSelection {
 public:
  // The first kDefaultHistograms.
  ParameterSelection() = default;

  // Those whose name `pattern` matches (NamePattern); empty: the first kDefaultHistograms.
  // kInvalidArgument for a bad or too long pattern.
  static Result<ParameterSelection> Make(std::string_view pattern);

  // `index` counts all parameters from 0. Names longer than kMaxTagBytes are never matched by a
  // pattern.
  bool Selects(std::size_t index, std::string_view name) const;

 private:
  std::optional<NamePattern> pattern_;
};

}  // namespace sightline
