// Graphs for tests that are changed statement by statement, printed as dumps.
#pragma once

#include <algorithm>
#include <map>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "sightline/base/fnv1a.h"

namespace sightline::testing {

// "NAME = OP(INPUTS)"; an input is a statement's or parameter's name, or a constant.
struct SmallStatement {
  std::string name;
  std::string op;
  std::vector<std::string> inputs;
  std::string attribute = "I64(1)";
  std::string type = "<Tensor[Float32], (2, 4)>";
  bool is_named = false;  // Printed under its name; others as CNode_12.
  std::string scope = "Default";
};

struct SmallGraph {
  std::string name;
  std::vector<std::string> parameters;
  std::vector<SmallStatement> statements;
  std::string result;

  SmallStatement& At(const std::string& statement) {
    return *std::find_if(statements.begin(), statements.end(),
                         [&](const SmallStatement& s) { return s.name == statement; });
  }
};

// The last graph is the entry. A call of another one is an operator "call NAME".
struct SmallNet {
  std::vector<SmallGraph> graphs;

  SmallGraph& entry() { return graphs.back(); }

  // The same graphs print with other ids, numbers and addresses for another seed; statements of one
  // name have the same id for the same seed.
  std::string Print(unsigned seed = 1) const {
    std::mt19937 random(seed);
    std::vector<int> ids(1000);
    std::iota(ids.begin(), ids.end(), static_cast<int>(seed) * 10);
    std::shuffle(ids.begin(), ids.end(), random);
    std::size_t next_id = 0;
    const auto id = [&] { return std::to_string(ids[next_id++ % ids.size()]); };
    std::map<std::string, std::string> graph_names;
    for (const SmallGraph& graph : graphs)
      graph_names[graph.name] = id() + "_" + graph.name + "_" + id();
    std::size_t number = graphs.back().parameters.size() + 1;
    std::string body;
    std::string header;
    for (const SmallGraph& graph : graphs) {
      const bool entry = &graph == &graphs.back();
      std::map<std::string, std::string> values;
      std::string list;
      for (std::size_t i = 0; i < graph.parameters.size(); ++i) {
        const std::string printed =
            "%para" + std::to_string(entry ? i + 1 : number++) + "_" + graph.parameters[i];
        values[graph.parameters[i]] = printed;
        if (entry) header += printed + ": <Tensor[Float32], (2, 4)>\n";
        if (!entry) list += (list.empty() ? "" : ", ") + printed;
      }
      body += "subgraph attr:\nless_bn: 0\nsubgraph instance: " + graph_names[graph.name] +
              " : 0x55d" + id() + "\nsubgraph @" + graph_names[graph.name] + "(" + list + ") {\n";
      for (std::size_t i = 0; i < graph.statements.size(); ++i) {
        const SmallStatement& statement = graph.statements[i];
        values[statement.name] = "%" + std::to_string(i);
        std::string inputs;
        std::string types;
        for (const std::string& input : statement.inputs) {
          inputs += (inputs.empty() ? "" : ", ") + (values.contains(input) ? values[input] : input);
          types += (types.empty() ? "" : ", ") + std::string("<null>");
        }
        std::string callee = statement.op;
        if (callee.starts_with("call ")) callee = "call @" + graph_names[callee.substr(5)];
        body += "  %" + std::to_string(i) + "(" +
                (statement.is_named ? statement.name : "CNode_" + Id(statement.name, seed)) +
                ") = " + callee + "(" + inputs +
                ") primitive_attrs: {side: " + statement.attribute +
                "} cnode_primal_attrs: {unique_id: \"" + id() + "\"}\n      : (" + types +
                ") -> (" + statement.type + ")\n      # Scope: (" + statement.scope + ")\n";
      }
      body += "  Return(" + values[graph.result] + ")\n      : (<null>)\n}\n\n\n";
    }
    return "# IR entry: @" + graph_names[graphs.back().name] +
           "\n# Total subgraphs: " + std::to_string(graphs.size()) +
           "\n\n# Total params: " + std::to_string(graphs.back().parameters.size()) +
           "\n# Params:\n" + header +
           "\nNode counting information:\nTotal number of nodes: 0\nTotal number of cnodes: " +
           std::to_string(std::accumulate(
               graphs.begin(), graphs.end(), std::size_t{0},
               [](std::size_t n, const SmallGraph& g) { return n + g.statements.size() + 1; })) +
           "\n\n" + body;
  }

 private:
  static std::string Id(const std::string& name, unsigned seed) {
    return std::to_string(Fnv1a64(name + "/" + std::to_string(seed)) % 1000000);
  }
};

}  // namespace sightline::testing
