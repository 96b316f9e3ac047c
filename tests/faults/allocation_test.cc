// Memory runs out at each allocation of recording in turn, on the threads of the callers and on the
// recorder's own. No call throws, the call that finds no memory returns kDropped and is counted,
// the recorder's threads do not end the process, and everything accepted is in the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/faults/short_training.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace {

constexpr int kNever = -1;

// The number of allocations that succeed before one fails.
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
Plan caller;  // The test's own thread.
Plan others;  // All other threads together.
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

// The parameter: whether all further allocations fail, too, until the end.
class AllocationTest : public ::testing::TestWithParam<bool> {
 protected:
  AllocationTest() { is_caller = true; }
  ~AllocationTest() override { is_caller = false; }

  // Calls `call` with memory for `allocations` allocations. Returns whether it asked for more.
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

  // Calls `record` with memory for 0, 1, 2, ... allocations until it is accepted, and records a
  // scalar after each call. An accepted call records `values`.
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
        return recorder_->AddScalar("a long tag that is not UTF-8: \xff", step, 2);
      },
      {"a long tag that is not UTF-8: \uFFFD=2"});
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

// Without lineage: docs/durability.md says why.
class AllocationOfTheWriterTest : public AllocationTest {};

constexpr int kCallsWithoutLineage = ShortTraining::kCalls * 3 / 4;

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
      for (int i = 0; i < ShortTraining::kCalls; ++i) {
        accepted.push_back(!ShortTraining::IsLineage(i) &&
                           ShortTraining::Record(*recorder, i) == Outcome::kAccepted);
      }
      (void)recorder->Close().ok();
    });
    fails = ran_out ? 1 : 0;
    runs += fails;
    auto next = Recorder::Open(dir.path(), options).value();
    EXPECT_THAT(next->Close(), IsOk());
    EXPECT_TRUE(testing::ReadRun(dir.path()).sound());
    EXPECT_GE(std::count(accepted.begin(), accepted.end(), true), kCallsWithoutLineage - 1);
    ShortTraining::ExpectKept(dir.path(),
                              [&](int i) { return accepted[static_cast<std::size_t>(i)]; });
    if (HasFailure()) return;
  }
  EXPECT_GT(runs, 10);
}

INSTANTIATE_TEST_SUITE_P(Once, AllocationInACallTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationInACallTest, ::testing::Values(true));
INSTANTIATE_TEST_SUITE_P(Once, AllocationOfTheWriterTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationOfTheWriterTest, ::testing::Values(true));

}  // namespace
}  // namespace sightline
