#include "sightline/ir/query/use.h"

#include <algorithm>
#include <optional>

#include "sightline/ir/model/label.h"
#include "sightline/ir/model/lookup.h"

namespace sightline::ir {
namespace {

bool IsMonadValue(std::string_view text) {
  return text.ends_with("Monad[U]") || text.ends_with("Monad[IO]");
}

void AddUse(const Module& module, const Source& source, std::string_view type,
            std::vector<Use>& uses) {
  switch (source.kind) {
    case SourceKind::kNode:
      uses.push_back({Use::Kind::kNode, source.index, type});
      return;
    case SourceKind::kParameter: {
      const bool weight = IsWeight(module, module.parameters[source.index]);
      uses.push_back({weight ? Use::Kind::kWeight : Use::Kind::kParameter, source.index, type});
      return;
    }
    case SourceKind::kSubgraph:
      uses.push_back({Use::Kind::kSubgraph, source.index, type});
      return;
    case SourceKind::kConstant:
      if (!IsMonadValue(module.texts[TextId{source.index}]))
        uses.push_back({Use::Kind::kConstant, source.index, type});
      return;
    case SourceKind::kPrimitive:
    case SourceKind::kUnresolved:
      return;
  }
}

// The first operand of a node that is passed, which is used in its place; none if it is a monad.
std::optional<Use> FirstUse(const Module& module, const Dataflow& flow, std::uint32_t node) {
  const Node& of = module.nodes[node];
  if (of.operands.size == 0 || OperatorLabel(module, of) == "UpdateState") return std::nullopt;
  std::vector<Use> uses;
  AddUse(module, flow.source(of.operands.begin), {}, uses);
  if (uses.empty()) return std::nullopt;
  return uses.front();
}

}  // namespace

bool IsWeight(const Module& module, const Parameter& parameter) {
  return parameter.has_default || parameter.is_weight ||
         module.texts[parameter.type].starts_with("<Ref[") ||
         module.texts[parameter.name].find('.') != std::string_view::npos;
}

std::vector<Use> UsesOf(const Module& module, const Dataflow& flow, std::uint32_t node) {
  const Node& of = module.nodes[node];
  const TypeLine* types = FindTypes(module, of);
  std::vector<Use> uses;
  for (std::uint32_t i = 0; i < of.operands.size; ++i) {
    const bool typed = types != nullptr && i < types->inputs;
    AddUse(module, flow.source(of.operands.begin + i),
           typed ? module.texts[module.types[types->begin + i]] : std::string_view(), uses);
  }
  const Source callee = flow.callee(node);
  if (callee.kind == SourceKind::kNode || callee.kind == SourceKind::kParameter)
    AddUse(module, callee, "<Func>", uses);
  for (const std::uint32_t subgraph : flow.Calls(node))
    uses.push_back({Use::Kind::kSubgraph, subgraph, {}});
  return uses;
}

std::vector<Use> UsesThrough(const Module& module, const Dataflow& flow, std::uint32_t node,
                             const std::vector<bool>& passed) {
  constexpr int kMostInARow = 100;  // Real dumps have a few; a forged one may have a ring.
  std::vector<Use> uses = UsesOf(module, flow, node);
  if (passed.empty()) return uses;
  std::vector<Use> through;
  for (const Use& use : uses) {
    std::optional<Use> at = use;
    for (int steps = 0; at && at->kind == Use::Kind::kNode && passed[at->index]; ++steps)
      at = steps < kMostInARow ? FirstUse(module, flow, at->index) : std::nullopt;
    if (at) through.push_back({at->kind, at->index, use.type});
  }
  return through;
}

std::vector<bool> Bookkeeping(const Module& module, const Dataflow& flow) {
  std::vector<bool> found(module.nodes.size(), false);
  for (auto i = static_cast<std::uint32_t>(module.nodes.size()); i-- > 0;) {
    const std::string label = OperatorLabel(module, module.nodes[i]);
    const auto users = flow.NodeUsers(i);
    const bool is_tuple =
        label == "MakeTuple" && !users.empty() &&
        std::all_of(users.begin(), users.end(), [&](std::uint32_t user) { return found[user]; });
    found[i] = is_tuple || label == "Load" || label == "Depend" || label == "UpdateState";
  }
  return found;
}

}  // namespace sightline::ir
