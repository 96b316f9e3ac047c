// Memory runs out at each allocation of recording in turn, on the threads of the callers and on the
// recorder's own: the call says so, Close returns, and what was accepted before and after is in the
// files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/tests/faults/short_training.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace {

constexpr int kNever = -1;

// Allocations that succeed until one fails: of the test's own thread, and of all others together.
struct Plan {
  std::atomic<int> left{kNever};
  std::atomic<bool> for_good{false};

  bool Fails() {
    int now = left.load();
    while (now > 0 && !left.compare_exchange_weak(now, now - 1)) {
    }
    if (now != 0) return false;
    if (!for_good) left = kNever;
    return true;
  }
};
Plan caller;
Plan others;
thread_local bool is_caller = false;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc)
void* operator new(std::size_t size) {
  void* const memory = (is_caller ? caller : others).Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;
using testing::ShortTraining;
using ::testing::UnorderedElementsAreArray;

// The parameter: memory is there again after one failure, or only in the end.
class AllocationTest : public ::testing::TestWithParam<bool> {
 protected:
  AllocationTest() { is_caller = true; }
  ~AllocationTest() override { is_caller = false; }

  // Calls `call` with memory for `allocations` allocations. Whether it asked for more.
  template <typename Call>
  static bool RunsOut(Plan& plan, int allocations, const Call& call) {
    plan.for_good = GetParam();
    plan.left = allocations;
    call();
    const bool ran_out = plan.left == (GetParam() ? 0 : kNever);
    plan.left = kNever;
    return ran_out;
  }
};

class AllocationInACallTest : public AllocationTest {
 protected:
  AllocationInACallTest() {
    RecorderOptions options;
    options.writing.buffer_bytes = std::size_t{1} << 20U;
    options.writing.min_free_disk_bytes = 0;
    recorder_ = Recorder::Open(dir_.path(), options).value();
  }

  // Calls `record` with ever more allocations that succeed; a scalar after each. What is accepted
  // is `values`.
  void RunOutOfMemoryIn(const std::function<Outcome(std::int64_t step)>& record,
                        const std::vector<std::string>& values) {
    Outcome outcome = Outcome::kClosed;
    for (int step = 0; outcome != Outcome::kAccepted; ++step) {
      (void)RunsOut(caller, step, [&] { outcome = record(step); });
      if (outcome == Outcome::kAccepted) {
        for (const std::string& value : values) Expect(step, value);
      }
      if (recorder_->AddScalar("after", step, 1) == Outcome::kAccepted) Expect(step, "after=1");
    }
    EXPECT_GT(recorder_->Stats().dropped_values, 0U) << "no call allocates";
    EXPECT_THAT(recorder_->Close(), IsStatus(StatusCode::kResourceExhausted, "dropped"));
    const testing::RecordedRun run = testing::ReadRun(dir_.path());
    EXPECT_THAT(testing::RecordedRun::Values(run.mindspore), UnorderedElementsAreArray(expected_));
    EXPECT_TRUE(run.sound());
  }

  void Expect(std::int64_t step, const std::string& value) {
    expected_.push_back(std::to_string(step) + " " + value);
  }

  testing::TempDir dir_;
  std::unique_ptr<Recorder> recorder_;
  std::vector<std::string> expected_;
};

constexpr std::int64_t kLarge = std::int64_t{1} << 18U;
constexpr std::int64_t kLargeShape[] = {kLarge};

TEST_P(AllocationInACallTest, OfATensorThatIsLent) {
  const std::vector<float> elements(kLarge, 7);
  const TensorView view = View(elements.data(), kLargeShape);
  RunOutOfMemoryIn([&](std::int64_t step) { return recorder_->AddTensor("lent", step, view); },
                   {"lent:tensor=7"});
}

TEST_P(AllocationInACallTest, OfATagThatIsNotUtf8) {
  RunOutOfMemoryIn(
      [&](std::int64_t step) {
        return recorder_->AddScalar("a tag that is long and no UTF-8: \xff", step, 2);
      },
      {"a tag that is long and no UTF-8: \uFFFD=2"});
}

TEST_P(AllocationInACallTest, OfValuesOfWhichOneNeedsCare) {
  RunOutOfMemoryIn(
      [&](std::int64_t step) {
        const TaggedValue values[] = {{Tag("\xff"), Value::Scalar(1)},
                                      {Tag("b"), Value::Scalar(2)}};
        return recorder_->Record(step, values);
      },
      {"\uFFFD=1", "b=2"});
}

// What was staged is recorded with its step, or not at all, and never with a later one.
TEST_P(AllocationInACallTest, OfALargeValueThatIsStaged) {
  const std::vector<float> elements(kLarge, 7);
  const Value large = Value::Tensor(View(elements.data(), kLargeShape));
  RunOutOfMemoryIn(
      [&](std::int64_t step) {
        const bool small_staged = recorder_->Stage("small", Value::Scalar(1)) == Outcome::kAccepted;
        const bool large_staged = recorder_->Stage("large", large) == Outcome::kAccepted;
        const Outcome recorded = recorder_->RecordStaged(step);
        caller.left = kNever;
        if (recorded == Outcome::kAccepted && small_staged) Expect(step, "small=1");
        if (recorded == Outcome::kAccepted && large_staged) Expect(step, "large:tensor=7");
        return small_staged && large_staged ? recorded : Outcome::kDropped;
      },
      {});
}

class AllocationOfTheWriterTest : public AllocationTest {};

TEST_P(AllocationOfTheWriterTest, LosesNothingThatWasAccepted) {
  int runs = 0;
  for (int n = 0, fails = 1; fails != 0; n += 1 + n / 16) {
    SCOPED_TRACE(n);
    const testing::TempDir dir;
    std::vector<bool> accepted;
    RecorderOptions options = ShortTraining::Options(FileSystem::Local());
    options.writing.flush_interval = std::chrono::milliseconds(2);
    const bool ran_out = RunsOut(others, n, [&] {
      auto recorder = Recorder::Open(dir.path(), options).value();
      for (int i = 0; i < ShortTraining::kCalls; ++i)
        accepted.push_back(ShortTraining::Record(*recorder, i) == Outcome::kAccepted);
      (void)recorder->Close().ok();
    });
    fails = ran_out ? 1 : 0;
    runs += fails;
    auto next = Recorder::Open(dir.path(), options).value();
    EXPECT_THAT(next->Close(), IsOk());
    EXPECT_TRUE(testing::ReadRun(dir.path()).sound());
    EXPECT_GE(std::count(accepted.begin(), accepted.end(), true), ShortTraining::kCalls - 1);
    ShortTraining::ExpectKept(dir.path(),
                              [&](int i) { return accepted[static_cast<std::size_t>(i)]; });
    if (HasFailure()) return;
  }
  EXPECT_GT(runs, 10);
}

// One of each kind that is a message, which the writer parses for TensorBoard; but for those with
// maps and events of TensorBoard's, as docs/durability.md says.
std::vector<std::pair<ValueKind, std::string>> Messages() {
  TrainLineage train;
  train.network = "LeNet5, a network with a name that is no short text";
  train.learning_rate = 0.1;
  train.model_path = "a path that is long enough to be no short text: lenet.ckpt";
  Graph graph;
  graph.name = "a graph with a name that is no short text";
  graph.parameters = {{"x", {DType::kFloat32, {1, 2}}}};
  graph.nodes = {{.name = "1", .op_type = "ReLU", .scope = "Default/a scope/of some depth"}};
  LossLandscape landscape;
  landscape.x = landscape.y = {0, 1};
  landscape.z = {1, 2, 3, 4};
  landscape.decomposition = "Random";
  landscape.unit = "step";
  return {{ValueKind::kTrainLineage, SerializeTrainLineage(train)},
          {ValueKind::kEvaluationLineage,
           SerializeEvaluationLineage({.metrics = {{"a metric of some name or other", 0.5}}})},
          {ValueKind::kGraph, SerializeGraph(graph).value()},
          {ValueKind::kLandscape, SerializeLandscape(landscape).value()}};
}

TEST_P(AllocationOfTheWriterTest, WritesMessagesOnce) {
  const auto messages = Messages();
  for (int n = 0, fails = 1; fails != 0; n += 1 + n / 64) {
    SCOPED_TRACE(n);
    const testing::TempDir dir;
    const RecorderOptions options = ShortTraining::Options(FileSystem::Local());
    const bool ran_out = RunsOut(others, n, [&] {
      auto recorder = Recorder::Open(dir.path(), options).value();
      for (const auto& [kind, message] : messages)
        EXPECT_EQ(recorder->AddMessage("m", 1, kind, message), Outcome::kAccepted);
      (void)recorder->Close().ok();
    });
    fails = ran_out ? 1 : 0;
    auto next = Recorder::Open(dir.path(), options).value();
    EXPECT_THAT(next->Close(), IsOk());
    const testing::RecordedRun run = testing::ReadRun(dir.path());
    EXPECT_TRUE(run.sound());
    EXPECT_EQ(testing::RecordedRun::Values(run.lineage).size(), 2U);
    EXPECT_EQ(testing::RecordedRun::Values(run.mindspore).size(), 2U);
    if (HasFailure()) return;
  }
}

class AllocationOfOpenTest : public AllocationTest {};

TEST_P(AllocationOfOpenTest, SaysThatThereIsNoMemoryAndLeavesTheDirectoryUsable) {
  const testing::TempDir dir;
  const RecorderOptions options = ShortTraining::Options(FileSystem::Local());
  for (int n = 0, fails = 1; fails != 0; n += 1 + n / 16) {
    SCOPED_TRACE(n);
    const std::string path = dir.File("run");
    fails = RunsOut(caller, n, [&] {
      auto recorder = Recorder::Open(path, options);
      if (recorder) (void)(*recorder)->Close().ok();
    });
    auto next = Recorder::Open(path, options);
    ASSERT_THAT(next, IsOk());
    EXPECT_EQ((*next)->AddScalar("loss", 1, 1), Outcome::kAccepted);
    EXPECT_THAT((*next)->Close(), IsOk());
  }
  EXPECT_TRUE(testing::ReadRun(dir.File("run")).sound());
  EXPECT_THAT(testing::ReadRun(dir.File("run")).other, ::testing::IsEmpty());
}

class AllocationOfAReplayTest : public AllocationTest {};

TEST_P(AllocationOfAReplayTest, LeavesTheRestToTheNext) {
  const testing::TempDir killed;
  const RecorderOptions options = ShortTraining::Options(FileSystem::Local());
  const int status = testing::InForkedChild([&] {
    auto recorder = Recorder::Open(killed.path(), options).value();
    for (int i = 0; i < ShortTraining::kCalls; ++i) (void)ShortTraining::Record(*recorder, i);
    kill(getpid(), SIGKILL);
  });
  ASSERT_TRUE(WIFSIGNALED(status));
  for (int n = 0, fails = 1; fails != 0; n += 1 + n / 64) {
    SCOPED_TRACE(n);
    const testing::TempDir dir;
    std::filesystem::copy(killed.path(), dir.path(), std::filesystem::copy_options::recursive);
    const auto replay = [&] {
      FaultLog faults;
      try {
        ReplayJournals(dir.path(), FileSystem::Local(), Clock::System(), faults);
      } catch (const std::bad_alloc&) {
      }
    };
    fails = RunsOut(caller, n, replay);
    replay();
    ShortTraining::ExpectKept(dir.path(), [](int) { return true; });
    EXPECT_TRUE(testing::ReadRun(dir.path()).sound());
    EXPECT_THAT(testing::ReadRun(dir.path()).other, ::testing::IsEmpty());
    if (HasFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Once, AllocationInACallTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationInACallTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Once, AllocationOfTheWriterTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationOfTheWriterTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Once, AllocationOfOpenTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationOfOpenTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Once, AllocationOfAReplayTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationOfAReplayTest, ::testing::Values(true));

}  // namespace
}  // namespace sightline
