// Keras models of arbitrary JSON. What is read must be a graph that can be laid out: names are
// unique, and inputs name nodes.
#include <string_view>
#include <unordered_set>

#include "sightline/dashboard/store/graph_view.h"
#include "sightline/dashboard/store/keras_graph.h"
#include "sightline/tests/fuzz/repair.h"

using sightline::fuzz::Check;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto graph =
      sightline::dashboard::ParseKerasModel({reinterpret_cast<const char*>(data), size});
  if (!graph) return 0;
  std::unordered_set<std::string_view> names;
  for (const sightline::GraphNode& node : graph->nodes)
    Check(names.insert(node.name).second, "a name is unique");
  std::size_t edges = 0;
  for (const sightline::GraphNode& node : graph->nodes) {
    for (const std::string& input : node.inputs) Check(names.contains(input), "an input is a node");
    edges += node.inputs.size();
  }
  Check(edges <= 16 * size, "edges do not multiply");
  (void)sightline::dashboard::GraphView(*graph);
  return 0;
}
