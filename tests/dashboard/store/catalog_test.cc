#include "sightline/dashboard/store/catalog.h"

#include <filesystem>
#include <map>

#include "sightline/tests/dashboard/recorded_directory.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/manual_clock.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::UnorderedElementsAre;
using What = CatalogChange::What;

// Polls at times of its own, far enough apart that everything is due.
class CatalogTest : public ::testing::Test {
 protected:
  void Watch(const std::vector<std::string>& roots, CatalogOptions options = {}) {
    options.clock = &clock_;
    catalog_ = std::make_unique<Catalog>(roots, options);
    generation_ = 0;
  }
  std::map<std::string, What> Poll() { return PollAfter(1000); }
  std::map<std::string, What> PollAfter(double seconds) {
    std::map<std::string, What> seen;
    clock_.seconds += seconds;
    catalog_->Poll([&](const CatalogChanges& changes) {
      EXPECT_GT(changes.generation, generation_);
      generation_ = changes.generation;
      for (const CatalogChange& change : changes.runs) seen[change.id] = change.what;
    });
    return seen;
  }
  std::vector<std::string> Ids() {
    std::vector<std::string> ids;
    for (const CatalogRun& run : catalog_->snapshot()->runs) ids.push_back(run.id);
    return ids;
  }

  TempDir dir_;
  std::unique_ptr<Catalog> catalog_;
  sightline::testing::ManualClock clock_{1e10};
  std::uint64_t generation_ = 0;
};

TEST_F(CatalogTest, FindsRunsAtAnyDepth) {
  testing::RecordScalars(dir_.path(), 1);
  testing::RecordScalars(dir_.File("a"), 1);
  testing::RecordScalars(dir_.File("b/c"), 1);
  Watch({dir_.path()});
  EXPECT_TRUE(catalog_->snapshot()->loading);
  EXPECT_EQ(Poll().size(), 3U);
  EXPECT_FALSE(catalog_->snapshot()->loading);
  EXPECT_THAT(Ids(), ElementsAre(".", "a", "b/c"));
  EXPECT_EQ(catalog_->snapshot()->Find("b/c")->points, 2U);
  EXPECT_EQ(catalog_->snapshot()->Find("b"), nullptr);
}

TEST_F(CatalogTest, NumbersSeveralRoots) {
  testing::RecordScalars(dir_.File("a/x"), 1);
  testing::RecordScalars(dir_.File("b"), 1);
  Watch({dir_.File("a"), dir_.File("b")});
  Poll();
  EXPECT_THAT(Ids(), ElementsAre("0:x", "1:."));
}

TEST_F(CatalogTest, CallsSeveralRootsByTheirFolders) {
  const std::vector<std::string> roots = {dir_.File("x/out"), dir_.File("y/out"), dir_.File("z")};
  for (const std::string& root : roots) testing::RecordScalars(root, 1);
  testing::RecordScalars(dir_.File("z/run"), 1);
  Watch({roots[0], roots[1] + "/", dir_.File("y/../z")});
  Poll();
  std::vector<std::string> names;
  for (const CatalogRun& run : catalog_->snapshot()->runs) names.push_back(run.name);
  EXPECT_THAT(names, ElementsAre("x/out", "y/out", "z", "z/run"));
  EXPECT_THAT(Ids(), ElementsAre("0:.", "1:.", "2:.", "2:run"));
}

TEST_F(CatalogTest, CallsTheRunInTheOnlyRootByItsFolder) {
  testing::RecordScalars(dir_.File("out"), 1);
  testing::RecordScalars(dir_.File("out/run"), 1);
  Watch({dir_.File("out")});
  Poll();
  std::vector<std::string> names;
  for (const CatalogRun& run : catalog_->snapshot()->runs) names.push_back(run.name);
  EXPECT_THAT(names, ElementsAre("out", "run"));
  EXPECT_THAT(Ids(), ElementsAre(".", "run"));
  EXPECT_THAT(Poll(), IsEmpty());
}

TEST_F(CatalogTest, NamesThatAreNotUtf8HaveIdsOfTheirOwn) {
  for (const char* const name : {"a\xff", "a\xfe", "a%FF", "caf\xc3\xa9", "50%"})
    testing::RecordScalars(dir_.File(name), 1);
  Watch({dir_.path()});
  Poll();
  EXPECT_THAT(Ids(), ElementsAre("50%", "a%25FF", "a%FE", "a%FF", "caf\xc3\xa9"));
  EXPECT_EQ(catalog_->snapshot()->Find("a%FE")->run->directory(), dir_.File("a\xfe"));
  EXPECT_THAT(Poll(), IsEmpty());
}

TEST_F(CatalogTest, ReportsNothingWithoutChanges) {
  testing::RecordScalars(dir_.File("a"), 1);
  Watch({dir_.path()});
  Poll();
  const auto before = catalog_->snapshot();
  EXPECT_THAT(Poll(), IsEmpty());
  EXPECT_EQ(catalog_->snapshot(), before);
}

TEST_F(CatalogTest, LooksAtNoFileWhileNothingChanges) {
  testing::RecordScalars(dir_.File("a"), 1);
  sightline::testing::FaultyFileSystem files(FileSystem::Local());
  CatalogOptions options;
  options.file_system = &files;
  Watch({dir_.path()}, options);
  Poll();
  Poll();
  const std::uint64_t before = files.calls();
  EXPECT_THAT(Poll(), IsEmpty());
  EXPECT_EQ(files.calls(), before);
  catalog_.reset();
}

TEST_F(CatalogTest, ReportsEveryChange) {
  testing::RecordScalars(dir_.File("a"), 1);
  testing::RecordScalars(dir_.File("b"), 1);
  Watch({dir_.path()});
  Poll();
  testing::RecordScalars(dir_.File("a"), 5);
  testing::RecordScalars(dir_.File("c"), 1);
  std::filesystem::remove_all(dir_.File("b"));
  EXPECT_THAT(Poll(), UnorderedElementsAre(Pair("a", What::kGrew), Pair("b", What::kGone),
                                           Pair("c", What::kNew)));
  EXPECT_THAT(Ids(), ElementsAre("a", "c"));
  EXPECT_GT(catalog_->snapshot()->Find("a")->points, 2U);
}

TEST_F(CatalogTest, SeesValuesInAJournal) {
  auto recorder = Recorder::Open(dir_.File("a"), {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  (*recorder)->AddScalar("loss", 1, 0.5);
  Watch({dir_.path()});
  Poll();
  ASSERT_NE(catalog_->snapshot()->Find("a"), nullptr);
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 1U);
  (*recorder)->AddScalar("loss", 2, 0.25);
  EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kGrew)));
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 2U);
}

TEST_F(CatalogTest, ReportsAReplacedRunAsChanged) {
  testing::RecordScalars(dir_.File("a"), 5);
  Watch({dir_.path()});
  Poll();
  std::filesystem::remove_all(dir_.File("a"));
  testing::RecordScalars(dir_.File("a"), 2);
  EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kChanged)));
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 4U);
}

TEST_F(CatalogTest, OutlivesItsRoot) {
  testing::RecordScalars(dir_.File("root/a"), 1);
  Watch({dir_.File("root")});
  Poll();
  std::filesystem::remove_all(dir_.File("root"));
  EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kGone)));
  testing::RecordScalars(dir_.File("root/a"), 1);
  EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kNew)));
}

TEST_F(CatalogTest, MindSporesLossIsTheObjectiveBesideThatOfEvaluations) {
  auto recorder = Recorder::Open(dir_.File("a"), {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  for (const char* tag : {"eval/loss", "loss/auto", "loss_scale/auto"})
    (*recorder)->AddScalar(tag, 1, 0.5);
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
  Watch({dir_.path()});
  Poll();
  EXPECT_EQ(catalog_->snapshot()->Find("a")->objective, "loss/auto");
}

TEST_F(CatalogTest, TheStepsOfARunAreThoseOfAllItsSeries) {
  auto recorder = Recorder::Open(dir_.File("a"), {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  for (const std::int64_t step : {4, 9}) (*recorder)->AddScalar("a", step, 1);
  for (const std::int64_t step : {2, 6}) (*recorder)->AddScalar("b", step, 1);
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
  Watch({dir_.path()});
  Poll();
  EXPECT_EQ(catalog_->snapshot()->Find("a")->first_step, 2);
  EXPECT_EQ(catalog_->snapshot()->Find("a")->last_step, 9);
}

TEST_F(CatalogTest, CountsDamage) {
  testing::RecordScalars(dir_.File("a"), 50);
  for (const auto& entry : std::filesystem::directory_iterator(dir_.File("a"))) {
    std::string bytes = sightline::testing::ReadFileOrDie(entry.path().string());
    if (bytes.size() < 1000) continue;
    bytes[500] = static_cast<char>(bytes[500] ^ 0x55);
    sightline::testing::WriteFileOrDie(entry.path().string(), bytes);
  }
  Watch({dir_.path()});
  Poll();
  EXPECT_EQ(catalog_->snapshot()->Find("a")->damage, 1U);
}

// Four tensors of 120 KB, the third of them damaged.
void RecordLargeAndDamage(const std::string& directory) {
  auto recorder = Recorder::Open(directory, {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  const std::vector<float> values(30'000, 0.5F);
  const std::vector<std::int64_t> shape = {30'000};
  for (std::int64_t step = 1; step <= 4; ++step)
    (*recorder)->AddTensor("weights", step, View(values.data(), shape));
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
  for (const auto& entry : std::filesystem::directory_iterator(directory)) {
    std::string bytes = sightline::testing::ReadFileOrDie(entry.path().string());
    if (bytes.size() < 400'000) continue;
    bytes[bytes.size() - 180'000] ^= 1;
    sightline::testing::WriteFileOrDie(entry.path().string(), bytes);
  }
}

TEST_F(CatalogTest, ListsLargeRecordsAtOnceAndChecksThemLater) {
  RecordLargeAndDamage(dir_.File("runs/a"));
  RecordLargeAndDamage(dir_.File("runs/b"));
  for (int start = 0; start < 2; ++start) {
    Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
    const auto of = [&](const char* id) { return *catalog_->snapshot()->Find(id); };
    Poll();
    if (start == 0) {
      EXPECT_EQ(of("a").points, 4U);
      EXPECT_EQ(of("a").unchecked, 3U);
      EXPECT_EQ(of("a").damage, 0U);
      EXPECT_THAT(Poll(), ElementsAre(Pair("b", What::kChanged))) << "one at a time";
      EXPECT_EQ(of("a").unchecked, 3U);
      EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kChanged)));
    }
    for (const char* id : {"a", "b"}) {
      EXPECT_EQ(of(id).points, 3U);
      EXPECT_EQ(of(id).unchecked, 0U) << "the next start knows";
      EXPECT_EQ(of(id).damage, 1U);
    }
    EXPECT_THAT(Poll(), IsEmpty());
  }
}

TEST_F(CatalogTest, TakesPointsFromTheIndexWhenTheyAreAskedFor) {
  testing::RecordScalars(dir_.File("runs/a"), 100);
  for (int start = 0; start < 2; ++start) {
    Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
    EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kNew)));
    EXPECT_THAT(Poll(), IsEmpty());
    const auto snapshot = catalog_->snapshot();
    const CatalogRun& listed = *snapshot->Find("a");
    EXPECT_EQ(listed.points, 200U);
    EXPECT_EQ(listed.nonfinite, 1U);
    const Series* loss = listed.run->Find(ContentKind::kScalar, "loss");
    EXPECT_NE(loss->source(), nullptr) << "start " << start;
    EXPECT_EQ(loss->values()[1], 0.5);
    EXPECT_THAT(Poll(), IsEmpty());
  }
}

TEST_F(CatalogTest, FreesPointsAMinuteAfterTheyWereRead) {
  testing::RecordScalars(dir_.File("runs/a"), 100);
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  const auto run = [&] { return catalog_->snapshot()->Find("a")->run; };
  Poll();
  std::weak_ptr<const sightline::Run> read = run();
  EXPECT_EQ(run()->series()[0]->source(), nullptr);
  EXPECT_THAT(PollAfter(59), IsEmpty());
  EXPECT_EQ(run(), read.lock());
  EXPECT_THAT(PollAfter(1), IsEmpty());
  EXPECT_TRUE(read.expired());
  EXPECT_NE(run()->series()[0]->source(), nullptr);
  EXPECT_EQ(run()->Find(ContentKind::kScalar, "loss")->values().size(), 100U);
}

TEST_F(CatalogTest, FreesThePointsOfARunThatEnded) {
  auto recorder = Recorder::Open(dir_.File("runs/a"), {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  (*recorder)->AddScalar("loss", 1, 0.5);
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  Poll();
  (*recorder)->AddScalar("loss", 2, 0.25);
  Poll();
  const auto loss = [&] {
    return catalog_->snapshot()->Find("a")->run->Find(ContentKind::kScalar, "loss");
  };
  Poll();
  EXPECT_EQ(loss()->source(), nullptr) << "it grows";
  ASSERT_THAT((*recorder)->Close(), sightline::testing::IsOk());
  Poll();
  Poll();
  EXPECT_NE(loss()->source(), nullptr);
  EXPECT_THAT(loss()->values(), ElementsAre(0.5, 0.25));
  // The next start does not read it.
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  Poll();
  EXPECT_NE(loss()->source(), nullptr);
}

// A run of another program ends when it is silent.
TEST_F(CatalogTest, FreesThePointsOfAForeignRunThatEnded) {
  const std::string path = dir_.File("runs/a/") + sightline::testing::kTensorBoardName;
  std::filesystem::create_directories(dir_.File("runs/a"));
  clock_.seconds = Clock::System().WallSeconds();
  std::string bytes;
  const auto append = [&](std::int64_t step) {
    bytes += sightline::testing::TensorBoardScalar("loss", step, 1);
    sightline::testing::WriteFileOrDie(path, bytes);
  };
  const auto loss = [&] {
    return catalog_->snapshot()->Find("a")->run->Find(ContentKind::kScalar, "loss");
  };
  append(1);
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  PollAfter(0);
  append(2);
  EXPECT_THAT(PollAfter(1), ElementsAre(Pair("a", What::kGrew)));
  append(3);
  EXPECT_THAT(PollAfter(1), ElementsAre(Pair("a", What::kGrew)));
  EXPECT_EQ(loss()->source(), nullptr);
  EXPECT_THAT(PollAfter(100), ElementsAre(Pair("a", What::kState)));
  EXPECT_THAT(PollAfter(100), IsEmpty());
  EXPECT_NE(loss()->source(), nullptr);
  append(4);
  EXPECT_THAT(PollAfter(100), ElementsAre(Pair("a", What::kGrew)));
  EXPECT_THAT(loss()->steps(), ElementsAre(1, 2, 3, 4));
}

TEST_F(CatalogTest, SeesThatARunOfTheIndexGrew) {
  testing::RecordScalars(dir_.File("runs/a"), 5);
  const CatalogOptions options = {.index_folder = dir_.File("index"), .points_bytes = 1};
  Watch({dir_.File("runs")}, options);
  Poll();
  testing::RecordScalars(dir_.File("runs/a"), 9);
  EXPECT_THAT(Poll(), ElementsAre(Pair("a", What::kGrew)));
  const auto snapshot = catalog_->snapshot();
  const CatalogRun& listed = *snapshot->Find("a");
  const Series* const loss = listed.run->Find(ContentKind::kScalar, "loss");
  EXPECT_EQ(snapshot->Open(listed, loss)->steps().back(), 9);
}

TEST_F(CatalogTest, StaysWithinItsMemoryForPoints) {
  for (const char* name : {"a", "b", "c"})
    testing::RecordScalars(dir_.File(std::string("runs/") + name), 100);
  // As many as two series of them have.
  Watch({dir_.File("runs")},
        {.index_folder = dir_.File("index"), .points_bytes = 2 * 100 * 25, .reading_bytes = 1});
  EXPECT_EQ(Poll().size(), 3U);
  const auto snapshot = catalog_->snapshot();
  const auto open = [&](const char* id) {
    const CatalogRun& run = *snapshot->Find(id);
    return snapshot->Open(run, run.run->Find(ContentKind::kScalar, "loss"));
  };
  std::weak_ptr<const Series> a = open("a");
  std::weak_ptr<const Series> b = open("b");
  EXPECT_FALSE(a.expired());
  EXPECT_EQ(open("a"), a.lock());
  EXPECT_EQ(open("c")->values().size(), 100U);
  EXPECT_TRUE(b.expired()) << "b was asked for before a";
  EXPECT_FALSE(a.expired());
}

TEST_F(CatalogTest, RemovesGoneRunsFromTheIndex) {
  testing::RecordScalars(dir_.File("runs/a"), 5);
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  Poll();
  std::filesystem::rename(dir_.File("runs/a"), dir_.File("runs/b"));
  Watch({dir_.File("runs")}, {.index_folder = dir_.File("index")});
  EXPECT_THAT(Poll(), ElementsAre(Pair("b", What::kNew)));
  EXPECT_EQ(catalog_->snapshot()->Find("b")->points, 10U);
}

}  // namespace
}  // namespace sightline::dashboard
