// GraphView: a computational graph that the page unfolds scope by scope. It returns the entries
// directly in a scope with the edges between them, one node, and the results of a search.
//
// The scopes of a node are the parts of its full name between slashes. A parameter or constant lies
// in the innermost scope that contains all nodes that use it. Immutable; may be called from any
// thread.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/graph.h"

namespace sightline::dashboard {

class GraphView {
 public:
  // `places`: for each of graph.nodes, where it is in the source files ("net.py:12"), if known.
  explicit GraphView(const Graph& graph, std::vector<std::vector<std::string>> places = {});

  // The responses of docs/http_api.md, "Graphs", without the members that name the graph. kNotFound
  // if there is no such scope or node.
  Result<nlohmann::ordered_json> Scope(std::string_view path, std::size_t from) const;
  Result<nlohmann::ordered_json> Node(std::string_view id) const;
  nlohmann::ordered_json Search(std::string_view text, std::size_t limit) const;

  std::size_t node_count() const { return nodes_.size(); }

 private:
  static constexpr std::size_t kTop = 0;  // Index of the outermost scope in scopes_.

  struct Edge {
    std::size_t node = 0;  // The other end.
    bool control = false;
  };
  struct Entry {
    std::string id;
    std::string label;
    const char* kind = "op";
    std::string type;
    std::string shape;  // Of its first output, "float32[32,6]"; empty if unknown.
    std::vector<std::string> shapes;
    std::map<std::string, std::string> attributes;
    std::vector<std::string> places;
    std::size_t scope = kTop;
    std::vector<Edge> inputs;
    std::vector<Edge> outputs;
  };
  struct ScopeEntry {
    std::string path;
    std::string label;
    std::size_t parent = kTop;
    std::size_t depth = 0;
    std::size_t nodes = 0;                                   // In it and its inner scopes.
    std::map<std::string, std::size_t, std::less<>> scopes;  // Directly in it, by label.
    std::vector<std::size_t> entries;                        // Nodes directly in it.
  };

  // A scope, or a node, in scopes_ or nodes_.
  struct Member {
    enum class Kind : std::uint8_t { kScope, kNode };
    Kind kind = Kind::kScope;
    std::size_t index = 0;

    auto operator<=>(const Member&) const = default;  // NOLINT(modernize-use-nullptr): LLVM 46235.
  };

  std::size_t ScopeOf(std::string_view path);
  std::size_t CommonScope(std::size_t a, std::size_t b) const;
  // The member of `scope` that is or contains `node`; none if the node is not in the scope.
  std::optional<Member> MemberWith(std::size_t node, std::size_t scope) const;
  const std::string& Id(const Member& member) const;
  void AddAll(const Graph& graph);
  void Connect(const Graph& graph);
  void PlaceOutsiders();
  // Adds the edges that have an end among the listed members.
  void AddEdges(std::size_t scope, const std::set<Member>& listed,
                nlohmann::ordered_json& json) const;
  nlohmann::ordered_json ScopeJson(std::size_t scope) const;

  std::vector<Entry> nodes_;
  std::vector<ScopeEntry> scopes_;
  std::map<std::string, std::size_t, std::less<>> by_name_;  // What inputs refer to.
  std::map<std::string, std::size_t, std::less<>> by_id_;
  std::map<std::string, std::size_t, std::less<>> by_path_;
};

}  // namespace sightline::dashboard
