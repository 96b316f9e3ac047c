#include "sightline/ir/dump_text.h"

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "sightline/ir/topological_order.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kEndsName = "()[]{},:\" \t\n\r";
constexpr std::string_view kUnknown = "ValueProblem[DeadNode]";

// Where what has a key is.
struct Place {
  enum class Kind : std::uint8_t { kSubgraph, kParameter, kNode };
  Kind kind;
  std::uint32_t subgraph;
  std::uint32_t index;  // Of the subgraph's parameters or nodes.
};

// How a subgraph is printed.
struct Layout {
  std::string name;
  std::uint32_t first_parameter = 1;  // The number of the first one.
  std::vector<std::uint32_t> order;   // Of nodes; Returns come last.
  std::vector<std::uint32_t> numbers;
  std::vector<std::string> names;
};

// Names that differ from each other.
class UniqueNames {
 public:
  std::string Add(std::string_view wanted) {
    std::string name(wanted);
    for (char& c : name)
      if (kEndsName.find(c) != std::string_view::npos) c = '_';
    const std::uint32_t count = counts_[name]++;
    if (count == 0 && taken_.insert(name).second) return name;
    for (std::uint32_t n = count + 1;; ++n) {
      std::string numbered = name + "$" + std::to_string(n);
      if (taken_.insert(numbered).second) return numbered;
    }
  }

 private:
  std::unordered_map<std::string, std::uint32_t> counts_;
  std::unordered_set<std::string> taken_;
};

class Writer {
 public:
  Writer(const TapedGraph& graph, ScopeForm scope) : graph_(graph), scope_(scope) {}

  std::string Write();

 private:
  void Arrange();
  void ArrangeNodes(std::uint32_t subgraph);
  void WriteHeader();
  void WriteSubgraph(std::uint32_t index);
  void WriteGraphAttributes(const TapedSubgraph& subgraph);
  void WriteNode(const TapedNode& node, std::uint32_t index);
  void WriteCallee(const TapedNode& node);
  void WriteFunctionParameter(const Place& place);
  // "[@@GRAPH]"; empty where it is not known what is called.
  std::string ClosureOf(const TapedNode& node) const;
  void WriteOperand(const DumpValue& operand);
  void WriteReference(const Place& place);
  void WriteAttributes(const std::vector<DumpAttribute>& attributes);
  void WriteTypes(const TapedNode& node);
  void WriteScope(std::string_view full_name);
  void WriteParameterName(std::uint32_t subgraph, std::uint32_t index);

  const Place* Find(const void* key) const {
    const auto found = places_.find(key);
    return key == nullptr || found == places_.end() ? nullptr : &found->second;
  }
  std::uint64_t CountNodes() const;
  Writer& operator<<(std::string_view text) {
    out_.append(text);
    return *this;
  }
  Writer& operator<<(std::uint64_t number) {
    char digits[20];
    out_.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
    return *this;
  }
  void WriteType(std::string_view type) { Line(type.empty() ? "<null>" : type); }
  void WriteName(std::string_view name) {
    for (const char c : name) out_ += kEndsName.find(c) == std::string_view::npos ? c : '_';
  }
  // A text that must not end the line.
  void Line(std::string_view text) {
    const std::size_t begin = out_.size();
    out_.append(text);
    std::replace(out_.begin() + static_cast<std::ptrdiff_t>(begin), out_.end(), '\n', ' ');
  }

  const TapedGraph& graph_;
  const ScopeForm scope_;
  std::unordered_map<const void*, Place> places_;
  std::vector<Layout> layouts_;
  std::uint32_t subgraph_ = 0;  // The one that is written.
  std::string out_;
};

void Writer::Arrange() {
  const auto subgraphs = static_cast<std::uint32_t>(graph_.subgraphs.size());
  layouts_.resize(subgraphs);
  UniqueNames names;
  std::uint32_t next = 1;
  for (std::uint32_t s = 0; s < subgraphs; ++s) {
    const TapedSubgraph& subgraph = graph_.subgraphs[s];
    layouts_[s].name = names.Add(subgraph.name);
    layouts_[s].first_parameter = next;
    next += static_cast<std::uint32_t>(subgraph.parameters.size());
    places_.try_emplace(subgraph.key, Place{Place::Kind::kSubgraph, s, 0});
    for (std::uint32_t i = 0; i < subgraph.parameters.size(); ++i)
      places_.try_emplace(subgraph.parameters[i].key, Place{Place::Kind::kParameter, s, i});
    for (std::uint32_t i = 0; i < subgraph.nodes.size(); ++i)
      places_.try_emplace(subgraph.nodes[i].key, Place{Place::Kind::kNode, s, i});
  }
  for (std::uint32_t s = 0; s < subgraphs; ++s) ArrangeNodes(s);
}

void Writer::ArrangeNodes(std::uint32_t subgraph) {
  const std::vector<TapedNode>& nodes = graph_.subgraphs[subgraph].nodes;
  std::vector<std::vector<std::uint32_t>> inputs(nodes.size());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto add = [&](const void* key) {
      const Place* place = Find(key);
      if (place != nullptr && place->kind == Place::Kind::kNode && place->subgraph == subgraph)
        inputs[i].push_back(place->index);
    };
    add(nodes[i].called);
    for (const DumpValue& operand : nodes[i].operands) add(operand.key);
  }
  Layout& layout = layouts_[subgraph];
  layout.order = TopologicalOrder(inputs);
  std::stable_partition(layout.order.begin(), layout.order.end(),
                        [&](std::uint32_t i) { return !nodes[i].is_return; });
  layout.numbers.resize(nodes.size());
  layout.names.resize(nodes.size());
  UniqueNames names;
  std::uint32_t number = 0;
  for (const std::uint32_t i : layout.order) {
    if (nodes[i].is_return) continue;
    layout.numbers[i] = number++;
    layout.names[i] = names.Add(nodes[i].name);
  }
}

void Writer::WriteParameterName(std::uint32_t subgraph, std::uint32_t index) {
  *this << "para" << layouts_[subgraph].first_parameter + index << "_";
  WriteName(graph_.subgraphs[subgraph].parameters[index].name);
}

void Writer::WriteReference(const Place& place) {
  const bool own = place.subgraph == subgraph_;
  const Layout& layout = layouts_[place.subgraph];
  if (place.kind == Place::Kind::kSubgraph) {
    *this << "@" << layout.name;
    return;
  }
  if (own) {
    *this << "%";
  } else {
    *this << "$(@" << layout.name << ":";
  }
  if (place.kind == Place::Kind::kParameter) {
    WriteParameterName(place.subgraph, place.index);
  } else if (own) {
    *this << layout.numbers[place.index];
  } else {
    *this << layout.names[place.index];
  }
  if (!own) *this << ")";
}

void Writer::WriteOperand(const DumpValue& operand) {
  const Place* place = Find(operand.key);
  if (place != nullptr) return WriteReference(*place);
  *this << (operand.key == nullptr ? operand.constant : kUnknown);
}

// A parameter that is called stands there by its name alone, where that is the only one.
void Writer::WriteFunctionParameter(const Place& place) {
  const std::vector<TapedParameter>& own = graph_.subgraphs[place.subgraph].parameters;
  const std::string_view name = own[place.index].name;
  const auto same = std::count_if(
      own.begin(), own.end(), [name](const TapedParameter& other) { return other.name == name; });
  if (same == 1) {
    WriteName(name);
    return;
  }
  *this << "$(@" << layouts_[place.subgraph].name << ":";
  WriteParameterName(place.subgraph, place.index);
  *this << ")";
}

std::string Writer::ClosureOf(const TapedNode& node) const {
  std::vector<std::uint32_t> functions;
  for (const void* key : node.closure) {
    const Place* place = Find(key);
    if (place != nullptr && place->kind == Place::Kind::kSubgraph)
      functions.push_back(place->subgraph);
  }
  if (functions.empty()) return "";
  std::string closure = functions.size() > 1 ? "[@FuncUnion(" : "[@";
  for (std::size_t i = 0; i < functions.size(); ++i)
    closure += (i > 0 ? ", @" : "@") + layouts_[functions[i]].name;
  return closure + (functions.size() > 1 ? ")]" : "]");
}

void Writer::WriteCallee(const TapedNode& node) {
  if (node.is_return) {
    *this << "Return";
  } else if (node.called == nullptr) {
    Line(node.primitive);
  } else if (const Place* place = Find(node.called); place == nullptr) {
    *this << kUnknown;
  } else if (place->kind == Place::Kind::kSubgraph) {
    *this << "call ";
    WriteReference(*place);
  } else {
    const std::string closure = ClosureOf(node);
    if (place->kind == Place::Kind::kParameter && place->subgraph == subgraph_ &&
        !closure.empty()) {
      WriteFunctionParameter(*place);
    } else {
      WriteReference(*place);
    }
    *this << closure;
  }
}

void Writer::WriteAttributes(const std::vector<DumpAttribute>& attributes) {
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    const bool begins = i == 0 || attributes[i].group != attributes[i - 1].group;
    if (begins) {
      *this << (i > 0 ? "} " : " ") << attributes[i].group
            << (attributes[i].group.empty() ? "{" : ": {");
    } else {
      *this << ", ";
    }
    *this << attributes[i].key << ": " << attributes[i].value;
  }
  if (!attributes.empty()) *this << "}";
}

void Writer::WriteTypes(const TapedNode& node) {
  const std::size_t inputs = node.operands.size();
  if (node.types.size() != inputs + (node.is_return ? 0 : 1)) return;
  *this << "      : (";
  for (std::size_t i = 0; i < inputs; ++i) {
    if (i > 0) *this << ", ";
    WriteType(node.types[i]);
  }
  *this << ")";
  if (!node.is_return) {
    *this << " -> (";
    WriteType(node.types.back());
    *this << ")";
  }
  *this << "\n";
}

void Writer::WriteScope(std::string_view full_name) {
  if (full_name.empty()) return;
  const std::size_t slash = full_name.rfind('/');
  *this << (scope_ == ScopeForm::kFullName ? "      # Fullname with scope: (" : "      # Scope: (");
  Line(scope_ == ScopeForm::kFullName || slash == std::string_view::npos
           ? full_name
           : full_name.substr(0, slash));
  *this << ")\n";
}

void Writer::WriteNode(const TapedNode& node, std::uint32_t index) {
  const Layout& layout = layouts_[subgraph_];
  *this << "  ";
  if (!node.is_return)
    *this << "%" << layout.numbers[index] << "(" << layout.names[index] << ") = ";
  WriteCallee(node);
  *this << "(";
  for (std::size_t i = 0; i < node.operands.size(); ++i) {
    if (i > 0) *this << ", ";
    WriteOperand(node.operands[i]);
  }
  *this << ")";
  WriteAttributes(node.attributes);
  *this << "\n";
  WriteTypes(node);
  WriteScope(node.full_name);
  for (const Location& location : node.locations) {
    *this << "      # ";
    AppendLocation(location, out_);
    *this << "\n";
  }
  if (node.side_effect.empty()) return;
  *this << "      # SideEffect: { ";
  Line(node.side_effect);
  *this << "}\n";
}

void Writer::WriteGraphAttributes(const TapedSubgraph& subgraph) {
  for (const DumpAttribute& attribute : subgraph.attributes) {
    Line(attribute.key);
    *this << ": ";
    Line(attribute.value);
    *this << "\n";
  }
}

void Writer::WriteSubgraph(std::uint32_t index) {
  subgraph_ = index;
  const TapedSubgraph& subgraph = graph_.subgraphs[index];
  const Layout& layout = layouts_[index];
  *this << "subgraph attr:\n";
  WriteGraphAttributes(subgraph);
  char address[20] = {};
  const auto key = reinterpret_cast<std::uintptr_t>(subgraph.key);
  *this << "subgraph instance: " << layout.name << " : 0x"
        << std::string_view(address, std::to_chars(address, address + 20, key, 16).ptr) << "\n";
  if (index > 0) {
    *this << "# Parameters: " << subgraph.parameters.size() << ", (";
    for (std::size_t i = 0; i < subgraph.parameters.size(); ++i) {
      if (i > 0) *this << ", ";
      WriteType(subgraph.parameters[i].type);
    }
    *this << ")\n";
  }
  if (subgraph.location) {
    *this << "# ";
    AppendLocation(*subgraph.location, out_);
  }
  *this << "\nsubgraph @" << layout.name;
  if (const Place* parent = Find(subgraph.parent);
      parent != nullptr && parent->kind == Place::Kind::kSubgraph)
    *this << " parent: [subgraph @" << layouts_[parent->subgraph].name << "]";
  *this << "(";
  for (std::uint32_t i = 0; index > 0 && i < subgraph.parameters.size(); ++i) {
    *this << (i > 0 ? ", %" : "%");
    WriteParameterName(index, i);
  }
  *this << ") {\n";
  for (const std::uint32_t node : layout.order) WriteNode(subgraph.nodes[node], node);
  *this << "}\n\n\n";
}

// As MindSpore counts: parameters, and for each statement itself, what it calls where that is no
// value, and its operands that are no other node's result.
std::uint64_t Writer::CountNodes() const {
  std::uint64_t count = 0;
  for (const TapedSubgraph& subgraph : graph_.subgraphs) {
    count += subgraph.parameters.size();
    for (const TapedNode& node : subgraph.nodes) {
      const Place* called = Find(node.called);
      count += called == nullptr || called->kind == Place::Kind::kSubgraph ? 2 : 1;
      for (const DumpValue& operand : node.operands) {
        const Place* place = Find(operand.key);
        if (place == nullptr || place->kind == Place::Kind::kSubgraph) ++count;
      }
    }
  }
  return count;
}

void Writer::WriteHeader() {
  const TapedSubgraph& entry = graph_.subgraphs.front();
  std::uint64_t statements = 0;
  for (const TapedSubgraph& subgraph : graph_.subgraphs) statements += subgraph.nodes.size();
  *this << "# IR entry: @" << layouts_.front().name
        << "\n# Total subgraphs: " << graph_.subgraphs.size() << "\n\n";
  if (!entry.attributes.empty()) {
    *this << "# Attrs:\n";
    WriteGraphAttributes(entry);
    *this << "\n";
  }
  *this << "# Total params: " << entry.parameters.size() << "\n";
  if (!entry.parameters.empty()) *this << "# Params:\n";
  for (std::uint32_t i = 0; i < entry.parameters.size(); ++i) {
    const TapedParameter& parameter = entry.parameters[i];
    *this << "%";
    WriteParameterName(0, i);
    *this << ": ";
    WriteType(parameter.type);
    if (!parameter.shape.empty()) *this << " : ";
    Line(parameter.shape);
    *this << (parameter.has_default ? "  :  has_default\n" : "\n");
  }
  *this << "\nNode counting information:\nTotal number of nodes: " << CountNodes()
        << "\nTotal number of cnodes: " << statements << "\n\n";
}

std::string Writer::Write() {
  if (graph_.subgraphs.empty()) return out_;
  Arrange();
  WriteHeader();
  for (std::uint32_t i = 0; i < graph_.subgraphs.size(); ++i) WriteSubgraph(i);
  return std::move(out_);
}

}  // namespace

std::string DumpText(const TapedGraph& graph, ScopeForm scope) {
  return Writer(graph, scope).Write();
}

}  // namespace sightline::ir
