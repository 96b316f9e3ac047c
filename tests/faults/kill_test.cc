// SIGKILL at random moments. A child records at full rate; whatever it had accepted when it was
// killed must be in the files after the next recorder opened the directory, in every sink, once, in
// whole records.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <random>
#include <set>
#include <thread>

#include "sightline/base/wire.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::ReadRun;
using testing::RecordedRun;
using testing::RecordedValue;

constexpr int kThreads = 4;
constexpr std::int64_t kPixelShape[] = {1, 1, 4, 4};
constexpr std::uint8_t kPixels[16] = {1, 2, 3, 4};
constexpr std::int64_t kFloatShape[] = {100};
constexpr std::int64_t kLentShape[] = {110'000};  // More than half of the journal's 768 KiB.
constexpr std::int64_t kLargeShape[] = {20'000};  // More than a sixteenth of the buffer.

// Runs in the default suite, and how many more with SIGHTLINE_KILL_RUNS.
int Runs() {
  const char* wanted = std::getenv("SIGHTLINE_KILL_RUNS");
  return wanted == nullptr ? 25 : std::atoi(wanted);
}

// What the child tells its parent through shared memory: for each thread, the calls that returned
// kAccepted.
struct Ledger {
  std::array<std::atomic<std::int64_t>, kThreads> accepted;
  std::atomic<bool> opened;
};

Ledger* NewLedger() {
  void* memory =
      mmap(nullptr, sizeof(Ledger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  return memory == MAP_FAILED ? nullptr : new (memory) Ledger{};
}

RecorderOptions Options() {
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  options.export_npy = true;
  options.max_file_size = 64 * 1024;
  options.writing.buffer_bytes = std::size_t{1} << 20;
  options.writing.flush_interval = std::chrono::milliseconds(4);
  options.writing.min_free_disk_bytes = 0;
  return options;
}

// The i-th call of a thread: mostly scalars, every kind in between. Step and number are i, so that
// each value can be told from every other.
Outcome RecordOne(Recorder& recorder, TagId tag, int thread, std::int64_t i) {
  const std::vector<float> floats(100, static_cast<float>(i));
  switch (i % 64) {
    case 7:
      return recorder.AddHistogram(fmt::format("histogram{}", thread), i,
                                   View(floats.data(), kFloatShape));
    case 17:
      return recorder.AddTensor(fmt::format("tensor{}", thread), i,
                                View(floats.data(), kFloatShape));
    case 27:
      return recorder.AddImage(fmt::format("image{}", thread), i, View(kPixels, kPixelShape));
    case 37:
      // An evaluation lineage: field 2, a string.
      return recorder.AddMessage("", i * kThreads + thread, ValueKind::kEvaluationLineage,
                                 "\x12\x02{}");
    case 57: {
      // Event { summary { value { tag "sound<thread>", audio {} } } } of TensorBoard's schema.
      std::string value;
      wire::AppendBytes(value, 1, fmt::format("sound{}", thread));
      wire::AppendBytes(value, 6, "");
      std::string summary;
      wire::AppendBytes(summary, 1, value);
      std::string event;
      wire::AppendBytes(event, 5, summary);
      return recorder.AddMessage("", i, ValueKind::kTensorBoardEvent, event);
    }
    case 58: {
      // Larger than the buffer takes: lent, and on its way to the files when the call returns.
      if (i % 1024 != 58) return recorder.AddScalar(tag, i, static_cast<double>(i));
      const std::vector<float> lent(kLentShape[0], static_cast<float>(i));
      return recorder.AddTensor(fmt::format("lent{}", thread), i, View(lent.data(), kLentShape));
    }
    case 59: {
      // What is staged is everybody's. The large value is not in the journal.
      if (i % 512 != 59 || thread != 0) return recorder.AddScalar(tag, i, static_cast<double>(i));
      const std::vector<float> large(kLargeShape[0], static_cast<float>(i));
      const bool staged = recorder.Stage("beside", Value::Scalar(1)) == Outcome::kAccepted &&
                          recorder.Stage("large", Value::Tensor(View(large.data(), kLargeShape))) ==
                              Outcome::kAccepted;
      return staged ? recorder.RecordStaged(i) : Outcome::kDropped;
    }
    case 47: {
      const std::string first = fmt::format("a{}", thread);
      const std::string second = fmt::format("b{}", thread);
      const TaggedValue values[] = {{first, Value::Scalar(static_cast<double>(i))},
                                    {second, Value::Tensor(View(floats.data(), kFloatShape))}};
      return recorder.Record(i, values);
    }
    default:
      return recorder.AddScalar(tag, i, static_cast<double>(i));
  }
}

// The child. `closes_after`: calls of one thread until Close, so that kills hit before, during and
// after it.
[[noreturn]] void RecordUntilKilled(const std::string& directory, Ledger& ledger,
                                    std::int64_t closes_after) {
  auto recorder = Recorder::Open(directory, Options());
  if (!recorder) _exit(1);
  ledger.opened = true;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      const TagId tag = (*recorder)->Intern(fmt::format("scalar{}", t));
      for (std::int64_t i = 0; i < closes_after; ++i) {
        if (RecordOne(**recorder, tag, t, i) != Outcome::kAccepted) _exit(2);
        ledger.accepted[static_cast<std::size_t>(t)].store(i + 1, std::memory_order_release);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  if (!(*recorder)->Close().ok()) _exit(3);
  for (;;) pause();
}

template <typename Body>
pid_t Spawn(Body&& body) {
  const pid_t child = fork();
  if (child == 0) body();
  return child;
}

int Kill(pid_t child) {
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  return status;
}

// What one dialect's files must hold: each accepted value once. A call that was cut short may have
// left its value too, whole; nothing else may be there.
class Expectation {
 public:
  explicit Expectation(const Ledger& ledger) {
    for (int t = 0; t < kThreads; ++t) {
      accepted_.push_back(
          ledger.accepted[static_cast<std::size_t>(t)].load(std::memory_order_acquire));
    }
  }

  std::multiset<std::string> Seen(const std::vector<testing::RecordedFile>& files,
                                  bool lineage) const {
    std::multiset<std::string> seen;
    for (const auto& file : files) {
      for (const auto& event : file.events) {
        for (const RecordedValue& value : event) {
          if ((value.kind == "lineage" || value.kind == "text") == lineage)
            seen.insert(Key(value, lineage));
        }
      }
    }
    return seen;
  }

  void Check(const std::multiset<std::string>& seen, bool lineage, const char* where) const {
    const bool tensorboard = std::string_view(where).starts_with("TensorBoard");
    std::size_t expected = 0;
    std::size_t possible = 0;
    for (int t = 0; t < kThreads; ++t) {
      for (std::int64_t i = 0; i <= accepted_[static_cast<std::size_t>(t)]; ++i) {
        const bool unfinished = i == accepted_[static_cast<std::size_t>(t)];
        for (const std::string& key : Keys(t, i, lineage, tensorboard)) {
          const std::size_t count = seen.count(key);
          if (unfinished || key.starts_with("large@")) {
            possible += count;
            ASSERT_LE(count, 1) << where << ": " << key << " twice";
          } else {
            ++expected;
            ASSERT_EQ(count, 1) << where << ": " << key << " of accepted up to "
                                << accepted_[static_cast<std::size_t>(t)];
          }
        }
      }
    }
    EXPECT_EQ(seen.size(), expected + possible) << where << ": values that nobody recorded";
  }

  std::set<std::string> TensorFiles(bool with_unfinished) const {
    std::set<std::string> names;
    for (int t = 0; t < kThreads; ++t) {
      for (std::int64_t i = 0;
           i < accepted_[static_cast<std::size_t>(t)] + (with_unfinished ? 1 : 0); ++i) {
        if (i % 64 == 17) names.insert(fmt::format("tensor{}_{}.npy", t, i));
        if (i % 64 == 47) names.insert(fmt::format("b{}_{}.npy", t, i));
        if (i % 1024 == 58) names.insert(fmt::format("lent{}_{}.npy", t, i));
        if (i % 512 == 59 && t == 0 && with_unfinished)
          names.insert(fmt::format("large_{}.npy", i));
      }
    }
    return names;
  }

 private:
  static std::string Key(const RecordedValue& value, bool lineage) {
    return lineage ? fmt::format("{}", value.step) : fmt::format("{}@{}", value.tag, value.step);
  }

  static std::vector<std::string> Keys(int t, std::int64_t i, bool lineage, bool tensorboard) {
    const std::int64_t kind = i % 64;
    if (lineage) {
      return kind == 37 ? std::vector{fmt::format("{}", i * kThreads + t)}
                        : std::vector<std::string>{};
    }
    if (kind == 37 || (kind == 57 && !tensorboard)) return {};
    if (i % 1024 == 58) return {fmt::format("lent{}@{}", t, i)};
    if (i % 512 == 59 && t == 0) return {fmt::format("beside@{}", i), fmt::format("large@{}", i)};
    if (kind == 47) return {fmt::format("a{}@{}", t, i), fmt::format("b{}@{}", t, i)};
    const std::map<std::int64_t, std::string> names = {
        {7, "histogram"}, {17, "tensor"}, {27, "image"}, {57, "sound"}};
    const auto name = names.find(kind);
    return {fmt::format("{}{}@{}", name == names.end() ? "scalar" : name->second, t, i)};
  }

  std::vector<std::int64_t> accepted_;
};

// The next recorder completes the files; sometimes it is killed while it does.
void ReplayWithKills(const std::string& directory, std::mt19937& random) {
  while (std::uniform_int_distribution(0, 1)(random) == 1) {
    const pid_t child = Spawn([&] {
      auto next = Recorder::Open(directory, Options());
      _exit(next ? 0 : 1);
    });
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution(0, 20'000)(random)));
    Kill(child);
  }
  auto next = Recorder::Open(directory, Options());
  ASSERT_THAT(next, IsOk());
  ASSERT_THAT((*next)->Close(), IsOk());
  EXPECT_EQ((*next)->Stats().errors, 0) << (*next)->Stats().first_error.ToString();
}

TEST(KillTest, LosesNothingDoublesNothingTearsNothing) {
  std::mt19937 random(20261120);
  std::int64_t accepted_in_all = 0;
  int killed_before_close = 0;
  for (int run = 0; run < Runs(); ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    testing::TempDir dir;
    Ledger* ledger = NewLedger();
    ASSERT_NE(ledger, nullptr);
    const std::int64_t closes_after =
        std::uniform_int_distribution<std::int64_t>(200, 20'000)(random);
    const pid_t child = Spawn([&] { RecordUntilKilled(dir.path(), *ledger, closes_after); });
    std::this_thread::sleep_for(
        std::chrono::microseconds(std::uniform_int_distribution(0, 100'000)(random)));
    const int status = Kill(child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);

    const Expectation expectation(*ledger);
    for (const auto& count : ledger->accepted) accepted_in_all += count.load();
    killed_before_close += ledger->accepted[0].load() < closes_after ? 1 : 0;
    ReplayWithKills(dir.path(), random);
    const RecordedRun recorded = ReadRun(dir.path());
    EXPECT_TRUE(recorded.sound()) << "a file is torn";
    EXPECT_THAT(recorded.other, ::testing::IsEmpty());
    for (const auto& file : recorded.mindspore)  // Of two records: with one that is larger.
      EXPECT_TRUE(file.bytes <= Options().max_file_size || file.records <= 2) << file.name;
    expectation.Check(expectation.Seen(recorded.mindspore, false), false, "MindSpore summary");
    expectation.Check(expectation.Seen(recorded.lineage, true), true, "MindSpore lineage");
    expectation.Check(expectation.Seen(recorded.tensorboard, false), false, "TensorBoard");
    expectation.Check(expectation.Seen(recorded.tensorboard, true), true, "TensorBoard text");
    const std::set<std::string> npy(recorded.npy.begin(), recorded.npy.end());
    const std::set<std::string> least = expectation.TensorFiles(false);
    const std::set<std::string> most = expectation.TensorFiles(true);
    EXPECT_TRUE(std::includes(npy.begin(), npy.end(), least.begin(), least.end()))
        << "an export is missing";
    EXPECT_TRUE(std::includes(most.begin(), most.end(), npy.begin(), npy.end()))
        << "an export nobody recorded";
    munmap(ledger, sizeof(Ledger));
    if (HasFatalFailure() || HasNonfatalFailure()) break;
  }
  fmt::print("{} runs, {} values accepted, {} runs killed before Close\n", Runs(), accepted_in_all,
             killed_before_close);
  // A child that a sanitizer is stopping dies by the signal too, after a few calls.
  EXPECT_GT(accepted_in_all, Runs() * 100) << "the children did not record";
}

// What a rank of the job below tells.
struct RankLedger {
  std::atomic<std::int64_t> accepted;
  std::atomic<bool> opened;
  char session[33];
  char continues[33];
};
constexpr int kRanks = 8;
constexpr int kStarts = 3;
// A rank that recorded so much waits for its end: on a busy machine the last of them opens late.
constexpr std::int64_t kMostSteps = 5'000;
using JobLedger = std::array<std::array<RankLedger, kRanks>, kStarts>;

// A rank of a job that was started so often before: from its last checkpoint on, until it is
// killed.
[[noreturn]] void TrainRank(const std::string& directory, JobLedger& ledger, int start, int rank) {
  RankLedger& own = ledger[static_cast<std::size_t>(start)][static_cast<std::size_t>(rank)];
  RecorderOptions options = Options();
  options.writing.rank = options.writing.device_id = rank;
  options.writing.world_size = kRanks;
  options.export_npy = false;
  if (start > 0) options.resume_from_step = 1;
  auto recorder = Recorder::Open(directory, options);
  if (!recorder) _exit(1);
  (*recorder)->session_id().copy(&own.session[0], 32);
  (*recorder)->continues_session().copy(&own.continues[0], 32);
  own.opened = true;
  const std::string tag = fmt::format("loss{}.{}", start, rank);
  for (std::int64_t step = 0; step < kMostSteps; ++step) {
    if ((*recorder)->AddScalar(tag, step, 1) != Outcome::kAccepted) _exit(2);
    own.accepted = step + 1;
    if (step % 100 == 0) std::this_thread::yield();
  }
  while (true) pause();
}

TEST(KillTest, EightRanksAreKilledAndResumedTogether) {
  std::mt19937 random(20261124);
  for (int run = 0; run < (Runs() + 9) / 10; ++run) {
    SCOPED_TRACE(fmt::format("run {}", run));
    testing::TempDir dir;
    void* memory =
        mmap(nullptr, sizeof(JobLedger), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    auto& ledger = *new (memory) JobLedger{};
    for (int start = 0; start < kStarts; ++start) {
      std::vector<pid_t> ranks;
      for (int rank = 0; rank < kRanks; ++rank)
        ranks.push_back(Spawn([&] { TrainRank(dir.path(), ledger, start, rank); }));
      const auto& own = ledger[static_cast<std::size_t>(start)];
      while (
          !std::all_of(own.begin(), own.end(), [](const auto& rank) { return rank.opened.load(); }))
        std::this_thread::yield();
      std::this_thread::sleep_for(
          std::chrono::microseconds(std::uniform_int_distribution(0, 20'000)(random)));
      for (const pid_t rank : ranks) ASSERT_TRUE(WIFSIGNALED(Kill(rank)));
    }
    ASSERT_THAT(Recorder::Open(dir.path(), Options()), IsOk());
    const RecordedRun recorded = ReadRun(dir.path());
    EXPECT_TRUE(recorded.sound());
    std::map<std::string, std::int64_t> seen;
    for (const auto& file : recorded.tensorboard) {
      for (const auto& event : file.events) {
        for (const RecordedValue& value : event) seen[value.tag] += value.kind == "scalar" ? 1 : 0;
      }
    }
    for (std::size_t start = 0; start < kStarts; ++start) {
      for (std::size_t rank = 0; rank < kRanks; ++rank) {
        const RankLedger& own = ledger[start][rank];
        const std::int64_t values = seen[fmt::format("loss{}.{}", start, rank)];
        EXPECT_TRUE(values == own.accepted || values == own.accepted + 1)
            << values << " of " << own.accepted;
        EXPECT_STREQ(&own.continues[0], start == 0 ? "" : &ledger[start - 1][rank].session[0])
            << "start " << start << ", rank " << rank;
      }
    }
    munmap(memory, sizeof(JobLedger));
    if (HasFailure()) break;
  }
}

}  // namespace
}  // namespace sightline
