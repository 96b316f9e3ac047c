#include "sightline/ir/dot_printer.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/recorder/utf8.h"

namespace sightline::ir {
namespace {

struct Colours {
  std::string_view fill;
  std::string_view line;
};

Colours ColoursOf(OperatorKind kind) {
  switch (kind) {
    case OperatorKind::kMath:
      return {"#f3f6f1", "#8a9a80"};
    case OperatorKind::kMatrix:
      return {"#dfe9f7", "#5d83b8"};
    case OperatorKind::kShape:
      return {"#f7f7f8", "#b4b8bf"};
    case OperatorKind::kState:
      return {"#f8f0de", "#b99a55"};
    case OperatorKind::kCommunication:
      return {"#f7e1e1", "#b86a6a"};
    case OperatorKind::kControl:
      return {"#ebe6f5", "#8a77b5"};
  }
  return {};
}

// Types at the tails of one box's edges; more would not be read.
constexpr std::size_t kMaxTypes = 3;

// From so many edges on graphviz looks for a good layout only so long, and draws straight lines:
// otherwise 150 boxes with 670 edges take minutes.
constexpr std::size_t kManyEdges = 400;

constexpr Colours kGroup = {"#ffffff", "#6b7684"};
constexpr Colours kParameters = {"#e3f1f0", "#5f9c98"};
constexpr Colours kScope = {"#fafbfc", "#d3d8de"};
constexpr Colours kSubgraph = {"#faf8fd", "#cfc4e6"};

// `text` as well-formed UTF-8 of XML's characters; control characters as C writes them. What stands
// for each byte where the text is to stand, `escape` says.
std::string Escaped(std::string_view text, const auto& escape) {
  std::string escaped;
  const auto add = [&](std::string_view bytes) {
    for (const char c : bytes) escaped += escape(c);
  };
  const std::string utf8 = ToUtf8(text);
  const std::string_view sound = utf8;
  for (std::size_t i = 0; i < sound.size(); ++i) {
    const auto c = static_cast<unsigned char>(sound[i]);
    const std::string_view rest = sound.substr(i);
    // Control characters of Unicode's second block, and what is no character.
    const bool control = c == 0xc2 && static_cast<unsigned char>(rest[1]) < 0xa0;
    if (control || rest.starts_with("\xef\xbf\xbe") || rest.starts_with("\xef\xbf\xbf")) {
      escaped += "\xef\xbf\xbd";
      i += control ? 1 : 2;
    } else if (c == '\n') {
      add("\\n");
    } else if (c < 0x20 || c == 0x7f) {
      add(fmt::format("\\x{:02x}", c));
    } else {
      add(rest.substr(0, 1));
    }
  }
  return escaped;
}

// Within graphviz' HTML-like labels. A backslash begins an escape of graphviz' there too.
std::string Html(std::string_view text) {
  return Escaped(text, [](char c) -> std::string {
    switch (c) {
      case '<':
        return "&lt;";
      case '>':
        return "&gt;";
      case '&':
        return "&amp;";
      case '"':
        return "&quot;";
      case '\\':
        return "\\\\";
      default:
        return {c};
    }
  });
}

// Within a quoted string, where graphviz reads entities of HTML and escapes of its own; a backslash
// that is none is written as `backslash`.
std::string Quoted(std::string_view text, std::string_view backslash = R"(\\)") {
  return "\"" +
         Escaped(text,
                 [&](char c) -> std::string {
                   if (c == '&') return "&amp;";
                   if (c == '"') return "\\\"";
                   if (c == '\\') return std::string(backslash);
                   return {c};
                 }) +
         "\"";
}

// A tooltip's lines; graphviz reads escapes in it twice.
std::string Lines(std::string_view text) {
  std::string quoted = "\"";
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string line = Quoted(text.substr(0, end), R"(\\\\)");
    quoted += (quoted.size() > 1 ? "\\n" : "") + line.substr(1, line.size() - 2);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return quoted + "\"";
}

std::string Times(std::uint32_t copies) {
  return copies > 1 ? fmt::format(" × {}", copies) : std::string();
}

std::string Count(std::size_t count, std::string_view one, std::string_view more) {
  return fmt::format("{} {}", count, count == 1 ? one : more);
}

class DotPrinter {
 public:
  explicit DotPrinter(const Drawing& drawing) : drawing_(drawing) {}

  std::string Print();

 private:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
  }
  void Heading();
  void Clusters();
  void Open(std::uint32_t index);
  void AddBox(std::uint32_t index);
  void AddEdge(const Edge& edge);
  void AddType(const Edge& edge, std::string& attributes);
  bool IsWithin(std::uint32_t cluster, std::uint32_t outer) const;

  const Drawing& drawing_;
  std::string out_;
  std::map<std::uint32_t, std::vector<std::string>> types_;  // By box: at the tails of its edges.
};

void DotPrinter::Heading() {
  std::string shown = Count(drawing_.nodes, "node", "nodes");
  if (drawing_.hidden > 0) shown = fmt::format("{} of {}", drawing_.nodes - drawing_.hidden, shown);
  const auto boxes = static_cast<std::size_t>(std::count_if(
      drawing_.boxes.begin(), drawing_.boxes.end(), [](const Box& box) { return box.nodes > 0; }));
  Add("digraph {} {{\n", Quoted(drawing_.title));
  out_ += "  charset=\"UTF-8\" compound=true rankdir=TB nodesep=0.35 ranksep=0.5 pad=0.3\n";
  if (drawing_.edges.size() > kManyEdges)
    out_ += "  nslimit=0.3 nslimit1=0.3 mclimit=0.05 splines=line\n";
  Add("  labelloc=t labeljust=l fontname=\"Helvetica\" fontsize=13 fontcolor=\"#39424e\"\n"
      "  label=<<b>{} </b><br align=\"left\"/><font point-size=\"10\" color=\"#7a828d\">"
      "{} in {}</font><br align=\"left\"/>>\n",
      Html(drawing_.title), shown, Count(boxes, "box", "boxes"));
  out_ +=
      "  node [shape=box style=\"rounded,filled\" fontname=\"Helvetica\" fontsize=11 "
      "fontcolor=\"#20262e\" height=0.3 margin=\"0.12,0.05\" penwidth=0.9]\n"
      "  edge [fontname=\"Helvetica\" fontsize=8 fontcolor=\"#6b7480\" color=\"#6b7480\" "
      "arrowsize=0.6 penwidth=0.9 labeldistance=2.4 labelangle=-38]\n";
}

void DotPrinter::AddBox(std::uint32_t index) {
  const Box& box = drawing_.boxes[index];
  const bool node = box.kind == BoxKind::kNode;
  const Colours colours = node                               ? ColoursOf(box.operator_kind)
                          : box.kind == BoxKind::kParameters ? kParameters
                                                             : kGroup;
  // An empty <b></b> is an error to graphviz.
  Add("  n{} [label=<<b>{}</b>{}", index, box.title.empty() ? " " : Html(box.title),
      Times(box.copies));
  if (!box.rows.empty()) {
    out_ += "<font point-size=\"9\" color=\"#5a636e\">";
    for (const std::string& row : box.rows) {
      out_ += "<br/>" + Html(row);
    }
    out_ += "</font>";
  }
  Add("> fillcolor=\"{}\" color=\"{}\"", colours.fill, colours.line);
  if (box.kind == BoxKind::kGroup) out_ += " penwidth=1.6";
  if (box.kind == BoxKind::kParameters) out_ += " style=filled";
  Add(" tooltip={}]\n", Lines(box.tooltip.empty() ? box.title : box.tooltip));
}

void DotPrinter::Open(std::uint32_t index) {
  const Cluster& cluster = drawing_.clusters[index];
  const Colours colours = cluster.is_subgraph ? kSubgraph : kScope;
  Add("  subgraph cluster_{} {{\n"
      "  label=<<b>{} </b>{}> style=\"rounded,filled\" fillcolor=\"{}\" color=\"{}\" "
      "fontsize=10 fontcolor=\"#5a636e\" margin=10 tooltip={}\n",
      index, Html(cluster.title), Times(cluster.copies), colours.fill, colours.line,
      Lines(cluster.title));
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

// Labels of edges that leave a box together would cover each other: each text stands there once,
// one below the other.
void DotPrinter::AddType(const Edge& edge, std::string& attributes) {
  if (edge.kind != EdgeKind::kData || edge.type.empty()) return;
  const std::string type = edge.same_type ? edge.type : edge.type + ", …";
  auto& there = types_[edge.from];
  if (std::find(there.begin(), there.end(), type) != there.end()) return;
  if (there.size() < kMaxTypes) {
    attributes += fmt::format(" taillabel={}", Quoted(type));
    if (!there.empty())
      attributes += fmt::format(" labeldistance={}", 2.4 + 1.1 * static_cast<double>(there.size()));
  } else {
    attributes += fmt::format(" edgetooltip={}", Lines(type));
  }
  there.push_back(type);
}

void DotPrinter::AddEdge(const Edge& edge) {
  Add("  n{} -> n{}", edge.from, edge.to);
  std::string attributes;
  switch (edge.kind) {
    case EdgeKind::kData:
      break;
    case EdgeKind::kOrder:
      attributes = "style=dashed color=\"#c3c8cf\" arrowsize=0.5";
      break;
    case EdgeKind::kCall:
      attributes = "style=dotted color=\"#8a77b5\" arrowhead=empty";
      break;
  }
  if (edge.to_cluster != kNoIndex && !IsWithin(drawing_.boxes[edge.from].cluster, edge.to_cluster))
    attributes += fmt::format(" lhead=cluster_{}", edge.to_cluster);
  AddType(edge, attributes);
  if (!attributes.empty()) out_ += " [" + attributes + "]";
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
