#include "sightline/collectors/rules/parameter_selection.h"

#include <utility>

namespace sightline {

Result<ParameterSelection> ParameterSelection::Make(std::string_view pattern,
                                                    const WarnOfPattern& warn) {
  ParameterSelection selection;
  if (pattern.empty()) return selection;
  SIGHTLINE_ASSIGN_OR_RETURN(auto compiled, NamePattern::Make("histogram_regular", pattern));
  selection.pattern_.emplace(std::move(compiled), warn);
  return selection;
}

bool ParameterSelection::Selects(std::size_t index, std::string_view name) const {
  return pattern_ ? pattern_->Matches(name) : index < kDefaultHistograms;
}

}  // namespace sightline
