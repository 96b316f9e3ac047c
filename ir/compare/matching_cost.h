// How many changes a matching of two graphs means around some elements. Private to this folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/ir/compare/matching_side.h"

namespace sightline::ir {

// Compared by changes first.
struct MatchingCost {
  // An element that is used in place of another one counts once, however often it is used; so does
  // each other property that differs, and each element that is in another subgraph.
  std::size_t changes = 0;
  std::size_t places = 0;  // Other scopes and source lines.

  bool operator==(const MatchingCost&) const = default;
  bool operator<(const MatchingCost& other) const {
    return std::tie(changes, places) < std::tie(other.changes, other.places);
  }
};

// Sees how the sides are paired at the time of a call. Both must outlive it.
class MatchingCostCounter {
 public:
  MatchingCostCounter(const MatchingSide& side, const MatchingSide& other)
      : side_(side), other_(other), stamps_(side.pairs.size(), 0) {}

  // Counts these elements of `side` and all that uses them, as far as they have partners. Returns
  // how many properties it looked at.
  std::size_t Count(std::span<const std::uint32_t> elements);
  const MatchingCost& cost() const { return cost_; }

 private:
  void Add(std::uint32_t element);
  void AddProperties(std::span<const Property> before, std::span<const Property> after);

  const MatchingSide& side_;
  const MatchingSide& other_;
  MatchingCost cost_;
  std::size_t looks_ = 0;
  // Elements with the last stamp are counted already.
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> stamps_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> replaced_;  // Of `side`, by one of `other`.
};

}  // namespace sightline::ir
