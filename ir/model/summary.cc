#include "sightline/ir/model/summary.h"

#include <algorithm>

namespace sightline::ir {

std::string_view CalleeName(const Module& module, const Node& node) {
  switch (node.kind) {
    case CalleeKind::kReturn:
    case CalleeKind::kPrimitive:
      return module.texts[node.callee];
    case CalleeKind::kMeta:
      return "meta";
    case CalleeKind::kCall:
      return "call";
    case CalleeKind::kClosure:
      return "closure";
    case CalleeKind::kForeign:
      return "xclosure";
    case CalleeKind::kParameter:
      return "paramcall";
  }
  return {};
}

Summary Summarize(const Module& module) {
  Summary summary;
  summary.subgraphs = module.subgraphs.size();
  summary.parameters = module.header.parameters.size;
  summary.actors = module.actors.size();
  for (const Line& line : module.lines) {
    if (line.kind == LineKind::kSection) ++summary.sections;
    if (line.kind != LineKind::kNode) continue;
    const Node& node = module.nodes[line.index];
    ++summary.statements;
    for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i)
      if (module.lines[i].kind == LineKind::kLocation) ++summary.location_lines;
    const std::string_view callee = CalleeName(module, node);
    const auto found = summary.callees.find(callee);
    if (found == summary.callees.end()) {
      summary.callees.emplace(callee, 1);
    } else {
      ++found->second;
    }
  }
  return summary;
}

bool HoldsDump(const Module& module) {
  return module.problem_count == 0 ||
         std::any_of(module.lines.begin(), module.lines.end(), [](const Line& line) {
           return line.kind != LineKind::kBlank && line.kind != LineKind::kUnexplained;
         });
}

std::string ToText(const Problem& problem) {
  return "line " + std::to_string(problem.line) + ", column " + std::to_string(problem.column) +
         ": " + problem.message;
}

}  // namespace sightline::ir
