// DiffText: the elements and values of a diff as texts of one line. JSON (diff_json.h) and the
// terminal show the same texts.
//
// Immutable: any thread may use it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/model/module.h"
#include "sightline/ir/report/node_text.h"

namespace sightline::ir {

class DiffText {
 public:
  // `diff` is that of these modules. All three must outlive it.
  DiffText(const Module& a, const Module& b, const Diff& diff) : diff_(diff), a_(a), b_(b) {}

  const Diff& diff() const { return diff_; }

  // The element that was added, or the one of the first graph that was removed or changed.
  const Element& ElementOf(const Change& change) const;
  // The nodes of the graph that ElementOf(change) is in.
  const NodeText& NodesOf(const Change& change) const;

  // "@f %3(CNode_2)", "%para1_x of @f", "@f", or an actor's name; "none" without an element.
  std::string Name(const ElementRef& ref) const;
  std::string Name(const Change& change) const;
  std::string Value(const ChangedValue& value) const;

 private:
  const Diff& diff_;
  NodeText a_;
  NodeText b_;
};

// The counts with their names, in the order in which they are shown. `ambiguous` is not among them.
std::array<std::pair<std::string_view, std::uint32_t>, 5> NamedCounts(const DiffCounts& counts);

}  // namespace sightline::ir
