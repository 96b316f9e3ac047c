#include "sightline/ir/read/dot_reader.h"

#include <algorithm>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/module_builder.h"
#include "sightline/ir/model/topological_order.h"
#include "sightline/ir/read/dot_graph.h"

namespace sightline::ir {
namespace {

constexpr std::uint32_t kNotAdded = UINT32_MAX;

// "BoolImm" "true": as dumps print the constant.
std::string ConstantText(std::string_view type, std::string_view value) {
  std::string text;
  for (std::size_t at = 0; at < value.size();) {
    const std::size_t next = std::min(value.find("<br/>", at), value.size());
    text.append(value, at, next - at);
    if (next < value.size()) text += ", ";
    at = next + 5;
  }
  if (type == "StringImm") return '"' + text + '"';
  if (type == "BoolImm") return text == "true" ? "Bool(1)" : "Bool(0)";
  if (type == "None" || type == "Tensor") return text;
  const std::string word(type.substr(0, type.size() - std::min<std::size_t>(type.size(), 3)));
  if (type.ends_with("Imm")) {
    for (const auto& [name, letter] : {std::pair("UInt", "U"), {"Int", "I"}, {"FP", "F"}}) {
      std::string_view bits = word;
      if (Consume(bits, name)) return letter + std::string(bits) + "(" + text + ")";
    }
  }
  return std::string(type) + "[" + text + "]";
}

class DotConverter {
 public:
  explicit DotConverter(const DotGraph& dot) : dot_(dot), clusters_(dot.clusters.size()) {}

  Module Convert() &&;

 private:
  struct Cluster {
    std::string name;
    std::unordered_map<std::string_view, std::uint32_t> parameters;  // Numbers.
  };

  std::uint32_t NameClusters();
  void NumberParameters(std::uint32_t entry);
  std::vector<std::uint32_t> Order(std::uint32_t cluster) const;
  void AddCluster(std::uint32_t cluster, bool entry);
  void AddNode(std::uint32_t index);
  void SetCallee(const DotEdge& edge, std::uint32_t cluster, NodeSpec& spec);
  void SetAttributes(std::string_view rows, NodeSpec& spec);
  Operand ToOperand(const DotEdge& edge, std::uint32_t cluster);
  // The number of a parameter; 0 for none.
  std::uint32_t FindParameter(const DotBox& box, std::uint32_t cluster) const;
  bool Returns(std::uint32_t box) const;
  void Report(std::uint32_t line, std::string message) {
    problems_.push_back({line, 1, std::move(message)});
  }

  const DotGraph& dot_;
  std::vector<Cluster> clusters_;
  // Numbers of parameters by address, and of the first of each name.
  std::unordered_map<std::string_view, std::uint32_t> parameters_;
  std::unordered_map<std::string_view, std::uint32_t> parameters_by_name_;
  std::vector<std::uint32_t> numbers_;  // Of nodes, by box; kNotAdded until they have one.
  std::vector<Problem> problems_;
  ModuleBuilder* builder_ = nullptr;
};

// A subgraph is named where it is used; nothing uses the entry. Returns the entry.
std::uint32_t DotConverter::NameClusters() {
  std::vector<bool> used(clusters_.size());
  for (const DotBox& box : dot_.boxes) {
    if (box.kind != DotBoxKind::kSubgraph || box.cluster == kNoCluster) continue;
    used[box.cluster] = true;
    clusters_[box.cluster].name = box.text;
  }
  for (std::size_t i = 0; i < clusters_.size(); ++i) {
    const std::string_view label = dot_.clusters[i].label;
    if (!used[i]) clusters_[i].name = label.substr(0, label.rfind('['));
  }
  const auto entry = std::find(used.begin(), used.end(), false);
  return entry == used.end() ? 0 : static_cast<std::uint32_t>(entry - used.begin());
}

// The entry's come first, then those of the others in the order of the file.
void DotConverter::NumberParameters(std::uint32_t entry) {
  std::uint32_t next = 1;
  const auto number = [&](std::size_t i) {
    for (const std::string_view name : dot_.clusters[i].parameters) {
      clusters_[i].parameters.try_emplace(name, next);
      parameters_by_name_.try_emplace(name, next);
      ++next;
    }
  };
  number(entry);
  for (std::size_t i = 0; i < clusters_.size(); ++i)
    if (i != entry) number(i);
  for (const DotBox& box : dot_.boxes) {
    if (box.kind != DotBoxKind::kParameter) continue;
    const auto& names = clusters_[box.cluster].parameters;
    if (const auto found = names.find(box.text); found != names.end())
      parameters_.try_emplace(box.address(), found->second);
  }
}

bool DotConverter::Returns(std::uint32_t box) const {
  if (dot_.boxes[box].callee == "Return") return true;
  const auto& inputs = dot_.boxes[box].inputs;
  if (inputs.empty() || inputs.front().port != 0) return false;
  const DotBox& callee = dot_.boxes[inputs.front().source];
  return callee.kind == DotBoxKind::kPrimitive && callee.text == "Return";
}

// The cluster's nodes after what they take, the Return last.
std::vector<std::uint32_t> DotConverter::Order(std::uint32_t cluster) const {
  const auto& nodes = dot_.clusters[cluster].nodes;
  std::unordered_map<std::uint32_t, std::uint32_t> positions;
  for (std::uint32_t i = 0; i < nodes.size(); ++i) positions.emplace(nodes[i], i);
  std::vector<std::vector<std::uint32_t>> inputs(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const DotEdge& edge : dot_.boxes[nodes[i]].inputs) {
      const auto found = positions.find(edge.source);
      if (found != positions.end()) inputs[i].push_back(found->second);
    }
  }
  std::vector<std::uint32_t> order = TopologicalOrder(inputs);
  for (std::uint32_t& position : order) position = nodes[position];
  std::stable_partition(order.begin(), order.end(),
                        [this](std::uint32_t box) { return !Returns(box); });
  return order;
}

std::uint32_t DotConverter::FindParameter(const DotBox& box, std::uint32_t cluster) const {
  const auto& own = clusters_[cluster].parameters;
  if (const auto found = parameters_.find(box.address()); found != parameters_.end())
    return found->second;
  if (const auto found = own.find(box.text); found != own.end()) return found->second;
  // It belongs to an outer subgraph that does not use it; the file does not tell which one.
  const auto found = parameters_by_name_.find(box.text);
  return found == parameters_by_name_.end() ? 0 : found->second;
}

Operand DotConverter::ToOperand(const DotEdge& edge, std::uint32_t cluster) {
  const DotBox& box = dot_.boxes[edge.source];
  switch (box.kind) {
    case DotBoxKind::kNode:
      if (box.cluster != cluster) {
        return builder_->TextOperand(OperandKind::kForeign,
                                     clusters_[box.cluster].name + ":" + std::string(box.text));
      }
      if (numbers_[edge.source] != kNotAdded)
        return ModuleBuilder::NodeOperand(numbers_[edge.source]);
      Report(edge.line, "the node takes a result that depends on it");
      break;
    case DotBoxKind::kParameter:
      if (const std::uint32_t number = FindParameter(box, cluster); number != 0)
        return builder_->ParameterOperand(number, box.text);
      Report(edge.line, "no subgraph has a parameter " + std::string(box.text));
      break;
    case DotBoxKind::kConstant:
      return builder_->TextOperand(OperandKind::kValue, ConstantText(box.type, box.text));
    case DotBoxKind::kSubgraph:
      return builder_->TextOperand(OperandKind::kGraph, box.text);
    case DotBoxKind::kPrimitive:
      break;
  }
  return builder_->TextOperand(OperandKind::kValue, box.text);
}

// "<tr><td align='left'>KEY VALUE<br/>KEY VALUE</td></tr>"
void DotConverter::SetAttributes(std::string_view rows, NodeSpec& spec) {
  while (!rows.empty()) {
    const std::size_t tag = std::min(rows.find('<'), rows.size());
    const std::string_view text = rows.substr(0, tag);
    const std::string_view separator = text.starts_with("instance name: ") ? ": " : " ";
    const std::size_t key = text.find(separator);
    if (key != std::string_view::npos) {
      spec.attributes.push_back(
          {std::string(text.substr(0, key)), std::string(text.substr(key + separator.size()))});
    }
    rows.remove_prefix(std::min(rows.find('>', tag), rows.size() - 1) + 1);
  }
}

void DotConverter::SetCallee(const DotEdge& edge, std::uint32_t cluster, NodeSpec& spec) {
  const DotBox& box = dot_.boxes[edge.source];
  spec.callee = box.text;
  switch (box.kind) {
    case DotBoxKind::kPrimitive:
      return SetAttributes(box.attributes, spec);
    case DotBoxKind::kConstant:
      spec.kind = CalleeKind::kMeta;
      return;
    case DotBoxKind::kSubgraph:
      spec.kind = CalleeKind::kCall;
      return;
    case DotBoxKind::kParameter:
      spec.kind = CalleeKind::kParameter;
      return;
    case DotBoxKind::kNode:
      if (box.cluster != cluster) {
        spec.kind = CalleeKind::kForeign;
        spec.callee = clusters_[box.cluster].name + ":" + std::string(box.text);
      } else if (numbers_[edge.source] != kNotAdded) {
        spec.kind = CalleeKind::kClosure;
        spec.callee = std::to_string(numbers_[edge.source]);
      }
      return;
  }
}

void DotConverter::AddNode(std::uint32_t index) {
  const DotBox& box = dot_.boxes[index];
  NodeSpec spec;
  spec.name = box.text;
  spec.callee = box.callee;
  SetAttributes(box.attributes, spec);
  if (Returns(index)) spec.kind = CalleeKind::kReturn;
  for (const DotEdge& edge : box.inputs) {
    if (edge.port == 0 && box.callee.empty()) {
      SetCallee(edge, box.cluster, spec);
    } else {
      spec.operands.push_back(ToOperand(edge, box.cluster));
    }
  }
  if (spec.kind == CalleeKind::kReturn) {
    spec.name.clear();
    spec.attributes.clear();
  }
  numbers_[index] = builder_->AddNode(spec);
}

void DotConverter::AddCluster(std::uint32_t cluster, bool entry) {
  SubgraphSpec spec{clusters_[cluster].name, std::string(dot_.clusters[cluster].address), {}};
  if (!entry) {
    for (const std::string_view name : dot_.clusters[cluster].parameters)
      spec.parameters.push_back({std::string(name)});
  }
  builder_->StartSubgraph(spec);
  for (const std::uint32_t box : Order(cluster)) AddNode(box);
  builder_->EndSubgraph();
}

Module DotConverter::Convert() && {
  HeaderSpec header;
  std::uint32_t entry = 0;
  if (!clusters_.empty()) {
    entry = NameClusters();
    NumberParameters(entry);
    header.entry = clusters_[entry].name;
    header.subgraphs = static_cast<std::uint32_t>(clusters_.size());
    for (const std::string_view name : dot_.clusters[entry].parameters)
      header.parameters.push_back({std::string(name)});
  }
  ModuleBuilder builder(header);
  builder_ = &builder;
  numbers_.assign(dot_.boxes.size(), kNotAdded);
  for (std::uint32_t i = 0; i < clusters_.size(); ++i) AddCluster(i, i == entry);
  Module module = std::move(builder).Finish();
  module.problems = dot_.problems;
  module.problems.insert(module.problems.end(), problems_.begin(), problems_.end());
  module.problem_count = module.problems.size();
  module.problems.resize(std::min(module.problems.size(), Module::kMaxProblems));
  return module;
}

}  // namespace

Module ParseDot(std::string_view text) {
  const DotGraph dot = ScanDot(text);
  return DotConverter(dot).Convert();
}

}  // namespace sightline::ir
