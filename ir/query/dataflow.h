// Dataflow: where each operand comes from, what each node calls, and who uses a value. A Module has
// names; this resolves them, once, to indices.
//
//   const Dataflow flow(module);
//   for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i)
//     if (flow.source(i).kind == SourceKind::kNode) Draw(flow.source(i).index, to);
//   for (const std::uint32_t user : flow.NodeUsers(n)) ...
//
// How names are resolved, in every form of a dump:
//
// - "%3" is the subgraph's own earlier statement 3.
// - "%para3_x" is the only parameter with number 3. Several may have it: numbers begin again in
//   every subgraph of a sorted dump, and are all 0 in analyze_fail.ir. Then it is the subgraph's
//   own parameter with that number and name, or else the nearest parent's.
// - "$(@G:para3_x)" is looked up in G in the same way; "$(@G:NAME)" is G's node of that name.
// - "@G" is the subgraph G. If two have the name and one of them contains the reference, it means
//   the other one.
//
// Time and memory are in proportion to the size of the module (times a logarithm for the search of
// names). Nothing recurses. Immutable once built, so any thread may read. The module must outlive
// it and not change.
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
  kPrimitive,   // A text: a callee that is not a value of the module.
  kUnresolved,  // index: an Unresolved
};

// Why a name could not be resolved.
enum class Unresolved : std::uint8_t {
  kNoEarlierNode,  // "%3": the subgraph has no earlier statement of that number.
  kNoParameter,    // Neither the subgraph nor a parent has such a parameter.
  kNoSubgraph,     // "@G": there is no such subgraph.
  kNoName,         // "$(@G:NAME)": G has no such node.
};

// For messages: "no earlier statement has this number".
std::string_view Describe(Unresolved reason);

// Where a value comes from.
struct Source {
  SourceKind kind = SourceKind::kConstant;
  // Several elements have the name, and nothing distinguishes them; this is the first whose type
  // fits.
  bool ambiguous = false;
  std::uint32_t index = 0;

  bool operator==(const Source&) const = default;
};

class Dataflow {
 public:
  explicit Dataflow(const Module& module);

  // The source of module.operands[operand]. Operands of actors are constants.
  Source source(std::uint32_t operand) const { return sources_[operand]; }
  // What a node calls: the subgraph of "call @G", the function value of a closure, or a primitive's
  // name.
  Source callee(std::uint32_t node) const { return callees_[node]; }
  // The subgraphs that a node may call, each once: that of "call @G", or those of a closure, which
  // MindSpore prints after the function value. If it prints none, they are found from the function
  // value, if that is a subgraph, or a Partial or Switch of subgraphs.
  std::span<const std::uint32_t> Calls(std::uint32_t node) const { return calls_[node]; }

  // The nodes that take a value as operand or call it, in order and each once.
  std::span<const std::uint32_t> NodeUsers(std::uint32_t node) const { return node_users_[node]; }
  std::span<const std::uint32_t> ParameterUsers(std::uint32_t parameter) const {
    return parameter_users_[parameter];
  }
  // The nodes that take the subgraph as operand, or may call it.
  std::span<const std::uint32_t> SubgraphUsers(std::uint32_t subgraph) const {
    return subgraph_users_[subgraph];
  }

  // The subgraph of a node or parameter; kNoIndex for a parameter without one.
  std::uint32_t SubgraphOfNode(std::uint32_t node) const { return node_subgraphs_[node]; }
  std::uint32_t SubgraphOfParameter(std::uint32_t parameter) const {
    return parameter_subgraphs_[parameter];
  }
  // The subgraph whose values another may use; kNoIndex for none.
  std::uint32_t Parent(std::uint32_t subgraph) const { return parents_[subgraph]; }
  // The entry graph; kNoIndex if the file does not contain it.
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

// The parameters of a subgraph; those of the entry graph are listed in the header.
Range ParametersOf(const Module& module, const Dataflow& flow, std::uint32_t subgraph);

}  // namespace sightline::ir
