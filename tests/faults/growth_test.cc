// A long training: however many steps are recorded, no memory stays behind. Counts the bytes of
// operator new that are alive, over all threads: resident memory would tell of caches and pages.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <new>
#include <string>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/tests/support/support.h"

namespace {

std::atomic<std::int64_t> live_bytes = 0;

}  // namespace

// NOLINTBEGIN(cppcoreguidelines-no-malloc)
void* operator new(std::size_t size) {
  void* const memory = std::malloc(size);
  if (memory == nullptr) throw std::bad_alloc();
  live_bytes += static_cast<std::int64_t>(malloc_usable_size(memory));
  return memory;
}
void operator delete(void* memory) noexcept {
  live_bytes -= static_cast<std::int64_t>(malloc_usable_size(memory));
  std::free(memory);
}
void operator delete(void* memory, std::size_t /*size*/) noexcept { operator delete(memory); }
// NOLINTEND(cppcoreguidelines-no-malloc)

namespace sightline {
namespace {

using testing::IsOk;

TEST(GrowthTest, AHundredThousandRecordedStepsLeaveNoMemoryBehind) {
  const testing::TempDir directory;
  SummaryOptions options{.collect_freq = 1, .collect_tensor_freq = 1};
  options.frequencies = {{.kind = ValueKind::kHistogram, .every_steps = 50},
                         {.kind = ValueKind::kImage, .every_steps = 500}};
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.say = [](std::string_view) {};
  auto monitor = SummaryMonitor::Create(directory.path(), options);
  ASSERT_THAT(monitor, IsOk());
  const std::array<float, 16> weights = {1, 2, 3};
  const auto train = [&](std::int64_t from, std::int64_t to) {
    for (std::int64_t step = from; step <= to; ++step) {
      (*monitor)->EndStep(step, [&](StepInfo& info) {
        info.loss = 1.0 / static_cast<double>(step);
        info.learning_rate = 0.1;
        info.input.Set(weights.data(), {1, 1, 4, 4});
        info.parameters.Add("fc.weight", weights.data(), {4, 4});
        info.tensors.Add("logits", weights.data(), {4});
        info.scalars.push_back({"norm", 2});
      });
    }
    EXPECT_THAT((*monitor)->recorder()->Flush(), IsOk());
    return live_bytes.load();
  };
  // What waits for the workers, and so the size that their buffers keep, depends on the machine's
  // load: any one round may leave larger buffers behind. What stays behind for each step, were it a
  // byte, shows in every round.
  std::int64_t least_growth = std::numeric_limits<std::int64_t>::max();
  std::int64_t before = train(1, 2'000);
  for (std::int64_t step = 2'001; step < 502'000; step += 100'000) {
    const std::int64_t after = train(step, step + 99'999);
    least_growth = std::min(least_growth, after - before);
    before = after;
  }
  EXPECT_LT(least_growth, 16 * 1024);
  EXPECT_THAT((*monitor)->End(), IsOk());
}

}  // namespace
}  // namespace sightline
