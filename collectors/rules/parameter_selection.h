// ParameterSelection: selects the parameters of a network whose histograms are recorded.
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
#include "sightline/collectors/rules/collection_pattern.h"

namespace sightline {

// How many parameters are recorded if there is no pattern, as in MindSpore.
inline constexpr std::size_t kDefaultHistograms = 5;

class ParameterSelection {
 public:
  // Selects the first kDefaultHistograms parameters.
  ParameterSelection() = default;

  // Selects the parameters whose names `pattern` matches at their start; if it is empty, the first
  // kDefaultHistograms. `warn`: see CollectionPattern. kInvalidArgument if `pattern` is bad or too
  // long (NamePattern).
  static Result<ParameterSelection> Make(std::string_view pattern, const WarnOfPattern& warn = {});

  // Whether it selects parameter number `index`, counted from 0 over all parameters. A pattern
  // never matches names longer than kMaxTagBytes.
  bool Selects(std::size_t index, std::string_view name) const;

 private:
  std::optional<CollectionPattern> pattern_;
};

}  // namespace sightline
