// The picture of every file of the corpus: nothing is missing in it, and graphviz lays it out.
// SIGHTLINE_IR_CORPUS names a larger corpus of the same form.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sightline/ir/draw/dot_printer.h"
#include "sightline/ir/draw/view.h"
#include "sightline/ir/read/actor_graph.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/graphviz.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;

std::string Folder() {
  const char* given = std::getenv("SIGHTLINE_IR_CORPUS");
  return given == nullptr ? testing::CorpusPath("ir") : given;
}

std::vector<std::string> Files() {
  std::vector<std::string> names;
  const std::string folder = Folder();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().string().substr(folder.size() + 1);
    if (entry.is_regular_file() && name != "counts.json") names.push_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

class DrawingCorpusTest : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    Result<Module> module = ReadIr(FileSystem::Local(), Folder() + "/" + GetParam());
    ASSERT_THAT(module, IsOk());
    module_ = ActorGraph(*std::move(module));
    ASSERT_FALSE(module_.nodes.empty());
  }

  // That each use of a node's value is within a box, or an edge.
  void ExpectEveryEdge(const Dataflow& flow, const Drawing& drawing) const {
    std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
    for (const Edge& edge : drawing.edges) edges.emplace(edge.from, edge.to);
    for (std::uint32_t i = 0; i < module_.nodes.size(); ++i) {
      for (const std::uint32_t user : flow.NodeUsers(i)) {
        const std::uint32_t from = drawing.node_boxes[i];
        const std::uint32_t to = drawing.node_boxes[user];
        EXPECT_TRUE(from == to || edges.contains({from, to})) << "node " << i << " to " << user;
      }
      for (const std::uint32_t called : flow.Calls(i)) {
        const Range nodes = module_.subgraphs[called].nodes;
        const auto leads_there = [&](std::uint32_t node) {
          const std::uint32_t from = drawing.node_boxes[i];
          const std::uint32_t to = drawing.node_boxes[node];
          return from == to || edges.contains({from, to});
        };
        bool found = nodes.size == 0;
        for (std::uint32_t k = nodes.begin; k < nodes.end() && !found; ++k) found = leads_there(k);
        EXPECT_TRUE(found) << "call of subgraph " << called << " by node " << i;
      }
    }
  }

  Module module_;
};

TEST_P(DrawingCorpusTest, HasEveryNodeAndEdgeAndIsLaidOut) {
  const Dataflow flow(module_);
  const Result<Drawing> drawing = Draw(module_, flow);
  ASSERT_THAT(drawing, IsOk());
  std::size_t boxes = 0;
  std::size_t nodes = 0;
  for (const Box& box : drawing->boxes) {
    boxes += box.nodes > 0 ? 1 : 0;
    nodes += box.nodes;
    EXPECT_TRUE(box.kind != BoxKind::kGroup ||
                box.rows.at(0).starts_with(std::to_string(box.nodes)))
        << box.title;
  }
  EXPECT_EQ(nodes, module_.nodes.size());
  EXPECT_GE(boxes, std::min<std::size_t>(100, module_.nodes.size()));
  EXPECT_LE(boxes, 150);
  ExpectEveryEdge(flow, *drawing);
  const testing::Layout layout = testing::LayOut(PrintDot(*drawing));
  EXPECT_EQ(layout.exit_code, 0);
  EXPECT_THAT(layout.messages, IsEmpty());
  EXPECT_THAT(layout.svg, HasSubstr("</svg>"));
}

TEST_P(DrawingCorpusTest, HasABoxForEveryNodeWhereEverythingIsAskedFor) {
  const Dataflow flow(module_);
  const Drawing drawing = DrawAll(module_, flow);
  for (std::uint32_t i = 0; i < module_.nodes.size(); ++i)
    EXPECT_EQ(drawing.boxes[drawing.node_boxes[i]].node, i);
  ExpectEveryEdge(flow, drawing);
}

TEST_P(DrawingCorpusTest, HasEveryNodeWhenFolded) {
  const Dataflow flow(module_);
  const Result<Drawing> drawing = Draw(module_, flow, {.fold = true, .all = true});
  ASSERT_THAT(drawing, IsOk());
  std::size_t nodes = 0;
  for (const Box& box : drawing->boxes) nodes += box.nodes;
  EXPECT_EQ(nodes, module_.nodes.size());
  ExpectEveryEdge(flow, *drawing);
}

INSTANTIATE_TEST_SUITE_P(IrCorpus, DrawingCorpusTest, ::testing::ValuesIn(Files()));

}  // namespace
}  // namespace sightline::ir
