// Memory runs out at each allocation of a recording call in turn: the call says so, Close returns,
// and what was accepted before and after is in the files.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <new>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace {

constexpr int kNever = -1;
thread_local int allocations_left = kNever;
thread_local bool fails_for_good = false;

bool Fails() {
  if (allocations_left == kNever) return false;
  if (allocations_left > 0) return --allocations_left, false;
  if (!fails_for_good) allocations_left = kNever;
  return true;
}

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc)
void* operator new(std::size_t size) {
  void* const memory = Fails() ? nullptr : std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}
void operator delete(void* memory) noexcept { std::free(memory); }
void operator delete(void* memory, std::size_t /*size*/) noexcept { std::free(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace sightline {
namespace {

using ::testing::UnorderedElementsAreArray;

class AllocationTest : public ::testing::TestWithParam<bool> {
 protected:
  static constexpr std::int64_t kCalls = 40;  // More than any call has allocations.

  AllocationTest() {
    RecorderOptions options;
    options.buffer_bytes = std::size_t{1} << 20U;
    options.min_free_disk_bytes = 0;
    recorder_ = Recorder::Open(dir_.path(), options).value();
  }

  // Calls `record` with ever more allocations that succeed; a scalar behind each.
  template <typename Record>
  void RunOutOfMemoryIn(const Record& record, const std::string& recorded) {
    for (std::int64_t step = 0; step < kCalls; ++step) {
      allocations_left = static_cast<int>(step);
      fails_for_good = GetParam();
      const Outcome outcome = record(step);
      allocations_left = kNever;
      if (outcome == Outcome::kAccepted) Expect(step, recorded);
      if (recorder_->AddScalar("after", step, 1) == Outcome::kAccepted) Expect(step, "after=1");
    }
    EXPECT_GT(recorder_->Stats().dropped_values, 0U) << "no call allocates";
    EXPECT_THAT(recorder_->Close(), testing::IsStatus(StatusCode::kResourceExhausted, "dropped"));
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

TEST_P(AllocationTest, OfATensorThatIsLent) {
  const std::vector<float> elements(std::size_t{1} << 18U, 7);
  const std::vector<std::int64_t> shape = {std::int64_t{1} << 18U};
  const TensorView view = View(elements.data(), shape);
  RunOutOfMemoryIn([&](std::int64_t step) { return recorder_->AddTensor("lent", step, view); },
                   "lent:tensor=7");
}

INSTANTIATE_TEST_SUITE_P(Once, AllocationTest, ::testing::Values(false));
INSTANTIATE_TEST_SUITE_P(ForGood, AllocationTest, ::testing::Values(true));

}  // namespace
}  // namespace sightline
