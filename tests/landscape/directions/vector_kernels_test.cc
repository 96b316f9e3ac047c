#include "sightline/landscape/directions/vector_kernels.h"

#include <array>
#include <cstring>
#include <vector>

#include "sightline/landscape/directions/grid.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using ::testing::ElementsAre;

TEST(VectorKernels, ReadFloatsAtAnyAddress) {
  for (std::size_t n = 0; n < 40; ++n) {
    std::vector<char> bytes(n * 4 + 1);
    std::vector<double> base(n, 0.5);
    std::vector<double> out(n);
    for (std::size_t i = 0; i < n; ++i) {
      const auto value = static_cast<float>(i) * 1.5F;
      std::memcpy(bytes.data() + 1 + i * 4, &value, 4);
    }
    WidenFloats(bytes.data() + 1, out.data(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], static_cast<double>(i) * 1.5);
    SubtractFromFloats(bytes.data() + 1, base.data(), out.data(), n);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(out[i], static_cast<double>(i) * 1.5 - 0.5);
  }
}

TEST(VectorKernels, SumMultiplyAndCombineEveryLength) {
  for (std::size_t n = 0; n < 40; ++n) {
    std::array<std::vector<double>, 6> v;
    std::vector<const double*> vectors;
    for (std::size_t k = 0; k < v.size(); ++k) {
      for (std::size_t i = 0; i < n; ++i) v[k].push_back(static_cast<double>(k * i + 1));
      vectors.push_back(v[k].data());
    }
    double sum = 0;
    for (const double value : v[3]) sum += value;
    EXPECT_EQ(Sum(v[3].data(), n), sum);
    for (std::size_t count = 1; count <= v.size(); ++count) {
      std::vector<double> sums(count, 1);
      AddDots(v[2].data(), std::span(vectors).first(count), n, sums.data());
      std::vector<double> out(n);
      const std::array<double, 6> factors = {1, 2, 3, 4, 5, 6};
      Combine(std::span(vectors).first(count), factors.data(), 2, out.data(), n);
      for (std::size_t k = 0; k < count; ++k) {
        double expected = 1;
        for (std::size_t i = 0; i < n; ++i) expected += v[2][i] * v[k][i];
        EXPECT_EQ(sums[k], expected);
      }
      for (std::size_t i = 0; i < n; ++i) {
        double expected = -2;
        for (std::size_t k = 0; k < count; ++k) expected += factors[k] * v[k][i];
        EXPECT_EQ(out[i], expected);
      }
    }
  }
}

TEST(VectorKernels, FormPointRoundsOnce) {
  std::vector<float> base(37);
  std::vector<float> first(37);
  std::vector<float> second(37);
  std::vector<float> out(37);
  for (std::size_t i = 0; i < base.size(); ++i) {
    base[i] = 1.0F / static_cast<float>(i + 1);
    first[i] = 0.1F * static_cast<float>(i);
    second[i] = 0.3F - 0.01F * static_cast<float>(i);
  }
  FormPoint(base.data(), first.data(), second.data(), 0.3, -0.7, out.data(), out.size());
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double up = -0.7 * static_cast<double>(second[i]);
    const double right = 0.3 * static_cast<double>(first[i]);
    ASSERT_EQ(out[i], static_cast<float>((static_cast<double>(base[i]) + up) + right));
  }
}

TEST(Grid, HasBothEnds) {
  EXPECT_THAT(Axis(-1, 1, 3), ElementsAre(-1, 0, 1));
  EXPECT_THAT(Axis(2, 5, 1), ElementsAre(2));
  EXPECT_THAT(AxisAround(std::vector<double>{0, 10, 5}, 3), ElementsAre(-2, 5, 12));
  EXPECT_THAT(AxisAround(std::vector<double>{4, 4}, 3), ElementsAre(-1, 0, 1));
}

}  // namespace
}  // namespace sightline::landscape
