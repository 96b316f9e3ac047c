#include "sightline/runs/model/column.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>
#include <span>
#include <utility>
#include <vector>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::ElementsAreArray;

Column<int> Filled(int count) {
  Column<int> column;
  for (int i = 0; i < count; ++i) column.push_back(i);
  return column;
}

TEST(ColumnTest, HoldsTheAppendedNumbers) {
  Column<int> column = {1, 2};
  column.push_back(3);
  column.Append(std::vector<int>{4, 5});
  EXPECT_THAT(column, ElementsAre(1, 2, 3, 4, 5));
  EXPECT_EQ(column.back(), 5);
  EXPECT_TRUE(Column<int>().empty());
  EXPECT_EQ(Column<int>().data(), nullptr);
}

TEST(ColumnTest, ACopySharesMemoryAndStaysTheSame) {
  Column<int> column = Filled(9);  // With room for more.
  const Column<int> before = column;
  EXPECT_EQ(before.data(), column.data());
  column.push_back(9);
  EXPECT_EQ(before.data(), column.data());
  EXPECT_EQ(before.size(), 9U);
  EXPECT_EQ(column.size(), 10U);
}

TEST(ColumnTest, ACopyThatAppendsTheSameNumbersSharesThemToo) {
  Column<int> file = Filled(9);
  Column<int> shown = file;
  shown.push_back(9);  // What a journal held,
  file.push_back(9);   // and later the file.
  EXPECT_EQ(shown.data(), file.data());
  file.push_back(10);
  EXPECT_EQ(shown.data(), file.data());
  EXPECT_EQ(shown.size(), 10U);
}

TEST(ColumnTest, ACopyThatAppendsOtherNumbersMovesAway) {
  Column<int> file = Filled(9);
  Column<int> shown = file;
  shown.Append(std::vector<int>{9, 10});
  file.Append(std::vector<int>{9, 77});
  EXPECT_EQ(shown.back(), 10);
  EXPECT_EQ(file.back(), 77);
  EXPECT_EQ(file[9], 9);
  EXPECT_NE(shown.data(), file.data());
}

TEST(ColumnTest, NanEqualsItself) {
  Column<double> file = {1, 2, 3};
  Column<double> shown = file;
  shown.push_back(std::numeric_limits<double>::quiet_NaN());
  file.push_back(std::numeric_limits<double>::quiet_NaN());
  EXPECT_EQ(shown.data(), file.data());
}

TEST(ColumnTest, AppendsAPartOfItself) {
  Column<int> column = Filled(8);  // Full.
  column.Append(std::span<const int>(column).first(3));
  EXPECT_THAT(column, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 0, 1, 2));
}

TEST(ColumnTest, AMovedColumnIsEmpty) {
  Column<int> column = Filled(3);
  const Column<int> moved = std::move(column);
  EXPECT_THAT(moved, ElementsAre(0, 1, 2));
  column = {};
  column.push_back(7);
  EXPECT_THAT(column, ElementsAre(7));
}

// Any copies, cut anywhere, appended to in any order: each is what a vector of its own would be.
TEST(ColumnTest, CopiesBehaveAsIfTheyWereAlone) {
  std::mt19937_64 random(5);
  for (int round = 0; round < 200; ++round) {
    std::vector<Column<int>> columns(1);
    std::vector<std::vector<int>> expected(1);
    for (int i = 0; i < 60; ++i) {
      const std::size_t at = random() % columns.size();
      if (random() % 4 == 0) {
        const std::size_t size = random() % (columns[at].size() + 1);
        columns.push_back(columns[at].First(size));
        expected.emplace_back(expected[at].begin(),
                              expected[at].begin() + static_cast<std::ptrdiff_t>(size));
        continue;
      }
      std::vector<int> values(random() % 12);
      for (int& value : values) value = static_cast<int>(random() % 2);  // Often the same.
      if (values.size() == 1) {
        columns[at].push_back(values[0]);
      } else {
        columns[at].Append(values);
      }
      expected[at].insert(expected[at].end(), values.begin(), values.end());
    }
    for (std::size_t i = 0; i < columns.size(); ++i)
      ASSERT_THAT(columns[i], ElementsAreArray(expected[i]));
  }
}

}  // namespace
}  // namespace sightline
