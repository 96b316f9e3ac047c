#include "sightline/ir/query/call_graph.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kDump[] = R"(# IR entry: @f

# Params:
%para1_x: <null>

subgraph @f() {
  %0(a) = Add(%para1_x, I64(1))
  %1(b) = call @g(%0)
  %2(c) = call @g(%1)
  %3(d) = Partial(@h, %2)
  Return(%3)
}
subgraph @g parent: [subgraph @f](%para2_y) {
  %0(e) = Mul($(@f:a), $(@f:a), %para1_x, %para2_y)
  Return(%0)
}
subgraph @h() {
  %0(i) = call @h()
  Return(%0)
}
subgraph @unused() {
  %0(j) = call @alsounused()
  Return(%0)
}
subgraph @alsounused() {
  Return(None)
}
)";

class CallGraphTest : public ::testing::Test {
 protected:
  CallGraphTest() : module_(*ParseIr(kDump)), flow_(module_), calls_(module_, flow_) {}

  const CallGraph::Entry& Of(std::string_view name) const {
    for (std::uint32_t i = 0; i < module_.subgraphs.size(); ++i)
      if (Name(i) == name) return calls_[i];
    ADD_FAILURE() << name;
    return calls_[0];
  }
  std::string Name(std::uint32_t subgraph) const {
    return std::string(module_.texts[module_.subgraphs[subgraph].name]);
  }
  // "g calls 2 values 0"
  std::vector<std::string> References(std::string_view name) const {
    std::vector<std::string> texts;
    for (const auto& reference : Of(name).references) {
      texts.push_back(Name(reference.subgraph) + " calls " + std::to_string(reference.calls) +
                      " values " + std::to_string(reference.values));
    }
    return texts;
  }

  Module module_;
  Dataflow flow_;
  CallGraph calls_;
};

TEST_F(CallGraphTest, CountsCallsAndFunctionsHandedOn) {
  EXPECT_THAT(References("f"), ElementsAre("g calls 2 values 0", "h calls 0 values 1"));
  EXPECT_THAT(References("h"), ElementsAre("h calls 1 values 0"));
  EXPECT_THAT(References("g"), IsEmpty());
}

TEST_F(CallGraphTest, KnowsWhoUsesASubgraph) {
  EXPECT_THAT(Of("g").used_by, ElementsAre(0));
  EXPECT_THAT(Of("h").used_by, ElementsAre(0, 2));
  EXPECT_THAT(Of("f").used_by, IsEmpty());
}

TEST_F(CallGraphTest, FindsFreeVariablesOnce) {
  EXPECT_THAT(Of("g").free_variables, ElementsAre(Source{SourceKind::kNode, false, 0},
                                                  Source{SourceKind::kParameter, false, 0}));
  EXPECT_THAT(Of("f").free_variables, IsEmpty());
}

TEST_F(CallGraphTest, KnowsWhatTheEntryReaches) {
  EXPECT_TRUE(Of("f").reachable);
  EXPECT_TRUE(Of("g").reachable);
  EXPECT_TRUE(Of("h").reachable);
  EXPECT_FALSE(Of("unused").reachable);
  EXPECT_FALSE(Of("alsounused").reachable);
}

}  // namespace
}  // namespace sightline::ir
