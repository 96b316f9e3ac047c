#include "sightline/ir/compare/element_matcher.h"

#include <algorithm>
#include <array>
#include <span>
#include <unordered_map>
#include <utility>

#include "sightline/ir/compare/element_keys.h"
#include "sightline/ir/compare/matching_side.h"
#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {
namespace {

// Keys that pair elements if one element of each graph has them, in the order of their use. Names
// come first if both graphs are of one run.
constexpr std::array kAnchors = {Key::kAll,   Key::kId,    Key::kNamed, Key::kAbove,
                                 Key::kBelow, Key::kPlace, Key::kId,    Key::kNamed};
// Keys that may pair neighbours of a pair.
constexpr std::array kNeighbourKeys = {Key::kAll,     Key::kId,    Key::kNamed,
                                       Key::kAbove,   Key::kBelow, Key::kPlace,
                                       Key::kContent, Key::kScope, Key::kLabel};

// An element that is still free, by a key.
using Keyed = std::pair<std::uint64_t, std::uint32_t>;

class Matcher {
 public:
  Matcher(const ElementTable& a, const ElementTable& b) : a_(a), b_(b) {}

  Matching Match();

 private:
  void Pair(std::uint32_t a, std::uint32_t b) {
    a_.pairs[a] = b;
    b_.pairs[b] = a;
    open_.push_back(a);
  }
  bool AreFree(std::uint32_t a, std::uint32_t b) const {
    return a != kNoIndex && b != kNoIndex && a_.is_free(a) && b_.is_free(b) &&
           a_.kind(a) == b_.kind(b);
  }
  // 0: none.
  std::uint64_t Get(const MatchingSide& side, std::uint32_t element, Key key) const {
    const bool by_id = key == Key::kId || key == Key::kNamed || key == Key::kName;
    return by_id && !DoesNameHold(side, element) ? 0 : side.keys.Get(element, key);
  }
  bool HaveEqual(Key key, std::uint32_t a, std::uint32_t b) const {
    const std::uint64_t value = Get(a_, a, key);
    return value != 0 && value == Get(b_, b, key);
  }
  bool DoesNameHold(const MatchingSide& side, std::uint32_t element) const {
    return ids_hold_ || (names_hold_ && !side.table.elements[element].is_generated);
  }

  void PairUnique(Key key);
  // From every pair that has a free neighbour, and from those that are found; whether any was.
  template <typename Visit>
  bool Spread(const Visit& visit);
  void SpreadBy(Key weakest);
  void VisitNeighbours(std::uint32_t a, std::uint32_t b, Key key);
  void VisitSubgraph(std::uint32_t a, std::uint32_t b, Key key);
  // Pairs those of which either list has one with a key; in order too when `in_order_`.
  void PairKeyed(std::vector<Keyed>& a, std::vector<Keyed>& b);
  void VisitReplaced(std::uint32_t a, std::uint32_t b);
  std::uint64_t InputsOf(const MatchingSide& side, std::uint32_t node) const;
  bool HaveCommonNeighbour(std::uint32_t a, std::uint32_t b) const;
  template <typename Visit>
  void ForOperands(std::uint32_t a, std::uint32_t b, const Visit& visit) const {
    ForOperandsInCommon(a_.table.PropertiesOf(a), b_.table.PropertiesOf(b), visit);
  }
  static void MarkTwins(MatchingSide& side);

  MatchingSide a_;
  MatchingSide b_;
  bool in_order_ = false;
  bool ids_hold_ = false;            // Both graphs are of one run: equal names mean the same nodes.
  bool names_hold_ = false;          // The same, now, for names that MindSpore did not make up.
  std::vector<std::uint32_t> open_;  // Elements of A whose neighbours are to be visited.
  std::vector<Keyed> keyed_a_;
  std::vector<Keyed> keyed_b_;
};

void Matcher::PairUnique(Key key) {
  struct Found {
    std::uint32_t a = kNoIndex;
    std::uint32_t b = kNoIndex;
    bool unique = true;
  };
  std::unordered_map<std::uint64_t, Found> found;
  const auto add = [&](const MatchingSide& side, std::uint32_t Found::*member) {
    for (std::uint32_t i = 0; i < side.pairs.size(); ++i) {
      const std::uint64_t value = Get(side, i, key);
      if (value == 0 || !side.is_free(i)) continue;
      Found& entry = found[value];
      entry.unique = entry.unique && entry.*member == kNoIndex;
      entry.*member = i;
    }
  };
  add(a_, &Found::a);
  add(b_, &Found::b);
  for (std::uint32_t i = 0; i < a_.pairs.size(); ++i) {
    const auto entry = found.find(Get(a_, i, key));
    if (entry == found.end() || entry->second.a != i || !entry->second.unique) continue;
    if (AreFree(i, entry->second.b)) Pair(i, entry->second.b);
  }
}

template <typename Visit>
bool Matcher::Spread(const Visit& visit) {
  open_.clear();
  std::vector<bool> seen(a_.pairs.size(), false);
  const auto open = [&](std::uint32_t element) {
    if (element == kNoIndex || a_.is_free(element) || seen[element]) return;
    seen[element] = true;
    open_.push_back(element);
  };
  for (std::uint32_t i = 0; i < a_.pairs.size(); ++i) {
    if (!a_.is_free(i)) continue;
    open(a_.owner(i));
    for (const Property& property : a_.table.PropertiesOf(i))
      if (property.value.kind == Value::Kind::kElement) open(property.value.index);
    for (const ElementKeys::Use& use : a_.keys.UsesOf(i)) open(use.user);
    if (a_.kind(i) != ElementKind::kSubgraph) continue;
    open(a_.returns[i]);
    for (const std::uint32_t parameter : a_.parameters[i]) open(parameter);
  }
  const std::size_t pairs = open_.size();
  // It grows.
  std::size_t next = 0;
  while (next < open_.size()) {
    const std::uint32_t a = open_[next++];
    visit(a, a_.pairs[a]);
  }
  return open_.size() > pairs;
}

void Matcher::VisitNeighbours(std::uint32_t a, std::uint32_t b, Key key) {
  ForOperands(a, b, [&](std::uint32_t x, std::uint32_t y) {
    if (AreFree(x, y) && HaveEqual(key, x, y)) Pair(x, y);
  });
  const std::uint32_t owner_a = a_.owner(a);
  const std::uint32_t owner_b = b_.owner(b);
  if (AreFree(owner_a, owner_b) && HaveEqual(key, owner_a, owner_b)) Pair(owner_a, owner_b);
  if (a_.kind(a) == ElementKind::kSubgraph) VisitSubgraph(a, b, key);
  const auto list_users = [&](const MatchingSide& side, std::uint32_t element,
                              std::vector<Keyed>& users) {
    users.clear();
    for (const ElementKeys::Use& use : side.keys.UsesOf(element)) {
      const std::uint64_t value = Get(side, use.user, key);
      // Taken at the same place, unless the operator is all that they have in common.
      const std::uint64_t place = key == Key::kLabel ? 0 : use.position + 1;
      if (value != 0 && side.is_free(use.user)) users.emplace_back(value + place, use.user);
    }
  };
  list_users(a_, a, keyed_a_);
  list_users(b_, b, keyed_b_);
  PairKeyed(keyed_a_, keyed_b_);
}

void Matcher::VisitSubgraph(std::uint32_t a, std::uint32_t b, Key key) {
  if (AreFree(a_.returns[a], b_.returns[b])) Pair(a_.returns[a], b_.returns[b]);
  const auto list = [&](const MatchingSide& side, std::uint32_t subgraph,
                        std::vector<Keyed>& keyed) {
    keyed.clear();
    for (const std::uint32_t parameter : side.parameters[subgraph]) {
      const std::uint64_t value = Get(side, parameter, key);
      if (value != 0 && side.is_free(parameter)) keyed.emplace_back(value, parameter);
    }
  };
  list(a_, a, keyed_a_);
  list(b_, b, keyed_b_);
  PairKeyed(keyed_a_, keyed_b_);
}

void Matcher::PairKeyed(std::vector<Keyed>& a, std::vector<Keyed>& b) {
  if (a.empty() || b.empty()) return;
  for (std::vector<Keyed>* list : {&a, &b}) {
    std::sort(list->begin(), list->end());
    list->erase(std::unique(list->begin(), list->end()), list->end());
  }
  const auto end_of = [](const std::vector<Keyed>& list, std::size_t begin) {
    std::size_t end = begin;
    while (end < list.size() && list[end].first == list[begin].first) ++end;
    return end;
  };
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].first != b[j].first) {
      ++(a[i].first < b[j].first ? i : j);
      continue;
    }
    const std::size_t a_end = end_of(a, i);
    const std::size_t b_end = end_of(b, j);
    const bool unique = a_end == i + 1 && b_end == j + 1;
    if (!unique && in_order_) {
      for (std::size_t k = i; k < a_end; ++k) a_.ambiguous[a[k].second] = true;
      for (std::size_t k = j; k < b_end; ++k) b_.ambiguous[b[k].second] = true;
    }
    if (unique || in_order_) {
      for (; i < a_end && j < b_end; ++i, ++j)
        if (AreFree(a[i].second, b[j].second)) Pair(a[i].second, b[j].second);
    }
    i = a_end;
    j = b_end;
  }
}

// A hash of a node's inputs as elements of B; 0 if no input is paired, or if one is free.
std::uint64_t Matcher::InputsOf(const MatchingSide& side, std::uint32_t node) const {
  std::uint64_t hash = 0;
  for (const Property& property : side.table.PropertiesOf(node)) {
    if (property.kind != PropertyKind::kOperand) continue;
    std::uint64_t value = property.value.index;
    if (property.value.kind == Value::Kind::kElement) {
      if (side.is_free(property.value.index)) return 0;
      value = (&side == &a_ ? side.pairs[property.value.index] : value) + (std::uint64_t{1} << 32);
    }
    hash = hash_internal::Mix(hash ^ (value + 1)) | 1;
  }
  return hash;
}

// Pairs an operator with its replacement: they have a user and another neighbour in common, or all
// inputs.
void Matcher::VisitReplaced(std::uint32_t a, std::uint32_t b) {
  ForOperands(a, b, [&](std::uint32_t x, std::uint32_t y) {
    const bool node = a_.kind(x) >= ElementKind::kNode;
    if (AreFree(x, y) && (!node || (!ids_hold_ && HaveCommonNeighbour(x, y)))) Pair(x, y);
  });
  const auto list_users = [&](const MatchingSide& side, std::uint32_t element,
                              std::vector<Keyed>& users) {
    users.clear();
    for (const ElementKeys::Use& use : side.keys.UsesOf(element)) {
      if (use.kind != PropertyKind::kOperand || !side.is_free(use.user)) continue;
      if (const std::uint64_t inputs = InputsOf(side, use.user); inputs != 0)
        users.emplace_back(inputs, use.user);
    }
  };
  if (!ids_hold_) {
    list_users(a_, a, keyed_a_);
    list_users(b_, b, keyed_b_);
    PairKeyed(keyed_a_, keyed_b_);
  }
  if (a_.kind(a) != ElementKind::kSubgraph) return;
  const auto& of_a = a_.parameters[a];
  const auto& of_b = b_.parameters[b];
  if (of_a.size() != of_b.size()) return;
  for (std::size_t i = 0; i < of_a.size(); ++i)
    if (AreFree(of_a[i], of_b[i])) Pair(of_a[i], of_b[i]);
}

bool Matcher::HaveCommonNeighbour(std::uint32_t a, std::uint32_t b) const {
  bool common = false;
  ForOperands(a, b, [&](std::uint32_t x, std::uint32_t y) { common |= a_.pairs[x] == y; });
  return common;
}

// Elements of which another one of their graph has all the same.
void Matcher::MarkTwins(MatchingSide& side) {
  std::unordered_map<std::uint64_t, std::uint32_t> first;
  for (std::uint32_t i = 0; i < side.pairs.size(); ++i) {
    const auto [entry, is_new] = first.emplace(side.keys.Get(i, Key::kAll), i);
    if (!is_new) side.ambiguous[i] = side.ambiguous[entry->second] = true;
  }
}

// A pair found by a weak key may let stronger keys find the pairs around it.
void Matcher::SpreadBy(Key weakest) {
  const auto spread = [&](Key key) {
    return Spread([&](std::uint32_t a, std::uint32_t b) { VisitNeighbours(a, b, key); });
  };
  for (bool found = true; found;) {
    found = false;
    for (const Key key : kNeighbourKeys) {
      if (key > weakest) break;
      if (spread(key)) found = key == weakest && key != Key::kAll;
    }
  }
}

Matching Matcher::Match() {
  if (AreFree(a_.table.entry, b_.table.entry)) Pair(a_.table.entry, b_.table.entry);
  ids_hold_ = AreOfOneRun(a_, b_);
  for (const Key anchor : kAnchors) {
    PairUnique(anchor);
    SpreadBy(anchor);
    names_hold_ = names_hold_ || anchor == Key::kPlace;
  }
  for (const Key key : kNeighbourKeys) SpreadBy(key);
  in_order_ = true;
  for (const Key key : kNeighbourKeys)
    if (key <= Key::kContent) SpreadBy(key);
  in_order_ = false;
  // Other inputs, or another operator. In one run a node of another name is another node.
  PairUnique(Key::kName);
  if (!ids_hold_) PairUnique(Key::kOwn);
  SpreadBy(Key::kLabel);
  Spread([&](std::uint32_t a, std::uint32_t b) { VisitReplaced(a, b); });
  SpreadBy(Key::kLabel);
  if (!ids_hold_) {
    MarkTwins(a_);
    MarkTwins(b_);
  }
  return {std::move(a_.pairs), std::move(b_.pairs), std::move(a_.ambiguous),
          std::move(b_.ambiguous)};
}

}  // namespace

Matching MatchElements(const ElementTable& a, const ElementTable& b) {
  return Matcher(a, b).Match();
}

}  // namespace sightline::ir
