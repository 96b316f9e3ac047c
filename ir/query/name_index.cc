#include "sightline/ir/query/name_index.h"

#include <algorithm>
#include <numeric>
#include <tuple>
#include <utility>

namespace sightline::ir {
namespace {

std::vector<std::uint32_t> Indices(std::size_t size) {
  std::vector<std::uint32_t> indices(size);
  std::iota(indices.begin(), indices.end(), 0U);
  return indices;
}

// Sorts indices by what `key_of` gives for them; of equal ones the first in the file comes first.
template <typename KeyOf>
void SortBy(std::span<std::uint32_t> indices, const KeyOf& key_of) {
  std::stable_sort(indices.begin(), indices.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return key_of(a) < key_of(b); });
}

// The indices with this key, which `indices` are sorted by.
template <typename Key, typename KeyOf>
NameIndex::Found FindIn(std::span<const std::uint32_t> indices, const Key& key,
                        const KeyOf& key_of) {
  const auto first = std::lower_bound(indices.begin(), indices.end(), key,
                                      [&](std::uint32_t a, const Key& b) { return key_of(a) < b; });
  const auto last = std::upper_bound(first, indices.end(), key,
                                     [&](const Key& a, std::uint32_t b) { return a < key_of(b); });
  return indices.subspan(static_cast<std::size_t>(first - indices.begin()),
                         static_cast<std::size_t>(last - first));
}

}  // namespace

NameIndex::NameIndex(const Module& module, const std::vector<std::uint32_t>& parameter_subgraphs)
    : module_(module),
      parameter_subgraphs_(parameter_subgraphs),
      subgraphs_(Indices(module.subgraphs.size())),
      nodes_(Indices(module.nodes.size())),
      nodes_sorted_(module.subgraphs.size()),
      parameters_by_name_(Indices(module.parameters.size())),
      parameters_by_number_(parameters_by_name_) {
  SortBy(subgraphs_, [this](std::uint32_t subgraph) { return SubgraphName(subgraph); });
  SortBy(parameters_by_name_, [this](std::uint32_t parameter) {
    return std::pair(parameter_subgraphs_[parameter], ParameterName(parameter));
  });
  SortBy(parameters_by_number_, [this](std::uint32_t parameter) {
    return std::tuple(ParameterNumber(parameter), parameter_subgraphs_[parameter],
                      ParameterName(parameter));
  });
}

NameIndex::Found NameIndex::Subgraphs(std::string_view name) const {
  return FindIn(subgraphs_, name,
                [this](std::uint32_t subgraph) { return SubgraphName(subgraph); });
}

NameIndex::Found NameIndex::Nodes(std::uint32_t subgraph, std::string_view name) {
  const Range range = module_.subgraphs[subgraph].nodes;
  const std::span<std::uint32_t> nodes = std::span(nodes_).subspan(range.begin, range.size);
  const auto name_of = [this](std::uint32_t node) { return NodeName(node); };
  if (!nodes_sorted_[subgraph]) {
    SortBy(nodes, name_of);
    nodes_sorted_[subgraph] = true;
  }
  return FindIn(nodes, name, name_of);
}

NameIndex::Found NameIndex::Parameters(std::uint32_t subgraph, std::string_view name) const {
  return FindIn(parameters_by_name_, std::pair(subgraph, name), [this](std::uint32_t parameter) {
    return std::pair(parameter_subgraphs_[parameter], ParameterName(parameter));
  });
}

NameIndex::Found NameIndex::Numbered(std::uint32_t number) const {
  return FindIn(parameters_by_number_, number,
                [this](std::uint32_t parameter) { return ParameterNumber(parameter); });
}

NameIndex::Found NameIndex::Numbered(std::uint32_t number, std::uint32_t subgraph) const {
  return FindIn(parameters_by_number_, std::pair(number, subgraph),
                [this](std::uint32_t parameter) {
                  return std::pair(ParameterNumber(parameter), parameter_subgraphs_[parameter]);
                });
}

NameIndex::Found NameIndex::Numbered(std::uint32_t number, std::uint32_t subgraph,
                                     std::string_view name) const {
  return FindIn(parameters_by_number_, std::tuple(number, subgraph, name),
                [this](std::uint32_t parameter) {
                  return std::tuple(ParameterNumber(parameter), parameter_subgraphs_[parameter],
                                    ParameterName(parameter));
                });
}

}  // namespace sightline::ir
