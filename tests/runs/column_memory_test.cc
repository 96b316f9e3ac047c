#include "sightline/runs/column_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/runs/column.h"
#include "sightline/runs/run.h"
#include "sightline/runs/series.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;
using testing::TempDir;

constexpr std::uint64_t kLimit = MemoryLimit::kLeast;

class ColumnMemoryTest : public ::testing::Test {
 protected:
  std::unique_ptr<MemoryLimit> Limit() {
    auto limit = MemoryLimit::Set(kLimit, folder_.path());
    EXPECT_THAT(limit, IsOk());
    return *std::move(limit);
  }
  static Column<std::int64_t> Filled(std::int64_t count) {
    Column<std::int64_t> column;
    for (std::int64_t i = 0; i < count; ++i) column.push_back(i);
    return column;
  }
  static bool IsFilled(const Column<std::int64_t>& column) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] != static_cast<std::int64_t>(i)) return false;
    }
    return true;
  }
  static std::uint64_t ResidentBytes() {
    std::uint64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    return pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  }

  TempDir folder_;
};

TEST_F(ColumnMemoryTest, WithoutALimitNothingIsInAFile) {
  const auto column = Filled(100'000);
  EXPECT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, LargeColumnsHoldWhatWasAppendedAndLeaveMemory) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  // Twice what may be resident.
  std::vector<Column<std::int64_t>> columns;
  for (int i = 0; i < 2; ++i) columns.push_back(Filled(kLimit / sizeof(std::int64_t)));
  EXPECT_GE(limit->spilled_bytes(), 2 * kLimit);
#ifndef SIGHTLINE_THREAD_SANITIZER  // Which keeps shadows of what it sees.
  while (ResidentBytes() > before + kLimit) std::this_thread::yield();
#endif
  (void)before;
  for (const auto& column : columns) ASSERT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, ChartsOfFarPointsStayBelowTheLimit) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  SeriesPoints points;
  points.steps = Filled(12'000'000);
  for (const std::int64_t step : points.steps) points.values.push_back(static_cast<double>(step));
  points.wall_times = points.values;
  const Series series({ContentKind::kScalar, "", "loss", 0}, std::move(points));
  // Each looks at every part of both columns, three times what may be resident, within
  // milliseconds.
  for (std::size_t begin = 0; begin < 50; ++begin) {
    const auto columns = series.ColumnsByPosition(begin, series.size(), 4000);
    ASSERT_EQ(columns.back().extremes.max, 11'999'999);
#ifndef SIGHTLINE_THREAD_SANITIZER  // Which keeps shadows of what it sees.
    ASSERT_LE(ResidentBytes(), before + kLimit);
#endif
  }
  (void)before;
}

// Several points of some steps, gaps between others, and what is no number.
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

TEST_F(ColumnMemoryTest, ChartsAreWhatTheyAreWithoutALimit) {
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

TEST_F(ColumnMemoryTest, ManySmallColumnsGoToTheFileTooOnceTheyAreMany) {
  const auto limit = Limit();
  std::vector<Column<std::int64_t>> columns;
  for (std::uint64_t bytes = 0; bytes < kLimit / 2; bytes += 8 * 1000)
    columns.push_back(Filled(1000));
  EXPECT_GE(limit->spilled_bytes(), kLimit / 4);
  for (const auto& column : columns) ASSERT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, TheFileHasNoNameAndGivesRoomBack) {
  const auto limit = Limit();
  {
    const auto column = Filled(4'000'000);
    EXPECT_GT(limit->spilled_bytes(), 0U);
    EXPECT_TRUE(std::filesystem::is_empty(folder_.path()));
  }
  const std::uint64_t left = limit->spilled_bytes();
  EXPECT_LE(left, 32U << 20U) << "one chunk, for the next columns";
}

TEST_F(ColumnMemoryTest, ColumnsOutliveTheLimit) {
  auto limit = Limit();
  const auto column = Filled(4'000'000);
  limit.reset();
  EXPECT_TRUE(IsFilled(column));
  EXPECT_TRUE(IsFilled(Filled(100'000)));
}

TEST_F(ColumnMemoryTest, SeveralThreadsMayFillColumns) {
  const auto limit = Limit();
  std::vector<std::thread> threads;
  std::vector<int> filled(4);
  for (int& count : filled) {
    threads.emplace_back([&count] {
      for (int round = 0; round < 20; ++round) count += IsFilled(Filled(50'000)) ? 1 : 0;
    });
  }
  for (auto& thread : threads) thread.join();
  EXPECT_THAT(filled, ::testing::Each(20));
}

TEST_F(ColumnMemoryTest, WhatCannotBeALimitIsSaid) {
  EXPECT_THAT(MemoryLimit::Set(kLimit - 1, folder_.path()).error(),
              IsStatus(StatusCode::kInvalidArgument, "64000000"));
  EXPECT_FALSE(MemoryLimit::Set(kLimit, "/proc/none"));
  const auto limit = Limit();
  EXPECT_THAT(MemoryLimit::Set(kLimit, folder_.path()).error(),
              IsStatus(StatusCode::kFailedPrecondition, "already"));
}

TEST_F(ColumnMemoryTest, ARunIsWhatItIsWithoutALimit) {
  testing::MemoryFileSystem fs;
  std::string bytes;
  for (int step = 0; step < 30'000; ++step)
    bytes += testing::TensorBoardScalar("loss", 30'000 - step, static_cast<float>(step));
  fs.Put(std::string("run/") + testing::kTensorBoardName, bytes);
  const std::string without = testing::Text(**sightline::Run::Open(fs, "run"));
  const auto limit = Limit();
  const auto run = sightline::Run::Open(fs, "run");
  EXPECT_GT(limit->spilled_bytes(), 0U);
  EXPECT_EQ(testing::Text(**run), without);
}

}  // namespace
}  // namespace sightline
