// The points of runs in the index: loaded one series at a time, or read from the files again.
#include "sightline/runs/index/stored_points.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <string>

#include "sightline/tests/runs/index/indexed_runs.h"
#include "sightline/tests/support/forked_child.h"

namespace sightline {
namespace {

using testing::InForkedChild;
using testing::IsOk;
using testing::ManyScalars;
using testing::ManyTags;
using testing::TensorBoardScalar;
using testing::Text;
using testing::TextOf;

using StoredPointsTest = testing::IndexedRuns;

TEST_F(StoredPointsTest, PointsComeFromTheFilesIfTheIndexIsGoneOrHasANewerState) {
  Append(ManyScalars(0, 100));
  const std::string anew = Anew();
  Use();
  const RunGroup one = Open();
  const RunGroup two = Open();
  Append(ManyScalars(100, 100));
  Use();
  const sightline::Run& run = *one.runs()[0];
  EXPECT_EQ(run.series()[0]->size(), 100U);
  EXPECT_EQ(run.series()[0]->steps().size(), 100U);
  EXPECT_EQ(Text(run), anew);
  Execute("DROP TABLE contents");
  EXPECT_EQ(Text(*two.runs()[0]), anew);
}

TEST_F(StoredPointsTest, ASeriesIsLoadedWithoutTheOthersOfItsRun) {
  Append(ManyTags(3, 0, 5000));
  Use();
  const RunGroup warm = Open();
  Execute("DELETE FROM parts WHERE name <> 1");
  ASSERT_THAT(fs_.Remove(path_), IsOk());
  const sightline::Run& run = *warm.runs()[0];
  EXPECT_EQ(run.series()[1]->values()[4999], 5000);
  EXPECT_TRUE(std::isnan(run.series()[0]->values()[4999])) << "that one had a part of its own";
}

TEST_F(StoredPointsTest, RanksThatRecordedTheSameStepsShareThem) {
  for (const char* run : {"a", "b"})
    fs_.Put(std::string("root/") + run + "/events.out.tfevents.1.vm", ManyTags(1, 0, 5000));
  Use();
  const RunGroup warm = Open();
  const auto& first = warm.runs()[0]->series()[0];
  const auto& second = warm.runs()[1]->series()[0];
  EXPECT_EQ(first->steps().data(), second->steps().data());
  EXPECT_NE(first->values().data(), second->values().data());
  EXPECT_EQ(second->steps()[4999], 4999);
}

TEST_F(StoredPointsTest, SmallSeriesShareAPart) {
  Append(ManyTags(300, 0, 30));
  const std::string anew = Anew();
  Use();
  const int parts = Number("SELECT count(*) FROM parts");
  EXPECT_GT(parts, 1);
  EXPECT_LT(parts, 30);
  fs_.TakeBytesRead();
  EXPECT_EQ(TextOf(Open()), anew);
  EXPECT_LT(fs_.TakeBytesRead(), 1000U);
}

TEST_F(StoredPointsTest, TheSeriesOfASmallRunAreNoRowsOfTheirOwn) {
  Append(ManyTags(10, 0, 10));
  const std::string anew = Anew();
  Use();
  EXPECT_EQ(Number("SELECT count(*) FROM parts"), 0);
  EXPECT_EQ(TextOf(Open()), anew);
}

// Each name then has several series: of two ranks, of values that count and of those that do not.
TEST_F(StoredPointsTest, SeriesOfRanksAndOfRestartsAreFoundInParts) {
  using Event = ::sightline::tensorboard::Event;
  for (const int rank : {0, 1}) {
    const std::string name = std::string("root/a/events.out.tfevents.1") + std::to_string(rank);
    const std::string id = "s" + std::to_string(rank);
    fs_.Put(name + ".vm", testing::SessionRecord<Event>(id, rank) + ManyTags(2, rank, 4000));
    fs_.Put(name + ".vm2",
            testing::SessionRecord<Event>(id + "b", rank, 2000, id) + ManyTags(3, 2000, 3000));
  }
  const std::string anew = Anew();
  Use();
  fs_.TakeBytesRead();
  const RunGroup warm = Open();
  const sightline::Run& run = *warm.runs()[0];
  ASSERT_EQ(run.series().size(), 6U);
  ASSERT_EQ(run.superseded().size(), 4U);
  EXPECT_EQ(run.superseded()[3]->values().back(), 4001);
  EXPECT_EQ(run.series()[1]->values().front(), 1) << "t0 of rank 1";
  EXPECT_EQ(TextOf(warm), anew);
  EXPECT_LT(fs_.TakeBytesRead(), 1000U);
}

TEST_F(StoredPointsTest, PartsThatAreDamagedGoneOrInAnotherPlaceAreReadFromTheFiles) {
  for (const char* sql :
       {"UPDATE parts SET bytes=zeroblob(50) WHERE name=1", "DELETE FROM parts WHERE name=1",
        "UPDATE parts SET name=7 - name", "UPDATE parts SET file=1", "DELETE FROM parts",
        "UPDATE parts SET bytes=(SELECT bytes FROM parts WHERE name=2) WHERE name=0"}) {
    fs_.Put(path_, ManyTags(3, 0, 5000));
    Use();
    Execute(sql);
    EXPECT_TRUE(TextOf(Open()) == Anew()) << sql;
    Append(TensorBoardScalar("t0", 9000, 1));  // Reading on from such parts is not possible either.
    EXPECT_TRUE(TextOf(Open()) == Anew()) << sql;
  }
}

// They look alike: only their values differ.
TEST_F(StoredPointsTest, PartsOfAnotherFileOfTheRunAreNotTaken) {
  for (const int rank : {0, 1}) {
    const std::string id = std::to_string(rank);
    std::string bytes = testing::SessionRecord<::sightline::tensorboard::Event>("s" + id, rank);
    for (int step = 0; step < 5000; ++step)
      bytes += TensorBoardScalar("loss", step, static_cast<float>(rank));
    fs_.Put("root/a/events.out.tfevents.1.vm" + id, bytes);
  }
  Use();
  Execute("UPDATE parts SET file=-1 - file");
  Execute("UPDATE parts SET file=2 + file");
  const RunGroup warm = Open();
  ASSERT_EQ(warm.runs()[0]->series().size(), 2U);
  EXPECT_EQ(warm.runs()[0]->series()[0]->values()[0], 0);
  EXPECT_EQ(warm.runs()[0]->series()[1]->values()[0], 1);
}

TEST_F(StoredPointsTest, APartThatWasWrittenAnewIsNotTakenForAnEarlierRun) {
  const auto record = [&](float value) {
    std::string bytes;
    for (int step = 0; step < 5000; ++step)
      bytes += TensorBoardScalar("a", step, value) + TensorBoardScalar("b", step, value);
    fs_.Put(path_, bytes);
  };
  record(1);
  Use();
  const RunGroup warm = Open();
  const sightline::Run& run = *warm.runs()[0];
  EXPECT_EQ(run.series()[0]->values()[0], 1);
  record(2);
  Use();
  ASSERT_THAT(fs_.Remove(path_), IsOk());
  EXPECT_TRUE(std::isnan(run.series()[1]->values()[0])) << "and not 2";
}

TEST_F(StoredPointsTest, LostPointsAreNaNAndAsManyAsBefore) {
  Append(ManyScalars(0, 100));
  Use();
  const RunGroup warm = Open();
  Execute("DROP TABLE contents");
  ASSERT_THAT(fs_.Remove(path_), IsOk());
  const Series& series = *warm.runs()[0]->series()[0];
  EXPECT_EQ(series.steps().size(), 100U);
  EXPECT_EQ(series.steps()[0], 99);
  EXPECT_TRUE(std::isnan(series.values()[0]));
  EXPECT_TRUE(std::isnan(series.wall_times()[99]));
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(StoredPointsTest, AForkedChildHasThePointsToo) {
  Append(ManyScalars(0, 100));
  Use();
  const RunGroup warm = Open();
  const int status = InForkedChild([&] {
    if (warm.runs()[0]->series()[0]->values()[99] != 33) _exit(1);
  });
  EXPECT_EQ(status, 0);
  EXPECT_EQ(warm.runs()[0]->series()[0]->values()[99], 33);
}
#endif

}  // namespace
}  // namespace sightline
