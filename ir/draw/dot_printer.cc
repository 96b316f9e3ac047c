#include "sightline/ir/draw/dot_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/ir/draw/dot_style.h"
#include "sightline/ir/draw/dot_text.h"
#include "sightline/ir/draw/edge_rows.h"

namespace sightline::ir {
namespace {

// Types at the tails of one box's edges; more would not be read.
constexpr std::size_t kMaxTypes = 3;

// Graphviz places boxes by a simplex method. Without a limit of its steps (as a multiple of the
// boxes) a chain of 50 boxes whose values 50 others take in reverse, as a backward pass does, takes
// minutes.
constexpr std::string_view kLimits = "nslimit=2 nslimit1=2";
// With more edges than this, which only happens if no choice of boxes has fewer, it also orders
// boxes less carefully and draws straight lines.
constexpr std::size_t kManyEdges = 600;
constexpr std::string_view kTightLimits = "nslimit=0.3 nslimit1=0.3 mclimit=0.05 splines=line";
// If edges pass more rows than this, the search for an order would take minutes, and the picture
// would be high and narrow. An example is a box that each of a hundred boxes of a chain takes. Then
// boxes are placed by forces.
constexpr std::uint64_t kManyRows = 4'000;
constexpr std::string_view kByForces = "layout=fdp splines=line";

// In points: the mean width of a character of a type, and the distances of a type from its edge and
// from the box.
constexpr double kTypeCharacter = 4.1;
constexpr double kTypeGap = 4;
constexpr double kTypeDrop = 9;
constexpr double kTypeLine = 9.5;

std::string Times(std::uint32_t copies) {
  return copies > 1 ? fmt::format(" × {}", copies) : std::string();
}

std::string Count(std::size_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

// The middle of a type, seen from the tail of its edge, as graphviz takes it: in units of 10 points
// and in degrees.
struct TypePlace {
  double distance = 0;
  double angle = 0;
};

// Edges within a cluster leave downwards, and their types stand to their left, the `nth` one below
// the others. Between clusters they leave at any angle.
TypePlace PlaceOf(std::string_view type, std::size_t nth, bool within_cluster) {
  if (!within_cluster) return {2.4 + 1.1 * static_cast<double>(nth), 38};
  const double aside = static_cast<double>(type.size()) * kTypeCharacter / 2 + kTypeGap;
  const double below = kTypeDrop + kTypeLine * static_cast<double>(nth);
  return {std::hypot(aside, below) / 10, std::atan2(aside, below) * 180 / std::numbers::pi};
}

Colours BoxColours(const Box& box) {
  switch (box.kind) {
    case BoxKind::kNode:
      return ColoursOf(box.operator_kind);
    case BoxKind::kGroup:
      return kGroupColours;
    case BoxKind::kParameters:
      break;
  }
  return kParameterColours;
}

class DotPrinter {
 public:
  explicit DotPrinter(const Drawing& drawing)
      : drawing_(drawing),
        many_edges_(drawing.edges.size() > kManyEdges),
        by_forces_(RowsPassed(drawing) > kManyRows) {}

  std::string Print();

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  std::string Legend() const;
  std::string_view LayoutAttributes() const;
  void Heading();
  void Clusters();
  void Open(std::uint32_t index);
  void AddBox(std::uint32_t index);
  void AddEdge(const Edge& edge);
  void AddType(const Edge& edge, std::string& attributes);
  bool LeadsBack(const Edge& edge) const;
  bool IsWithin(std::uint32_t cluster, std::uint32_t outer) const;

  const Drawing& drawing_;
  const bool many_edges_;
  const bool by_forces_;
  std::string out_;
  std::map<std::uint32_t, std::vector<std::string>> types_;  // By box: at the tails of its edges.
};

// The meanings of the colours in the picture; empty if there is only one colour.
std::string DotPrinter::Legend() const {
  std::string cells;
  std::size_t colours_used = 0;
  const auto add = [&](Colours colours, std::string_view meaning) {
    ++colours_used;
    cells +=
        fmt::format(R"(<td bgcolor="{}" color="{}">{}</td>)", colours.fill, colours.line, meaning);
  };
  const auto any = [&](const auto& condition) {
    return std::any_of(drawing_.boxes.begin(), drawing_.boxes.end(), condition);
  };
  for (const OperatorKind kind : kLegendOrder) {
    if (any([&](const Box& b) { return b.kind == BoxKind::kNode && b.operator_kind == kind; }))
      add(ColoursOf(kind), MeaningOf(kind));
  }
  if (any([](const Box& box) { return box.kind == BoxKind::kGroup; }))
    add(kGroupColours, "several nodes");
  if (colours_used < 2) return {};
  return fmt::format(
      R"(<tr><td align="left"><table border="0" cellborder="1" cellspacing="3" cellpadding="3">)"
      R"(<tr>{}</tr></table></td></tr>)",
      cells);
}

std::string_view DotPrinter::LayoutAttributes() const {
  if (by_forces_) return kByForces;
  return many_edges_ ? kTightLimits : kLimits;
}

void DotPrinter::Heading() {
  std::string shown = Count(drawing_.nodes, "node", "nodes");
  if (drawing_.hidden > 0) shown = fmt::format("{} of {}", drawing_.nodes - drawing_.hidden, shown);
  const auto boxes = static_cast<std::size_t>(std::count_if(
      drawing_.boxes.begin(), drawing_.boxes.end(), [](const Box& box) { return box.nodes > 0; }));
  shown += " in " + Count(boxes, "box", "boxes");
  Add("digraph {} {{\n", DotQuoted(drawing_.title));
  out_ += "  charset=\"UTF-8\" compound=true rankdir=TB nodesep=0.35 ranksep=0.55 pad=0.3\n";
  Add("  {}\n", LayoutAttributes());
  Add("  labelloc=t labeljust=l {0} fontsize=9 fontcolor=\"#5a636e\"\n"
      "  label=<<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"2\">"
      "<tr><td align=\"left\"><font point-size=\"14\" color=\"#20262e\"><b>{1} "
      "</b></font></td></tr>"
      "<tr><td align=\"left\">{2}</td></tr>{3}</table>>\n",
      kDotFont, DotHtml(drawing_.title),
      drawing_.subtitle.empty() ? shown : DotHtml(drawing_.subtitle) + " · " + shown, Legend());
  Add("  node [shape=box style=\"rounded,filled\" {0} fontsize=11 "
      "fontcolor=\"#20262e\" height=0.3 margin=\"0.12,0.05\" penwidth=0.9]\n"
      "  edge [{0} fontsize=8 fontcolor=\"#6b7480\" color=\"#6b7480\" "
      "arrowhead=normal arrowsize=0.6 penwidth=0.9]\n",
      kDotFont);
}

void DotPrinter::AddBox(std::uint32_t index) {
  const Box& box = drawing_.boxes[index];
  const Colours colours = BoxColours(box);
  // An empty <b></b> is an error to graphviz.
  Add("  n{} [label=<<b>{}</b>{}", index, box.title.empty() ? " " : DotHtml(box.title),
      Times(box.copies));
  if (!box.rows.empty()) {
    out_ += "<font point-size=\"9\" color=\"#5a636e\">";
    for (const std::string& row : box.rows) {
      out_ += "<br/>" + DotHtml(row);
    }
    out_ += "</font>";
  }
  Add("> fillcolor=\"{}\" color=\"{}\"", colours.fill, colours.line);
  if (box.kind == BoxKind::kGroup) out_ += " penwidth=1.6";
  if (box.kind == BoxKind::kParameters) out_ += " style=filled";
  Add(" tooltip={}]\n", DotTooltip(box.tooltip.empty() ? box.title : box.tooltip));
}

void DotPrinter::Open(std::uint32_t index) {
  const Cluster& cluster = drawing_.clusters[index];
  const Colours colours = cluster.is_subgraph ? kSubgraphColours : kScopeColours;
  Add("  subgraph cluster_{} {{\n"
      "  label=<<b>{} </b>{}> style=\"rounded,filled\" fillcolor=\"{}\" color=\"{}\" "
      "fontsize=10 fontcolor=\"#5a636e\" margin=10 tooltip={}\n",
      index, DotHtml(cluster.title), Times(cluster.copies), colours.fill, colours.line,
      DotTooltip(cluster.title));
}

// Boxes within their clusters, these within theirs.
void DotPrinter::Clusters() {
  std::vector<std::vector<std::uint32_t>> boxes(drawing_.clusters.size());
  for (std::uint32_t i = 0; i < drawing_.boxes.size(); ++i)
    boxes[drawing_.boxes[i].cluster].push_back(i);
  std::vector<std::vector<std::uint32_t>> inner(drawing_.clusters.size());
  for (std::size_t i = drawing_.clusters.size(); i-- > 1;)
    inner[drawing_.clusters[i].parent].push_back(static_cast<std::uint32_t>(i));
  // Clusters to open, or to close where they were opened before.
  std::vector<std::pair<std::uint32_t, bool>> stack = {{0, false}};
  while (!stack.empty()) {
    const auto [at, close] = stack.back();
    stack.pop_back();
    if (close) {
      out_ += "  }\n";
      continue;
    }
    if (at > 0) {
      Open(at);
      stack.emplace_back(at, true);
    }
    for (const std::uint32_t box : boxes[at]) AddBox(box);
    for (const std::uint32_t cluster : inner[at]) stack.emplace_back(cluster, false);
  }
}

bool DotPrinter::IsWithin(std::uint32_t cluster, std::uint32_t outer) const {
  while (cluster != outer && cluster > outer) cluster = drawing_.clusters[cluster].parent;
  return cluster == outer;
}

// Labels of edges that leave a box together would cover each other, so each text is printed once,
// one below the other.
void DotPrinter::AddType(const Edge& edge, std::string& attributes) {
  if (edge.kind != EdgeKind::kData || edge.type.empty()) return;
  const std::string type = edge.same_type ? edge.type : edge.type + ", …";
  auto& there = types_[edge.from];
  if (std::find(there.begin(), there.end(), type) != there.end()) return;
  if (there.size() < kMaxTypes) {
    const TypePlace place = PlaceOf(
        type, there.size(), drawing_.boxes[edge.from].cluster == drawing_.boxes[edge.to].cluster);
    attributes += fmt::format(" taillabel={} labeldistance={:.1f} labelangle=-{:.0f}",
                              DotQuoted(type), place.distance, place.angle);
  } else {
    attributes += fmt::format(" edgetooltip={}", DotTooltip(type));
  }
  there.push_back(type);
}

// Whether the edge leads to an earlier statement: from the last actor of a step to the first one of
// the next step. Such an edge does not influence the order of the boxes.
bool DotPrinter::LeadsBack(const Edge& edge) const {
  const std::uint32_t from = drawing_.boxes[edge.from].node;
  const std::uint32_t to = drawing_.boxes[edge.to].node;
  return edge.kind == EdgeKind::kOrder && from != kNoIndex && to != kNoIndex && from > to;
}

void DotPrinter::AddEdge(const Edge& edge) {
  Add("  n{} -> n{}", edge.from, edge.to);
  std::string attributes;
  switch (edge.kind) {
    case EdgeKind::kData:
      break;
    case EdgeKind::kOrder:
      attributes = " style=dashed color=\"#c3c8cf\" arrowsize=0.5";
      break;
    case EdgeKind::kCall:
      attributes = " style=dotted color=\"#8a77b5\" arrowhead=empty";
      break;
  }
  const std::uint32_t cluster = drawing_.boxes[edge.from].cluster;
  const bool within = cluster == drawing_.boxes[edge.to].cluster;
  // Down from one box into the next. Others may be in one row: graphviz warns of attributes that
  // are none when their edge has ports.
  if (LeadsBack(edge)) {
    attributes += " constraint=false";
  } else if (within && !many_edges_ && !by_forces_) {
    attributes += " tailport=s headport=n";
  }
  if (!within && edge.kind == EdgeKind::kData) attributes += " color=\"#a3abb5\" penwidth=0.7";
  if (edge.to_cluster != kNoIndex && !IsWithin(cluster, edge.to_cluster))
    attributes += fmt::format(" lhead=cluster_{}", edge.to_cluster);
  AddType(edge, attributes);
  if (!attributes.empty()) out_ += " [" + attributes.substr(1) + "]";
  out_ += "\n";
}

std::string DotPrinter::Print() {
  Heading();
  Clusters();
  for (const Edge& edge : drawing_.edges) AddEdge(edge);
  out_ += "}\n";
  return std::move(out_);
}

}  // namespace

std::string PrintDot(const Drawing& drawing) { return DotPrinter(drawing).Print(); }

}  // namespace sightline::ir
