#include "sightline/ir/compare/matching_side.h"

#include <unordered_map>

namespace sightline::ir {

MatchingSide::MatchingSide(const ElementTable& elements) : table(elements), keys(elements) {
  pairs.assign(table.elements.size(), kNoIndex);
  ambiguous.assign(table.elements.size(), false);
  returns.assign(table.first_parameter, kNoIndex);
  parameters.resize(table.first_parameter);
  for (std::uint32_t i = table.first_parameter; i < table.elements.size(); ++i) {
    const std::uint32_t owner = table.elements[i].owner;
    if (owner == kNoIndex) continue;
    if (i < table.first_node) parameters[owner].push_back(i);
    returns[owner] = i;
  }
}

bool AreOfOneRun(const MatchingSide& a, const MatchingSide& b) {
  std::unordered_map<std::uint32_t, std::uint64_t> labels;
  for (std::uint32_t i = a.table.first_node; i < a.pairs.size(); ++i) {
    const Element& element = a.table.elements[i];
    if (element.is_generated)
      labels.emplace(static_cast<std::uint32_t>(element.id), a.keys.Get(i, Key::kLabel));
  }
  std::uint64_t same = 0;
  std::uint64_t others = 0;
  for (std::uint32_t i = b.table.first_node; i < b.pairs.size(); ++i) {
    const auto found = labels.find(static_cast<std::uint32_t>(b.table.elements[i].id));
    if (found == labels.end()) continue;
    ++(found->second == b.keys.Get(i, Key::kLabel) ? same : others);
  }
  return same > 4 * others;
}

}  // namespace sightline::ir
