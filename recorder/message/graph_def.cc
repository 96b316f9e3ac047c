#include "sightline/recorder/message/graph_def.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

#include "sightline/base/utf8.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/recorder/message/proto_util.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

namespace pb = tensorboard;

// Longer names are cut, since each is written again at every edge.
constexpr std::size_t kMaxNameBytes = 1024;

// `path` without empty scopes. Control characters, and those that have a meaning in a GraphDef's
// inputs ("^control", "node:output"), become "_".
std::string CleanPath(std::string_view path) {
  std::string clean;
  for (const char c : ToUtf8(path, kMaxNameBytes)) {
    if (c == '/' && (clean.empty() || clean.back() == '/')) continue;
    const bool special =
        c == '^' || c == ':' || (static_cast<unsigned char>(c) <= ' ') || c == '\x7f';
    clean.push_back(special ? '_' : c);
  }
  while (!clean.empty() && clean.back() == '/') clean.pop_back();
  return clean;
}

std::string_view ScopeOf(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
}

// The innermost scope that contains both scopes.
std::string_view CommonScope(std::string_view a, std::string_view b) {
  const auto [end_a, end_b] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  const auto size = static_cast<std::size_t>(end_a - a.begin());
  const bool a_ends = size == a.size() && (size == b.size() || b[size] == '/');
  const bool b_ends = size == b.size() && size < a.size() && a[size] == '/';
  return a_ends || b_ends ? a.substr(0, size) : ScopeOf(a.substr(0, size));
}

std::string Join(std::string_view scope, std::string_view name) {
  return scope.empty() ? std::string(name) : fmt::format("{}/{}", scope, name);
}

// The value as text.
std::string TextOf(const GraphValue& value) {
  if (const auto* boolean = std::get_if<bool>(&value.value)) return *boolean ? "true" : "false";
  if (const auto* integer = std::get_if<std::int64_t>(&value.value))
    return std::to_string(*integer);
  if (const auto* number = std::get_if<double>(&value.value)) return fmt::format("{}", *number);
  if (const auto* text = std::get_if<std::string>(&value.value)) return ToUtf8(*text);
  const auto* list = std::get_if<GraphValue::List>(&value.value);
  if (list == nullptr) return "None";
  std::string text = "(";
  for (const GraphValue& item : *list) text += (text.size() > 1 ? ", " : "") + TextOf(item);
  return text + ")";
}

template <typename T>
bool AllAre(const GraphValue::List& list) {
  return std::all_of(list.begin(), list.end(),
                     [](const GraphValue& item) { return std::holds_alternative<T>(item.value); });
}

// Sets the field for a list of one kind; any other list becomes text.
void FillList(const GraphValue::List& list, pb::AttrValue& attr) {
  if (AllAre<std::int64_t>(list)) {
    auto& out = *attr.mutable_list();
    for (const GraphValue& item : list) out.add_i(std::get<std::int64_t>(item.value));
  } else if (AllAre<bool>(list)) {
    for (const GraphValue& item : list) attr.mutable_list()->add_b(std::get<bool>(item.value));
  } else if (AllAre<double>(list)) {
    for (const GraphValue& item : list) {
      attr.mutable_list()->add_f(static_cast<float>(std::get<double>(item.value)));
    }
  } else if (AllAre<std::string>(list)) {
    for (const GraphValue& item : list)
      attr.mutable_list()->add_s(std::get<std::string>(item.value));
  } else {
    attr.set_s(TextOf(list));
  }
}

pb::AttrValue AttrOf(const GraphValue& value) {
  pb::AttrValue attr;
  if (const auto* boolean = std::get_if<bool>(&value.value)) {
    attr.set_b(*boolean);
  } else if (const auto* integer = std::get_if<std::int64_t>(&value.value)) {
    attr.set_i(*integer);
  } else if (const auto* number = std::get_if<double>(&value.value)) {
    attr.set_f(static_cast<float>(*number));
  } else if (const auto* list = std::get_if<GraphValue::List>(&value.value)) {
    FillList(*list, attr);
  } else {
    attr.set_s(TextOf(value));
  }
  return attr;
}

// Converts one graph.
class Converter {
 public:
  explicit Converter(const Graph& graph) : graph_(graph) {}

  Result<std::string> Run();

 private:
  bool full() const { return bytes_ > kMaxGraphDefBytes; }

  std::string Unique(std::string name);
  // These fill names_ and the three lists of names.
  void NameNodes();
  void NameParametersAndConstants();
  // The name in the GraphDef for the name that an input has.
  const std::string& Resolve(const std::string& input);

  pb::NodeDef& AddNode(const std::string& name, std::string_view op);
  static void AddTypes(std::span<const GraphType> types, pb::NodeDef& node);
  void AddInput(const std::string& input, bool control, pb::NodeDef& node);
  void AddNodes();

  const Graph& graph_;
  pb::GraphDef out_;
  // Bytes of all names, as often as they are written. A small graph could need very many.
  std::size_t bytes_ = 0;
  std::vector<std::string> nodes_;  // Names in the GraphDef, in the graph's order.
  std::vector<std::string> parameters_;
  std::vector<std::string> constants_;
  // The graph's names, and those in the GraphDef. If a name occurs twice, the first one counts.
  std::unordered_map<std::string, std::string> names_;
  // The names in the GraphDef, and for each the next suffix to try.
  std::unordered_map<std::string, int> taken_;
};

std::string Converter::Unique(std::string name) {
  if (name.empty()) name = "unnamed";
  std::string unique = name;
  while (!taken_.try_emplace(unique, 1).second) unique = fmt::format("{}_{}", name, taken_[name]++);
  bytes_ += unique.size();
  return unique;
}

void Converter::NameNodes() {
  for (const GraphNode& node : graph_.nodes) {
    const std::string path = CleanPath(node.full_name);
    nodes_.push_back(Unique(path.empty() ? CleanPath(Join(node.scope, node.name)) : path));
    names_.try_emplace(node.name, nodes_.back());
  }
}

void Converter::NameParametersAndConstants() {
  using Scope = std::optional<std::string_view>;  // Contains all users so far; no value: none yet.
  std::unordered_map<std::string_view, Scope> scopes;
  for (const GraphParameter& parameter : graph_.parameters) scopes.try_emplace(parameter.name);
  for (const GraphConstant& constant : graph_.constants) scopes.try_emplace(constant.name);
  for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
    const std::string_view scope = ScopeOf(nodes_[i]);
    for (const std::string& input : graph_.nodes[i].inputs) {
      const auto found = scopes.find(input);
      if (found == scopes.end()) continue;
      found->second = found->second ? CommonScope(*found->second, scope) : scope;
    }
  }
  const auto add = [&](const std::string& name, std::vector<std::string>& list) {
    if (full()) return;
    list.push_back(Unique(CleanPath(Join(scopes[name].value_or(""), name))));
    names_.try_emplace(name, list.back());
  };
  for (const GraphParameter& parameter : graph_.parameters) add(parameter.name, parameters_);
  for (const GraphConstant& constant : graph_.constants) add(constant.name, constants_);
}

const std::string& Converter::Resolve(const std::string& input) {
  const auto [entry, is_new] = names_.try_emplace(input);
  if (is_new) {
    entry->second = Unique(CleanPath(input));
    AddNode(entry->second, "Unresolved");
  }
  return entry->second;
}

pb::NodeDef& Converter::AddNode(const std::string& name, std::string_view op) {
  pb::NodeDef& node = *out_.add_node();
  node.set_name(name);
  node.set_op(ToUtf8(op, kMaxNameBytes));
  bytes_ += name.size();
  return node;
}

void Converter::AddTypes(std::span<const GraphType> types, pb::NodeDef& node) {
  if (types.empty()) return;
  auto& shapes = *(*node.mutable_attr())["_output_shapes"].mutable_list();
  for (const GraphType& type : types) {
    auto& shape = *shapes.add_shape();
    for (const std::int64_t size : type.shape) shape.add_dim()->set_size(size);
  }
  if (!types[0].dtype || node.attr().contains("dtype")) return;
  (*node.mutable_attr())["dtype"].set_type(
      static_cast<pb::DataType>(TensorFlowDataType(*types[0].dtype)));
}

void Converter::AddInput(const std::string& input, bool control, pb::NodeDef& node) {
  if (full()) return;
  const std::string& name = Resolve(input);
  node.add_input(control ? "^" + name : name);
  bytes_ += name.size();
}

void Converter::AddNodes() {
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    AddTypes({&graph_.parameters[i].type, 1}, AddNode(parameters_[i], "Parameter"));
  }
  for (std::size_t i = 0; i < constants_.size(); ++i) {
    (*AddNode(constants_[i], "Const").mutable_attr())["value"] = AttrOf(graph_.constants[i].value);
  }
  for (std::size_t i = 0; i < graph_.nodes.size() && !full(); ++i) {
    const GraphNode& node = graph_.nodes[i];
    pb::NodeDef& added = AddNode(nodes_[i], node.op_type.empty() ? "Unknown" : node.op_type);
    for (const auto& [name, value] : node.attributes)
      (*added.mutable_attr())[ToUtf8(name)] = AttrOf(value);
    AddTypes(node.outputs, added);
    for (const std::string& input : node.inputs) AddInput(input, false, added);
    for (const std::string& input : node.control_inputs) AddInput(input, true, added);
  }
}

Result<std::string> Converter::Run() {
  NameNodes();
  NameParametersAndConstants();
  AddNodes();
  if (full()) {
    return Error(StatusCode::kResourceExhausted,
                 fmt::format("graph '{}': its GraphDef would have more than {} bytes",
                             ToUtf8(graph_.name, 100), kMaxGraphDefBytes));
  }
  return SerializeDeterministic(out_);
}

}  // namespace

Result<std::string> MakeGraphDef(const Graph& graph) { return Converter(graph).Run(); }

Result<std::string> MakeGraphDef(std::string_view graph_proto) {
  SIGHTLINE_ASSIGN_OR_RETURN(const Graph graph, ParseGraph(graph_proto));
  return MakeGraphDef(graph);
}

}  // namespace sightline
