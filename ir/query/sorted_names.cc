#include "sightline/ir/query/sorted_names.h"

#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

// How far parents are followed, as names are.
constexpr std::size_t kMaxSteps = 64;

std::string Printed(std::uint32_t number, std::string_view name) {
  return "para" + std::to_string(number) + "_" + std::string(name);
}

}  // namespace

std::optional<ParameterName> ParseParameterName(std::string_view text) {
  if (!Consume(text, "para")) return std::nullopt;
  const auto number = ConsumeNumber(text);
  if (!number || !Consume(text, "_")) return std::nullopt;
  return ParameterName{*number, text};
}

SortedNames::SortedNames(const Module& module, const Dataflow& flow)
    : module_(module), flow_(flow) {
  for (const Parameter& parameter : module.parameters) numbers_.push_back(parameter.number);
  const auto number = [this](Range range, std::uint32_t first) {
    for (std::uint32_t i = 0; i < range.size; ++i) numbers_[range.begin + i] = first + i;
  };
  const Range inputs = module.header.parameters;
  number(inputs, 1);
  for (std::uint32_t i = 0; i < module.subgraphs.size(); ++i)
    number(module.subgraphs[i].parameters, i == flow.entry() ? 1 : inputs.size + 1);
}

bool SortedNames::IsReadAs(std::string_view name, std::uint32_t parameter,
                           std::uint32_t subgraph) const {
  const std::uint32_t number = numbers_[parameter];
  const auto find = [&](std::uint32_t in) -> std::optional<std::uint32_t> {
    const Range own = ParametersOf(module_, flow_, in);
    if (own.size == 0) return std::nullopt;
    const std::uint32_t first = numbers_[own.begin];
    if (number < first || number - first >= own.size) return std::nullopt;
    return own.begin + number - first;
  };
  std::size_t steps = 0;
  for (std::uint32_t at = subgraph; at != kNoIndex && steps < kMaxSteps; ++steps) {
    const auto found = find(at);
    if (found && OriginalName(*found) == name) return *found == parameter;
    at = flow_.Parent(at);
  }
  return find(subgraph) == parameter;
}

std::optional<std::string> SortedNames::Local(std::uint32_t parameter, std::string_view name,
                                              std::uint32_t subgraph) const {
  if (!IsReadAs(name, parameter, subgraph)) {
    name = OriginalName(parameter);
    if (!IsReadAs(name, parameter, subgraph)) return std::nullopt;
  }
  return Printed(numbers_[parameter], name);
}

std::string SortedNames::Foreign(std::string_view name, std::uint32_t owner) const {
  const TextId subgraph = owner == kNoIndex ? kNoText : module_.subgraphs[owner].name;
  return std::string(Text(subgraph)) + ":" + std::string(name);
}

std::string SortedNames::ForeignParameter(std::uint32_t parameter) const {
  return Foreign(Printed(numbers_[parameter], OriginalName(parameter)),
                 flow_.SubgraphOfParameter(parameter));
}

std::string SortedNames::ForeignNode(std::uint32_t node) const {
  return Foreign(Text(module_.nodes[node].name), flow_.SubgraphOfNode(node));
}

}  // namespace sightline::ir
