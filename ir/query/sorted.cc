#include "sightline/ir/query/sorted.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/query/sorted_names.h"
#include "sightline/ir/query/sorted_order.h"

namespace sightline::ir {
namespace {

// How far function values are followed, as names are.
constexpr std::size_t kMaxSteps = 64;

template <typename Table>
std::uint32_t SizeOf(const Table& table) {
  return static_cast<std::uint32_t>(table.size());
}

bool IsAboveSubgraph(const Module& module, const Line& line) {
  constexpr std::array kKinds = {LineKind::kIndirect,           LineKind::kAttribute,
                                 LineKind::kInstance,           LineKind::kEngine,
                                 LineKind::kSubgraphSideEffect, LineKind::kParameterTypes,
                                 LineKind::kSubgraphLocation};
  if (std::find(kKinds.begin(), kKinds.end(), line.kind) != kKinds.end()) return true;
  return line.kind == LineKind::kText && module.texts[TextId{line.index}] == "subgraph attr:";
}

class Sorter {
 public:
  Sorter(const Module& module, const Dataflow& flow)
      : module_(module), flow_(flow), names_(module, flow) {}

  Module Sort(const SortedOrder& order);

 private:
  void WriteHeader();
  void WriteSubgraph(const SortedOrder& order, const SortedOrder::Part& part);
  void WriteAbove(std::uint32_t subgraph);
  void WriteBelow(std::uint32_t subgraph);
  void WriteNode(std::uint32_t index);
  void WriteNotes(std::uint32_t index);

  // An operand of the file, where the statement now is.
  Operand Place(std::uint32_t index);
  void PlaceCallee(std::uint32_t index, Node& node);
  std::string_view ScopeOf(std::uint32_t index) const;
  TypeLine TypesOf(Range parameters);

  std::string_view Text(TextId id) const { return module_.texts[id]; }
  std::uint32_t Intern(std::string_view text) {
    return static_cast<std::uint32_t>(out_.texts.Intern(text));
  }
  void Add(LineKind kind, std::uint32_t index) { out_.lines.push_back({kind, index}); }
  void AddText(LineKind kind, std::string_view text) { Add(kind, Intern(text)); }

  const Module& module_;
  const Dataflow& flow_;
  const SortedNames names_;
  Module out_;  // Subgraphs and nodes in the new order; the other tables as they were.
  std::uint32_t subgraph_ = 0;              // The one that is written.
  std::vector<std::uint32_t> numbers_;      // Of nodes, in the subgraph that holds them.
  std::vector<std::uint32_t> numbered_in_;  // The subgraph that numbers_ is of.
};

Operand Sorter::Place(std::uint32_t index) {
  const Operand operand = module_.operands[index];
  const Source source = flow_.source(index);
  if (source.kind == SourceKind::kNode) {
    if (numbered_in_[source.index] == subgraph_)
      return {OperandKind::kNode, numbers_[source.index]};
    // The statements form a cycle, so this one is not placed yet.
    return {OperandKind::kForeign, Intern(names_.ForeignNode(source.index))};
  }
  if (source.kind != SourceKind::kParameter) return operand;
  if (operand.kind == OperandKind::kParameter) {
    const auto name = ParseParameterName(Text(TextId{operand.index}));
    if (const auto local = names_.Local(source.index, name ? name->name : "", subgraph_))
      return {OperandKind::kParameter, Intern(*local)};
  }
  return {OperandKind::kForeign, Intern(names_.ForeignParameter(source.index))};
}

void Sorter::PlaceCallee(std::uint32_t index, Node& node) {
  const Source source = flow_.callee(index);
  if (source.kind == SourceKind::kNode) {
    const bool placed = numbered_in_[source.index] == subgraph_;
    node.kind = placed ? CalleeKind::kClosure : CalleeKind::kForeign;
    node.callee = TextId{
        Intern(placed ? std::to_string(numbers_[source.index]) : names_.ForeignNode(source.index))};
  } else if (source.kind == SourceKind::kParameter) {
    // The name means the same in its own subgraph.
    if (node.kind == CalleeKind::kParameter && flow_.SubgraphOfNode(index) == subgraph_) return;
    std::string_view text = Text(node.callee);
    const auto name = Consume(text, "%") ? ParseParameterName(text) : std::nullopt;
    const auto local = name ? names_.Local(source.index, name->name, subgraph_) : std::nullopt;
    node.kind = local ? CalleeKind::kPrimitive : CalleeKind::kForeign;
    node.callee = TextId{Intern(local ? "%" + *local : names_.ForeignParameter(source.index))};
  }
}

std::string_view Sorter::ScopeOf(std::uint32_t index) const {
  const auto path = [this](std::uint32_t node) {
    return FindScope(module_, module_.nodes[node]).path;
  };
  std::uint32_t at = index;
  for (std::size_t steps = 0; steps < kMaxSteps; ++steps) {
    if (!path(at).empty()) return path(at);
    const Source called = flow_.callee(at);
    if (called.kind != SourceKind::kNode) break;
    at = called.index;
  }
  const auto users = flow_.NodeUsers(index);
  return users.empty() ? std::string_view() : path(users.front());
}

void Sorter::WriteNotes(std::uint32_t index) {
  const Range notes = module_.nodes[index].lines;
  for (std::uint32_t i = notes.begin; i < notes.end(); ++i) {
    const Line& line = module_.lines[i];
    if (line.kind == LineKind::kFullname) {
      AddText(LineKind::kScope, ScopeOf(index));
    } else if (line.kind != LineKind::kUnexplained) {
      out_.lines.push_back(line);
    }
  }
}

void Sorter::WriteNode(std::uint32_t index) {
  Node node = module_.nodes[index];
  PlaceCallee(index, node);
  const Range operands = node.operands;
  node.operands.begin = SizeOf(out_.operands);
  for (std::uint32_t i = operands.begin; i < operands.end(); ++i) out_.operands.push_back(Place(i));
  if (node.kind != CalleeKind::kReturn) {
    node.number = SizeOf(out_.nodes) - out_.subgraphs.back().nodes.begin;
    numbers_[index] = node.number;
    numbered_in_[index] = subgraph_;
  }
  Add(LineKind::kNode, SizeOf(out_.nodes));
  node.lines.begin = SizeOf(out_.lines);
  WriteNotes(index);
  node.lines.size = SizeOf(out_.lines) - node.lines.begin;
  out_.nodes.push_back(node);
}

TypeLine Sorter::TypesOf(Range parameters) {
  TypeLine line;
  line.begin = SizeOf(out_.types);
  line.inputs = parameters.size;
  for (std::uint32_t i = parameters.begin; i < parameters.end(); ++i)
    out_.types.push_back(module_.parameters[i].type);
  return line;
}

void Sorter::WriteAbove(std::uint32_t subgraph) {
  const std::uint32_t end = module_.subgraphs[subgraph].line;
  std::uint32_t begin = end;
  if (begin > 1 && module_.lines[begin - 1].kind == LineKind::kBlank &&
      IsAboveSubgraph(module_, module_.lines[begin - 2]))
    --begin;
  while (begin > 0 && IsAboveSubgraph(module_, module_.lines[begin - 1])) --begin;
  bool has_instance = false;
  bool has_types = false;
  std::optional<Line> location;
  for (std::uint32_t i = begin; i < end; ++i) {
    const Line& line = module_.lines[i];
    has_instance |= line.kind == LineKind::kInstance;
    has_types |= line.kind == LineKind::kParameterTypes;
    if (line.kind == LineKind::kSubgraphLocation) {
      location = line;
    } else if (line.kind != LineKind::kBlank) {
      out_.lines.push_back(line);
    }
  }
  if (subgraph == flow_.entry() && has_instance && !has_types) {
    out_.type_lines.push_back(TypesOf(ParametersOf(module_, flow_, subgraph)));
    Add(LineKind::kParameterTypes, SizeOf(out_.type_lines) - 1);
  }
  out_.lines.push_back(location.value_or(Line{LineKind::kBlank, 1}));
}

void Sorter::WriteBelow(std::uint32_t subgraph) {
  const auto is_end = [](const Line& line) {
    return line.kind == LineKind::kSubgraphEnd || line.kind == LineKind::kSubgraph;
  };
  const auto body = module_.lines.begin() + module_.subgraphs[subgraph].line + 1;
  const auto end = std::find_if(body, module_.lines.end(), is_end);
  Add(LineKind::kSubgraphEnd, 0);
  if (end != module_.lines.end() && end->kind == LineKind::kSubgraphEnd) {
    // The order list and the symbol engine; two blank lines end them.
    std::optional<Line> blank;
    for (auto line = end + 1; line != module_.lines.end(); ++line) {
      if (line->kind == LineKind::kBlank && line->index == 1) {
        blank = *line;
      } else if (line->kind == LineKind::kOrder ||
                 (line->kind == LineKind::kText && !IsAboveSubgraph(module_, *line))) {
        if (blank) out_.lines.push_back(*blank);
        blank.reset();
        out_.lines.push_back(*line);
      } else {
        break;
      }
    }
  }
  Add(LineKind::kBlank, 2);
}

void Sorter::WriteSubgraph(const SortedOrder& order, const SortedOrder::Part& part) {
  subgraph_ = part.subgraph;
  WriteAbove(part.subgraph);
  Subgraph subgraph = module_.subgraphs[part.subgraph];
  subgraph.line = SizeOf(out_.lines);
  subgraph.nodes.begin = SizeOf(out_.nodes);
  Add(LineKind::kSubgraph, SizeOf(out_.subgraphs));
  out_.subgraphs.push_back(subgraph);
  for (std::uint32_t i = part.nodes.begin; i < part.nodes.end(); ++i) WriteNode(order.nodes[i]);
  out_.subgraphs.back().nodes.size = SizeOf(out_.nodes) - subgraph.nodes.begin;
  WriteBelow(part.subgraph);
}

void Sorter::WriteHeader() {
  Header& header = out_.header;
  header.total_nodes.reset();
  header.total_cnodes.reset();
  header.total_parameters = header.parameters.size;
  Add(LineKind::kEntry, static_cast<std::uint32_t>(header.entry));
  Add(LineKind::kTotalSubgraph, SizeOf(module_.subgraphs));
  Add(LineKind::kBlank, 1);
  const auto attributes = [this](Range range) {
    for (std::uint32_t i = range.begin; i < range.end(); ++i) Add(LineKind::kAttribute, i);
  };
  if (header.jit_config.size > 0) {
    AddText(LineKind::kText, "jit config {");
    attributes(header.jit_config);
    AddText(LineKind::kText, "}");
    Add(LineKind::kBlank, 1);
  }
  AddText(LineKind::kText, "# attrs: ");
  attributes(header.attributes);
  Add(LineKind::kTotalParameters, header.parameters.size);
  if (header.parameters.size > 0) AddText(LineKind::kText, "# Params:");
  for (std::uint32_t i = 0; i < header.parameters.size; ++i)
    Add(LineKind::kParameter, header.parameters.begin + i);
  Add(LineKind::kBlank, 1);
}

Module Sorter::Sort(const SortedOrder& order) {
  out_ = module_;
  out_.lines.clear();
  out_.subgraphs.clear();
  out_.nodes.clear();
  out_.operands.clear();
  out_.problems.clear();
  out_.problem_count = 0;
  out_.ends_with_newline = true;
  numbers_.resize(module_.nodes.size());
  numbered_in_.assign(module_.nodes.size(), kNoIndex);
  for (std::uint32_t i = 0; i < out_.parameters.size(); ++i)
    out_.parameters[i].number = names_.number(i);
  WriteHeader();
  for (const SortedOrder::Part& part : order.parts) WriteSubgraph(order, part);
  out_.texts.Compact();
  return std::move(out_);
}

}  // namespace

Result<Module> SortedForm(const Module& module) {
  if (module.form != Form::kGraph) {
    return Error(StatusCode::kUnimplemented,
                 "only dumps of graphs have a sorted form, compile errors and actor sets do not");
  }
  const Dataflow flow(module);
  SIGHTLINE_ASSIGN_OR_RETURN(const SortedOrder order, SortedOrderOf(module, flow));
  return Sorter(module, flow).Sort(order);
}

}  // namespace sightline::ir
