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
  AddTextLine(LineKind::kEntry, header.entry);
  AddLine(LineKind::kTotalSubgraphs, header.subgraphs);
  AddLine(LineKind::kBlank, 1);
  if (!header.attributes.empty()) {
    AddTextLine(LineKind::kText, "# Attrs:");
    read.attributes = AddAttributeLines(header.attributes);
    AddLine(LineKind::kBlank, 1);
  }
  read.total_parameters = SizeOf(header.parameters);
  read.parameters = AddParameters(header.parameters);
  AddLine(LineKind::kTotalParameters, *read.total_parameters);
  if (read.parameters.size > 0) AddTextLine(LineKind::kText, "# Params:");
  for (std::uint32_t i = 0; i < read.parameters.size; ++i) AddLine(LineKind::kParameter, i);
  AddLine(LineKind::kBlank, 1);
  AddTextLine(LineKind::kText, "Node counting information:");
  read.total_nodes = header.total_nodes;
  if (read.total_nodes) AddLine(LineKind::kTotalNodes, *read.total_nodes);
  total_line_ = module_.lines.size();
  AddLine(LineKind::kTotalCnodes, 0);
  AddLine(LineKind::kBlank, 1);
}

Range ModuleBuilder::AddParameters(const std::vector<ParameterSpec>& parameters) {
  const Range range{SizeOf(module_.parameters), SizeOf(parameters)};
  for (const ParameterSpec& spec : parameters) {
    module_.parameters.push_back({next_parameter_++, Intern(spec.name), Intern(spec.type),
                                  Intern(spec.shape), Intern(spec.device), spec.has_default,
                                  spec.is_weight});
  }
  return range;
}

Range ModuleBuilder::AddAttributeLines(const std::vector<AttributeSpec>& attributes) {
  const Range range{SizeOf(module_.attributes), SizeOf(attributes)};
  for (const AttributeSpec& spec : attributes) {
    AddLine(LineKind::kAttribute, SizeOf(module_.attributes));
    module_.attributes.push_back({Intern(spec.key), Intern(spec.value), true});
  }
  return range;
}

void ModuleBuilder::StartSubgraph(const SubgraphSpec& spec) {
  Subgraph subgraph;
  AddTextLine(LineKind::kText, "subgraph attr:");
  subgraph.attributes = AddAttributeLines(spec.attributes);
  if (!spec.instance.empty()) {
    AddLine(LineKind::kInstance, SizeOf(module_.attributes));
    module_.attributes.push_back({Intern(spec.name), Intern(spec.instance), true});
  }
  if (!spec.side_effect.empty()) AddTextLine(LineKind::kSubgraphSideEffect, spec.side_effect);
  if (!module_.subgraphs.empty()) {
    std::vector<std::string> types;
    types.reserve(spec.parameters.size());
    for (const ParameterSpec& parameter : spec.parameters) types.push_back(parameter.type);
    AddTypes(LineKind::kParameterTypes, types, 0, false);
  }
  if (spec.location) {
    std::string text;
    AppendLocation(*spec.location, text);
    AddTextLine(LineKind::kSubgraphLocation, text);
  } else {
    AddLine(LineKind::kBlank, 1);
  }
  subgraph.name = Intern(spec.name);
  subgraph.parent = Intern(spec.parent);
  subgraph.instance = Intern(spec.instance);
  subgraph.parameters = AddParameters(spec.parameters);
  subgraph.nodes.begin = SizeOf(module_.nodes);
  subgraph.line = SizeOf(module_.lines);
  AddLine(LineKind::kSubgraph, SizeOf(module_.subgraphs));
  module_.subgraphs.push_back(subgraph);
  next_node_ = 0;
}

void ModuleBuilder::AddTypes(LineKind kind, const std::vector<std::string>& types,
                             std::size_t outputs, bool has_arrow) {
  AddLine(kind, SizeOf(module_.type_lines));
  module_.type_lines.push_back({SizeOf(module_.types),
                                static_cast<std::uint32_t>(types.size() - outputs),
                                static_cast<std::uint32_t>(outputs), has_arrow});
  for (const std::string& type : types) module_.types.push_back(Intern(type));
}

std::uint32_t ModuleBuilder::AddGroups(const std::vector<AttributeSpec>& attributes) {
  if (attributes.empty()) return 0;
  Range groups{SizeOf(module_.attribute_groups), 0};
  for (const AttributeSpec& spec : attributes) {
    const TextId group = Intern(spec.group);
    if (groups.size == 0 || module_.attribute_groups.back().name != group) {
      module_.attribute_groups.push_back({group, {SizeOf(module_.attributes), 0}});
      ++groups.size;
    }
    module_.attributes.push_back({Intern(spec.key), Intern(spec.value), true});
    ++module_.attribute_groups.back().attributes.size;
  }
  module_.node_attributes.push_back({groups});
  return SizeOf(module_.node_attributes) - 1;
}

std::uint32_t ModuleBuilder::AddNode(const NodeSpec& spec) {
  Node node;
  node.kind = spec.kind;
  const bool is_return = spec.kind == CalleeKind::kReturn;
  if (!is_return) node.number = next_node_;
  node.name = Intern(spec.name);
  node.callee = Intern(is_return ? std::string_view("Return") : spec.callee);
  node.closure = Intern(spec.closure);
  node.operands = {SizeOf(module_.operands), SizeOf(spec.operands)};
  module_.operands.insert(module_.operands.end(), spec.operands.begin(), spec.operands.end());
  node.attributes = AddGroups(spec.attributes);
  AddLine(LineKind::kNode, SizeOf(module_.nodes));
  node.lines.begin = SizeOf(module_.lines);
  if (!spec.types.empty()) AddTypes(LineKind::kTypes, spec.types, is_return ? 0 : 1, !is_return);
  for (const SignatureSpec& line : spec.signatures) {
    std::vector<std::string> types = line.inputs;
    types.insert(types.end(), line.outputs.begin(), line.outputs.end());
    AddTypes(line.kind, types, line.outputs.size(), !is_return);
  }
  for (const NoteSpec& note : spec.notes) AddTextLine(note.kind, note.text);
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
