#include "sightline/ir/query/digest.h"

#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/ir/model/noise.h"
#include "sightline/ir/model/text_hash.h"

namespace sightline::ir {
namespace {

bool IsTypes(LineKind kind) {
  return kind == LineKind::kTypes || kind == LineKind::kDeviceTypes ||
         kind == LineKind::kObjectTypes || kind == LineKind::kSymbolicShapes;
}

class Digester {
 public:
  explicit Digester(const Module& module)
      : module_(module),
        texts_(module.texts.size()),
        names_(module.texts.size()),
        uses_(module.texts.size()) {}

  Digest Compute();

 private:
  void Add(std::uint64_t word) {
    digest_.high = hash_internal::Mix(digest_.high ^ word);
    digest_.low = hash_internal::Mix(digest_.low + word * 0xc2b2ae3d27d4eb4fU);
  }
  void AddKind(auto kind) { Add(static_cast<std::uint64_t>(kind)); }
  // A text without its addresses.
  void AddText(TextId id) { Add(HashOnce(id, texts_, &WithoutAddresses)); }
  // A name without its ids.
  void AddName(TextId id) { Add(HashOnce(id, names_, &WithoutIds)); }
  // Adds a name that a statement uses: the name without its ids, and its number among the names
  // that are equal without ids.
  void AddUse(OperandKind kind, TextId id);
  // Names of one stripped form are numbered in the order of the parameters, then of their uses.
  std::uint32_t Number(std::uint64_t stripped);
  void NumberParameters();
  // The hash of the stripped text, computed at its first use.
  std::uint64_t HashOnce(TextId id, std::vector<std::uint64_t>& hashes,
                         void (*strip)(std::string_view, std::string&));

  void AddParameter(const Parameter& parameter);
  void AddSubgraph(const Subgraph& subgraph);
  void AddAttributes(Range attributes);
  void AddNode(const Node& node);
  void AddOperand(const Operand& operand);
  void AddTypes(const TypeLine& types);
  void AddLine(const Line& line);

  const Module& module_;
  // By TextId; 0: not yet computed.
  std::vector<std::uint64_t> texts_;
  std::vector<std::uint64_t> names_;
  // How many names have each stripped form.
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
  // The number of each "para3_x".
  std::unordered_map<std::string, std::uint32_t> parameters_;
  // By TextId; 0: not yet used.
  std::vector<std::uint32_t> uses_;
  std::string stripped_;
  Digest digest_;
};

std::uint64_t Digester::HashOnce(TextId id, std::vector<std::uint64_t>& hashes,
                                 void (*strip)(std::string_view, std::string&)) {
  std::uint64_t& hash = hashes[static_cast<std::uint32_t>(id)];
  if (hash != 0) return hash;
  strip(module_.texts[id], stripped_);
  hash = HashText(stripped_) | 1;
  return hash;
}

std::uint32_t Digester::Number(std::uint64_t stripped) { return ++numbers_[stripped]; }

// So that f(x_1, x_2) is not f(x_2, x_1).
void Digester::NumberParameters() {
  for (const Parameter& parameter : module_.parameters) {
    std::string text = "para" + std::to_string(parameter.number) + "_";
    text += module_.texts[parameter.name];
    const auto [known, added] = parameters_.try_emplace(std::move(text));
    if (!added) continue;
    WithoutIds(known->first, stripped_);
    known->second = Number(HashText(stripped_) | 1);
  }
}

void Digester::AddUse(OperandKind kind, TextId id) {
  const std::uint64_t name = HashOnce(id, names_, &WithoutIds);
  std::uint32_t& number = uses_[static_cast<std::uint32_t>(id)];
  if (number == 0 && kind == OperandKind::kParameter) {
    const auto declared = parameters_.find(std::string(module_.texts[id]));
    if (declared != parameters_.end()) number = declared->second;
  }
  if (number == 0) number = Number(name);
  Add(name + number);
}

void Digester::AddParameter(const Parameter& parameter) {
  Add(parameter.number);
  AddText(parameter.name);
  AddText(parameter.type);
  AddText(parameter.shape);
  AddText(parameter.device);
  Add((parameter.has_default ? 1U : 0U) | (parameter.is_weight ? 2U : 0U));
}

void Digester::AddAttributes(Range attributes) {
  for (std::uint32_t i = attributes.begin; i < attributes.end(); ++i) {
    const Attribute& attribute = module_.attributes[i];
    if (IsIdAttribute(module_.texts[attribute.key])) continue;
    AddText(attribute.key);
    AddText(attribute.value);
  }
}

void Digester::AddSubgraph(const Subgraph& subgraph) {
  AddUse(OperandKind::kGraph, subgraph.name);
  AddUse(OperandKind::kGraph, subgraph.parent);
  Add(subgraph.parameters.size);
  AddAttributes(subgraph.attributes);
}

void Digester::AddOperand(const Operand& operand) {
  AddKind(operand.kind);
  switch (operand.kind) {
    case OperandKind::kNode:
      return Add(operand.index);
    case OperandKind::kParameter:
    case OperandKind::kForeign:
    case OperandKind::kGraph:
      return AddUse(operand.kind, TextId{operand.index});
    case OperandKind::kValue:
      return AddText(TextId{operand.index});
  }
}

void Digester::AddTypes(const TypeLine& types) {
  Add(types.inputs);
  for (std::uint32_t i = types.begin; i < types.begin + types.inputs + types.outputs; ++i)
    AddText(module_.types[i]);
}

void Digester::AddLine(const Line& line) {
  if (IsTypes(line.kind)) {
    AddKind(line.kind);
    AddTypes(module_.type_lines[line.index]);
  } else if (line.kind == LineKind::kSideEffect) {
    AddText(TextId{line.index});
  }
}

void Digester::AddNode(const Node& node) {
  AddKind(node.kind);
  if (!IsGeneratedName(module_.texts[node.name])) AddName(node.name);
  switch (node.kind) {
    case CalleeKind::kReturn:
    case CalleeKind::kPrimitive:
    case CalleeKind::kMeta:
    case CalleeKind::kClosure:
      AddText(node.callee);
      break;
    case CalleeKind::kCall:
    case CalleeKind::kForeign:
      AddUse(OperandKind::kGraph, node.callee);
      break;
    case CalleeKind::kParameter:
      AddUse(OperandKind::kParameter, node.callee);
      break;
  }
  AddName(node.closure);
  Add(node.operands.size);
  for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i)
    AddOperand(module_.operands[i]);
  const Range groups = module_.node_attributes[node.attributes].groups;
  for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
    AddText(module_.attribute_groups[i].name);
    AddAttributes(module_.attribute_groups[i].attributes);
  }
  for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) AddLine(module_.lines[i]);
}

Digest Digester::Compute() {
  NumberParameters();
  AddKind(module_.form);
  const Range parameters = module_.header.parameters;
  for (std::uint32_t i = parameters.begin; i < parameters.end(); ++i)
    AddParameter(module_.parameters[i]);
  for (const Subgraph& subgraph : module_.subgraphs) AddSubgraph(subgraph);
  for (const Node& node : module_.nodes) AddNode(node);
  // Actor sets and what is not explained count as they are.
  for (const Line& line : module_.lines) {
    if (line.kind == LineKind::kSection || line.kind == LineKind::kField ||
        line.kind == LineKind::kUnexplained)
      AddText(TextId{line.index});
    if (line.kind == LineKind::kParameterTypes) AddTypes(module_.type_lines[line.index]);
  }
  for (const Actor& actor : module_.actors) AddText(actor.name);
  return digest_;
}

}  // namespace

Digest DigestOf(const Module& module) { return Digester(module).Compute(); }

}  // namespace sightline::ir
