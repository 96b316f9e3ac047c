// The differences between two graphs, or two actor sets: elements that were added, removed, changed
// or moved. Ids, addresses, scopes, source lines and the order of subgraphs are ignored
// (docs/ir.md, "How graphs are compared").
//
// The changes are complete: applied to the first graph, they give the second.
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

// An element of the first graph, or an added one of the second.
struct ElementRef {
  bool added = false;
  std::uint32_t element = kNoIndex;  // Of Diff::a or Diff::b.

  bool operator==(const ElementRef&) const = default;
};

// A Value, independent of the second graph.
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
  std::optional<ChangedValue> after;   // None: it no longer has it.
};

// Where an element is now. Subgraphs have no place.
struct NewPlace {
  ElementRef owner;  // Its subgraph.
  ElementRef after;  // The one of its kind before it; kNoIndex: it is the first.
  // False: the subgraph is the same, but the order is another.
  bool other_subgraph = false;
};

struct Change {
  ChangeKind kind = ChangeKind::kChanged;
  // In Diff::b if it was added, otherwise in Diff::a.
  std::uint32_t element = 0;
  std::uint32_t in_b = kNoIndex;  // The same one in Diff::b; none if it was removed.
  // It may as well be another element of its graph: both are equal, or one of several equal
  // elements in a row was added or removed. With the other one, there would be as many changes.
  bool ambiguous = false;
  std::vector<PropertyChange> properties;  // All of them if it was added; none if removed.
  std::optional<NewPlace> place;           // If it was added or moved.
};

struct Diff {
  TextPool texts;
  ElementTable a;
  ElementTable b;
  std::vector<std::uint32_t> a_to_b;  // Pairs of elements; kNoIndex for none.
  std::vector<bool> ambiguous;        // Elements of A whose partner might be another one.
  // Subgraphs, then parameters, then nodes. Within each, elements of A in the order of A, then
  // added ones in the order of B.
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

// Compares two graphs, two final actor sets, or two actor sets in sections; kInvalidArgument for
// others. Time and memory are in proportion to the size of both, times a logarithm. Any thread.
Result<Diff> Compare(const Module& a, const Module& b);

}  // namespace sightline::ir
