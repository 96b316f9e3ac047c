#include "sightline/ir/model/topological_order.h"

namespace sightline::ir {

std::vector<std::uint32_t> TopologicalOrder(const std::vector<std::vector<std::uint32_t>>& inputs) {
  struct Visit {
    std::uint32_t node;
    std::size_t next_input;
  };
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(inputs.size());
  std::vector<Visit> path;
  for (std::uint32_t root = 0; root < inputs.size(); ++root) {
    if (seen[root]) continue;
    seen[root] = true;
    path.push_back({root, 0});
    while (!path.empty()) {
      Visit& visit = path.back();
      if (visit.next_input == inputs[visit.node].size()) {
        order.push_back(visit.node);
        path.pop_back();
        continue;
      }
      const std::uint32_t input = inputs[visit.node][visit.next_input++];
      if (seen[input]) continue;
      seen[input] = true;
      path.push_back({input, 0});
    }
  }
  return order;
}

}  // namespace sightline::ir
