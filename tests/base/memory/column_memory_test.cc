#include "sightline/base/memory/column_memory.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sightline/tests/support/memory_limit_test.h"

namespace sightline {
namespace {

using testing::IsStatus;

class ColumnMemoryTest : public testing::MemoryLimitTest {
 protected:
  static ColumnVector<std::int64_t> Filled(std::int64_t count) {
    ColumnVector<std::int64_t> column;
    for (std::int64_t i = 0; i < count; ++i) column.push_back(i);
    return column;
  }
  static bool IsFilled(const ColumnVector<std::int64_t>& column) {
    for (std::size_t i = 0; i < column.size(); ++i) {
      if (column[i] != static_cast<std::int64_t>(i)) return false;
    }
    return true;
  }
};

TEST_F(ColumnMemoryTest, WithoutALimitNothingIsInAFile) {
  const auto column = Filled(100'000);
  EXPECT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, LargeColumnsHoldWhatWasAppendedAndLeaveMemory) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  // Twice what may be resident.
  std::vector<ColumnVector<std::int64_t>> columns;
  for (int i = 0; i < 2; ++i) columns.push_back(Filled(kLimit / sizeof(std::int64_t)));
  EXPECT_GE(limit->spilled_bytes(), 2 * kLimit);
#ifndef SIGHTLINE_THREAD_SANITIZER  // It has shadow memory of its own.
  while (ResidentBytes() > before + kLimit) std::this_thread::yield();
#endif
  (void)before;
  for (const auto& column : columns) ASSERT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, ManySmallColumnsGoToTheFileTooOnceTheyAreMany) {
  const auto limit = Limit();
  std::vector<ColumnVector<std::int64_t>> columns;
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

TEST_F(ColumnMemoryTest, WhoKeepsTheLimitWhileItFillsAColumnNeverHasMuchResident) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  std::uint64_t most = before;
  ColumnVector<std::int64_t> column;
  column.reserve(kLimit / sizeof(std::int64_t));
  while (column.size() < column.capacity()) {
    MemoryLimit::Keep(column.size());
    if (column.size() % 10'000 == 0) most = std::max(most, ResidentBytes());
    column.push_back(static_cast<std::int64_t>(column.size()));
  }
#ifndef SIGHTLINE_THREAD_SANITIZER  // It has shadow memory of its own.
  EXPECT_LT(most, before + kLimit * 3 / 4);
#endif
  EXPECT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, ASizeAloneTakesNoMemory) {
  const auto limit = Limit(kNever);
  ExpectKept([] {
    ColumnVector<std::int64_t> column(2 * kLimit / sizeof(std::int64_t));
    ColumnVector<std::int64_t> resized;
    resized.resize(column.size());
    column.front() = resized.front() = 1;
  });
}

// Memory outside of columns may exceed the limit for a while. After that, columns are released as
// early as before.
TEST_F(ColumnMemoryTest, TheLimitHoldsAgainOnceOtherMemoryIsFreed) {
  const auto limit = Limit();
  const std::uint64_t before = ResidentBytes();
  {
    const std::string other(3 * kLimit, 'x');
    MemoryLimit::Keep();
  }
  MemoryLimit::Keep();
  std::uint64_t most = 0;
  ColumnVector<std::int64_t> column;
  column.reserve(2 * kLimit / sizeof(std::int64_t));
  while (column.size() < column.capacity()) {
    MemoryLimit::Keep(column.size());
    if (column.size() % 10'000 == 0) most = std::max(most, ResidentBytes());
    column.push_back(static_cast<std::int64_t>(column.size()));
  }
// The thread sanitizer has shadow memory; the address sanitizer does not return freed memory.
#if !defined(SIGHTLINE_THREAD_SANITIZER) && !defined(SIGHTLINE_ADDRESS_SANITIZER)
  EXPECT_LT(most, before + kLimit * 3 / 4);
#endif
  (void)before;
  EXPECT_TRUE(IsFilled(column));
}

TEST_F(ColumnMemoryTest, VectorsOfAnySizeAreAlignedAndMove) {
  const auto limit = Limit();
  for (const std::size_t size : {1U, 1000U, 1'000'000U, 10'000'000U}) {
    ColumnVector<long double> column(size, 1.5L);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(column.data()) % alignof(long double), 0U);
    const auto* const data = column.data();
    const ColumnVector<long double> moved = std::move(column);
    EXPECT_EQ(moved.data(), data);
    EXPECT_EQ(moved.back(), 1.5L);
  }
}

}  // namespace
}  // namespace sightline
