#include "sightline/tests/fuzz/module_checks.h"

#include <cstdint>
#include <string>

#include "sightline/ir/model/location.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/tests/fuzz/repair.h"

namespace sightline::fuzz {
namespace {

using ir::Module;
using ir::Range;

template <typename Table>
void CheckRange(Range range, const Table& table, const char* what) {
  Check(range.begin <= table.size() && range.size <= table.size() - range.begin, what);
}

void CheckIndices(const Module& module) {
  for (const auto& node : module.nodes) {
    CheckRange(node.lines, module.lines, "a node's lines");
    CheckRange(node.operands, module.operands, "a node's operands");
    Check(node.attributes < module.node_attributes.size(), "a node's attributes");
  }
  for (const auto& subgraph : module.subgraphs) {
    CheckRange(subgraph.nodes, module.nodes, "a subgraph's nodes");
    CheckRange(subgraph.parameters, module.parameters, "a subgraph's parameters");
    CheckRange(subgraph.attributes, module.attributes, "a subgraph's attributes");
    Check(subgraph.line < module.lines.size(), "a subgraph's line");
  }
  for (const auto& actor : module.actors) {
    CheckRange(actor.lines, module.lines, "an actor's lines");
    CheckRange(actor.controls, module.operands, "an actor's controls");
  }
  CheckRange(module.header.parameters, module.parameters, "the header's parameters");
  CheckRange(module.header.attributes, module.attributes, "the header's attributes");
}

void CheckDataflow(const Module& module) {
  const ir::Dataflow flow(module);
  const auto check = [&](const ir::Source& source) {
    switch (source.kind) {
      case ir::SourceKind::kNode:
        return Check(source.index < module.nodes.size(), "a node as source");
      case ir::SourceKind::kParameter:
        return Check(source.index < module.parameters.size(), "a parameter as source");
      case ir::SourceKind::kSubgraph:
        return Check(source.index < module.subgraphs.size(), "a subgraph as source");
      case ir::SourceKind::kConstant:
      case ir::SourceKind::kPrimitive:
        return Check(source.index < module.texts.size(), "a text as source");
      case ir::SourceKind::kUnresolved:
        Check(flow.unresolved() > 0, "unresolved names are counted");
        return Check(!ir::Describe(static_cast<ir::Unresolved>(source.index)).empty(),
                     "there is a reason");
    }
  };
  for (std::uint32_t i = 0; i < module.subgraphs.size(); ++i)
    CheckRange(ir::ParametersOf(module, flow, i), module.parameters, "parameters by dataflow");
  for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
    const auto& operands = module.nodes[i].operands;
    for (std::uint32_t k = operands.begin; k < operands.end(); ++k) check(flow.source(k));
    check(flow.callee(i));
    Check(flow.SubgraphOfNode(i) < module.subgraphs.size(), "a node's subgraph");
    for (const std::uint32_t called : flow.Calls(i))
      Check(called < module.subgraphs.size(), "a called subgraph");
    for (const std::uint32_t user : flow.NodeUsers(i))
      Check(user < module.nodes.size(), "a node's user");
  }
}

// What was read as a location is one when it is put together again.
void CheckLocations(const Module& module) {
  for (const ir::Line& line : module.lines) {
    if (line.kind != ir::LineKind::kLocation && line.kind != ir::LineKind::kSubgraphLocation)
      continue;
    const auto location = ir::ParseLocation(module.texts[ir::TextId{line.index}]);
    Check(location.has_value(), "a location");
    std::string again;
    ir::AppendLocation(*location, again);
    Check(ir::ParseLocation(again).has_value(), "a location put together again");
  }
}

}  // namespace

void CheckModule(const ir::Module& module) {
  CheckIndices(module);
  CheckDataflow(module);
  CheckLocations(module);
  Check(module.problem_count >= module.problems.size(), "problems are counted");
  for (const auto& problem : module.problems)
    Check(problem.line > 0 && problem.column > 0 && !problem.message.empty(), "a problem's place");
}

}  // namespace sightline::fuzz
