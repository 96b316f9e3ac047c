#include "sightline/runs/model/run_restarts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>

namespace sightline {
namespace {

using ::testing::Optional;

class RunRestartsTest : public ::testing::Test {
 protected:
  // Places in reading order: file 1, segment 10 and so on.
  static RunRestarts::Place Foreign(std::size_t file, std::uint64_t segment) {
    return {file, segment, false};
  }
  static RunRestarts::Place Ours(std::size_t file, std::uint64_t segment) {
    return {file, segment, true};
  }

  RunRestarts restarts_;
};

TEST_F(RunRestartsTest, AStartSupersedesEarlierValuesFromItsStepOn) {
  restarts_.NoteStart(Foreign(2, 5), 7);
  restarts_.FinishNoting();
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(1, 10)), Optional(7));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(2, 4)), Optional(7));
  EXPECT_EQ(restarts_.SupersededFrom(Foreign(2, 5)), std::nullopt);
  EXPECT_EQ(restarts_.SupersededFrom(Foreign(2, 6)), std::nullopt);
  EXPECT_EQ(restarts_.SupersededFrom(Foreign(3, 0)), std::nullopt);
}

TEST_F(RunRestartsTest, TheFirstStartOfAFileSupersedesEarlierFilesOnly) {
  restarts_.NoteStart(Foreign(2, 1), 7);
  restarts_.NoteStart(Foreign(2, 2), 9);
  restarts_.FinishNoting();
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(1, 0)), Optional(7));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(2, 0)), Optional(9));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(2, 1)), Optional(9));
  EXPECT_EQ(restarts_.SupersededFrom(Foreign(2, 2)), std::nullopt);
}

TEST_F(RunRestartsTest, TheSmallestStepOfTheStartsAfterAValueCounts) {
  restarts_.NoteStart(Foreign(1, 10), 3);
  restarts_.NoteStart(Foreign(2, 0), 50);
  restarts_.NoteStart(Foreign(3, 0), 20);
  restarts_.FinishNoting();
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(1, 0)), Optional(3));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(1, 20)), Optional(20));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(2, 20)), Optional(20));
}

TEST_F(RunRestartsTest, OurStartSupersedesOnlyOtherProgramsFiles) {
  restarts_.NoteStart(Ours(2, 0), 5);
  restarts_.NoteStart(Ours(4, 0), 5);
  restarts_.NoteStart(Foreign(5, 0), 8);
  restarts_.FinishNoting();
  EXPECT_THAT(restarts_.SupersededFrom(Ours(1, 10)), Optional(8));
  EXPECT_THAT(restarts_.SupersededFrom(Foreign(3, 10)), Optional(5));
}

TEST_F(RunRestartsTest, ReturnsNothingBeforeAllStartsAreNoted) {
  restarts_.NoteStart(Foreign(2, 0), 1);
  EXPECT_EQ(restarts_.SupersededFrom(Foreign(1, 0)), std::nullopt);
}

}  // namespace
}  // namespace sightline
