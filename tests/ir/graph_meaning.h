// What a dump says, without how it says it: for tests that print a graph in another form and read
// it back.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "sightline/ir/model/module.h"
#include "sightline/ir/query/dataflow.h"

namespace sightline::testing {

// Ignores the numbers of statements and parameters, scopes and the order of the file. A statement
// that occurs twice counts once.
class GraphMeaning {
 public:
  // kGraph: without the names of statements, and without the order of the lines below them.
  enum class Detail { kAll, kGraph };

  explicit GraphMeaning(const ir::Module& module, Detail detail = Detail::kAll)
      : detail_(detail), module_(module), flow_(module), nodes_(module.nodes.size()) {
    for (std::uint32_t i = 0; i < module.nodes.size(); ++i) {
      const std::string& meaning = OfNode(i);
      all_.insert(meaning);
      if (module.nodes[i].kind == ir::CalleeKind::kReturn)
        results_[SubgraphName(flow_.SubgraphOfNode(i))] = meaning;
    }
  }

  // What each subgraph returns, by its name: down to parameters and constants.
  const std::map<std::string, std::string>& results() const { return results_; }
  const std::set<std::string>& statements() const { return all_; }
  std::uint32_t unresolved() const { return flow_.unresolved(); }

 private:
  std::string Text(ir::TextId id) const { return std::string(module_.texts[id]); }
  std::string SubgraphName(std::uint32_t subgraph) const {
    return subgraph == ir::kNoIndex ? "" : Text(module_.subgraphs[subgraph].name);
  }

  std::string OfSource(const ir::Source& source) {
    switch (source.kind) {
      case ir::SourceKind::kNode:
        return "#" + OfNode(source.index);
      case ir::SourceKind::kParameter: {
        const std::uint32_t owner = flow_.SubgraphOfParameter(source.index);
        const ir::Range list = ir::ParametersOf(module_, flow_, owner);
        return SubgraphName(owner) + ":" + std::to_string(source.index - list.begin);
      }
      case ir::SourceKind::kSubgraph:
        return "@" + SubgraphName(source.index);
      case ir::SourceKind::kConstant:
      case ir::SourceKind::kPrimitive:
        return Text(ir::TextId{source.index});
      case ir::SourceKind::kUnresolved:
        return "?";
    }
    return "";
  }

  std::string Describe(std::uint32_t index) {
    const ir::Node& node = module_.nodes[index];
    std::string all = (detail_ == Detail::kAll ? Text(node.name) : "") + "=" +
                      OfSource(flow_.callee(index)) + Text(node.closure) + CallsOf(index);
    for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i)
      all += "," + OfSource(flow_.source(i));
    const ir::Range groups = module_.node_attributes[node.attributes].groups;
    for (std::uint32_t i = groups.begin; i < groups.end(); ++i) {
      const ir::AttributeGroup& group = module_.attribute_groups[i];
      all += "{" + Text(group.name);
      for (std::uint32_t k = group.attributes.begin; k < group.attributes.end(); ++k)
        all += "," + Text(module_.attributes[k].key) + ":" + Text(module_.attributes[k].value);
    }
    std::vector<std::string> notes;
    for (std::uint32_t i = node.lines.begin; i < node.lines.end(); ++i) notes.push_back(OfNote(i));
    if (detail_ == Detail::kGraph) {
      std::sort(notes.begin(), notes.end());
      notes.erase(std::unique(notes.begin(), notes.end()), notes.end());
    }
    for (const std::string& note : notes) all += note;
    return all;
  }

  std::string CallsOf(std::uint32_t index) const {
    std::string all;
    for (const std::uint32_t callee : flow_.Calls(index)) all += "[" + SubgraphName(callee);
    return all;
  }

  std::string OfNote(std::uint32_t index) const {
    const ir::Line& line = module_.lines[index];
    std::string all = "|" + std::to_string(static_cast<int>(line.kind));
    if (line.kind == ir::LineKind::kTypes || line.kind == ir::LineKind::kDeviceTypes ||
        line.kind == ir::LineKind::kObjectTypes || line.kind == ir::LineKind::kSymbolicShapes) {
      const ir::TypeLine& types = module_.type_lines[line.index];
      for (std::uint32_t i = 0; i < types.inputs + types.outputs; ++i)
        all += "," + Text(module_.types[types.begin + i]);
    } else if (line.kind == ir::LineKind::kSideEffect || line.kind == ir::LineKind::kLocation ||
               line.kind == ir::LineKind::kNote) {
      all += Text(ir::TextId{line.index});
    } else {
      return "";
    }
    return all;
  }

  // What a node says and what it takes, down to the graph's inputs, as a number.
  const std::string& OfNode(std::uint32_t index) {
    if (!nodes_[index].empty()) return nodes_[index];
    nodes_[index] = "circle";
    const std::string described = Describe(index);
    return nodes_[index] = std::to_string(std::hash<std::string>()(described));
  }

  const Detail detail_;
  const ir::Module& module_;
  const ir::Dataflow flow_;
  std::vector<std::string> nodes_;
  std::map<std::string, std::string> results_;
  std::set<std::string> all_;
};

}  // namespace sightline::testing
