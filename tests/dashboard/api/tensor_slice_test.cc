#include "sightline/dashboard/api/tensor_slice.h"

#include <cmath>
#include <cstring>
#include <limits>

#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using ::testing::ElementsAre;

// 0 to 23 in the shape (2, 3, 4).
TensorData Cube() {
  TensorData tensor;
  tensor.dtype = DType::kInt32;
  tensor.shape = {2, 3, 4};
  tensor.data.resize(24 * sizeof(std::int32_t));
  for (std::int32_t i = 0; i < 24; ++i)
    std::memcpy(tensor.data.data() + static_cast<std::size_t>(i) * 4, &i, 4);
  return tensor;
}

std::vector<double> Slice(std::string_view text, std::vector<std::int64_t>* shape = nullptr) {
  const auto slice = SliceTensor(Cube(), text);
  if (!slice) return {-1};
  if (shape != nullptr) *shape = slice->shape;
  return *ToNumbers(slice->View());
}

TEST(TensorSliceTest, TakesWhatNumpyTakes) {
  std::vector<std::int64_t> shape;
  EXPECT_EQ(Slice("", &shape).size(), 24U);
  EXPECT_THAT(shape, ElementsAre(2, 3, 4));
  EXPECT_THAT(Slice("[1]", &shape).front(), 12);
  EXPECT_THAT(shape, ElementsAre(3, 4));
  EXPECT_THAT(Slice("[0, -1]"), ElementsAre(8, 9, 10, 11));
  EXPECT_THAT(Slice("[0,0,::2]"), ElementsAre(0, 2));
  EXPECT_THAT(Slice("[0,0,::-1]"), ElementsAre(3, 2, 1, 0));
  EXPECT_THAT(Slice("[0,0,2:0:-1]"), ElementsAre(2, 1));
  EXPECT_THAT(Slice("[0,0,-3:-1]"), ElementsAre(1, 2));
  EXPECT_THAT(Slice("[0,0,1:100]"), ElementsAre(1, 2, 3));
  EXPECT_THAT(Slice("[:,2,3]"), ElementsAre(11, 23));
  EXPECT_THAT(Slice("[1,2,3]", &shape), ElementsAre(23));
  EXPECT_THAT(shape, ElementsAre());
  EXPECT_THAT(Slice("[0,0,3:1]"), ElementsAre());
}

TEST(TensorSliceTest, RefusesWhatDoesNotFit) {
  for (const char* wrong : {"[2]", "[-3]", "[0,0,0,0]", "[::0]", "[a]", "[1:2:3:4]", "0", "[0", "[",
                            "[9999999999999999999]", "[:9223372036854775807]"}) {
    EXPECT_THAT(Slice(wrong), ElementsAre(-1)) << wrong;
  }
  EXPECT_THAT(SliceTensor(Cube(), "[5]").error().message(), ::testing::HasSubstr("[2,3,4]"));
}

TEST(TensorSliceTest, StatesWhatNumbersHold) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const NumberStats stats = StatsOf({1, 3, std::nan(""), kInf, -kInf, -kInf});
  EXPECT_EQ(stats.count, 6U);
  EXPECT_EQ(stats.nan, 1U);
  EXPECT_EQ(stats.positive_inf, 1U);
  EXPECT_EQ(stats.negative_inf, 2U);
  EXPECT_EQ(stats.min, 1);
  EXPECT_EQ(stats.max, 3);
  EXPECT_EQ(stats.mean, 2);
  EXPECT_EQ(stats.std, 1);
  EXPECT_TRUE(std::isnan(StatsOf({}).min));
}

}  // namespace
}  // namespace sightline::dashboard
