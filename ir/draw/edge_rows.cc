#include "sightline/ir/draw/edge_rows.h"

#include <algorithm>
#include <cstdlib>
#include <deque>
#include <vector>

namespace sightline::ir {

std::uint64_t RowsPassed(const Drawing& drawing) {
  const auto boxes = static_cast<std::uint32_t>(drawing.boxes.size());
  std::vector<std::vector<std::uint32_t>> users(boxes);
  std::vector<std::uint32_t> waits_for(boxes, 0);
  for (const Edge& edge : drawing.edges) {
    users[edge.from].push_back(edge.to);
    ++waits_for[edge.to];
  }
  std::vector<std::int64_t> rows(boxes, 0);
  std::vector<bool> placed(boxes, false);
  std::deque<std::uint32_t> ready;
  for (std::uint32_t i = 0; i < boxes; ++i)
    if (waits_for[i] == 0) ready.push_back(i);
  for (std::uint32_t first = 0; first < boxes;) {
    if (placed[first]) {
      ++first;
      continue;
    }
    if (ready.empty()) ready.push_back(first);  // In a circle.
    const std::uint32_t box = ready.front();
    ready.pop_front();
    if (placed[box]) continue;
    placed[box] = true;
    for (const std::uint32_t user : users[box]) {
      if (!placed[user]) rows[user] = std::max(rows[user], rows[box] + 1);
      if (--waits_for[user] == 0) ready.push_back(user);
    }
  }
  std::uint64_t passed = 0;
  for (const Edge& edge : drawing.edges) {
    const std::int64_t apart = std::abs(rows[edge.to] - rows[edge.from]);
    passed += static_cast<std::uint64_t>(std::max<std::int64_t>(apart - 1, 0));
  }
  return passed;
}

}  // namespace sightline::ir
