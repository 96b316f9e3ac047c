#include "sightline/ir/query/use.h"

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

}  // namespace sightline::ir
