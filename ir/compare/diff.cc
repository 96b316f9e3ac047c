#include "sightline/ir/compare/diff.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "sightline/ir/compare/element_matcher.h"
#include "sightline/ir/compare/longest_rise.h"

namespace sightline::ir {
namespace {

class Comparer {
 public:
  Comparer(Diff& diff, Matching matching) : diff_(diff), matching_(std::move(matching)) {}

  void Compare();

 private:
  ElementRef RefOfB(std::uint32_t b) const {
    if (b == kNoIndex) return {};
    const std::uint32_t a = matching_.b_to_a[b];
    return a == kNoIndex ? ElementRef{true, b} : ElementRef{false, a};
  }
  ChangedValue ValueOf(const Value& value, bool of_b) const {
    if (value.kind == Value::Kind::kText) return {value.kind, TextId{value.index}, {}};
    return {value.kind, kNoText, of_b ? RefOfB(value.index) : ElementRef{false, value.index}};
  }
  NewPlace PlaceOf(std::uint32_t b) const;
  void FindReordered();
  void AddAdded(std::uint32_t b);
  void AddRemoved(std::uint32_t a);
  void AddChanged(std::uint32_t a, std::uint32_t b);
  std::vector<PropertyChange> CompareProperties(std::uint32_t a, std::uint32_t b) const;

  Diff& diff_;
  const Matching matching_;
  std::vector<bool> reordered_;  // By element of B.
};

// Elements of one kind and subgraph follow each other in B.
NewPlace Comparer::PlaceOf(std::uint32_t b) const {
  const Element& element = diff_.b.elements[b];
  if (element.kind == ElementKind::kSubgraph) return {};
  const Element* before = b == 0 ? nullptr : &diff_.b.elements[b - 1];
  const bool first =
      before == nullptr || before->kind != element.kind || before->owner != element.owner;
  return {RefOfB(element.owner), first ? ElementRef{} : RefOfB(b - 1), false};
}

void Comparer::FindReordered() {
  const auto& elements = diff_.b.elements;
  reordered_.assign(elements.size(), false);
  std::vector<std::uint32_t> pairs;  // Of one subgraph and kind: those that stayed in it.
  std::vector<std::uint32_t> stayed;
  for (std::uint32_t begin = diff_.b.first_parameter, end = begin; begin < elements.size();
       begin = end) {
    pairs.clear();
    stayed.clear();
    for (; end < elements.size() && elements[end].kind == elements[begin].kind &&
           elements[end].owner == elements[begin].owner;
         ++end) {
      const std::uint32_t a = matching_.b_to_a[end];
      if (a == kNoIndex) continue;
      const std::uint32_t owner = diff_.a.elements[a].owner;
      if (!(RefOfB(elements[end].owner) == ElementRef{false, owner})) continue;
      pairs.push_back(a);
      stayed.push_back(end);
    }
    const std::vector<bool> rises = LongestRise(pairs);
    for (std::size_t i = 0; i < stayed.size(); ++i) reordered_[stayed[i]] = !rises[i];
  }
}

void Comparer::AddAdded(std::uint32_t b) {
  Change change;
  change.kind = ChangeKind::kAdded;
  change.element = change.in_b = b;
  change.ambiguous = matching_.ambiguous_b[b];
  for (const Property& property : diff_.b.PropertiesOf(b)) {
    change.properties.push_back({property.kind, property.key, property.position, std::nullopt,
                                 ValueOf(property.value, true)});
  }
  change.place = PlaceOf(b);
  diff_.changes.push_back(std::move(change));
}

void Comparer::AddRemoved(std::uint32_t a) {
  Change change;
  change.kind = ChangeKind::kRemoved;
  change.element = a;
  change.ambiguous = matching_.ambiguous_a[a];
  diff_.changes.push_back(std::move(change));
}

std::vector<PropertyChange> Comparer::CompareProperties(std::uint32_t a, std::uint32_t b) const {
  std::vector<PropertyChange> changes;
  const auto order = [](const Property& p) { return std::tie(p.kind, p.key, p.position); };
  const auto before = diff_.a.PropertiesOf(a);
  const auto after = diff_.b.PropertiesOf(b);
  for (std::size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    const bool has_before =
        j == after.size() || (i < before.size() && order(before[i]) <= order(after[j]));
    const bool has_after =
        i == before.size() || (j < after.size() && order(after[j]) <= order(before[i]));
    const Property& property = has_before ? before[i] : after[j];
    PropertyChange change{property.kind, property.key, property.position, {}, {}};
    if (has_before) change.before = ValueOf(before[i++].value, false);
    if (has_after) change.after = ValueOf(after[j++].value, true);
    if (!(change.before == change.after)) changes.push_back(change);
  }
  return changes;
}

void Comparer::AddChanged(std::uint32_t a, std::uint32_t b) {
  Change change;
  change.kind = ChangeKind::kChanged;
  change.element = a;
  change.in_b = b;
  change.ambiguous = matching_.ambiguous_a[a] || matching_.ambiguous_b[b];
  change.properties = CompareProperties(a, b);
  const std::uint32_t owner = diff_.a.elements[a].owner;
  const bool moved = !(RefOfB(diff_.b.elements[b].owner) == ElementRef{false, owner});
  if (moved || reordered_[b]) {
    change.place = PlaceOf(b);
    change.place->other_subgraph = moved;
  }
  if (!change.properties.empty() || change.place) diff_.changes.push_back(std::move(change));
}

void Comparer::Compare() {
  FindReordered();
  const ElementTable& a = diff_.a;
  const ElementTable& b = diff_.b;
  const auto compare = [&](Range of_a, Range of_b) {
    for (std::uint32_t i = of_a.begin; i < of_a.end(); ++i) {
      const std::uint32_t pair = matching_.a_to_b[i];
      pair == kNoIndex ? AddRemoved(i) : AddChanged(i, pair);
    }
    for (std::uint32_t i = of_b.begin; i < of_b.end(); ++i)
      if (matching_.b_to_a[i] == kNoIndex) AddAdded(i);
  };
  const auto nodes = [](const ElementTable& table) {
    return Range{table.first_node,
                 static_cast<std::uint32_t>(table.elements.size()) - table.first_node};
  };
  compare({0, a.first_parameter}, {0, b.first_parameter});
  compare({a.first_parameter, a.first_node - a.first_parameter},
          {b.first_parameter, b.first_node - b.first_parameter});
  compare(nodes(a), nodes(b));
  diff_.a_to_b = matching_.a_to_b;
  diff_.ambiguous = matching_.ambiguous_a;
}

bool HoldsGraph(const Module& module) {
  return module.form == Form::kGraph || module.form == Form::kFailure;
}

}  // namespace

DiffCounts CountChanges(const Diff& diff) {
  DiffCounts counts;
  for (const Change& change : diff.changes) {
    counts.added += change.kind == ChangeKind::kAdded;
    counts.removed += change.kind == ChangeKind::kRemoved;
    counts.ambiguous += change.ambiguous;
    if (change.kind != ChangeKind::kChanged) continue;
    counts.changed += !change.properties.empty();
    if (change.place) ++(change.place->other_subgraph ? counts.moved : counts.reordered);
  }
  return counts;
}

Result<Diff> Compare(const Module& a, const Module& b) {
  if (HoldsGraph(a) != HoldsGraph(b))
    return Error(StatusCode::kInvalidArgument, "a graph and an actor set cannot be compared");
  if (!HoldsGraph(a) && a.form != b.form) {
    return Error(StatusCode::kInvalidArgument,
                 "a final actor set (final_actor_set_*) and one in sections cannot be compared");
  }
  Diff diff;
  diff.a = ListElements(a, diff.texts);
  diff.b = ListElements(b, diff.texts);
  Comparer(diff, MatchElements(diff.a, diff.b)).Compare();
  return diff;
}

}  // namespace sightline::ir
