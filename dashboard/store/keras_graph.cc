#include "sightline/dashboard/store/keras_graph.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "sightline/base/json/foreign_json.h"

namespace sightline::dashboard {
namespace {

using Json = nlohmann::json;
using Names = std::vector<std::string>;

constexpr std::size_t kMaxListed = 16;  // Elements of a list that becomes an attribute.
// Edges into and out of a model within a model. Each layer could multiply them otherwise.
constexpr std::size_t kMaxPassed = 16;

Names FirstOf(Names names) {
  names.resize(std::min(names.size(), kMaxPassed));
  return names;
}

// The member, or null.
const Json& Member(const Json& object, const char* name) {
  static const Json nothing;
  if (!object.is_object()) return nothing;
  const auto found = object.find(name);
  return found == object.end() ? nothing : *found;
}

std::string TextOf(const Json& value) {
  return value.is_string() ? value.get<std::string>() : std::string();
}

// The layers of a model. Keras 1's sequential models have them as the configuration itself.
const Json& LayersOf(const Json& model) {
  const Json& config = Member(model, "config");
  return config.is_array() ? config : Member(config, "layers");
}

std::string NameOf(const Json& layer) {
  const std::string name = TextOf(Member(layer, "name"));
  return name.empty() ? TextOf(Member(Member(layer, "config"), "name")) : name;
}

// Adds the layers that a value names: ["fc", 0, 0, ...] in Keras 1 and 2, {"keras_history": ["fc",
// 0, 0]} in Keras 3, at any depth.
void AddSources(const Json& value, Names& sources) {
  if (value.is_array() && value.size() >= 3 && value[0].is_string() && value[1].is_number() &&
      value[2].is_number()) {
    sources.push_back(value[0].get<std::string>());
  }
  if (value.is_structured())
    for (const Json& inner : value) AddSources(inner, sources);
}

Names SourcesIn(const Json& value) {
  Names sources;
  AddSources(value, sources);
  // A layer that is called several times is one node.
  std::unordered_set<std::string> known;
  std::erase_if(sources, [&](const std::string& name) { return !known.insert(name).second; });
  return sources;
}

bool IsPlain(const Json& value) { return value.is_primitive() && !value.is_null(); }

GraphValue PlainValue(const Json& value) {
  if (value.is_boolean()) return value.get<bool>();
  if (value.is_number_integer()) return value.get<std::int64_t>();
  if (value.is_number()) return value.get<double>();
  return TextOf(value);
}

std::map<std::string, GraphValue> AttributesOf(const Json& config) {
  std::map<std::string, GraphValue> attributes;
  if (!config.is_object()) return attributes;
  for (const auto& [name, value] : config.items()) {
    if (IsPlain(value)) {
      if (name != "name") attributes[name] = PlainValue(value);
    } else if (value.is_array() && value.size() <= kMaxListed &&
               std::all_of(value.begin(), value.end(), IsPlain)) {
      GraphValue::List list;
      for (const Json& one : value) list.push_back(PlainValue(one));
      attributes[name] = std::move(list);
    } else if (const std::string kind = TextOf(Member(value, "class_name")); !kind.empty()) {
      attributes[name] = kind;  // An initializer, a regularizer, ...
    }
  }
  return attributes;
}

class Reader {
 public:
  // Adds the layers of a model, whose first ones take the nodes `inputs`. Returns the nodes that
  // are its output.
  Names AddModel(const Json& model, const std::string& scope, const Names& inputs) {
    const Json& layers = LayersOf(model);
    // What layers give to others: a node, or the outputs of a model.
    std::unordered_map<std::string, Names> outputs;
    const bool sequential = !std::any_of(layers.begin(), layers.end(), [](const Json& layer) {
      return !Member(layer, "inbound_nodes").empty();
    });
    Names last = inputs;
    for (const Json& layer : layers) {
      const std::string name = Unique(scope, NameOf(layer));
      // Layers may be listed before those that they take: nodes have the names of layers, so only
      // models must be known.
      Names sources;
      for (const std::string& source : SourcesIn(Member(layer, "inbound_nodes"))) {
        const auto known = outputs.find(source);
        if (known == outputs.end()) {
          sources.push_back(Join(scope, source));
        } else {
          sources.insert(sources.end(), known->second.begin(), known->second.end());
        }
      }
      if (sequential) sources = last;
      if (sources.empty() && !sequential) sources = inputs;
      last = LayersOf(layer).empty() ? AddLayer(layer, scope, name, sources)
                                     : AddModel(layer, name, FirstOf(sources));
      outputs[NameOf(layer)] = last;
    }
    Names named;
    for (const std::string& layer : SourcesIn(Member(Member(model, "config"), "output_layers"))) {
      if (const auto known = outputs.find(layer); known != outputs.end())
        named.insert(named.end(), known->second.begin(), known->second.end());
    }
    return FirstOf(named.empty() ? last : named);
  }

  // Leaves out inputs that name no node.
  Graph Take(std::string name) && {
    std::unordered_set<std::string_view> names;
    for (const GraphNode& node : graph_.nodes) names.insert(node.name);
    for (GraphNode& node : graph_.nodes)
      std::erase_if(node.inputs, [&](const std::string& input) { return !names.contains(input); });
    graph_.name = std::move(name);
    return std::move(graph_);
  }

 private:
  static std::string Join(const std::string& scope, const std::string& name) {
    return scope.empty() ? name : scope + "/" + name;
  }

  std::string Unique(const std::string& scope, const std::string& name) {
    const std::string path = Join(scope, name.empty() ? "layer" : name);
    std::size_t& last = numbers_[path];
    std::string unique = path;
    while (!names_.insert(unique).second) unique = fmt::format("{}_{}", path, ++last);
    return unique;
  }

  Names AddLayer(const Json& layer, const std::string& scope, const std::string& name,
                 const Names& sources) {
    GraphNode node;
    node.name = node.full_name = name;
    node.scope = scope;
    node.op_type = TextOf(Member(layer, "class_name"));
    node.inputs = sources;
    node.attributes = AttributesOf(Member(layer, "config"));
    // A layer that wraps another, such as Bidirectional, has it in its configuration.
    if (const Json& inner = Member(Member(layer, "config"), "layer"); inner.is_object())
      node.attributes["layer"] = TextOf(Member(inner, "class_name"));
    graph_.nodes.push_back(std::move(node));
    return {name};
  }

  Graph graph_;
  std::unordered_set<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;  // The last one that made a name unique.
};

}  // namespace

std::vector<const Series*> KerasModelsOf(const Run& run) {
  std::vector<const Series*> models;
  for (const auto& series : run.series()) {
    if (series->key().kind == ContentKind::kPlugin && series->key().plugin == kKerasPlugin)
      models.push_back(series.get());
  }
  return models;
}

Result<Graph> ParseKerasModel(std::string_view json) {
  const auto model = ParseForeignJson<Json>(json);
  if (model.is_discarded()) return Error(StatusCode::kDataLoss, "Keras model: not JSON");
  const Json& layers = LayersOf(model);
  if (!layers.is_array() || layers.empty())
    return Error(StatusCode::kDataLoss, "Keras model: it has no layers");
  Reader reader;
  reader.AddModel(model, "", {});
  const std::string name = TextOf(Member(Member(model, "config"), "name"));
  return std::move(reader).Take(name.empty() ? TextOf(Member(model, "class_name")) : name);
}

}  // namespace sightline::dashboard
