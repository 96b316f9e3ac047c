#include "sightline/tools/demo/graph_dumps.h"

#include <fmt/format.h>

#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/read/proto_reader.h"
#include "sightline/tools/demo/graph_compiler.h"

namespace sightline::demo {
namespace {

using ir::DumpPoint;

// A node or parameter that inputs name.
struct Value {
  const void* key = nullptr;
  std::string type;
};

class Visiting {
 public:
  explicit Visiting(ir::GraphVisitor& visitor) : visitor_(visitor) {}

  void Visit(const Graph& graph) {
    visitor_.Subgraph({.key = &graph, .name = graph.name});
    for (const GraphParameter& parameter : graph.parameters) {
      const Value& value = AddValue(parameter.name, &parameter, {parameter.type});
      const bool is_input = parameter.name == "image" || parameter.name == "class";
      visitor_.Parameter(
          {.key = value.key, .name = parameter.name, .type = value.type, .has_default = !is_input});
    }
    for (const GraphNode& node : graph.nodes) VisitNode(node);
    const Value& result = values_.at(graph.outputs.front());
    const ir::DumpValue operand = {result.key};
    const std::string_view type = result.type;
    visitor_.Return({.operands = {&operand, 1}, .types = {&type, 1}});
  }

 private:
  const Value& AddValue(std::string_view name, const void* key,
                        const std::vector<GraphType>& types) {
    return values_[name] = {key, ir::TypeText(types)};
  }

  void VisitNode(const GraphNode& node) {
    std::vector<ir::DumpValue> operands;
    std::vector<std::string_view> types;
    for (const std::string& input : node.inputs) {
      const Value& value = values_.at(input);
      operands.push_back({value.key});
      types.push_back(value.type);
    }
    types.push_back(AddValue(node.name, &node, node.outputs).type);
    std::map<std::string_view, std::string> texts;
    std::vector<ir::DumpAttribute> attributes;
    for (const auto& [key, value] : node.attributes)
      attributes.push_back({key, texts[key] = ir::ConstantText(value)});
    const std::string operator_name = node.scope + "/" + node.op_type;
    const int number = numbers_[operator_name]++;
    visitor_.Node({.key = &node,
                   .name = node.name,
                   .primitive = node.op_type,
                   .operands = operands,
                   .attributes = attributes,
                   .types = types,
                   .full_name = fmt::format("{}-op{}", operator_name, number)});
  }

  ir::GraphVisitor& visitor_;
  std::map<std::string_view, Value> values_;  // By name.
  std::map<std::string, int> numbers_;        // The next one, by scope and operator.
};

}  // namespace

void Visit(const Graph& graph, ir::GraphVisitor& visitor) { Visiting(visitor).Visit(graph); }

Result<ir::DumperStats> DumpGraphs(const Graph& network, int level, const std::string& folder) {
  ir::GraphDumper dumper({.level = level, .path = folder});
  Graph graph = network;
  const auto dump = [&](const DumpPoint& point) {
    dumper.Dump(point, [&](ir::GraphVisitor& visitor) { Visit(graph, visitor); });
  };
  dumper.StartCompilation();
  dump(DumpPoint::Stage("parse"));
  AddTraining(graph);
  dump(DumpPoint::Stage("grad"));
  FuseBias(graph, [&](const GraphNode& fused) {
    dump(DumpPoint::Substitution("opt", 1, "fuse_bias", fused.name));
  });
  dump(DumpPoint::Pass("fuse_bias"));
  dump(DumpPoint::Stage("optimize"));
  MarkInPlace(graph, [&](const GraphNode& marked) {
    dump(DumpPoint::BackEndDetail("inplace_" + marked.name));
  });
  dump(DumpPoint::KernelGraph("final_graph_0"));
  const Status closed = dumper.Close();
  if (!closed.ok()) return Error(closed);
  return dumper.Stats();
}

}  // namespace sightline::demo
