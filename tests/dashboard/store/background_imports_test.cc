#include "sightline/dashboard/store/background_imports.h"

#include <sys/resource.h>

#include <algorithm>
#include <atomic>
#include <future>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sightline/tests/dashboard/held_back_files.h"
#include "sightline/tests/dashboard/once_read.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::FileOperation;
using sightline::testing::IsOk;
using sightline::testing::MemoryFileSystem;
using testing::HeldBackFiles;
using testing::OnceRead;

constexpr ImportKind<std::string> kTexts{"text", 2};
constexpr ImportKind<int> kNumbers{"number", 1};
constexpr std::size_t kMegabyte = std::size_t{1} << 20U;

class SetClock final : public Clock {
 public:
  double WallSeconds() const override { return 0; }
  std::int64_t MonotonicNanos() const override { return seconds * 1'000'000'000; }
  std::atomic<std::int64_t> seconds{0};
};

Result<std::shared_ptr<const std::string>> ReadText(ImportFiles& files, const std::string& path) {
  files.Expect(path);
  SIGHTLINE_ASSIGN_OR_RETURN(const auto file, files.OpenForRead(path));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file->Size());
  std::string text(size, '\0');
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t read, file->ReadAt(0, text));
  text.resize(read);
  return std::make_shared<const std::string>(std::move(text));
}

class BackgroundImportsTest : public ::testing::Test {
 protected:
  BackgroundImportsTest() {
    for (const char* path : {"a", "b", "c"}) memory_.Put(path, path);
    Configure({.at_once = 4});
  }
  ~BackgroundImportsTest() override { files_.Release(); }
  void Configure(ImportOptions options) {
    options.clock = &clock_;
    imports_ = std::make_unique<BackgroundImports>(files_, options);
  }

  std::optional<Result<Opened<std::string>>> Find(const std::string& path) {
    return imports_->Find(kTexts, path);
  }
  Result<Opened<std::string>> Ask(const std::string& path) {
    if (auto known = Find(path)) return *std::move(known);
    return imports_->Start(kTexts, path,
                           [path](ImportFiles& files) { return ReadText(files, path); });
  }
  Result<std::shared_ptr<const std::string>> Read(const std::string& path) {
    return OnceRead([&] { return Ask(path); });
  }
  // Imports a number.
  template <typename Count>
  Result<std::shared_ptr<const int>> Number(Count count) {
    return OnceRead([&]() -> Result<Opened<int>> {
      if (auto known = imports_->Find(kNumbers, "")) return *std::move(known);
      return imports_->Start(kNumbers, "",
                             [count](ImportFiles& files) -> Result<std::shared_ptr<const int>> {
                               return std::make_shared<const int>(count(files));
                             });
    });
  }
  std::uint64_t opened() const { return files_.calls(FileOperation::kOpenForRead); }

  SetClock clock_;
  MemoryFileSystem memory_;
  HeldBackFiles files_{memory_};
  std::unique_ptr<BackgroundImports> imports_;
};

TEST_F(BackgroundImportsTest, ReadsOnceForAllWhoAsk) {
  files_.HoldBack("a");
  std::vector<std::thread> askers;
  std::vector<std::shared_ptr<const std::string>> got(8);
  for (auto& text : got) askers.emplace_back([&] { text = *Read("a"); });
  files_.AwaitReaders(1);
  files_.Release();
  for (std::thread& asker : askers) asker.join();
  for (const auto& text : got) EXPECT_EQ(text, got[0]);
  EXPECT_EQ(*got[0], "a");
  EXPECT_EQ(opened(), 1U);
}

TEST_F(BackgroundImportsTest, StartsWhatAnotherHasJustStartedOnlyOnce) {
  files_.HoldBack("a");
  const auto start = [&] {
    return imports_->Start(kTexts, "a", [](ImportFiles& files) { return ReadText(files, "a"); });
  };
  ASSERT_THAT(start(), IsOk());
  files_.AwaitReaders(1);
  ASSERT_THAT(start(), IsOk());
  files_.Release();
  const auto text = *Read("a");
  EXPECT_EQ(start()->value, text) << "it may also have ended meanwhile";
  EXPECT_EQ(opened(), 1U);
}

TEST_F(BackgroundImportsTest, ReturnsItsProgressWhileItReads) {
  memory_.Put("large", std::string(3 * kMegabyte, 'x'));
  files_.HoldBack("large", 2);
  EXPECT_EQ(Ask("large")->value, nullptr);
  files_.AwaitReaders(1);
  // Two pieces have passed once the third read waits.
  while (Ask("large")->progress.bytes < 2 * kMegabyte) std::this_thread::yield();
  const auto asked = Ask("large");
  EXPECT_EQ(asked->value, nullptr);
  EXPECT_EQ(asked->progress.bytes, 2 * kMegabyte);
  EXPECT_EQ(asked->progress.total, 3 * kMegabyte);
  files_.Release();
  EXPECT_EQ((*Read("large"))->size(), 3 * kMegabyte);
}

TEST_F(BackgroundImportsTest, FindsOnlyWhatWasStarted) {
  EXPECT_FALSE(Find("a").has_value());
  EXPECT_THAT(Read("a"), IsOk());
  EXPECT_TRUE(Find("a").has_value());
  EXPECT_FALSE(imports_->Find(kNumbers, "a").has_value()) << "another kind";
}

TEST_F(BackgroundImportsTest, ReadsAgainWhenAFileChanged) {
  const auto first = *Read("a");
  EXPECT_EQ(*Read("a"), first);
  memory_.Put("a", "changed");
  EXPECT_EQ(**Read("a"), "changed");
  EXPECT_EQ(*first, "a") << "whoever still uses it has the old one";
}

TEST_F(BackgroundImportsTest, ReadsAgainWhenADirectoryChanged) {
  memory_.Put("d/a", "a");
  const auto count = [&] {
    return Number([](ImportFiles& files) { return static_cast<int>(files.List("d")->size()); });
  };
  EXPECT_EQ(**count(), 1);
  memory_.Put("d/b", "b");
  EXPECT_EQ(**count(), 2);
}

TEST_F(BackgroundImportsTest, GivesAResultToSomebodyEvenIfTheFileHasGrownMeanwhile) {
  files_.HoldBack("a");
  ASSERT_THAT(Ask("a"), IsOk());
  files_.AwaitReaders(1);
  memory_.Put("a", "it has grown");
  files_.Release();
  EXPECT_THAT(Read("a"), IsOk());
  EXPECT_EQ(opened(), 1U);
  EXPECT_EQ(**Read("a"), "it has grown");
}

TEST_F(BackgroundImportsTest, GivesAnErrorToAllWhoAskUntilTheFileChanges) {
  files_.FailEvery(FileOperation::kReadAt, "a", StatusCode::kDataLoss);
  for (int i = 0; i < 3; ++i) {
    const auto failed = Read("a");
    ASSERT_FALSE(failed.has_value());
    EXPECT_EQ(failed.error().code(), StatusCode::kDataLoss);
  }
  EXPECT_EQ(opened(), 1U);
  files_.Heal();
  EXPECT_FALSE(Read("a").has_value()) << "the file is as it was";
  memory_.Put("a", "repaired");
  EXPECT_EQ(**Read("a"), "repaired");
}

TEST_F(BackgroundImportsTest, ForgetsAnErrorInTheEnd) {
  files_.FailEvery(FileOperation::kReadAt, "a", StatusCode::kIoError);
  EXPECT_FALSE(Read("a").has_value());
  files_.Heal();
  clock_.seconds += 60;
  EXPECT_FALSE(Read("a").has_value());
  clock_.seconds += 1;
  EXPECT_THAT(Read("a"), IsOk());
}

TEST_F(BackgroundImportsTest, ReportsWhatAnImportThrows) {
  const auto thrown = Number([](ImportFiles&) -> int { throw std::runtime_error("broken"); });
  ASSERT_FALSE(thrown.has_value());
  EXPECT_EQ(thrown.error().message(), "broken");
}

TEST_F(BackgroundImportsTest, CancelsAnImportThatNobodyAsksForAnyMore) {
  files_.HoldBack("a");
  std::promise<Status> ended;
  ASSERT_THAT(imports_->Start(kTexts, "a",
                              [&](ImportFiles& files) {
                                auto first = ReadText(files, "a");
                                auto second = ReadText(files, "b");
                                ended.set_value(second ? Status() : second.error());
                                return second;
                              }),
              IsOk());
  files_.AwaitReaders(1);
  clock_.seconds += 11;
  files_.Release();
  EXPECT_EQ(ended.get_future().get().code(), StatusCode::kUnavailable);
  EXPECT_FALSE(Find("a").has_value());
  EXPECT_EQ(**Read("a"), "a") << "it can be started again";
}

TEST_F(BackgroundImportsTest, EachRequestKeepsAnImportAlive) {
  memory_.Put("large", std::string(3 * kMegabyte, 'x'));
  files_.HoldBack("large");
  ASSERT_THAT(Ask("large"), IsOk());
  files_.AwaitReaders(1);
  for (int i = 0; i < 5; ++i) {
    clock_.seconds += 10;
    ASSERT_TRUE(Find("large").has_value());
  }
  files_.Release();
  EXPECT_THAT(Read("large"), IsOk());
  EXPECT_EQ(opened(), 1U);
}

TEST_F(BackgroundImportsTest, DoesNotStartAnImportThatNobodyWaitsForAnyMore) {
  Configure({.at_once = 1});
  files_.HoldBack("a");
  ASSERT_THAT(Ask("a"), IsOk());
  files_.AwaitReaders(1);
  std::atomic<bool> started = false;
  ASSERT_THAT(imports_->Start(kTexts, "b",
                              [&](ImportFiles& files) {
                                started = true;
                                return ReadText(files, "b");
                              }),
              IsOk());
  clock_.seconds += 11;
  ASSERT_TRUE(Find("a").has_value());
  files_.Release();
  EXPECT_THAT(Read("c"), IsOk()) << "it comes after b";
  EXPECT_FALSE(started);
}

TEST_F(BackgroundImportsTest, StopCancelsTheImportsThatRun) {
  files_.HoldBack("a");
  std::promise<Status> ended;
  ASSERT_THAT(imports_->Start(kTexts, "a",
                              [&](ImportFiles& files) {
                                (void)ReadText(files, "a");
                                const Status status = files.CheckCancelled();
                                ended.set_value(status);
                                return ReadText(files, "a");
                              }),
              IsOk());
  files_.AwaitReaders(1);
  std::thread stopping([&] { imports_->Stop(); });
  // Whatever is asked for once Stop has begun is refused.
  while (Ask("b").has_value()) std::this_thread::yield();
  EXPECT_EQ(Ask("a").error().code(), StatusCode::kUnavailable);
  files_.Release();
  stopping.join();
  EXPECT_EQ(ended.get_future().get().code(), StatusCode::kUnavailable);
}

TEST_F(BackgroundImportsTest, RunsNoMoreThanItMayAtOnce) {
  Configure({.at_once = 2});
  std::atomic<int> running = 0;
  std::atomic<int> most = 0;
  const auto read = [&](ImportFiles& /*files*/) -> Result<std::shared_ptr<const std::string>> {
    most = std::max<int>(most, ++running);
    // Gives a third one the time to begin.
    for (int i = 0; i < 500 && running < 3; ++i) std::this_thread::yield();
    --running;
    return std::make_shared<const std::string>();
  };
  const std::vector<std::string> ids = {"1", "2", "3", "4", "5", "6"};
  for (const std::string& id : ids) ASSERT_THAT(imports_->Start(kTexts, id, read), IsOk());
  for (const std::string& id : ids) EXPECT_THAT(OnceRead([&] { return *Find(id); }), IsOk());
  EXPECT_LE(most, 2);
}

TEST_F(BackgroundImportsTest, AnImportThatWaitsForItsTurnHasNoProgress) {
  Configure({.at_once = 1});
  files_.HoldBack("a");
  ASSERT_THAT(Ask("a"), IsOk());
  files_.AwaitReaders(1);
  EXPECT_EQ(Ask("b")->progress.total, 0U);
  files_.Release();
  EXPECT_EQ(**Read("b"), "b");
}

TEST_F(BackgroundImportsTest, AnImportThatRunsCountsAmongThoseInMemory) {
  for (const char* path : {"a", "b"}) ASSERT_THAT(Read(path), IsOk());
  files_.HoldBack("c");
  ASSERT_THAT(Ask("c"), IsOk());
  files_.AwaitReaders(1);
  EXPECT_FALSE(Find("a").has_value()) << "two stay, and c is one of them";
  EXPECT_TRUE(Find("b").has_value());
}

TEST_F(BackgroundImportsTest, KeepsEachResultUntilSomebodyGotIt) {
  Configure({.at_once = 1});
  for (const char* path : {"a", "b", "c"}) ASSERT_THAT(Ask(path), IsOk());
  for (const char* path : {"a", "b", "c"}) EXPECT_EQ(**Read(path), path);
  EXPECT_EQ(opened(), 3U);
}

TEST_F(BackgroundImportsTest, DropsAResultThatNobodyCameFor) {
  Configure({.at_once = 1});
  for (const char* path : {"a", "b"}) ASSERT_THAT(Ask(path), IsOk());
  // Comes after them on the only thread.
  ASSERT_THAT(Number([](ImportFiles&) { return 1; }), IsOk());
  clock_.seconds += 11;
  ASSERT_THAT(Read("c"), IsOk());
  EXPECT_FALSE(Find("a").has_value());
  EXPECT_TRUE(Find("b").has_value());
}

TEST_F(BackgroundImportsTest, ImportsAtALowPriority) {
  const int before = getpriority(PRIO_PROCESS, 0);
  const auto nice = Number([](ImportFiles&) { return getpriority(PRIO_PROCESS, 0); });
  EXPECT_GE(**nice, 10);
  EXPECT_EQ(getpriority(PRIO_PROCESS, 0), before) << "of this thread";
}

}  // namespace
}  // namespace sightline::dashboard
