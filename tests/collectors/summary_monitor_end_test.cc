// How a training ended, as SummaryMonitor tells TensorBoard.
#include <stdexcept>
#include <string>
#include <utility>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/collectors/summary_monitor_fixture.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::ReadRun;
using ::testing::HasSubstr;
using ::testing::Not;

class TrainingEndTest : public testing::SummaryMonitorTest {
 protected:
  TrainingEndTest() {
    options.formats = {Format::kMindSpore, Format::kTensorBoard};
    CollectOnly(OnlyMetrics());
    options.custom_lineage_data = {{"seed", 1}};
  }
  // What TensorBoard's HPARAMS page says; empty: nothing.
  std::string End() {
    for (const auto& file : ReadRun(dir.path()).tensorboard) {
      for (const auto& event : file.events) {
        if (event[0].kind == "training end") return event[0].text;
      }
    }
    return "";
  }
};

TEST_F(TrainingEndTest, IsThatOfEnd) {
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_EQ(End(), "STATUS_SUCCESS");
}

TEST_F(TrainingEndTest, IsAFailureIfTheTrainerSaysSo) {
  EXPECT_THAT(Monitor().End(TrainingEnd::kFailure), IsOk());
  EXPECT_EQ(End(), "STATUS_FAILURE");
}

TEST_F(TrainingEndTest, IsAFailureIfAnExceptionDestroysTheMonitor) {
  Monitor();
  try {
    const auto destroyed = std::move(monitor);
    throw std::runtime_error("out of memory");
  } catch (const std::runtime_error&) {
    EXPECT_EQ(End(), "STATUS_FAILURE");
  }
}

TEST_F(TrainingEndTest, IsNotToldIfTheTrainerDidNotSayIt) {
  Monitor();
  monitor.reset();
  EXPECT_EQ(End(), "");
}

TEST_F(TrainingEndTest, IsNotToldOfARunWithoutASetUpWhichIsNotOnThatPage) {
  options.custom_lineage_data.clear();
  Train(2);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_EQ(End(), "");
}

TEST_F(TrainingEndTest, IsNothingForMindSporesFiles) {
  options.formats = {Format::kMindSpore};
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(said.back(), Not(HasSubstr("error")));
}

}  // namespace
}  // namespace sightline
