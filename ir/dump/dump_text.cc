#include "sightline/ir/dump/dump_text.h"

#include <charconv>
#include <string_view>
#include <vector>

#include "sightline/ir/dump/dump_layout.h"
#include "sightline/ir/dump/dump_out.h"
#include "sightline/ir/dump/dump_statement.h"
#include "sightline/ir/model/brackets.h"

namespace sightline::ir {
namespace {

using Place = DumpLayout::Place;

class Writer {
 public:
  Writer(const TapedGraph& graph, ScopeForm scope)
      : graph_(graph), layout_(graph), statements_(graph, layout_, scope, out_) {}

  std::string Write();

 private:
  void WriteHeader();
  void WriteParameter(std::uint32_t index);
  void WriteSubgraph(std::uint32_t index);
  void WriteAbove(std::uint32_t index);
  void WriteAttributes(const TapedSubgraph& subgraph);
  std::uint64_t CountNodes() const;

  const TapedGraph& graph_;
  const DumpLayout layout_;
  DumpOut out_;
  DumpStatementWriter statements_;
};

void Writer::WriteAttributes(const TapedSubgraph& subgraph) {
  for (const DumpAttribute& attribute : subgraph.attributes) {
    out_.Line(attribute.key);
    out_ << ": ";
    out_.Line(attribute.value);
    out_ << "\n";
  }
}

// What is said of a subgraph in front of it.
void Writer::WriteAbove(std::uint32_t index) {
  const TapedSubgraph& subgraph = graph_.subgraphs[index];
  out_ << "subgraph attr:\n";
  WriteAttributes(subgraph);
  char address[20] = {};
  const auto key = reinterpret_cast<std::uintptr_t>(subgraph.key);
  out_ << "subgraph instance: " << layout_.subgraph(index).name << " : 0x"
       << std::string_view(address, std::to_chars(address, address + 20, key, 16).ptr) << "\n";
  if (!subgraph.side_effect.empty()) {
    out_ << "# SideEffect: { ";
    out_.Line(subgraph.side_effect);
    out_ << "}\n";
  }
  if (index > 0) {
    out_ << "# Parameters: " << subgraph.parameters.size() << ", (";
    for (std::size_t i = 0; i < subgraph.parameters.size(); ++i) {
      if (i > 0) out_ << ", ";
      WriteType(subgraph.parameters[i].type, out_);
    }
    out_ << ")\n";
  }
  if (subgraph.location) {
    out_ << "# ";
    AppendLocation(*subgraph.location, out_.text());
  }
  out_ << "\n";
}

void Writer::WriteSubgraph(std::uint32_t index) {
  const DumpLayout::Subgraph& layout = layout_.subgraph(index);
  WriteAbove(index);
  out_ << "subgraph @" << layout.name;
  if (const auto* parent = layout_.FindSubgraph(graph_.subgraphs[index].parent))
    out_ << " parent: [subgraph @" << parent->name << "]";
  out_ << "(";
  for (std::size_t i = 0; index > 0 && i < layout.parameters.size(); ++i)
    out_ << (i > 0 ? ", %" : "%") << layout.parameters[i];
  out_ << ") {\n";
  for (const std::uint32_t node : layout.order) statements_.Write(index, node);
  out_ << "}\n\n\n";
}

// As MindSpore counts: parameters, and for each statement itself, what it calls where that is no
// value, and its operands that are no other node's result.
std::uint64_t Writer::CountNodes() const {
  std::uint64_t count = 0;
  for (const TapedSubgraph& subgraph : graph_.subgraphs) {
    count += subgraph.parameters.size();
    for (const TapedNode& node : subgraph.nodes) {
      const Place* called = layout_.Find(node.called);
      count += called == nullptr || called->kind == Place::Kind::kSubgraph ? 2 : 1;
      for (const DumpValue& operand : node.operands) {
        const Place* place = layout_.Find(operand.key);
        if (place == nullptr || place->kind == Place::Kind::kSubgraph) ++count;
      }
    }
  }
  return count;
}

void Writer::WriteParameter(std::uint32_t index) {
  const TapedParameter& parameter = graph_.subgraphs.front().parameters[index];
  const auto is_bracketed = [](std::string_view text) {
    return !text.empty() && BracketedSize(text) == text.size();
  };
  out_ << "%" << layout_.subgraph(0).parameters[index] << ": ";
  WriteType(parameter.type, out_);
  if (is_bracketed(parameter.shape)) {
    out_ << " : ";
    out_.Line(parameter.shape);
  }
  if (parameter.has_default) out_ << "  :  has_default";
  if (is_bracketed(parameter.device)) {
    out_ << "  :  ";
    out_.Line(parameter.device);
    out_ << (parameter.is_weight ? "  :  IsWeight: true" : "  :  IsWeight: false");
  }
  out_ << "\n";
}

void Writer::WriteHeader() {
  const TapedSubgraph& entry = graph_.subgraphs.front();
  std::uint64_t statements = 0;
  for (const TapedSubgraph& subgraph : graph_.subgraphs) statements += subgraph.nodes.size();
  out_ << "# IR entry: @" << layout_.subgraph(0).name
       << "\n# Total subgraphs: " << graph_.subgraphs.size() << "\n\n";
  if (!entry.attributes.empty()) {
    out_ << "# Attrs:\n";
    WriteAttributes(entry);
    out_ << "\n";
  }
  out_ << "# Total params: " << entry.parameters.size() << "\n";
  if (!entry.parameters.empty()) out_ << "# Params:\n";
  for (std::uint32_t i = 0; i < entry.parameters.size(); ++i) WriteParameter(i);
  out_ << "\nNode counting information:\nTotal number of nodes: " << CountNodes()
       << "\nTotal number of cnodes: " << statements << "\n\n";
}

std::string Writer::Write() {
  if (graph_.subgraphs.empty()) return "";
  WriteHeader();
  for (std::uint32_t i = 0; i < graph_.subgraphs.size(); ++i) WriteSubgraph(i);
  return std::move(out_.text());
}

}  // namespace

std::string DumpText(const TapedGraph& graph, ScopeForm scope) {
  return Writer(graph, scope).Write();
}

}  // namespace sightline::ir
