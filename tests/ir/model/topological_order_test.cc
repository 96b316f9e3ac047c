#include "sightline/ir/model/topological_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(TopologicalOrder, PutsInputsFirst) {
  EXPECT_THAT(TopologicalOrder({}), IsEmpty());
  EXPECT_THAT(TopologicalOrder({{1, 2}, {2}, {}}), ElementsAre(2, 1, 0));
  EXPECT_THAT(TopologicalOrder({{}, {0}, {1, 0}}), ElementsAre(0, 1, 2));
}

TEST(TopologicalOrder, HasEveryNodeOnceWhereTheyTakeEachOther) {
  EXPECT_THAT(TopologicalOrder({{1}, {0}, {2}}), ElementsAre(1, 0, 2));
}

TEST(TopologicalOrder, IsNoRecursion) {
  std::vector<std::vector<std::uint32_t>> chain(1'000'000);
  for (std::uint32_t i = 0; i + 1 < chain.size(); ++i) chain[i] = {i + 1};
  const auto order = TopologicalOrder(chain);
  ASSERT_EQ(order.size(), chain.size());
  EXPECT_EQ(order.front(), chain.size() - 1);
}

}  // namespace
}  // namespace sightline::ir
