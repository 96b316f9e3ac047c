#include "sightline/collectors/rules/parameter_selection.h"

namespace sightline {

Result<ParameterSelection> ParameterSelection::Make(std::string_view pattern) {
  ParameterSelection selection;
  if (pattern.empty()) return selection;
  SIGHTLINE_ASSIGN_OR_RETURN(selection.pattern_, NamePattern::Make("histogram_regular", pattern));
  return selection;
}

bool ParameterSelection::Selects(std::size_t index, std::string_view name) const {
  return pattern_ ? pattern_->Matches(name) : index < kDefaultHistograms;
}

}  // namespace sightline
