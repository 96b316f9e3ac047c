#include "sightline/collectors/rules/collection_pattern.h"

#include <fmt/format.h>

namespace sightline {

bool CollectionPattern::Matches(std::string_view name) const {
  const auto matches = pattern_.MatchesAtStart(name);
  if (!matches && !warned_->test_and_set() && warn_) {
    warn_(fmt::format("{}. This name and others that cost as much do not match",
                      matches.error().message()));
  }
  return matches.value_or(false);
}

}  // namespace sightline
