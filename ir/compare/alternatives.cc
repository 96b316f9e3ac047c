#include "sightline/ir/compare/alternatives.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "sightline/ir/compare/matching_cost.h"

namespace sightline::ir {
namespace {

// How often each property and each use may be looked at: far more often than it is in graphs that
// have anything in common.
constexpr std::size_t kLooks = 16;

// `hole`, which has no partner, gets that of `taken`.
struct Exchange {
  std::uint32_t hole = 0;
  std::uint32_t taken = 0;
  std::uint32_t partner = 0;
};
using Exchanges = std::vector<Exchange>;

// REQUIRES: the subgraph has a Return.
std::uint32_t FirstStatement(const MatchingSide& side, std::uint32_t subgraph) {
  std::uint32_t first = side.returns[subgraph];
  while (first > side.table.first_node && side.owner(first - 1) == subgraph) --first;
  return first;
}

class AlternativeFinder {
 public:
  AlternativeFinder(MatchingSide& side, MatchingSide& other, bool ids_hold)
      : side_(side),
        other_(other),
        ids_hold_(ids_hold),
        looks_(kLooks * (side.table.properties.size() + other.table.properties.size())),
        stamps_(side.pairs.size(), 0),
        was_taken_(side.pairs.size(), false),
        counter_(side, other) {}

  void Find();

 private:
  enum class Goal : std::uint8_t { kFewerChanges, kAsMany };

  void Spend(std::size_t looks) { looks_ -= std::min(looks_, looks); }
  // Elements without partners that hang together, from one on.
  void ListHoles(std::uint32_t first);
  void AddHole(std::uint32_t element);
  // Exchanges as long as there are any; whether there were.
  bool Slide(Goal goal, Exchanges& done);
  bool TryHole(std::uint32_t hole, Goal goal, Exchanges& done);
  bool TryCollected(Goal goal, Exchanges& done);

  std::vector<std::uint32_t> CandidatesFor(std::uint32_t hole);
  bool Fits(std::uint32_t hole, std::uint32_t taken) const;
  // All that is exchanged with the two; false where that cannot be said.
  bool Collect(std::uint32_t hole, std::uint32_t taken, bool with_neighbours);
  bool AddMembers(std::uint32_t hole, std::uint32_t taken);
  void AddNeighbours(const Exchange& exchange);
  bool Add(std::uint32_t hole, std::uint32_t taken, bool must);

  void Apply(const Exchange& exchange);
  void Undo(Exchanges& exchanges);
  MatchingCost CostOfCollected();

  MatchingSide& side_;
  MatchingSide& other_;
  const bool ids_hold_;
  std::size_t looks_;
  std::vector<std::uint32_t> holes_;
  Exchanges collected_;
  // Elements that `stamp_` was put on are in the list at hand.
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> stamps_;
  std::vector<bool> was_taken_;  // Since sliding began.
  MatchingCostCounter counter_;
  std::vector<std::uint32_t> concerned_;
};

void AlternativeFinder::AddHole(std::uint32_t element) {
  if (element == kNoIndex || stamps_[element] == stamp_ || !side_.is_free(element)) return;
  stamps_[element] = stamp_;
  holes_.push_back(element);
}

void AlternativeFinder::ListHoles(std::uint32_t first) {
  holes_.clear();
  AddHole(first);
  // It grows.
  std::size_t next = 0;
  while (next < holes_.size()) {
    const std::uint32_t hole = holes_[next++];
    for (const Property& property : side_.table.PropertiesOf(hole))
      if (property.value.kind == Value::Kind::kElement) AddHole(property.value.index);
    for (const ElementKeys::Use& use : side_.keys.UsesOf(hole)) AddHole(use.user);
    AddHole(side_.owner(hole));
  }
}

// Of one operator; what else differs is counted.
bool AlternativeFinder::Fits(std::uint32_t hole, std::uint32_t taken) const {
  if (taken == kNoIndex || taken == hole || side_.is_free(taken) || was_taken_[taken]) return false;
  const Element& a = side_.table.elements[hole];
  const Element& b = side_.table.elements[taken];
  return a.kind == b.kind && (!ids_hold_ || a.id == b.id) &&
         side_.keys.Get(hole, Key::kLabel) == side_.keys.Get(taken, Key::kLabel);
}

// What stands in the other graph where the hole is: seen from what it takes, and from what takes
// it.
std::vector<std::uint32_t> AlternativeFinder::CandidatesFor(std::uint32_t hole) {
  std::vector<std::uint32_t> candidates;
  const auto add = [&](std::uint32_t of_other) {
    const std::uint32_t taken = other_.pairs[of_other];
    if (Fits(hole, taken)) candidates.push_back(taken);
  };
  for (const Property& property : side_.table.PropertiesOf(hole)) {
    if (property.value.kind != Value::Kind::kElement || side_.is_free(property.value.index))
      continue;
    const auto uses = other_.keys.UsesOf(side_.pairs[property.value.index]);
    Spend(uses.size());
    for (const ElementKeys::Use& use : uses)
      if (use.kind == property.kind && use.position == property.position) add(use.user);
  }
  for (const ElementKeys::Use& use : side_.keys.UsesOf(hole)) {
    if (side_.is_free(use.user)) continue;
    const auto properties = other_.table.PropertiesOf(side_.pairs[use.user]);
    Spend(properties.size());
    for (const Property& property : properties) {
      if (property.kind == use.kind && property.position == use.position &&
          property.value.kind == Value::Kind::kElement)
        add(property.value.index);
    }
  }
  std::sort(candidates.begin(), candidates.end());
  candidates.erase(std::unique(candidates.begin(), candidates.end()), candidates.end());
  return candidates;
}

// Whether the two are exchanged, now or already. Those that `must` be and are not spoil the rest.
bool AlternativeFinder::Add(std::uint32_t hole, std::uint32_t taken, bool must) {
  if (hole == kNoIndex || taken == kNoIndex) return hole == taken;
  const bool known = stamps_[hole] == stamp_ || stamps_[taken] == stamp_;
  if (known || !side_.is_free(hole) || !Fits(hole, taken)) return known || !must;
  stamps_[hole] = stamps_[taken] = stamp_;
  collected_.push_back({hole, taken, side_.pairs[taken]});
  return true;
}

// A subgraph comes with all that is in it, one by one.
bool AlternativeFinder::AddMembers(std::uint32_t hole, std::uint32_t taken) {
  const auto& of_hole = side_.parameters[hole];
  const auto& of_taken = side_.parameters[taken];
  if (of_hole.size() != of_taken.size()) return false;
  for (std::size_t i = 0; i < of_hole.size(); ++i)
    if (!Add(of_hole[i], of_taken[i], true)) return false;
  if (side_.returns[hole] == kNoIndex || side_.returns[taken] == kNoIndex)
    return side_.returns[hole] == side_.returns[taken];
  const std::uint32_t a = FirstStatement(side_, hole);
  const std::uint32_t b = FirstStatement(side_, taken);
  const std::uint32_t size = side_.returns[hole] - a;
  if (size != side_.returns[taken] - b) return false;
  for (std::uint32_t i = 0; i <= size; ++i)
    if (!Add(a + i, b + i, true)) return false;
  return true;
}

// The rest of a block that is gone.
void AlternativeFinder::AddNeighbours(const Exchange& exchange) {
  const auto of_hole = side_.table.PropertiesOf(exchange.hole);
  Spend(of_hole.size());
  ForOperandsInCommon(of_hole, side_.table.PropertiesOf(exchange.taken),
                      [&](std::uint32_t x, std::uint32_t y) { Add(x, y, false); });
  for (const ElementKeys::Use& use : side_.keys.UsesOf(exchange.hole)) {
    if (!side_.is_free(use.user) || stamps_[use.user] == stamp_) continue;
    const auto uses = side_.keys.UsesOf(exchange.taken);
    Spend(uses.size());
    for (const ElementKeys::Use& same : uses) {
      if (same.kind != use.kind || same.position != use.position) continue;
      Add(use.user, same.user, false);
      if (stamps_[use.user] == stamp_) break;
    }
  }
}

bool AlternativeFinder::Collect(std::uint32_t hole, std::uint32_t taken, bool with_neighbours) {
  ++stamp_;
  collected_.clear();
  Add(hole, taken, false);
  for (std::size_t i = 0; i < collected_.size() && looks_ > 0; ++i) {
    const Exchange exchange = collected_[i];
    if (with_neighbours) AddNeighbours(exchange);
    if (!Add(side_.owner(exchange.hole), side_.owner(exchange.taken), false)) return false;
    if (side_.kind(exchange.hole) == ElementKind::kSubgraph &&
        !AddMembers(exchange.hole, exchange.taken))
      return false;
  }
  return true;
}

void AlternativeFinder::Apply(const Exchange& exchange) {
  side_.pairs[exchange.hole] = exchange.partner;
  side_.pairs[exchange.taken] = kNoIndex;
  other_.pairs[exchange.partner] = exchange.hole;
}

void AlternativeFinder::Undo(Exchanges& exchanges) {
  for (; !exchanges.empty(); exchanges.pop_back()) {
    const Exchange& exchange = exchanges.back();
    Apply({exchange.taken, exchange.hole, exchange.partner});
  }
}

MatchingCost AlternativeFinder::CostOfCollected() {
  concerned_.clear();
  for (const Exchange& exchange : collected_) {
    concerned_.push_back(exchange.hole);
    concerned_.push_back(exchange.taken);
  }
  Spend(counter_.Count(concerned_));
  return counter_.cost();
}

bool AlternativeFinder::TryCollected(Goal goal, Exchanges& done) {
  if (looks_ == 0) return false;
  const MatchingCost before = CostOfCollected();
  for (const Exchange& exchange : collected_) Apply(exchange);
  const MatchingCost after = CostOfCollected();
  if (goal == Goal::kFewerChanges ? after < before : after == before) {
    done.insert(done.end(), collected_.begin(), collected_.end());
    return true;
  }
  Undo(collected_);
  return false;
}

bool AlternativeFinder::TryHole(std::uint32_t hole, Goal goal, Exchanges& done) {
  for (const std::uint32_t taken : CandidatesFor(hole)) {
    // What is beside both may be of one operator only by chance.
    for (const bool with_neighbours : {true, false})
      if (Collect(hole, taken, with_neighbours) && TryCollected(goal, done)) return true;
  }
  return false;
}

bool AlternativeFinder::Slide(Goal goal, Exchanges& done) {
  const std::size_t begin = done.size();
  for (std::size_t i = 0; i < holes_.size() && looks_ > 0;) {
    const std::size_t first = done.size();
    if (!TryHole(holes_[i], goal, done)) {
      ++i;
      continue;
    }
    for (std::size_t k = first; k < done.size(); ++k) {
      std::replace(holes_.begin(), holes_.end(), done[k].hole, done[k].taken);
      was_taken_[done[k].taken] = goal == Goal::kAsMany;
    }
    i = 0;
  }
  return done.size() > begin;
}

void AlternativeFinder::Find() {
  std::vector<bool> seen(side_.pairs.size(), false);
  for (std::uint32_t i = 0; i < seen.size() && looks_ > 0; ++i) {
    if (!side_.is_free(i) || seen[i]) continue;
    ++stamp_;
    ListHoles(i);
    Exchanges better;
    Slide(Goal::kFewerChanges, better);
    // In one direction, and from where it began in the other one.
    const std::vector<std::uint32_t> begin = holes_;
    for (const std::uint32_t hole : begin) seen[hole] = true;
    Exchanges equal;
    while (Slide(Goal::kAsMany, equal)) {
      for (const Exchange& exchange : equal) {
        side_.ambiguous[exchange.hole] = side_.ambiguous[exchange.taken] = true;
        other_.ambiguous[exchange.partner] = true;
      }
      Undo(equal);
      holes_ = begin;
    }
  }
}

}  // namespace

void FindAlternatives(MatchingSide& side, MatchingSide& other, bool ids_hold) {
  AlternativeFinder(side, other, ids_hold).Find();
}

}  // namespace sightline::ir
