#include "sightline/collectors/collect/step_info.h"

#include <array>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;

TEST(TensorList, KeepsShapesOfItsOwn) {
  const std::array<float, 6> data = {};
  TensorList list;
  {
    std::array<std::int64_t, 2> shape = {2, 3};
    list.Add("a", View(data.data(), shape));
    shape = {};
  }
  list.Add("b", data.data(), {6});
  list.Add("scalar", data.data(), {});
  ASSERT_EQ(list.size(), 3U);
  EXPECT_THAT(list.view(0).shape, ElementsAre(2, 3));
  EXPECT_THAT(list.view(1).shape, ElementsAre(6));
  EXPECT_EQ(list.view(2).ElementCount(), 1U);
  EXPECT_EQ(list.name(1), "b");
  EXPECT_EQ(list.view(0).data, data.data());
}

TEST(TensorList, TakesTheElementsType) {
  const std::array<std::int64_t, 1> data = {};
  TensorList list;
  list.Add("a", data.data(), {1});
  EXPECT_EQ(list.view(0).dtype, DType::kInt64);
}

TEST(TensorList, IsEmptyAfterClear) {
  const std::array<float, 2> data = {};
  TensorList list;
  list.Add("a", data.data(), {2});
  list.Clear();
  EXPECT_TRUE(list.empty());
  list.Add("b", data.data(), {1, 2});
  EXPECT_THAT(list.view(0).shape, ElementsAre(1, 2));
}

TEST(TensorSlot, HoldsTheLastTensorSet) {
  const std::array<float, 4> data = {};
  TensorSlot slot;
  EXPECT_TRUE(slot.empty());
  slot.Set(data.data(), {4});
  slot.Set(data.data(), {2, 2});
  EXPECT_THAT(slot.view().shape, ElementsAre(2, 2));
  slot.Clear();
  EXPECT_TRUE(slot.empty());
}

TEST(StepInfo, IsAsNewAfterClear) {
  const std::array<float, 4> data = {};
  StepInfo info{.step = 5, .loss = 1.0, .learning_rate = 0.1, .batch_size = 32};
  info.losses.Set(data.data(), {4});
  info.input.Set(data.data(), {1, 1, 2, 2});
  info.parameters.Add("w", data.data(), {4});
  info.tensors.Add("t", data.data(), {4});
  info.scalars.push_back({"s", 1});
  info.histograms.Add("h", data.data(), {4});
  info.images.Add("i", data.data(), {1, 1, 2, 2});
  info.wants_scalars = info.wants_histograms = info.wants_images = info.wants_input =
      info.wants_tensors = false;
  info.Clear();
  EXPECT_EQ(info.step, 0);
  EXPECT_EQ(info.loss, std::nullopt);
  EXPECT_EQ(info.learning_rate, std::nullopt);
  EXPECT_EQ(info.batch_size, std::nullopt);
  EXPECT_TRUE(info.losses.empty() && info.input.empty() && info.parameters.empty() &&
              info.tensors.empty() && info.histograms.empty() && info.images.empty());
  EXPECT_TRUE(info.scalars.empty());
  EXPECT_TRUE(info.wants_scalars && info.wants_histograms && info.wants_images &&
              info.wants_input && info.wants_tensors);
}

}  // namespace
}  // namespace sightline
