// What the names in a module's statements mean: where each operand comes from, what each node
// calls, who uses what. A Module holds what the file says; this resolves it, once, into indices.
//
//   const Dataflow flow(module);
//   for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i)
//     if (flow.source(i).kind == SourceKind::kNode) Draw(flow.source(i).index, to);
//   for (const std::uint32_t user : flow.NodeUsers(n)) ...
//
// How names are resolved, in every form of a dump:
//
// - "%3" is the subgraph's own earlier statement 3.
// - "%para3_x" is the only parameter with number 3. Where several have it - numbers begin again in
//   every subgraph of a sorted dump, and are all 0 in analyze_fail.ir - it is the subgraph's own
//   with that number and name, or the nearest parent's.
// - "$(@G:para3_x)" is looked for in G in the same way; "$(@G:NAME)" is G's node of that name.
// - "@G" is the subgraph G; a name of several subgraphs is told apart by who is asking: itself
//   comes last.
//
// Time and memory are in proportion to the module's (a logarithm where names are searched). Nothing
// recurses. Thread rule: immutable once built; any thread. The module must outlive it and not
// change.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "sightline/ir/model/index_lists.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

enum class SourceKind : std::uint8_t {
  kNode,        // index: module.nodes
  kParameter,   // index: module.parameters
  kSubgraph,    // index: module.subgraphs; the subgraph itself is the value, a function.
  kConstant,    // A text: a value.
  kPrimitive,   // A text: what a node calls when that is no value of the module.
  kUnresolved,  // index: an Unresolved
};

// Why a name could not be resolved.
enum class Unresolved : std::uint8_t {
  kNoEarlierNode,  // "%3": the subgraph has no earlier statement of that number.
  kNoParameter,    // No subgraph that is in question has such a parameter.
  kNoSubgraph,     // "@G": there is no such subgraph.
  kNoName,         // "$(@G:NAME)": G has no such node.
};

// For messages: "no earlier statement has this number".
std::string_view Describe(Unresolved reason);

// Where a value comes from.
struct Source {
  SourceKind kind = SourceKind::kConstant;
  // Several elements have the name, and nothing tells them apart: the first of those whose type
  // fits was taken.
  bool ambiguous = false;
  std::uint32_t index = 0;

  bool operator==(const Source&) const = default;
};

class Dataflow {
 public:
  explicit Dataflow(const Module& module);

  // Of module.operands[operand]. Those of actors are constants.
  Source source(std::uint32_t operand) const { return sources_[operand]; }
  // Of what a node calls: the subgraph of "call @G", the function value of a closure, or a
  // primitive's name.
  Source callee(std::uint32_t node) const { return callees_[node]; }
  // The subgraphs that a node may call, without repeats: "call @G", and those of a closure, which
  // MindSpore prints behind the function value. A closure without them calls what its function
  // value is, where that is a subgraph, or a Partial or Switch of subgraphs.
  std::span<const std::uint32_t> Calls(std::uint32_t node) const { return calls_[node]; }

  // The nodes, in order and without repeats, that take a value as operand or call it.
  std::span<const std::uint32_t> NodeUsers(std::uint32_t node) const { return node_users_[node]; }
  std::span<const std::uint32_t> ParameterUsers(std::uint32_t parameter) const {
    return parameter_users_[parameter];
  }
  // The nodes that take the subgraph as operand, or may call it.
  std::span<const std::uint32_t> SubgraphUsers(std::uint32_t subgraph) const {
    return subgraph_users_[subgraph];
  }

  // The subgraph that a node or parameter is of; kNoIndex for a parameter of none.
  std::uint32_t SubgraphOfNode(std::uint32_t node) const { return node_subgraphs_[node]; }
  std::uint32_t SubgraphOfParameter(std::uint32_t parameter) const {
    return parameter_subgraphs_[parameter];
  }
  // The subgraph whose values another may use; kNoIndex for none.
  std::uint32_t Parent(std::uint32_t subgraph) const { return parents_[subgraph]; }
  // The subgraph that is the whole; kNoIndex when the file does not have it.
  std::uint32_t entry() const { return entry_; }

  // How many names could not be resolved, and how many are ambiguous.
  std::uint32_t unresolved() const { return unresolved_; }
  std::uint32_t ambiguous() const { return ambiguous_; }

 private:
  friend class DataflowBuilder;

  std::vector<Source> sources_;
  std::vector<Source> callees_;
  IndexLists calls_;
  IndexLists node_users_;
  IndexLists parameter_users_;
  IndexLists subgraph_users_;
  std::vector<std::uint32_t> node_subgraphs_;
  std::vector<std::uint32_t> parameter_subgraphs_;
  std::vector<std::uint32_t> parents_;
  std::uint32_t entry_ = kNoIndex;
  std::uint32_t unresolved_ = 0;
  std::uint32_t ambiguous_ = 0;
};

// The parameters of a subgraph; the entry graph's are those that the header lists.
Range ParametersOf(const Module& module, const Dataflow& flow, std::uint32_t subgraph);

}  // namespace sightline::ir
