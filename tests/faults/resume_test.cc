// A training that is killed and resumed from its last checkpoint, several times: readers see every
// step once, and every value is still in the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <string>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/runs/model/run.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;

SummaryOptions Options(int rank) {
  SummaryOptions options;
  options.collect_freq = 1;
  options.collect_specified_data = CollectSpecifiedData::Nothing();
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.max_file_size = 2000;
  options.say = [](std::string_view) {};
  options.writing.hostname = "node";
  options.writing.rank = rank;
  options.writing.world_size = 2;
  options.writing.min_free_disk_bytes = 0;
  return options;
}

// Steps `first` to `last` of a rank; then the process is killed, or ends in order.
enum class Death { kKilled, kEnded };
void Train(const std::string& directory, SummaryOptions options, std::int64_t first,
           std::int64_t last, Death death) {
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    auto monitor = SummaryMonitor::Create(directory, std::move(options));
    if (!monitor) _exit(1);
    for (std::int64_t step = first; step <= last; ++step)
      (*monitor)->EndStep(step, [](StepInfo& info) { info.scalars = {{"loss", 0.5}}; });
    if (death == Death::kKilled) (void)raise(SIGKILL);
    _exit((*monitor)->End().ok() ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  ASSERT_EQ(status, death == Death::kKilled ? SIGKILL : 0);
}

TEST(ResumeTest, AKilledAndResumedTrainingShowsEveryStepOnce) {
  const testing::TempDir dir;
  for (const int rank : {0, 1}) {
    SummaryOptions options = Options(rank);
    Train(dir.path(), options, 1, 137, Death::kKilled);
    options.resume_from_step = 101;  // The last checkpoint was that of step 100.
    Train(dir.path(), options, 101, 250, Death::kKilled);
    options.resume_from_step = 201;
    Train(dir.path(), options, 201, 300, Death::kEnded);
  }
  const auto shown = Run::Open(dir.path());
  ASSERT_THAT(shown, IsOk());
  ASSERT_THAT((*shown)->series(), SizeIs(2));  // One a rank.
  for (const auto& loss : (*shown)->series()) {
    EXPECT_EQ(loss->size(), 300U);
    EXPECT_EQ(loss->recorded().in_mindspore, 300U);
    EXPECT_EQ(loss->recorded().in_tensorboard, 300U);
  }
  for (const auto& loss : (*shown)->superseded()) EXPECT_EQ(loss->size(), 37U + 50U);
  EXPECT_THAT((*shown)->sessions(), SizeIs(6));
  // Nothing was deleted.
  const RecordedRun run = ReadRun(dir.path());
  EXPECT_TRUE(run.sound());
  EXPECT_THAT(RecordedRun::Values(run.mindspore), SizeIs(2 * (137 + 150 + 100)));
}

TEST(ResumeTest, AKilledTrainingThatWasNotResumedCountsWhole) {
  const testing::TempDir dir;
  Train(dir.path(), Options(0), 1, 137, Death::kKilled);
  const auto shown = Run::Open(dir.path());
  ASSERT_THAT(shown, IsOk());
  EXPECT_EQ((*shown)->series()[0]->size(), 137U);
  EXPECT_THAT((*shown)->superseded(), SizeIs(0));
}

}  // namespace
}  // namespace sightline
