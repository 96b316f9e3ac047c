#include "sightline/ir/compare/matching_cost.h"

#include <algorithm>

namespace sightline::ir {

std::size_t MatchingCostCounter::Count(std::span<const std::uint32_t> elements) {
  cost_ = {};
  looks_ = 0;
  replaced_.clear();
  ++stamp_;
  for (const std::uint32_t element : elements) {
    Add(element);
    for (const ElementKeys::Use& use : side_.keys.UsesOf(element)) Add(use.user);
  }
  std::sort(replaced_.begin(), replaced_.end());
  replaced_.erase(std::unique(replaced_.begin(), replaced_.end()), replaced_.end());
  cost_.changes += replaced_.size();
  return looks_;
}

void MatchingCostCounter::Add(std::uint32_t element) {
  if (side_.is_free(element) || stamps_[element] == stamp_) return;
  stamps_[element] = stamp_;
  const std::uint32_t partner = side_.pairs[element];
  const Element& a = side_.table.elements[element];
  const Element& b = other_.table.elements[partner];
  if (a.scope != b.scope) ++cost_.places;
  if (a.location != b.location) ++cost_.places;
  if (a.owner != kNoIndex && side_.pairs[a.owner] != b.owner) ++cost_.changes;
  AddProperties(side_.table.PropertiesOf(element), other_.table.PropertiesOf(partner));
}

void MatchingCostCounter::AddProperties(std::span<const Property> before,
                                        std::span<const Property> after) {
  looks_ += before.size();
  const auto slot = [](const Property& p) { return std::tie(p.kind, p.key, p.position); };
  for (std::size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    const bool only_before =
        j == after.size() || (i < before.size() && slot(before[i]) < slot(after[j]));
    const bool only_after =
        i == before.size() || (j < after.size() && slot(after[j]) < slot(before[i]));
    if (only_before || only_after) {
      ++(only_before ? i : j);
      ++cost_.changes;
      continue;
    }
    const Value& x = before[i++].value;
    const Value& y = after[j++].value;
    if (x.kind != y.kind || x.kind == Value::Kind::kText) {
      if (!(x == y)) ++cost_.changes;
    } else if (side_.pairs[x.index] != y.index) {
      replaced_.emplace_back(x.index, y.index);
    }
  }
}

}  // namespace sightline::ir
