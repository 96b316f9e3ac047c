#include "sightline/collectors/rules/nan_watch.h"

#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

class NanWatchTest : public ::testing::Test {
 protected:
  std::vector<std::string> reports;
  NanWatch watch{[this](const NonFinite& found) { reports.push_back(found.ToString()); }};
};

TEST_F(NanWatchTest, SaysNothingOfFiniteValues) {
  for (const double value : {0.0, -1.5, 1e308, -1e308, 5e-324}) watch.Check("loss", 1, value);
  EXPECT_THAT(reports, IsEmpty());
  EXPECT_EQ(watch.first(), std::nullopt);
}

TEST_F(NanWatchTest, NamesTagAndFirstStep) {
  watch.Check("loss", 16, 1.0);
  watch.Check("loss", 17, kNan);
  EXPECT_THAT(reports, ElementsAre("loss is nan at step 17"));
}

TEST_F(NanWatchTest, ReportsATagOnce) {
  for (int step = 3; step < 9; ++step) watch.Check("loss", step, kInf);
  EXPECT_THAT(reports, ElementsAre("loss is inf at step 3"));
}

TEST_F(NanWatchTest, ReportsEachTag) {
  watch.Check("a", 3, -kInf);
  watch.Check("b", 4, kNan);
  EXPECT_THAT(reports, ElementsAre("a is -inf at step 3", "b is nan at step 4"));
}

TEST_F(NanWatchTest, RemembersTheFirstOfAll) {
  watch.Check("a", 3, -kInf);
  watch.Check("b", 4, kNan);
  EXPECT_EQ(watch.first()->ToString(), "a is -inf at step 3");
}

TEST_F(NanWatchTest, FindsTheElementOfATensor) {
  std::vector<float> weights(1000, 1.0F);
  const std::int64_t shape[] = {10, 100};
  watch.Check("w", 1, View(weights.data(), shape));
  weights[777] = -std::numeric_limits<float>::infinity();
  weights[900] = std::numeric_limits<float>::quiet_NaN();
  watch.Check("w", 2, View(weights.data(), shape));
  EXPECT_THAT(reports, ElementsAre("w is -inf at step 2"));
}

TEST(NanWatch, WorksWithoutACallback) {
  NanWatch watch({});
  watch.Check("loss", 5, kNan);
  EXPECT_EQ(watch.first()->step, 5);
}

TEST(NanWatch, SwallowsWhatTheCallbackThrows) {
  NanWatch watch([](const NonFinite&) { throw std::runtime_error("stop"); });
  watch.Check("loss", 5, kNan);
  EXPECT_EQ(watch.first()->step, 5);
}

}  // namespace
}  // namespace sightline
