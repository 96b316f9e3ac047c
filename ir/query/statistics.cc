#include "sightline/ir/query/statistics.h"

#include <algorithm>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/operator_kind.h"
#include "sightline/ir/model/summary.h"
#include "sightline/ir/model/type.h"

namespace sightline::ir {
namespace {

class Counter {
 public:
  explicit Counter(const Module& module) : module_(module) {}

  Statistics Count();

 private:
  void Count(const Node& node);
  std::string OperandTypes(const TypeLine& types) const;
  std::string_view TypeText(std::uint32_t index) const {
    return module_.texts[module_.types[index]];
  }

  const Module& module_;
  std::map<std::string, OperatorStatistics, std::less<>> operators_;
  std::map<std::pair<std::string, std::string>, std::uint64_t> communication_;
  Statistics statistics_;
};

std::string ResultText(std::string_view text) {
  const std::string result = ShortType(text);
  return result.empty() ? "unknown" : result;
}

std::string ElementText(std::string_view text) {
  const auto type = ParseType(text);
  const std::string_view element = type ? ElementType(*type) : std::string_view();
  return element.empty() ? "unknown" : std::string(element);
}

std::string Counter::OperandTypes(const TypeLine& types) const {
  std::vector<std::string_view> elements;
  for (std::uint32_t i = types.begin; i < types.begin + types.inputs; ++i) {
    const auto type = ParseType(TypeText(i));
    const std::string_view element = type ? ElementType(*type) : std::string_view();
    if (!element.empty() && std::find(elements.begin(), elements.end(), element) == elements.end())
      elements.push_back(element);
  }
  std::string joined;
  for (const std::string_view element : elements)
    joined.append(joined.empty() ? "" : " + ").append(element);
  return joined;
}

void Counter::Count(const Node& node) {
  const std::string_view callee = CalleeName(module_, node);
  auto found = operators_.find(callee);
  if (found == operators_.end())
    found = operators_.emplace(callee, OperatorStatistics{std::string(callee), 0, 0, {}, {}}).first;
  OperatorStatistics& counted = found->second;
  ++counted.count;
  if (FindAttribute(module_, node, "recompute") == "Bool(1)") {
    ++counted.recomputed;
    ++statistics_.recomputed;
  }
  const std::string_view name = OperatorName(callee);
  const TypeLine* types = FindTypes(module_, node);
  if (types != nullptr) {
    const std::string operands = OperandTypes(*types);
    if (!operands.empty()) ++counted.operand_types[operands];
  }
  if (types != nullptr && types->outputs > 0) {
    const std::string_view result = TypeText(types->begin + types->inputs);
    ++counted.results[ResultText(result)];
    if (name == "Cast" && types->inputs > 0)
      ++statistics_.casts[{ElementText(TypeText(types->begin)), ElementText(result)}];
  }
  if (!IsCommunication(name)) return;
  std::string_view group = FindAttribute(module_, node, "group").value_or("");
  if (Consume(group, "\"")) ConsumeSuffix(group, "\"");
  ++communication_[{std::string(name), std::string(group)}];
}

Statistics Counter::Count() {
  for (const Node& node : module_.nodes) Count(node);
  for (auto& [name, counted] : operators_) statistics_.operators.push_back(std::move(counted));
  std::stable_sort(
      statistics_.operators.begin(), statistics_.operators.end(),
      [](const OperatorStatistics& a, const OperatorStatistics& b) { return a.count > b.count; });
  for (const auto& [key, count] : communication_)
    statistics_.communication.push_back({key.first, key.second, count});
  return std::move(statistics_);
}

}  // namespace

Statistics CountOperators(const Module& module) { return Counter(module).Count(); }

}  // namespace sightline::ir
