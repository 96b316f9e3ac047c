#include "sightline/dashboard/store/profile_store.h"

#include <fmt/format.h>

#include <string>
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
using ::testing::ElementsAre;
using testing::HeldBackFiles;
using testing::OnceRead;

// Three steps, in which the operator takes `duration` microseconds.
std::string Trace(int duration) {
  std::string text = "[";
  for (int step = 0; step < 3; ++step) {
    text += fmt::format(
        R"({{"ph":"X","name":"Step {}","cat":"step","pid":1,"tid":7,"ts":{},"dur":{}}},)"
        R"({{"ph":"X","name":"MatMul","cat":"cpu_op","pid":1,"tid":7,"ts":{},"dur":{}}},)",
        step, step * 1000, duration + 10, step * 1000 + 5, duration);
  }
  text.back() = ']';
  return text;
}

class ProfileStoreTest : public ::testing::Test {
 protected:
  ProfileStoreTest() {
    for (int rank = 0; rank < 3; ++rank)
      memory_.Put(fmt::format("root/{}/t.trace.json", rank), Trace(100 * (rank + 1)));
  }
  ~ProfileStoreTest() override { files_.Release(); }
  static std::string Id(int rank) { return fmt::format("{}/t.trace.json", rank); }
  std::shared_ptr<const ReadProfile> Read(int rank) {
    const auto read = OnceRead([&] { return store_.Open(Id(rank), std::nullopt); });
    EXPECT_THAT(read, IsOk());
    return read.value_or(nullptr);
  }
  std::vector<std::string> RanksOf(int rank) {
    const auto read = OnceRead([&] { return store_.Cluster(Id(rank)); });
    EXPECT_THAT(read, IsOk());
    std::vector<std::string> ids;
    for (const profiler::ClusterRank& one : (*read)->cluster.ranks)
      ids.push_back(one.part.use.path);
    return ids;
  }
  std::uint64_t opened() const { return files_.calls(FileOperation::kOpenForRead); }

  MemoryFileSystem memory_;
  HeldBackFiles files_{memory_};
  BackgroundImports imports_{files_};
  ProfileStore store_{files_, {"root"}, imports_};
};

TEST_F(ProfileStoreTest, OpensWithoutWaiting) {
  files_.HoldBack("t.trace.json");
  const auto asked = store_.Open(Id(0), std::nullopt);
  ASSERT_THAT(asked, IsOk());
  EXPECT_EQ(asked->value, nullptr);
  files_.AwaitReaders(1);
  EXPECT_EQ(store_.Open(Id(0), std::nullopt)->progress.total, Trace(100).size());
  EXPECT_EQ(store_.Open(Id(1), std::nullopt)->value, nullptr);
  files_.Release();
  EXPECT_EQ(Read(0)->profile.model.spans.size(), 6U);
  EXPECT_EQ(Read(1)->extent.to, 2'210'000);
}

TEST_F(ProfileStoreTest, RefusesWhatIsNotListedAtOnce) {
  const auto asked = store_.Open("none", std::nullopt);
  ASSERT_FALSE(asked.has_value());
  EXPECT_EQ(asked.error().code(), StatusCode::kNotFound);
}

TEST_F(ProfileStoreTest, HoldsTwoProfiles) {
  const auto first = Read(0);
  EXPECT_EQ(Read(0), first);
  (void)Read(1);
  (void)Read(2);
  EXPECT_NE(Read(0), first);
}

TEST_F(ProfileStoreTest, ComparesRanksWithoutDroppingTheProfileThatIsShown) {
  const auto shown = Read(0);
  const std::uint64_t before = opened();
  EXPECT_THAT(RanksOf(0), ElementsAre(Id(0), Id(1), Id(2)));
  const std::uint64_t of_two = opened();
  EXPECT_GT(of_two, before);
  EXPECT_EQ(Read(0), shown);
  EXPECT_THAT(RanksOf(0), ElementsAre(Id(0), Id(1), Id(2)));
  EXPECT_EQ(opened(), of_two) << "all is in memory";
}

TEST_F(ProfileStoreTest, ComparesRanksAgainWhenOneChangedOrCameInAddition) {
  (void)RanksOf(0);
  memory_.Put("root/3/t.trace.json", Trace(400));
  EXPECT_THAT(RanksOf(0), ElementsAre(Id(0), Id(1), Id(2), Id(3)));
  const std::uint64_t before = opened();
  memory_.Put("root/2/t.trace.json", Trace(1234567));
  EXPECT_THAT(RanksOf(0), ElementsAre(Id(0), Id(1), Id(2), Id(3)));
  EXPECT_GT(opened(), before);
}

TEST_F(ProfileStoreTest, LeavesOutRanksThatCannotBeRead) {
  memory_.Put("root/1/t.trace.json", "no trace");
  EXPECT_THAT(RanksOf(0), ElementsAre(Id(0), Id(2)));
}

}  // namespace
}  // namespace sightline::dashboard
