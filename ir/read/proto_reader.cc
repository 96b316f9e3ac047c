#include "sightline/ir/read/proto_reader.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/ir/model/module_builder.h"
#include "sightline/ir/model/topological_order.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline::ir {
namespace {

// Of mindspore_graph.proto.
constexpr std::uint32_t kModelGraph = 4;

std::string ElementName(const GraphType& type) {
  if (!type.dtype) return "null";
  // "uint8" is printed as "UInt8" in dumps, "bfloat16" as "BFloat16".
  std::string name(DTypeName(*type.dtype));
  const std::size_t upper = name.starts_with("uint") || name.starts_with("bfloat") ? 2 : 1;
  for (std::size_t i = 0; i < upper; ++i) name[i] = static_cast<char>(name[i] - 'a' + 'A');
  return name;
}

}  // namespace

std::string TypeText(const std::vector<GraphType>& types) {
  if (types.empty() || !types.front().dtype) return "<null>";
  if (types.size() == 1) {
    return fmt::format("<Tensor[{}], ({})>", ElementName(types.front()),
                       fmt::join(types.front().shape, ", "));
  }
  std::vector<std::string> elements;
  std::vector<std::string> shapes;
  for (const GraphType& type : types) {
    elements.push_back(fmt::format("Tensor[{}]", ElementName(type)));
    shapes.push_back(fmt::format("({})", fmt::join(type.shape, ", ")));
  }
  return fmt::format("<Tuple[{}], TupleShape({})>", fmt::join(elements, ","),
                     fmt::join(shapes, ", "));
}

std::string ConstantText(const GraphValue& value) {
  struct Printer {
    std::string operator()(std::monostate /*none*/) const { return "None"; }
    std::string operator()(bool v) const { return v ? "Bool(1)" : "Bool(0)"; }
    std::string operator()(std::int64_t v) const { return fmt::format("I64({})", v); }
    std::string operator()(double v) const { return fmt::format("F64({})", v); }
    std::string operator()(const std::string& v) const { return '"' + v + '"'; }
    std::string operator()(const GraphValue::List& v) const {
      std::vector<std::string> items;
      items.reserve(v.size());
      for (const GraphValue& item : v) items.push_back(ConstantText(item));
      return fmt::format("({})", fmt::join(items, ", "));
    }
  };
  return std::visit(Printer(), value.value);
}

namespace {

// A graph's nodes as statements of one subgraph.
class GraphConverter {
 public:
  explicit GraphConverter(const Graph& graph) : graph_(graph), builder_(HeaderOf(graph)) {}

  Module Convert() &&;

 private:
  // What an input names.
  struct Value {
    enum class Kind : std::uint8_t { kParameter, kConstant, kNode } kind;
    std::uint32_t index;
  };

  static HeaderSpec HeaderOf(const Graph& graph);
  void AddNames();
  std::vector<std::uint32_t> Order() const;
  void AddNode(std::uint32_t index);
  void AddReturn();
  void AddInput(const std::string& name, NodeSpec& spec);

  static constexpr std::uint32_t kNotAdded = UINT32_MAX;

  const Graph& graph_;
  ModuleBuilder builder_;
  std::unordered_map<std::string_view, Value> values_;
  std::vector<std::uint32_t> numbers_;  // Of the graph's nodes; kNotAdded until they have one.
  std::vector<std::string> types_;      // Their results.
  std::vector<std::string> unknown_;    // Names that nothing has.
};

HeaderSpec GraphConverter::HeaderOf(const Graph& graph) {
  HeaderSpec header{graph.name, 1, {}};
  for (const GraphParameter& parameter : graph.parameters)
    header.parameters.push_back({parameter.name, TypeText({parameter.type})});
  return header;
}

// If a name occurs twice, the first one counts.
void GraphConverter::AddNames() {
  using enum Value::Kind;
  for (std::uint32_t i = 0; i < graph_.parameters.size(); ++i)
    values_.try_emplace(graph_.parameters[i].name, Value{kParameter, i});
  for (std::uint32_t i = 0; i < graph_.constants.size(); ++i)
    values_.try_emplace(graph_.constants[i].name, Value{kConstant, i});
  for (std::uint32_t i = 0; i < graph_.nodes.size(); ++i)
    values_.try_emplace(graph_.nodes[i].name, Value{kNode, i});
}

std::vector<std::uint32_t> GraphConverter::Order() const {
  std::vector<std::vector<std::uint32_t>> inputs(graph_.nodes.size());
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    for (const std::string& name : graph_.nodes[i].inputs) {
      const auto found = values_.find(name);
      if (found != values_.end() && found->second.kind == Value::Kind::kNode)
        inputs[i].push_back(found->second.index);
    }
  }
  return TopologicalOrder(inputs);
}

void GraphConverter::AddInput(const std::string& name, NodeSpec& spec) {
  const auto found = values_.find(name);
  if (found != values_.end()) {
    const std::uint32_t index = found->second.index;
    switch (found->second.kind) {
      case Value::Kind::kParameter:
        spec.operands.push_back(builder_.ParameterOperand(index + 1, name));
        spec.types.push_back(TypeText({graph_.parameters[index].type}));
        return;
      case Value::Kind::kConstant:
        spec.operands.push_back(
            builder_.TextOperand(OperandKind::kValue, ConstantText(graph_.constants[index].value)));
        spec.types.emplace_back("<null>");
        return;
      case Value::Kind::kNode:
        if (numbers_[index] == kNotAdded) break;  // It takes what takes it.
        spec.operands.push_back(ModuleBuilder::NodeOperand(numbers_[index]));
        spec.types.push_back(types_[index]);
        return;
    }
  }
  unknown_.push_back(name);
  spec.operands.push_back(builder_.TextOperand(OperandKind::kValue, name));
  spec.types.emplace_back("<null>");
}

void GraphConverter::AddNode(std::uint32_t index) {
  const GraphNode& node = graph_.nodes[index];
  NodeSpec spec;
  spec.name = node.name;
  spec.callee = node.op_type;
  for (const std::string& input : node.inputs) AddInput(input, spec);
  for (const auto& [key, value] : node.attributes)
    spec.attributes.push_back({key, ConstantText(value)});
  std::string full_name =
      !node.full_name.empty() || node.scope.empty() ? node.full_name : node.scope + "/" + node.name;
  if (!full_name.empty()) spec.notes.push_back({LineKind::kFullname, std::move(full_name)});
  spec.types.push_back(TypeText(node.outputs));
  types_[index] = spec.types.back();
  numbers_[index] = builder_.AddNode(spec);
}

void GraphConverter::AddReturn() {
  NodeSpec spec;
  spec.kind = CalleeKind::kReturn;
  for (const std::string& output : graph_.outputs) AddInput(output, spec);
  builder_.AddNode(spec);
}

Module GraphConverter::Convert() && {
  AddNames();
  numbers_.assign(graph_.nodes.size(), kNotAdded);
  types_.resize(graph_.nodes.size());
  builder_.StartSubgraph({graph_.name, "", {}});
  for (const std::uint32_t node : Order()) AddNode(node);
  AddReturn();
  builder_.EndSubgraph();
  Module module = std::move(builder_).Finish();
  for (const std::string& name : unknown_) {
    if (module.problem_count++ < Module::kMaxProblems) {
      module.problems.push_back(
          {1, 1, "the graph has no node, parameter or constant '" + name + "'"});
    }
  }
  return module;
}

}  // namespace

Result<Module> ParseGraphProto(std::string_view graph_proto) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Graph graph, ParseGraph(graph_proto));
  return GraphConverter(graph).Convert();
}

Result<Module> ParseModelProto(std::string_view model_proto) {
  wire::Field field;
  wire::Scanner scan(model_proto);
  std::string_view graph;
  while (scan.Next(field)) {
    if (field.number == kModelGraph && field.type == wire::WireType::kBytes) graph = field.bytes;
  }
  if (scan.malformed() || graph.data() == nullptr) {
    return Error(
        StatusCode::kDataLoss,
        fmt::format("these {} bytes are not a ModelProto with a graph", model_proto.size()));
  }
  return ParseGraphProto(graph);
}

}  // namespace sightline::ir
