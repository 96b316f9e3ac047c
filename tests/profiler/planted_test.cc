// Causes planted in real programs: recorded by the profiler, read back, and named first.
//
// SIGHTLINE_PLANTED_SEEDS programs of each kind, 2 without it. The programs sleep, and they ask to
// be woken before others: a busy machine would plant causes of its own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <malloc.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/wait.h>

#include <atomic>
#include <cstdlib>
#include <functional>
#include <new>
#include <random>
#include <thread>
#include <vector>

#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using profiler::Finding;
using std::chrono::microseconds;

constexpr int kSteps = 32;
constexpr int kLayers = 4;

// Where the process may; elsewhere the machine must not be busy.
const bool kWokenFirst = [] {
  const sched_param priority{.sched_priority = 1};
  return sched_setscheduler(0, SCHED_RR, &priority) == 0;
}();

int Seeds() {
  const char* seeds = std::getenv("SIGHTLINE_PLANTED_SEEDS");
  return seeds == nullptr ? 2 : std::atoi(seeds);
}

struct Causes {
  bool slow_loader = false;
  bool slow_first_step = false;
  bool slow_operator = false;
  bool leak = false;
};

// A training of `seed`; `exchange` is what it does with other ranks at the end of a step.
class Training {
 public:
  Training(std::uint32_t seed, Causes causes) : random_(seed), causes_(causes) {
    slow_layer_ = static_cast<int>(seed) % kLayers;
  }

  void Run(
      const std::function<void()>& exchange = [] {}, int computing = 500) {
    // A process that has just begun is woken late on a busy machine.
    for (int i = 0; i < 20; ++i) Work(500);
    // Memory is sampled at intervals: what grows needs time to show.
    const int steps = causes_.leak ? 10 * kSteps : kSteps;
    for (int step = 1; step <= steps; ++step) {
      {
        SIGHTLINE_DATA_SPAN("next batch");
        if (causes_.slow_loader) Work(2500);
      }
      const profiler::StepScope scope(step);
      if (step == 1 && causes_.slow_first_step) Work(60'000);
      for (int layer = 0; layer < kLayers; ++layer) Layer(layer, computing);
      if (causes_.leak) kept_.emplace_back(std::size_t{1} << 19U, 'x');
      SIGHTLINE_COMMUNICATION_SPAN("all reduce");
      exchange();
    }
  }

 private:
  // Within 10 % of these microseconds.
  void Work(int micros) {
    std::this_thread::sleep_for(microseconds(
        std::uniform_int_distribution<int>(micros * 9 / 10, micros * 11 / 10)(random_)));
  }

  void Layer(int layer, int micros) {
    const std::int64_t start = profiler::NowNanos();
    Work(causes_.slow_operator && layer == slow_layer_ ? 2 * micros + 200 : micros);
    profiler::RecordOperator({.type = "MatMul",
                              .full_name = "network/fc" + std::to_string(layer) + "/MatMul-op",
                              .start_nanos = start,
                              .end_nanos = profiler::NowNanos(),
                              .shapes = "(32, 64) (64, 64)"});
  }

  std::mt19937 random_;
  Causes causes_;
  int slow_layer_ = 0;
  std::vector<std::string> kept_;
};

std::string Recorded(const std::string& directory, const std::function<void()>& training) {
  auto recorder = profiler::ProfileRecorder::Start(
      {.directory = directory, .sample_interval = std::chrono::milliseconds(2)});
  if (!recorder) return "";
  training();
  const auto stats = (*recorder)->Stop();
  return stats && stats->dropped == 0 ? stats->path : "";
}

profiler::Profile Read(const std::string& path) {
  auto profile = profiler::ImportProfile(path);
  EXPECT_THAT(profile, testing::IsOk());
  return profile ? *std::move(profile) : profiler::Profile();
}

std::vector<Finding> SummaryOfTraining(std::uint32_t seed, Causes causes) {
  const testing::TempDir directory;
  Training training(seed, causes);
  return Summarize(Read(Recorded(directory.path(), [&] { training.Run(); })));
}

// How many of the seeds have this rule first, or no finding where it is empty.
int Named(Causes causes, const std::string& rule) {
  int named = 0;
  for (int seed = 1; seed <= Seeds(); ++seed) {
    const auto found = SummaryOfTraining(static_cast<std::uint32_t>(seed), causes);
    const bool right = rule.empty() ? found.empty() : !found.empty() && found[0].rule == rule;
    named += right ? 1 : 0;
    for (const Finding& one : found) {
      if (!right) ADD_FAILURE() << "seed " << seed << ": " << one.what << " " << one.evidence;
    }
  }
  return named;
}

TEST(Planted, HealthyTrainingsNameNothing) { EXPECT_EQ(Named({}, ""), Seeds()); }

TEST(Planted, ASlowLoaderIsNamed) { EXPECT_EQ(Named({.slow_loader = true}, "data-wait"), Seeds()); }

TEST(Planted, ASlowFirstStepIsNamed) {
  EXPECT_EQ(Named({.slow_first_step = true}, "first-step"), Seeds());
}

TEST(Planted, AnOperatorTwiceAsSlowIsNamed) {
  EXPECT_EQ(Named({.slow_operator = true}, "slow-operator"), Seeds());
}

TEST(Planted, ALeakIsNamed) {
  mallopt(M_MMAP_THRESHOLD,
          1 << 16);  // Releases the memory that the previous program leaked.
  EXPECT_EQ(Named({.leak = true}, "memory-growth"), Seeds());
}

// Where the ranks of a training meet at the end of each step; in memory that they share.
class Meeting {
 public:
  static constexpr int kRanks = 4;

  Meeting() {
    void* memory = mmap(nullptr, sizeof(std::atomic<int>), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    arrived_ = memory == MAP_FAILED ? nullptr : new (memory) std::atomic<int>(0);
  }
  ~Meeting() { munmap(arrived_, sizeof(std::atomic<int>)); }
  Meeting(const Meeting&) = delete;
  Meeting& operator=(const Meeting&) = delete;

  // Returns when all ranks have called it as often as this one.
  void Arrive(int& meetings) {
    ++meetings;
    ++*arrived_;
    while (arrived_->load() < meetings * kRanks) std::this_thread::sleep_for(microseconds(50));
  }

 private:
  std::atomic<int>* arrived_;
};

// The profiles of four ranks, of which `slow` computes longer; -1: none.
std::vector<profiler::RankUse> RanksOf(std::uint32_t seed, int slow) {
  const testing::TempDir directory;
  Meeting meeting;
  std::vector<pid_t> children;
  const auto folder = [&](int rank) { return directory.path() + "/" + std::to_string(rank); };
  for (int rank = 0; rank < Meeting::kRanks; ++rank) {
    const pid_t child = fork();
    if (child == 0) {
      setenv("RANK", std::to_string(rank).c_str(), 1);
      setenv("WORLD_SIZE", std::to_string(Meeting::kRanks).c_str(), 1);
      const std::string path = Recorded(folder(rank), [&] {
        int meetings = 0;
        Training(seed * 10 + static_cast<std::uint32_t>(rank), {})
            .Run([&] { meeting.Arrive(meetings); }, rank == slow ? 1200 : 500);
      });
      _exit(path.empty() ? 1 : 0);
    }
    children.push_back(child);
  }
  std::vector<profiler::RankUse> ranks;
  for (int rank = 0; rank < Meeting::kRanks; ++rank) {
    int status = 0;
    waitpid(children[static_cast<std::size_t>(rank)], &status, 0);
    EXPECT_EQ(status, 0);
    ranks.push_back(MeasureRank(Read(folder(rank))));
  }
  return ranks;
}

TEST(Planted, AStragglerOfFourRanksIsNamed) {
  for (int seed = 1; seed <= Seeds(); ++seed) {
    const int slow = seed % Meeting::kRanks;
    const auto finding = FindStraggler(RanksOf(static_cast<std::uint32_t>(seed), slow));
    ASSERT_TRUE(finding) << "seed " << seed;
    EXPECT_EQ(finding->subject, "rank " + std::to_string(slow));
  }
}

TEST(Planted, OfFourHealthyRanksNoneIsNamed) {
  for (int seed = 1; seed <= Seeds(); ++seed) {
    const auto finding = FindStraggler(RanksOf(static_cast<std::uint32_t>(seed), -1));
    EXPECT_FALSE(finding) << finding->evidence;
  }
}

}  // namespace
}  // namespace sightline
