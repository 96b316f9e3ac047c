#include "sightline/ir/model/module_builder.h"

namespace sightline::ir {
namespace {

template <typename Table>
std::uint32_t SizeOf(const Table& table) {
  return static_cast<std::uint32_t>(table.size());
}

}  // namespace

ModuleBuilder::ModuleBuilder(const HeaderSpec& header) {
  module_.node_attributes.emplace_back();
  Header& read = module_.header;
  read.entry = Intern(header.entry);
  read.total_parameters = SizeOf(header.parameters);
  read.parameters = AddParameters(header.parameters);
  AddTextLine(LineKind::kEntry, header.entry);
  AddLine(LineKind::kTotalSubgraphs, header.subgraphs);
  AddLine(LineKind::kBlank, 1);
  AddLine(LineKind::kTotalParameters, *read.total_parameters);
  if (read.parameters.size > 0) AddTextLine(LineKind::kText, "# Params:");
  for (std::uint32_t i = 0; i < read.parameters.size; ++i) AddLine(LineKind::kParameter, i);
  AddLine(LineKind::kBlank, 1);
  AddTextLine(LineKind::kText, "Node counting information:");
  total_line_ = module_.lines.size();
  AddLine(LineKind::kTotalCnodes, 0);
  AddLine(LineKind::kBlank, 1);
}

Range ModuleBuilder::AddParameters(const std::vector<ParameterSpec>& parameters) {
  const Range range{SizeOf(module_.parameters), SizeOf(parameters)};
  for (const ParameterSpec& spec : parameters) {
    Parameter parameter;
    parameter.number = next_parameter_++;
    parameter.name = Intern(spec.name);
    parameter.type = Intern(spec.type);
    module_.parameters.push_back(parameter);
  }
  return range;
}

void ModuleBuilder::StartSubgraph(const SubgraphSpec& spec) {
  AddTextLine(LineKind::kText, "subgraph attr:");
  if (!spec.instance.empty()) {
    module_.attributes.push_back({Intern(spec.name), Intern(spec.instance), true});
    AddLine(LineKind::kInstance, SizeOf(module_.attributes) - 1);
  }
  AddLine(LineKind::kBlank, 1);
  Subgraph subgraph;
  subgraph.name = Intern(spec.name);
  subgraph.instance = Intern(spec.instance);
  subgraph.parameters = AddParameters(spec.parameters);
  subgraph.nodes.begin = SizeOf(module_.nodes);
  subgraph.line = SizeOf(module_.lines);
  AddLine(LineKind::kSubgraph, SizeOf(module_.subgraphs));
  module_.subgraphs.push_back(subgraph);
  next_node_ = 0;
}

std::uint32_t ModuleBuilder::AddTypes(std::span<const std::string> types, bool has_result) {
  TypeLine line;
  line.begin = SizeOf(module_.types);
  line.outputs = has_result && !types.empty() ? 1 : 0;
  line.inputs = SizeOf(types) - line.outputs;
  line.has_arrow = has_result;
  for (const std::string& type : types) module_.types.push_back(Intern(type));
  module_.type_lines.push_back(line);
  return SizeOf(module_.type_lines) - 1;
}

std::uint32_t ModuleBuilder::AddNode(const NodeSpec& spec) {
  Node node;
  node.kind = spec.kind;
  const bool is_return = spec.kind == CalleeKind::kReturn;
  if (!is_return) node.number = next_node_;
  node.name = Intern(spec.name);
  node.callee = Intern(is_return ? std::string_view("Return") : spec.callee);
  node.operands = {SizeOf(module_.operands), SizeOf(spec.operands)};
  module_.operands.insert(module_.operands.end(), spec.operands.begin(), spec.operands.end());
  if (!spec.attributes.empty()) {
    const Range attributes{SizeOf(module_.attributes), SizeOf(spec.attributes)};
    for (const auto& [key, value] : spec.attributes)
      module_.attributes.push_back({Intern(key), Intern(value), true});
    node.attributes = SizeOf(module_.node_attributes);
    module_.node_attributes.push_back({{SizeOf(module_.attribute_groups), 1}});
    module_.attribute_groups.push_back({Intern("primitive_attrs"), attributes});
  }
  AddLine(LineKind::kNode, SizeOf(module_.nodes));
  node.lines.begin = SizeOf(module_.lines);
  if (!spec.types.empty()) AddLine(LineKind::kTypes, AddTypes(spec.types, !is_return));
  if (!spec.full_name.empty()) AddTextLine(LineKind::kFullname, spec.full_name);
  node.lines.size = SizeOf(module_.lines) - node.lines.begin;
  module_.nodes.push_back(node);
  return is_return ? next_node_ : next_node_++;
}

void ModuleBuilder::EndSubgraph() {
  Subgraph& subgraph = module_.subgraphs.back();
  subgraph.nodes.size = SizeOf(module_.nodes) - subgraph.nodes.begin;
  AddLine(LineKind::kSubgraphEnd, 0);
  AddLine(LineKind::kBlank, 2);
}

Module ModuleBuilder::Finish() && {
  module_.header.total_cnodes = SizeOf(module_.nodes);
  module_.lines[total_line_].index = SizeOf(module_.nodes);
  module_.texts.Compact();
  return std::move(module_);
}

}  // namespace sightline::ir
