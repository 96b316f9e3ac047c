#include "sightline/ir/dump/dump_statement.h"

#include <algorithm>

#include "sightline/ir/model/brackets.h"
#include "sightline/ir/read/note_reader.h"

namespace sightline::ir {
namespace {

using Place = DumpLayout::Place;

constexpr std::string_view kUnknown = "ValueProblem[DeadNode]";
constexpr std::string_view kNote = "      # ";

// Whether a list that has this text has it as one item.
bool IsItem(std::string_view text) {
  ListReader list(text);
  std::string_view item;
  return list.Next(item) && item == text && list.ok() && text.find('\n') == std::string_view::npos;
}

// What is called, as it is where a reader takes it for that: a name, or one with a group after it,
// as in "DoSignature[Add]".
std::string CalleeOf(std::string_view primitive) {
  const std::size_t group = primitive.find_first_of("[{");
  const std::string_view name = primitive.substr(0, group);
  const bool readable = CleanName(name) == name && IsItem(primitive) &&
                        (group == std::string_view::npos ||
                         BracketedSize(primitive.substr(group)) == primitive.size() - group);
  return readable ? std::string(primitive) : CleanName(primitive);
}

// The key of an attribute or the name of a group of them, which may have blanks ("instance name").
std::string KeyOf(std::string_view key) {
  const bool readable = IsItem(key) && key.find_first_of(":\"") == std::string_view::npos;
  return readable ? std::string(key) : CleanName(key);
}

// Which line of types a reader takes these for; none where it would not read them as they are.
LineKind KindOf(const TapedSignature& signature) {
  LineKind kind = LineKind::kTypes;
  for (const auto* items : {&signature.inputs, &signature.outputs}) {
    for (const std::string_view item : *items) {
      if (!IsItem(item)) return LineKind::kUnexplained;
      kind = WithType(kind, item);
    }
  }
  return kind;
}

std::string_view HeadingOf(DumpOrigin::Kind kind) {
  switch (kind) {
    case DumpOrigin::Kind::kForward:
      return "Corresponding forward node candidate:\n";
    case DumpOrigin::Kind::kFused:
      return "Corresponding code candidate:\n";
  }
  return {};
}

}  // namespace

void WriteType(std::string_view type, DumpOut& out) {
  const bool whole = type.starts_with('<') && BracketedSize(type) == type.size();
  if (whole) {
    out.Line(type);
  } else {
    out << "<null>";
  }
}

void DumpStatementWriter::WriteReference(const Place& place) {
  const bool own = place.subgraph == subgraph_;
  const DumpLayout::Subgraph& subgraph = layout_.subgraph(place.subgraph);
  if (place.kind == Place::Kind::kSubgraph) {
    out_ << "@" << subgraph.name;
    return;
  }
  if (own) {
    out_ << "%";
  } else {
    out_ << "$(@" << subgraph.name << ":";
  }
  if (place.kind == Place::Kind::kParameter) {
    out_ << subgraph.parameters[place.index];
  } else if (own) {
    out_ << subgraph.numbers[place.index];
  } else {
    out_ << subgraph.names[place.index];
  }
  if (!own) out_ << ")";
}

void DumpStatementWriter::WriteOperand(const DumpValue& operand) {
  const Place* place = layout_.Find(operand.key);
  if (place != nullptr) return WriteReference(*place);
  out_ << (operand.key == nullptr ? operand.constant : kUnknown);
}

// A parameter that is called stands there by its name alone, where that is the only one.
void DumpStatementWriter::WriteFunctionParameter(const Place& place) {
  const std::vector<TapedParameter>& own = graph_.subgraphs[place.subgraph].parameters;
  const std::string_view name = own[place.index].name;
  const auto same = std::count_if(
      own.begin(), own.end(), [name](const TapedParameter& other) { return other.name == name; });
  if (same == 1) {
    out_ << CleanName(name);
    return;
  }
  const DumpLayout::Subgraph& subgraph = layout_.subgraph(place.subgraph);
  out_ << "$(@" << subgraph.name << ":" << subgraph.parameters[place.index] << ")";
}

std::string DumpStatementWriter::ClosureOf(const TapedNode& node) const {
  // More than any reader follows.
  constexpr std::uint32_t kMostPartials = 64;
  std::string functions;
  std::size_t count = 0;
  for (const DumpFunction& function : node.closure) {
    const DumpLayout::Subgraph* subgraph = layout_.FindSubgraph(function.key);
    if (subgraph == nullptr) continue;
    if (count++ > 0) functions += ", ";
    const std::uint32_t partials = std::min(function.partials, kMostPartials);
    for (std::uint32_t i = 0; i < partials; ++i) functions += "Partial(";
    functions += "@" + subgraph->name + std::string(partials, ')');
  }
  if (count == 0) return "";
  return count == 1 ? "[@" + functions + "]" : "[@FuncUnion(" + functions + ")]";
}

void DumpStatementWriter::WriteCallee(const TapedNode& node) {
  if (node.is_return) {
    out_ << "Return";
  } else if (node.called == nullptr) {
    out_ << CalleeOf(node.primitive);
  } else if (const Place* place = layout_.Find(node.called); place == nullptr) {
    out_ << kUnknown;
  } else if (place->kind == Place::Kind::kSubgraph) {
    out_ << "call ";
    WriteReference(*place);
  } else {
    const std::string closure = ClosureOf(node);
    if (place->kind == Place::Kind::kParameter && place->subgraph == subgraph_ &&
        !closure.empty()) {
      WriteFunctionParameter(*place);
    } else {
      WriteReference(*place);
    }
    out_ << closure;
  }
}

void DumpStatementWriter::WriteAttributes(const std::vector<DumpAttribute>& attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const bool begins = i == 0 || attributes[i].group != attributes[i - 1].group;
    if (begins) {
      out_ << (i > 0 ? "} " : " ") << KeyOf(attributes[i].group)
           << (attributes[i].group.empty() ? "{" : ": {");
    } else {
      out_ << ", ";
    }
    out_ << KeyOf(attributes[i].key) << ": " << attributes[i].value;
  }
  if (!attributes.empty()) out_ << "}";
}

void DumpStatementWriter::WriteSignatures(const TapedNode& node) {
  const std::size_t inputs = node.operands.size();
  const std::size_t outputs = node.is_return ? 0 : 1;
  // Without a type for each operand a reader takes no line of types for what it is.
  if (node.types.size() != inputs + outputs) return;
  out_ << "      : (";
  for (std::size_t i = 0; i < inputs; ++i) {
    if (i > 0) out_ << ", ";
    WriteType(node.types[i], out_);
  }
  out_ << ")";
  if (!node.is_return) {
    out_ << " -> (";
    WriteType(node.types.back(), out_);
    out_ << ")";
  }
  out_ << "\n";
  const TapedSignature& shapes = node.symbolic_shapes;
  // A second line of "<null>" is one of shapes too.
  const LineKind kind = KindOf(shapes);
  if (shapes.inputs.size() == inputs && shapes.outputs.size() == outputs &&
      (kind == LineKind::kSymbolicShapes || kind == LineKind::kTypes))
    WriteSignature(shapes, node.is_return);
  if (KindOf(node.devices) == LineKind::kDeviceTypes) WriteSignature(node.devices, node.is_return);
  if (KindOf(node.objects) == LineKind::kObjectTypes) WriteSignature(node.objects, node.is_return);
}

void DumpStatementWriter::WriteItems(const std::vector<std::string_view>& items) {
  out_ << "(";
  for (std::size_t i = 0; i < items.size(); ++i) out_ << (i > 0 ? ", " : "") << items[i];
  out_ << ")";
}

void DumpStatementWriter::WriteSignature(const TapedSignature& signature, bool is_return) {
  if (signature.inputs.empty() && signature.outputs.empty()) return;
  out_ << "      : ";
  WriteItems(signature.inputs);
  if (!is_return) {
    out_ << " -> ";
    WriteItems(signature.outputs);
  }
  out_ << "\n";
}

void DumpStatementWriter::WriteScope(std::string_view full_name) {
  if (full_name.empty()) return;
  const std::size_t slash = full_name.rfind('/');
  out_ << kNote << (scope_ == ScopeForm::kFullName ? "Fullname with scope: (" : "Scope: (");
  out_.Line(scope_ == ScopeForm::kFullName || slash == std::string_view::npos
                ? full_name
                : full_name.substr(0, slash));
  out_ << ")\n";
}

void DumpStatementWriter::WriteLocations(const std::vector<Location>& locations) {
  for (const Location& location : locations) {
    out_ << kNote;
    AppendLocation(location, out_.text());
    out_ << "\n";
  }
}

void DumpStatementWriter::Write(std::uint32_t subgraph, std::uint32_t index) {
  subgraph_ = subgraph;
  const TapedNode& node = graph_.subgraphs[subgraph].nodes[index];
  const DumpLayout::Subgraph& layout = layout_.subgraph(subgraph);
  out_ << "  ";
  if (!node.is_return) out_ << "%" << layout.numbers[index] << "(" << layout.names[index] << ") = ";
  WriteCallee(node);
  out_ << "(";
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (i > 0) out_ << ", ";
    WriteOperand(node.operands[i]);
  }
  out_ << ")";
  WriteAttributes(node.attributes);
  out_ << "\n";
  WriteSignatures(node);
  WriteScope(node.full_name);
  WriteLocations(node.locations);
  for (const TapedOrigin& origin : node.origins) {
    out_ << kNote << HeadingOf(origin.kind);
    WriteLocations(origin.locations);
  }
  if (node.side_effect.empty()) return;
  out_ << kNote << "SideEffect: { ";
  out_.Line(node.side_effect);
  out_ << "}\n";
}

}  // namespace sightline::ir
