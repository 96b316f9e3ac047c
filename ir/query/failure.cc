#include "sightline/ir/query/failure.h"

#include <algorithm>
#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::ir {
namespace {

bool IsRule(std::string_view line) {
  return line.size() > 10 && line.find_first_not_of('-') == std::string_view::npos;
}

// Titles stand between rules: "-----", "- Caught exception:", "-----".
std::vector<Failure::Part> ReadReport(const Module& module) {
  std::vector<Failure::Part> parts;
  bool below_rule = false;
  for (const Line& line : module.lines) {
    if (line.kind == LineKind::kEntry) break;
    if (line.kind == LineKind::kBlank && !parts.empty()) parts.back().text.append(line.index, '\n');
    if (line.kind != LineKind::kText) continue;
    std::string_view text = module.texts[TextId{line.index}];
    // How to read the graphs that follow.
    if (text.starts_with("# =====") && !parts.empty()) break;
    if (below_rule && Consume(text, "- ")) {
      if (const std::size_t colon = text.rfind(':'); colon != std::string_view::npos)
        text = text.substr(0, colon);
      parts.push_back({std::string(text), ""});
    } else if (!parts.empty() && !IsRule(text)) {
      parts.back().text.append(text).append("\n");
    }
    below_rule = IsRule(text);
  }
  for (Failure::Part& part : parts) {
    const std::size_t end = part.text.find_last_not_of('\n') + 1;
    part.text.resize(end);
    part.text.erase(0, std::min(part.text.find_first_not_of('\n'), end));
  }
  return parts;
}

}  // namespace

Failure FindFailure(const Module& module) {
  Failure failure;
  if (module.form != Form::kFailure) return failure;
  failure.report = ReadReport(module);
  std::uint32_t subgraph = kNoIndex;
  const Line* marker = nullptr;
  for (const Line& line : module.lines) {
    if (line.kind == LineKind::kSubgraph) subgraph = line.index;
    if (line.kind == LineKind::kNode && marker != nullptr)
      failure.stack.push_back({marker->index, subgraph, line.index});
    // Comments may stand between the marker and its statement.
    if (line.kind == LineKind::kNode || line.kind == LineKind::kSubgraphEnd) marker = nullptr;
    if (line.kind == LineKind::kEvaluated) marker = &line;
  }
  std::stable_sort(
      failure.stack.begin(), failure.stack.end(),
      [](const Failure::Step& a, const Failure::Step& b) { return a.position < b.position; });
  return failure;
}

}  // namespace sightline::ir
