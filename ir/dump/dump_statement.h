// Writes the statements of a dump - "%3(CNode_12) = PRIM(...)" and "Return(...)" - with the lines
// below them, from a visited graph.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/dump/dump_layout.h"
#include "sightline/ir/dump/dump_out.h"
#include "sightline/ir/dump/dump_text.h"
#include "sightline/ir/dump/taped_graph.h"

namespace sightline::ir {

// "<Tensor[Float32], (2)>", or "<null>" if the text would not be read as a type.
void WriteType(std::string_view type, DumpOut& out);

class DumpStatementWriter {
 public:
  // All must outlive the writer.
  DumpStatementWriter(const TapedGraph& graph, const DumpLayout& layout, ScopeForm scope,
                      DumpOut& out)
      : graph_(graph), layout_(layout), scope_(scope), out_(out) {}

  // A node of that subgraph.
  void Write(std::uint32_t subgraph, std::uint32_t index);

 private:
  void WriteCallee(const TapedNode& node);
  void WriteFunctionParameter(const DumpLayout::Place& place);
  // "[@@GRAPH]"; empty if it is not known what is called.
  std::string ClosureOf(const TapedNode& node) const;
  void WriteOperand(const DumpValue& operand);
  void WriteReference(const DumpLayout::Place& place);
  void WriteAttributes(const std::vector<DumpAttribute>& attributes);
  // All lines of types, without those that a reader would take for others.
  void WriteSignatures(const TapedNode& node);
  void WriteSignature(const TapedSignature& signature, bool is_return);
  void WriteItems(const std::vector<std::string_view>& items);
  void WriteScope(std::string_view full_name);
  void WriteLocations(const std::vector<Location>& locations);

  const TapedGraph& graph_;
  const DumpLayout& layout_;
  const ScopeForm scope_;
  DumpOut& out_;
  std::uint32_t subgraph_ = 0;  // The one that is being written.
};

}  // namespace sightline::ir
