#include "sightline/recorder/writing/recorder_options.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <utility>

namespace sightline {
namespace {

class RankOfTest : public ::testing::Test {
 protected:
  RankOfTest() { Clear(); }
  ~RankOfTest() override { Clear(); }

  static void Set(const char* rank, const char* world_size) {
    setenv("RANK", rank, 1);
    setenv("WORLD_SIZE", world_size, 1);
  }

  using Who = std::pair<int, int>;
  Who Rank() const {
    const ProcessRank rank = RankOf(options);
    return {rank.rank, rank.world_size};
  }

  WritingOptions options;

 private:
  static void Clear() {
    for (const char* variable :
         {"RANK_ID", "OMPI_COMM_WORLD_RANK", "RANK", "PMI_RANK", "SLURM_PROCID", "RANK_SIZE",
          "OMPI_COMM_WORLD_SIZE", "WORLD_SIZE", "PMI_SIZE", "SLURM_NTASKS", "MS_ROLE"})
      unsetenv(variable);
  }
};

TEST_F(RankOfTest, IsZeroOfOneWithoutALauncher) { EXPECT_EQ(Rank(), Who(0, 1)); }

TEST_F(RankOfTest, IsTheLaunchers) {
  Set("11", "16");
  EXPECT_EQ(Rank(), Who(11, 16));
}

TEST_F(RankOfTest, IsWhatTheOptionsSayEvenUnderALauncher) {
  Set("11", "16");
  options.rank = 0;
  options.world_size = 1;
  EXPECT_EQ(Rank(), Who(0, 1));
}

TEST_F(RankOfTest, OfALauncherThatDoesNotFitTheWorldSizeOfTheOptionsIsNone) {
  Set("11", "16");
  options.world_size = 8;
  EXPECT_EQ(Rank(), Who(0, 8));
}

TEST_F(RankOfTest, IsOneOfAtLeastOneMore) {
  Set("3", "");
  EXPECT_EQ(Rank(), Who(3, 4));
  options.rank = 7;
  EXPECT_EQ(Rank(), Who(7, 8));
}

TEST_F(RankOfTest, BeyondWhatASessionHoldsIsNone) {
  Set("9223372036854775807", "9223372036854775807");
  EXPECT_EQ(Rank(), Who(0, 1));
}

}  // namespace
}  // namespace sightline
