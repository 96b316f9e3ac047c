#include "sightline/dashboard/catalog.h"

#include <filesystem>
#include <map>

#include "recorded_directory.h"

namespace sightline::dashboard {
namespace {

using sightline::testing::TempDir;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;
using What = CatalogChange::What;

// Polls at times of its own, far enough apart that everything is due.
class CatalogTest : public ::testing::Test {
 protected:
  void Watch(std::vector<std::string> roots) {
    catalog_ = std::make_unique<Catalog>(FileSystem::Local(), std::move(roots));
  }
  std::map<std::string, What> Poll() {
    std::map<std::string, What> seen;
    catalog_->Poll(now_ += 1000, [&](const CatalogChanges& changes) {
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
  double now_ = 1e10;
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

TEST_F(CatalogTest, SaysNothingWhereNothingChanged) {
  testing::RecordScalars(dir_.File("a"), 1);
  Watch({dir_.path()});
  Poll();
  const auto before = catalog_->snapshot();
  EXPECT_THAT(Poll(), IsEmpty());
  EXPECT_EQ(catalog_->snapshot(), before);
}

TEST_F(CatalogTest, HearsOfEveryChange) {
  testing::RecordScalars(dir_.File("a"), 1);
  testing::RecordScalars(dir_.File("b"), 1);
  Watch({dir_.path()});
  Poll();
  testing::RecordScalars(dir_.File("a"), 5);
  testing::RecordScalars(dir_.File("c"), 1);
  std::filesystem::remove_all(dir_.File("b"));
  EXPECT_THAT(Poll(), UnorderedElementsAre(std::pair("a", What::kGrew), std::pair("b", What::kGone),
                                           std::pair("c", What::kNew)));
  EXPECT_THAT(Ids(), ElementsAre("a", "c"));
  EXPECT_GT(catalog_->snapshot()->Find("a")->points, 2U);
}

TEST_F(CatalogTest, SeesWhatARecorderStillHolds) {
  auto recorder = Recorder::Open(dir_.File("a"), {});
  ASSERT_THAT(recorder, sightline::testing::IsOk());
  (*recorder)->AddScalar("loss", 1, 0.5);
  Watch({dir_.path()});
  Poll();
  ASSERT_NE(catalog_->snapshot()->Find("a"), nullptr);
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 1U);
  (*recorder)->AddScalar("loss", 2, 0.25);
  EXPECT_THAT(Poll(), ElementsAre(std::pair("a", What::kGrew)));
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 2U);
}

TEST_F(CatalogTest, SaysWhenARunIsAnother) {
  testing::RecordScalars(dir_.File("a"), 5);
  Watch({dir_.path()});
  Poll();
  std::filesystem::remove_all(dir_.File("a"));
  testing::RecordScalars(dir_.File("a"), 2);
  EXPECT_THAT(Poll(), ElementsAre(std::pair("a", What::kChanged)));
  EXPECT_EQ(catalog_->snapshot()->Find("a")->points, 4U);
}

TEST_F(CatalogTest, OutlivesItsRoot) {
  testing::RecordScalars(dir_.File("root/a"), 1);
  Watch({dir_.File("root")});
  Poll();
  std::filesystem::remove_all(dir_.File("root"));
  EXPECT_THAT(Poll(), ElementsAre(std::pair("a", What::kGone)));
  testing::RecordScalars(dir_.File("root/a"), 1);
  EXPECT_THAT(Poll(), ElementsAre(std::pair("a", What::kNew)));
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

}  // namespace
}  // namespace sightline::dashboard
