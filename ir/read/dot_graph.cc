#include "sightline/ir/read/dot_graph.h"

#include <algorithm>
#include <unordered_map>

#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kTableEnd = "</table>>,]";
constexpr std::string_view kCellEnd = "</td></tr>";

// Sets `found` to the text between the first `before` and the first `after` that follows.
bool Between(std::string_view text, std::string_view before, std::string_view after,
             std::string_view& found) {
  const std::size_t begin = text.find(before);
  if (begin == std::string_view::npos) return false;
  text.remove_prefix(begin + before.size());
  const std::size_t end = text.find(after);
  found = text.substr(0, end);
  return end != std::string_view::npos;
}

class DotScanner {
 public:
  explicit DotScanner(std::string_view text) : cursor_(text, module_) {}

  DotGraph Scan();

 private:
  bool ReadLine(std::string_view line);
  bool ReadCluster(std::string_view address);
  bool ReadParameters(std::string_view line);
  bool ReadEdge(std::string_view line);
  bool ReadBox(std::string_view line);
  bool ReadShape(std::string_view line, DotBox& box);
  static bool ReadTable(std::string_view table, DotBox& box);
  // From the cursor to the end of the table that begins in this line; empty when it has none.
  std::string_view Table();

  DotGraph graph_;
  Module module_;  // Where the cursor reports problems.
  Cursor cursor_;
  std::string_view statement_;  // The line, or the lines of a table, that the cursor skips next.
  bool tables_end_ = true;      // No end of a table was missed yet,
  bool clusters_end_ = true;    // nor one of a table of parameters.
  std::unordered_map<std::string_view, std::uint32_t> boxes_;      // By id.
  std::unordered_map<std::string_view, std::uint32_t> clusters_;   // By address.
  std::vector<std::pair<std::uint32_t, std::string_view>> links_;  // Boxes of subgraphs, addresses.
};

DotGraph DotScanner::Scan() {
  while (!cursor_.AtEnd()) {
    statement_ = cursor_.Line();
    if (!statement_.empty() && !ReadLine(statement_))
      cursor_.Report(0, "not a line of MindSpore's .dot files");
    cursor_.Skip(statement_.size(), static_cast<std::uint32_t>(
                                        std::count(statement_.begin(), statement_.end(), '\n')));
  }
  for (const auto& [box, address] : links_) {
    const auto cluster = clusters_.find(address);
    graph_.boxes[box].cluster = cluster == clusters_.end() ? kNoCluster : cluster->second;
  }
  for (DotBox& box : graph_.boxes) {
    std::stable_sort(box.inputs.begin(), box.inputs.end(),
                     [](const DotEdge& a, const DotEdge& b) { return a.port < b.port; });
  }
  graph_.problems = std::move(module_.problems);
  return std::move(graph_);
}

bool DotScanner::ReadLine(std::string_view line) {
  if (line.starts_with("node")) {
    return line.find("->") < line.find('[') ? ReadEdge(line) : ReadBox(line);
  }
  if (line.starts_with("parameters_")) return ReadParameters(line);
  if (Consume(line, "subgraph cluster_")) return ConsumeSuffix(line, "{") && ReadCluster(line);
  if (Consume(line, "label=\"")) {
    if (graph_.clusters.empty()) return false;
    graph_.clusters.back().label = line.substr(0, line.rfind('"'));
    return true;
  }
  return line == "digraph mindspore {" || line == "compound=true" || line == "}" ||
         line.starts_with("id=cluster_") || line.starts_with("fontname=");
}

bool DotScanner::ReadCluster(std::string_view address) {
  clusters_.try_emplace(address, static_cast<std::uint32_t>(graph_.clusters.size()));
  graph_.clusters.push_back({address, {}, {}, {}});
  return true;
}

// "...<tr><td>parameters</td></tr><tr><td>f.weight[3,4,]</td></tr>...": name and shape.
bool DotScanner::ReadParameters(std::string_view line) {
  constexpr std::string_view kHeading = "<tr><td>parameters</td></tr>";
  const std::size_t heading = line.find(kHeading);
  if (heading == std::string_view::npos || graph_.clusters.empty()) return false;
  const std::size_t first = heading + kHeading.size();
  if (!line.ends_with(";}")) {
    // A new line begins after every ten rows.
    const std::string_view rest = cursor_.Rest();
    const std::size_t end =
        clusters_end_ ? rest.find("</table>>,];}", first) : std::string_view::npos;
    clusters_end_ = end != std::string_view::npos;
    if (!clusters_end_) return false;
    line = statement_ = rest.substr(0, end + 13);
  }
  line.remove_prefix(first);
  for (std::string_view name; Between(line, "<tr><td>", kCellEnd, name);) {
    line.remove_prefix(static_cast<std::size_t>(name.end() - line.begin()) + kCellEnd.size());
    if (name.ends_with(",]")) name = name.substr(0, name.rfind('['));
    graph_.clusters.back().parameters.push_back(name);
  }
  return true;
}

// "node0x2_1:core->node0x1_0:2[arrowhead=vee,]". Edges without a port lead to a cluster.
bool DotScanner::ReadEdge(std::string_view line) {
  const std::size_t arrow = line.find("->");
  std::string_view from = line.substr(4, arrow - 4);
  from = from.substr(0, from.find(':'));
  std::string_view to = line.substr(arrow + 2, line.find('[') - arrow - 2);
  if (!Consume(to, "node")) return false;
  const std::size_t colon = to.find(':');
  if (colon == std::string_view::npos) return line.find("lhead=") != std::string_view::npos;
  const auto port = ParseNumber(to.substr(colon + 1));
  const auto source = boxes_.find(from);
  const auto target = boxes_.find(to.substr(0, colon));
  if (!port || source == boxes_.end() || target == boxes_.end()) return false;
  graph_.boxes[target->second].inputs.push_back({*port, source->second, cursor_.line_number()});
  return true;
}

bool DotScanner::ReadBox(std::string_view line) {
  if (graph_.clusters.empty() || line.find('[') == std::string_view::npos) return false;
  DotBox box;
  box.id = line.substr(4, line.find('[') - 4);
  box.cluster = static_cast<std::uint32_t>(graph_.clusters.size() - 1);
  const auto index = static_cast<std::uint32_t>(graph_.boxes.size());
  if (line.find("label=<<table") == std::string_view::npos) {
    if (!ReadShape(line, box)) return false;
  } else {
    const std::string_view table = Table();
    if (!ReadTable(table, box)) return false;
    statement_ = table;
    if (box.kind == DotBoxKind::kNode) graph_.clusters.back().nodes.push_back(index);
  }
  boxes_.try_emplace(box.id, index);
  graph_.boxes.push_back(std::move(box));
  return true;
}

std::string_view DotScanner::Table() {
  const std::string_view rest = cursor_.Rest();
  for (std::size_t from = 0; tables_end_;) {
    const std::size_t at = rest.find(kTableEnd, from);
    tables_end_ = at != std::string_view::npos;
    if (!tables_end_) break;
    from = at + kTableEnd.size();
    if (from == rest.size() || rest[from] == '\n') return rest.substr(0, from);
  }
  return {};
}

bool DotScanner::ReadTable(std::string_view table, DotBox& box) {
  if (Between(table, "bgcolor='cornsilk'>CNode(", std::string_view(")</td></tr>"), box.text)) {
    box.kind = DotBoxKind::kNode;
    return true;
  }
  // In ModelDigraph_N.dot the node's box has the operator, and the attributes in a row below it.
  if (Between(table, "bgcolor='cornsilk'>", kCellEnd, box.callee)) {
    box.kind = DotBoxKind::kNode;
    box.attributes = table.substr(static_cast<std::size_t>(box.callee.end() - table.begin()));
    if (!ConsumeSuffix(box.callee, "CNode"))
      box.attributes = box.attributes.substr(0, box.attributes.rfind("CNode"));
    return true;
  }
  if (!Between(table, "bgcolor='white'>", kCellEnd, box.type)) return false;
  std::string_view value = table.substr(static_cast<std::size_t>(box.type.end() - table.begin()));
  if (!Consume(value, "</td></tr><tr><td>") || !ConsumeSuffix(value, kTableEnd) ||
      !ConsumeSuffix(value, kCellEnd))
    return false;
  box.kind = DotBoxKind::kConstant;
  box.text = value;
  if (!box.type.starts_with("Primitive")) return true;
  // NAME, then a row each of the instance's name and the attributes.
  box.kind = DotBoxKind::kPrimitive;
  box.text = value.substr(0, value.find(kCellEnd));
  box.attributes = value.substr(std::min(value.size(), box.text.size() + kCellEnd.size()));
  return true;
}

// A parameter or a subgraph.
bool DotScanner::ReadShape(std::string_view line, DotBox& box) {
  if (!Between(line, "label=\"", "\",style=filled", box.text)) return false;
  if (line.find("shape=oval") == std::string_view::npos) {
    box.kind = DotBoxKind::kParameter;
    return line.find("fillcolor=paleturquoise") != std::string_view::npos;
  }
  box.kind = DotBoxKind::kSubgraph;
  box.text = box.text.substr(0, box.text.rfind('['));
  std::string_view address;
  if (!Between(line, "URL=\"#cluster_", "\"", address)) return false;
  links_.emplace_back(static_cast<std::uint32_t>(graph_.boxes.size()), address);
  return true;
}

}  // namespace

DotGraph ScanDot(std::string_view text) { return DotScanner(text).Scan(); }

}  // namespace sightline::ir
