// What two graphs, or two actor sets, differ in: elements that were added, removed, changed or
// moved. Ids, addresses, scopes, source lines and the order of subgraphs are put aside (docs/ir.md,
// "How graphs are compared").
//
// The changes say everything: whoever applies them to the first graph gets the second.
//
//   const Result<Diff> diff = Compare(a, b);
//   for (const Change& change : diff->changes)
//     if (change.kind == ChangeKind::kAdded) Show(b, diff->b.elements[change.element].index);
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/ir/compare/element.h"

namespace sightline::ir {

enum class ChangeKind : std::uint8_t { kAdded, kRemoved, kChanged };

// An element of the first graph, or one that is added and of the second.
struct ElementRef {
  bool added = false;
  std::uint32_t element = kNoIndex;  // Of Diff::a or Diff::b.

  bool operator==(const ElementRef&) const = default;
};

// A Value that does not need the second graph.
struct ChangedValue {
  Value::Kind kind = Value::Kind::kText;
  TextId text = kNoText;  // Of Diff::texts.
  ElementRef element;

  bool operator==(const ChangedValue&) const = default;
};

struct PropertyChange {
  PropertyKind kind = PropertyKind::kName;
  TextId key = kNoText;
  std::uint32_t position = 0;
  std::optional<ChangedValue> before;  // None: the element did not have it.
  std::optional<ChangedValue> after;   // None: it does not have it any more.
};

// Where an element is now; nothing for a subgraph, which has no place.
struct NewPlace {
  ElementRef owner;  // Its subgraph.
  ElementRef after;  // The one of its kind before it; kNoIndex: it is the first.
  // False: the subgraph is the same, the order is another.
  bool other_subgraph = false;
};

struct Change {
  ChangeKind kind = ChangeKind::kChanged;
  // Of Diff::b for an added one, otherwise of Diff::a.
  std::uint32_t element = 0;
  std::uint32_t in_b = kNoIndex;  // The same one in Diff::b; none for a removed one.
  // It might as well be another one of its graph: the two are the same, or of a row of equal ones
  // one was added or removed. With that one, there are as many changes.
  bool ambiguous = false;
  std::vector<PropertyChange> properties;  // All of an added one; none of a removed one.
  std::optional<NewPlace> place;           // Of an added one, and of one that moved.
};

struct Diff {
  TextPool texts;
  ElementTable a;
  ElementTable b;
  std::vector<std::uint32_t> a_to_b;  // Pairs of elements; kNoIndex for none.
  std::vector<bool> ambiguous;        // Elements of A whose pair might be another one.
  // Subgraphs, parameters, nodes; within these added ones in the order of B, after the others in
  // that of A.
  std::vector<Change> changes;

  bool equal() const { return changes.empty(); }
};

struct DiffCounts {
  std::uint32_t added = 0;
  std::uint32_t removed = 0;
  std::uint32_t changed = 0;    // In a property.
  std::uint32_t moved = 0;      // To another subgraph; may be changed too.
  std::uint32_t reordered = 0;  // Within the subgraph; may be changed too.
  std::uint32_t ambiguous = 0;  // Of all.
};
DiffCounts CountChanges(const Diff& diff);

// Of two graphs, two final actor sets, or two actor sets in sections; kInvalidArgument for others.
// Time and memory are in proportion to both modules', times a logarithm. Any thread.
Result<Diff> Compare(const Module& a, const Module& b);

}  // namespace sightline::ir
