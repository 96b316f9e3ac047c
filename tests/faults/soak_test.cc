// Hours of recording in one process, as a service has them that trains again and again: each round
// records a run with rotation, while a follower reads it, and completes one that was killed. A few
// rounds, or rounds for SIGHTLINE_SOAK_SECONDS.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <string>

#include "sightline/recorder/recorder.h"
#include "sightline/runs/run_follower.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;

constexpr std::int64_t kSteps = 20'000;
constexpr int kRoundsAtLeast = 6;

std::chrono::seconds Duration() {
  const char* wanted = std::getenv("SIGHTLINE_SOAK_SECONDS");
  return std::chrono::seconds(wanted == nullptr ? 0 : std::atoi(wanted));
}

RecorderOptions Options() {
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.max_file_size = 400'000;
  options.writing.min_free_disk_bytes = 0;
  return options;
}

void RecordSteps(Recorder& recorder, std::int64_t first, std::int64_t last) {
  std::array<float, 256> weights{};
  constexpr std::int64_t kShape[] = {1, 1, 16, 16};
  const TagId loss = recorder.Intern("loss");
  for (std::int64_t step = first; step <= last; ++step) {
    weights[0] = static_cast<float>(step);
    recorder.AddScalar(loss, step, 1.0 / static_cast<double>(step));
    if (step % 100 == 0)
      recorder.AddTensor("logits", step, {DType::kFloat32, kShape, weights.data()});
    if (step % 100 == 1)
      recorder.AddHistogram("weights", step, {DType::kFloat32, kShape, weights.data()});
    if (step % 1000 == 0)
      recorder.AddImage("input", step, {DType::kFloat32, kShape, weights.data()});
  }
}

// Records all steps while a follower reads.
void RecordAndFollow(const std::string& directory) {
  auto recorder = Recorder::Open(directory, Options());
  ASSERT_THAT(recorder, IsOk());
  RunFollower follower(directory);
  for (std::int64_t step = 1; step <= kSteps; step += kSteps / 10) {
    RecordSteps(**recorder, step, step + kSteps / 10 - 1);
    ASSERT_THAT(follower.Refresh(), IsOk());
  }
  ASSERT_THAT((*recorder)->Close(), IsOk());
  const auto run = follower.Refresh();
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->Find(ContentKind::kScalar, "loss")->values().size(), kSteps);
  EXPECT_FALSE((*run)->damaged());
}

// A child records all steps and is killed before its files are complete; the next recorder
// completes them.
void RecoverAKilledOne(const std::string& directory) {
  const pid_t child = fork();
  if (child == 0) {
    auto recorder = Recorder::Open(directory, Options());
    if (!recorder) _exit(1);
    RecordSteps(**recorder, 1, kSteps);
    raise(SIGKILL);
  }
  int status = 0;
  waitpid(child, &status, 0);
  ASSERT_TRUE(WIFSIGNALED(status));
  auto recorder = Recorder::Open(directory, Options());
  ASSERT_THAT(recorder, IsOk());
  ASSERT_THAT((*recorder)->Close(), IsOk());
  const auto run = Run::Open(directory);
  ASSERT_THAT(run, IsOk());
  EXPECT_EQ((*run)->Find(ContentKind::kScalar, "loss")->values().size(), kSteps);
  EXPECT_FALSE((*run)->damaged());
}

std::ptrdiff_t Entries(const char* folder) {
  return std::distance(std::filesystem::directory_iterator(folder), {});
}

// What a process can leave behind without anybody seeing it.
struct Holdings {
  std::ptrdiff_t descriptors = Entries("/proc/self/fd");
  std::ptrdiff_t threads = Entries("/proc/self/task");
  std::ptrdiff_t mappings = 0;
  std::size_t resident_bytes = 0;

  Holdings() {
    std::ifstream maps("/proc/self/maps");
    mappings = std::count(std::istreambuf_iterator<char>(maps), {}, '\n');
    std::size_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages >> pages;
    resident_bytes = pages * static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  }
};

TEST(SoakTest, RunAfterRunNothingIsLostAndNothingStaysBehind) {
  const auto end = std::chrono::steady_clock::now() + Duration();
  const auto round = [] {
    const testing::TempDir followed;
    RecordAndFollow(followed.path());
    const testing::TempDir killed;
    RecoverAKilledOne(killed.path());
  };
  for (int i = 0; i < kRoundsAtLeast / 2; ++i) round();  // Caches fill.
  const Holdings before;
  int rounds = kRoundsAtLeast / 2;
  do {
    round();
    if (HasFailure()) break;
  } while (++rounds < kRoundsAtLeast || std::chrono::steady_clock::now() < end);
  const Holdings after;
  EXPECT_EQ(after.descriptors, before.descriptors);
  EXPECT_EQ(after.threads, before.threads);
  EXPECT_LE(after.mappings, before.mappings + 10);  // The allocator's own come and go.
  EXPECT_LE(after.resident_bytes, before.resident_bytes + (std::size_t{16} << 20))
      << "after " << rounds << " rounds";
}

}  // namespace
}  // namespace sightline
