#include "sightline/ir/dump/dump_layout.h"

#include <algorithm>
#include <unordered_set>

#include "sightline/ir/dump/readable.h"
#include "sightline/ir/model/topological_order.h"

namespace sightline::ir {
namespace {

// Names that differ from each other.
class UniqueNames {
 public:
  std::string Add(std::string_view wanted) {
    std::string name = CleanName(wanted);
    const std::uint32_t count = counts_[name]++;
    if (count == 0 && taken_.insert(name).second) return name;
    for (std::uint32_t n = count + 1;; ++n) {
      std::string numbered = name + "$" + std::to_string(n);
      if (taken_.insert(numbered).second) return numbered;
    }
  }

 private:
  std::unordered_map<std::string, std::uint32_t> counts_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

DumpLayout::DumpLayout(const TapedGraph& graph) : subgraphs_(graph.subgraphs.size()) {
  UniqueNames names;
  std::uint32_t next_parameter = 1;
  const auto size = static_cast<std::uint32_t>(graph.subgraphs.size());
  for (std::uint32_t s = 0; s < size; ++s) {
    const TapedSubgraph& taped = graph.subgraphs[s];
    Subgraph& subgraph = subgraphs_[s];
    subgraph.name = names.Add(taped.name);
    places_.try_emplace(taped.key, Place{Place::Kind::kSubgraph, s, 0});
    for (std::uint32_t i = 0; i < taped.parameters.size(); ++i) {
      const TapedParameter& parameter = taped.parameters[i];
      subgraph.parameters.push_back("para" + std::to_string(next_parameter++) + "_" +
                                    CleanName(parameter.name));
      places_.try_emplace(parameter.key, Place{Place::Kind::kParameter, s, i});
    }
    for (std::uint32_t i = 0; i < taped.nodes.size(); ++i)
      places_.try_emplace(taped.nodes[i].key, Place{Place::Kind::kNode, s, i});
  }
  for (std::uint32_t s = 0; s < size; ++s) OrderNodes(s, graph.subgraphs[s].nodes);
}

const DumpLayout::Place* DumpLayout::Find(const void* key) const {
  const auto found = places_.find(key);
  return key == nullptr || found == places_.end() ? nullptr : &found->second;
}

const DumpLayout::Subgraph* DumpLayout::FindSubgraph(const void* key) const {
  const Place* place = Find(key);
  const bool found = place != nullptr && place->kind == Place::Kind::kSubgraph;
  return found ? &subgraphs_[place->subgraph] : nullptr;
}

void DumpLayout::OrderNodes(std::uint32_t index, const std::vector<TapedNode>& nodes) {
  std::vector<std::vector<std::uint32_t>> inputs(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto add = [&](const void* key) {
      const Place* place = Find(key);
      if (place != nullptr && place->kind == Place::Kind::kNode && place->subgraph == index)
        inputs[i].push_back(place->index);
    };
    add(nodes[i].called);
    for (const DumpValue& operand : nodes[i].operands) add(operand.key);
  }
  Subgraph& subgraph = subgraphs_[index];
  subgraph.order = TopologicalOrder(inputs);
  std::stable_partition(subgraph.order.begin(), subgraph.order.end(),
                        [&](std::uint32_t i) { return !nodes[i].is_return; });
  subgraph.numbers.resize(nodes.size());
  subgraph.names.resize(nodes.size());
  UniqueNames names;
  std::uint32_t number = 0;
  for (const std::uint32_t i : subgraph.order) {
    if (nodes[i].is_return) continue;
    subgraph.numbers[i] = number++;
    subgraph.names[i] = names.Add(nodes[i].name);
  }
}

}  // namespace sightline::ir
