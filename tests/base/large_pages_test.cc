#include "sightline/base/large_pages.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>

namespace sightline {
namespace {

TEST(LargeVector, KeepsItsElementsWhileItGrowsIntoLargePages) {
  constexpr std::size_t kCount = std::size_t{3} << 20U;  // 24 MB, from 8 MB on in large pages.
  LargeVector<std::uint64_t> numbers;
  for (std::size_t i = 0; i < kCount; ++i) numbers.push_back(i * i);
  ASSERT_EQ(numbers.size(), kCount);
  for (std::size_t i = 0; i < kCount; ++i) ASSERT_EQ(numbers[i], i * i);
  const LargeVector<std::uint64_t> copy = numbers;
  EXPECT_EQ(copy, numbers);
}

}  // namespace
}  // namespace sightline
