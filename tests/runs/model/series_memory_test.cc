// Series whose points are in the file of a memory limit.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <random>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "sightline/runs/model/series_points.h"
#include "sightline/runs/run_follower.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/memory_limit_test.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using SeriesMemoryTest = testing::MemoryLimitTest;

TEST_F(SeriesMemoryTest, ChartsOfFarPointsStayBelowTheLimit) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  SeriesPoints points;
  for (std::int64_t step = 0; step < 12'000'000; ++step) {
    points.steps.push_back(step);
    points.values.push_back(static_cast<double>(step));
  }
  points.wall_times = points.values;
  const Series series({ContentKind::kScalar, "", "loss", 0}, std::move(points));
  // Each looks at every part of both columns, three times what may be resident, within
  // milliseconds.
  for (std::size_t begin = 0; begin < 50; ++begin) {
    const auto columns = series.ColumnsByPosition(begin, series.size(), 4000);
    ASSERT_EQ(columns.back().extremes.max, 11'999'999);
#ifndef SIGHTLINE_THREAD_SANITIZER  // It stores shadow memory.
    ASSERT_LE(ResidentBytes(), before + kLimit);
#endif
  }
  (void)before;
}

// Several points of some steps, gaps between others, and NaN.
Series Uneven() {
  std::mt19937_64 random(1);
  SeriesPoints points;
  for (std::int64_t step = 0; points.steps.size() < 30'001;) {
    points.steps.push_back(step);
    step += random() % 100 == 0 ? 100 : static_cast<std::int64_t>(random() % 3);
    points.values.push_back(random() % 9 == 0 ? std::nan("") : static_cast<double>(random() % 99));
  }
  points.wall_times = points.values;
  return {{ContentKind::kScalar, "", "loss", 0}, std::move(points)};
}

std::vector<std::string> Text(const std::vector<SeriesColumn>& columns) {
  std::vector<std::string> lines;
  for (const SeriesColumn& column : columns) {
    std::ostringstream line;
    line << column.begin << '-' << column.end << ' ' << column.first_step << '-' << column.last_step
         << ' ' << column.first << ' ' << column.last << ' ' << column.extremes.min << ' '
         << column.extremes.max << ' ' << column.extremes.count << ' ' << column.extremes.nan_count;
    lines.push_back(line.str());
  }
  return lines;
}

TEST_F(SeriesMemoryTest, ChartsAreTheSameWithoutALimit) {
  const Series without = Uneven();
  const auto limit = Limit();
  const Series within = Uneven();
  EXPECT_GT(limit->spilled_bytes(), 0U);
  std::mt19937_64 random(2);
  for (const std::size_t count : {1U, 3U, 100U, 1000U, 50'000U}) {
    for (int i = 0; i < 10; ++i) {
      const std::size_t begin = random() % without.size();
      const std::size_t end = begin + random() % (without.size() - begin);
      const auto first = static_cast<std::int64_t>(begin);
      const auto last = static_cast<std::int64_t>(3 * end);
      EXPECT_EQ(within.LowerBound(last), without.LowerBound(last));
      EXPECT_EQ(Text(within.ColumnsBySteps(first, last, count)),
                Text(without.ColumnsBySteps(first, last, count)));
      EXPECT_EQ(Text(within.ColumnsByPosition(begin, end, count)),
                Text(without.ColumnsByPosition(begin, end, count)));
    }
  }
}

TEST_F(SeriesMemoryTest, OfTooManyTagsThoseThatFitAreRead) {
  const auto limit = Limit();
  constexpr std::size_t kFit = kLimit / 2 / 1024;
  testing::MemoryFileSystem fs;
  std::string bytes;
  for (std::size_t i = 0; i <= kFit; ++i)
    bytes += testing::TensorBoardScalar(std::to_string(i), 1, 0.5F);
  fs.Put(std::string("run/") + testing::kTensorBoardName, bytes);
  RunFollower follower("run", {.file_system = &fs});
  for (int i = 0; i < 2; ++i) {
    const auto run = follower.Refresh();
    ASSERT_THAT(run, testing::IsOk());
    EXPECT_EQ((*run)->series().size(), kFit);
    EXPECT_THAT((*run)->files()[0].status.ToString(),
                HasSubstr("do not fit into the memory limit"));
    fs.Put(std::string("run/") + testing::kTensorBoardName,
           bytes + testing::TensorBoardScalar("more", 2, 0.5F));
  }
}

}  // namespace
}  // namespace sightline
