#include "sightline/dashboard/store/graph_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "sightline/base/ascii.h"

namespace sightline::dashboard {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kMaxEntries = 2000;
constexpr std::size_t kMaxEdges = 20'000;
constexpr std::size_t kMaxTypes = 8;
constexpr std::size_t kMaxDepth = 64;
constexpr std::size_t kMaxAttribute = 4096;

std::string ShapeText(const GraphType& type) {
  if (!type.dtype) return {};
  return fmt::format("{}[{}]", DTypeName(*type.dtype), fmt::join(type.shape, ","));
}

std::string ValueText(const GraphValue& value) {
  struct Printer {
    std::string operator()(std::monostate) const { return ""; }
    std::string operator()(bool v) const { return v ? "true" : "false"; }
    std::string operator()(std::int64_t v) const { return fmt::format("{}", v); }
    std::string operator()(double v) const { return fmt::format("{}", v); }
    std::string operator()(const std::string& v) const { return v; }
    std::string operator()(const GraphValue::List& list) const {
      std::string text = "[";
      for (const GraphValue& item : list) {
        if (text.size() > kMaxAttribute) break;
        text += (text.size() > 1 ? ", " : "") + std::visit(Printer{}, item.value);
      }
      return text + "]";
    }
  };
  std::string text = std::visit(Printer{}, value.value);
  if (text.size() > kMaxAttribute) {
    text.resize(kMaxAttribute);
    text += "...";
  }
  return text;
}

}  // namespace

GraphView::GraphView(const Graph& graph, std::vector<std::vector<std::string>> places) {
  scopes_.emplace_back();
  by_path_.emplace("", kTop);
  AddAll(graph);
  // Nodes come first, in their order.
  for (std::size_t i = 0; i < std::min(places.size(), graph.nodes.size()); ++i)
    nodes_[i].places = std::move(places[i]);
  Connect(graph);
  PlaceOutsiders();
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    scopes_[nodes_[i].scope].entries.push_back(i);
    for (std::size_t scope = nodes_[i].scope;; scope = scopes_[scope].parent) {
      ++scopes_[scope].nodes;
      if (scope == kTop) break;
    }
  }
}

std::size_t GraphView::ScopeOf(std::string_view path) {
  if (const auto known = by_path_.find(path); known != by_path_.end()) return known->second;
  std::size_t scope = kTop;
  for (std::size_t begin = 0; begin < path.size() && scopes_[scope].depth < kMaxDepth;) {
    const std::size_t end = std::min(path.find('/', begin), path.size());
    const std::string_view label = path.substr(begin, end - begin);
    begin = end + 1;
    if (label.empty()) continue;
    const auto known = scopes_[scope].scopes.find(label);
    if (known != scopes_[scope].scopes.end()) {
      scope = known->second;
      continue;
    }
    ScopeEntry below;
    below.label = label;
    below.path = scope == kTop ? std::string(label) : scopes_[scope].path + "/" + below.label;
    below.parent = scope;
    below.depth = scopes_[scope].depth + 1;
    const std::size_t number = scopes_.size();
    scopes_[scope].scopes.emplace(below.label, number);
    by_path_.emplace(below.path, number);
    scopes_.push_back(std::move(below));
    scope = number;
  }
  return scope;
}

void GraphView::AddAll(const Graph& graph) {
  const auto add = [&](const std::string& name, std::string id, Entry entry) {
    // Other programs may write graphs with missing or duplicate names.
    if (id.empty() || by_id_.count(id) > 0) id = fmt::format("{}#{}", id, nodes_.size());
    entry.id = std::move(id);
    by_id_.emplace(entry.id, nodes_.size());
    by_name_.emplace(name, nodes_.size());
    nodes_.push_back(std::move(entry));
  };
  for (const GraphNode& node : graph.nodes) {
    std::string full = node.full_name;
    if (full.empty()) full = node.scope.empty() ? node.name : node.scope + "/" + node.name;
    Entry entry;
    entry.type = node.op_type;
    const std::size_t slash = full.rfind('/');
    entry.label = slash == std::string::npos ? full : full.substr(slash + 1);
    if (slash != std::string::npos) entry.scope = ScopeOf(full.substr(0, slash));
    for (const GraphType& type : node.outputs) entry.shapes.push_back(ShapeText(type));
    if (!entry.shapes.empty()) entry.shape = entry.shapes.front();
    for (const auto& [key, value] : node.attributes) entry.attributes[key] = ValueText(value);
    add(node.name, std::move(full), std::move(entry));
  }
  for (const GraphParameter& parameter : graph.parameters) {
    Entry entry;
    entry.kind = "parameter";
    entry.label = parameter.name;
    entry.shape = ShapeText(parameter.type);
    entry.shapes = {entry.shape};
    add(parameter.name, parameter.name, std::move(entry));
  }
  for (const GraphConstant& constant : graph.constants) {
    Entry entry;
    entry.kind = "constant";
    entry.label = constant.name;
    entry.attributes["value"] = ValueText(constant.value);
    add(constant.name, constant.name, std::move(entry));
  }
}

void GraphView::Connect(const Graph& graph) {
  for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
    const auto connect = [&](const std::vector<std::string>& names, bool control) {
      for (const std::string& name : names) {
        const auto from = by_name_.find(name);
        if (from == by_name_.end()) continue;
        nodes_[i].inputs.push_back({from->second, control});
        nodes_[from->second].outputs.push_back({i, control});
      }
    };
    connect(graph.nodes[i].inputs, false);
    connect(graph.nodes[i].control_inputs, true);
  }
}

std::size_t GraphView::CommonScope(std::size_t a, std::size_t b) const {
  while (a != b) {
    if (scopes_[a].depth >= scopes_[b].depth) {
      a = scopes_[a].parent;
    } else {
      b = scopes_[b].parent;
    }
  }
  return a;
}

void GraphView::PlaceOutsiders() {
  for (Entry& entry : nodes_) {
    if (std::string_view(entry.kind) == "op" || entry.outputs.empty()) continue;
    entry.scope = nodes_[entry.outputs.front().node].scope;
    for (const Edge& edge : entry.outputs)
      entry.scope = CommonScope(entry.scope, nodes_[edge.node].scope);
  }
}

std::optional<GraphView::Member> GraphView::MemberWith(std::size_t node, std::size_t scope) const {
  std::size_t at = nodes_[node].scope;
  if (at == scope) return Member{Member::Kind::kNode, node};
  const std::size_t depth = scopes_[scope].depth;
  if (scopes_[at].depth <= depth) return std::nullopt;
  while (scopes_[at].depth > depth + 1) at = scopes_[at].parent;
  if (scopes_[at].parent != scope) return std::nullopt;
  return Member{Member::Kind::kScope, at};
}

const std::string& GraphView::Id(const Member& member) const {
  switch (member.kind) {
    case Member::Kind::kScope:
      return scopes_[member.index].path;
    case Member::Kind::kNode:
      break;
  }
  return nodes_[member.index].id;
}

Json GraphView::ScopeJson(std::size_t scope) const {
  std::map<std::string, std::size_t> types;
  std::vector<std::size_t> open = {scope};
  while (!open.empty()) {
    const ScopeEntry& at = scopes_[open.back()];
    open.pop_back();
    for (const std::size_t node : at.entries)
      if (!nodes_[node].type.empty()) ++types[nodes_[node].type];
    for (const auto& [label, below] : at.scopes) open.push_back(below);
  }
  std::vector<std::pair<std::size_t, std::string>> most;
  most.reserve(types.size());
  for (const auto& [type, count] : types) most.emplace_back(count, type);
  std::stable_sort(most.begin(), most.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  if (most.size() > kMaxTypes) most.resize(kMaxTypes);
  Json shown = Json::object();
  for (const auto& [count, type] : most) shown[type] = count;
  return {{"id", scopes_[scope].path},
          {"label", scopes_[scope].label},
          {"kind", "scope"},
          {"nodes", scopes_[scope].nodes},
          {"types", std::move(shown)}};
}

void GraphView::AddEdges(std::size_t scope, const std::set<Member>& listed, Json& json) const {
  struct Joined {
    std::size_t count = 0;
    bool same = true;
    std::string shape;
  };
  const auto is_listed = [&](const std::optional<Member>& member) {
    return member && listed.contains(*member);
  };
  std::map<std::tuple<Member, Member, bool>, Joined> inner;
  std::map<std::pair<std::string, std::string>, std::size_t> outer;
  for (std::size_t to = 0; to < nodes_.size(); ++to) {
    const std::optional<Member> to_member = MemberWith(to, scope);
    for (const Edge& edge : nodes_[to].inputs) {
      const std::optional<Member> from_member = MemberWith(edge.node, scope);
      if (from_member == to_member) continue;  // Within one member, or outside of the scope.
      if (!is_listed(from_member) && !is_listed(to_member)) continue;
      if (!from_member || !to_member) {
        ++outer[{from_member ? Id(*from_member) : nodes_[edge.node].id,
                 to_member ? Id(*to_member) : nodes_[to].id}];
        continue;
      }
      Joined& joined = inner[{*from_member, *to_member, edge.control}];
      const std::string& shape = nodes_[edge.node].shape;
      if (joined.count++ == 0) joined.shape = shape;
      joined.same = joined.same && joined.shape == shape;
    }
  }
  json["edges"] = Json::array();
  for (const auto& [ends, joined] : inner) {
    if (json["edges"].size() >= kMaxEdges) break;
    Json edge = {{"from", Id(std::get<0>(ends))},
                 {"to", Id(std::get<1>(ends))},
                 {"count", joined.count},
                 {"control", std::get<2>(ends)}};
    if (joined.same && !joined.shape.empty()) edge["shape"] = joined.shape;
    json["edges"].push_back(std::move(edge));
  }
  json["outside"] = Json::array();
  for (const auto& [ends, count] : outer) {
    if (json["outside"].size() >= kMaxEdges) break;
    json["outside"].push_back({{"from", ends.first}, {"to", ends.second}, {"count", count}});
  }
}

Result<Json> GraphView::Scope(std::string_view path, std::size_t from) const {
  const auto at = by_path_.find(path);
  if (at == by_path_.end())
    return Error(StatusCode::kNotFound, fmt::format("scope '{}' is not in the graph", path));
  const ScopeEntry& scope = scopes_[at->second];
  const std::size_t all = scope.scopes.size() + scope.entries.size();
  Json json = {{"scope", scope.path}, {"nodes_in_graph", nodes_.size()}};
  const std::size_t end = from + kMaxEntries;
  json["more"] = all > end ? all - end : 0;
  json["nodes"] = Json::array();
  std::set<Member> listed;
  std::size_t number = 0;
  for (const auto& [label, below] : scope.scopes) {
    if (number >= from && number < end) {
      json["nodes"].push_back(ScopeJson(below));
      listed.insert({Member::Kind::kScope, below});
    }
    ++number;
  }
  for (const std::size_t node : scope.entries) {
    if (number >= from && number < end) {
      const Entry& entry = nodes_[node];
      Json shown = {{"id", entry.id}, {"label", entry.label}, {"kind", entry.kind}};
      if (!entry.type.empty()) shown["type"] = entry.type;
      if (!entry.shape.empty()) shown["shape"] = entry.shape;
      json["nodes"].push_back(std::move(shown));
      listed.insert({Member::Kind::kNode, node});
    }
    ++number;
  }
  AddEdges(at->second, listed, json);
  return json;
}

Result<Json> GraphView::Node(std::string_view id) const {
  const auto at = by_id_.find(id);
  if (at == by_id_.end())
    return Error(StatusCode::kNotFound, fmt::format("node '{}' is not in the graph", id));
  const Entry& entry = nodes_[at->second];
  Json json = {{"id", entry.id},
               {"label", entry.label},
               {"kind", entry.kind},
               {"type", entry.type},
               {"scope", scopes_[entry.scope].path},
               {"types", entry.shapes}};
  if (!entry.places.empty()) json["locations"] = entry.places;
  json["attributes"] = Json::object();
  for (const auto& [key, value] : entry.attributes) json["attributes"][key] = value;
  json["inputs"] = Json::array();
  json["outputs"] = Json::array();
  for (const Edge& edge : entry.inputs) {
    json["inputs"].push_back({{"node", nodes_[edge.node].id},
                              {"control", edge.control},
                              {"shape", nodes_[edge.node].shape}});
  }
  for (const Edge& edge : entry.outputs)
    json["outputs"].push_back({{"node", nodes_[edge.node].id}, {"control", edge.control}});
  return json;
}

Json GraphView::Search(std::string_view text, std::size_t limit) const {
  const std::string wanted = LowerCase(text);
  std::size_t total = 0;
  Json matches = Json::array();
  const auto offer = [&](const std::string& id, const std::string& label, const char* kind,
                         const std::string& type, const std::string& scope) {
    if (!ContainsIgnoringCase(id, wanted) && !ContainsIgnoringCase(type, wanted)) return;
    if (++total > limit) return;
    matches.push_back(
        {{"id", id}, {"label", label}, {"kind", kind}, {"type", type}, {"scope", scope}});
  };
  for (std::size_t i = kTop + 1; i < scopes_.size(); ++i)
    offer(scopes_[i].path, scopes_[i].label, "scope", "", scopes_[scopes_[i].parent].path);
  for (const Entry& entry : nodes_)
    offer(entry.id, entry.label, entry.kind, entry.type, scopes_[entry.scope].path);
  return {{"total", total}, {"matches", std::move(matches)}};
}

}  // namespace sightline::dashboard
