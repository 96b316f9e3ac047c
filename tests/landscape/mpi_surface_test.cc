// Landscapes by several ranks of MPI. SIGHTLINE_MPI_LANDSCAPE is the path of mpi_landscape,
// SIGHTLINE_MPIRUN that of mpirun, SIGHTLINE_PROGRAM that of the program `sightline`.
#include "sightline/landscape/mpi/mpi_surface.h"

#include <sys/wait.h>

#include <cstdlib>
#include <set>
#include <sstream>

#include "sightline/landscape/generate.h"
#include "sightline/tests/landscape/small_training.h"

namespace sightline::landscape {
namespace {

using sightline::testing::IsOk;
using sightline::testing::Quadratic;
using sightline::testing::ReadFileOrDie;
using sightline::testing::SmallTraining;
using ::testing::HasSubstr;
using ::testing::SizeIs;

constexpr int kPoints = (7 * 7 + 3 + 3 * 6) + (7 * 7 + 1 + 2 * 6);

class MpiSurfaceTest : public ::testing::Test {
 protected:
  // The exit code of a job of so many ranks.
  int Run(int ranks, const std::string& way = "") const {
    return RunRanks(ranks, std::string(SIGHTLINE_MPI_LANDSCAPE) + " '" + training_.path() + "' '" +
                               Log() + "' " + way);
  }
  int RunRanks(int ranks, const std::string& program) const {
    const std::string command = std::string(SIGHTLINE_MPIRUN) + " --oversubscribe -n " +
                                std::to_string(ranks) + " " + program + " 2>'" + training_.path() +
                                "/stderr' >'" + training_.path() + "/stdout'";
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    const int status = std::system(command.c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }
  std::string Log() const { return training_.path() + "/log"; }

  // Points that were evaluated, and the ranks that did it.
  std::vector<std::string> Evaluated(std::set<char>* ranks = nullptr) const {
    std::vector<std::string> lines;
    std::istringstream in(ReadFileOrDie(Log()));
    for (std::string line; std::getline(in, line);) {
      if (ranks != nullptr) ranks->insert(line.front());
      lines.push_back(line);
    }
    return lines;
  }

  // What this process makes of the run, and how many points it had to evaluate.
  std::vector<LossLandscape> GoOn(const SmallTraining& training, int& calls) const {
    GenerateOptions options;
    options.plane.line_size = 6;
    const auto made = GenerateLandscapes(
        training.Metadata(),
        [&calls](const PointParameters& point) -> Result<std::vector<double>> {
          ++calls;
          return std::vector<double>{Quadratic(point.values)};
        },
        options);
    EXPECT_THAT(made, IsOk());
    return made ? *made : std::vector<LossLandscape>();
  }

  const SmallTraining training_{7};
};

TEST_F(MpiSurfaceTest, GivesTheSameBitsWhateverTheNumberOfRanks) {
  const SmallTraining alone(7);
  int all = 0;
  const auto expected = GoOn(alone, all);
  EXPECT_EQ(all, kPoints);
  for (const int ranks : {1, 2, 4}) {
    ASSERT_EQ(Run(ranks), 0) << ReadFileOrDie(training_.path() + "/stderr");
    std::set<char> seen;
    EXPECT_THAT(Evaluated(&seen), SizeIs(kPoints));  // Each once.
    EXPECT_THAT(seen, SizeIs(static_cast<std::size_t>(ranks)));
    int calls = 0;
    EXPECT_EQ(GoOn(training_, calls), expected);
    EXPECT_EQ(calls, 0);
    for (const char* journal : {".landscape_1_3_PCA.points", ".landscape_3_Random.points"})
      ASSERT_THAT(FileSystem::Local().Remove(training_.path() + "/" + journal), IsOk());
    ASSERT_THAT(FileSystem::Local().Remove(Log()), IsOk());
  }
}

TEST_F(MpiSurfaceTest, ALostRankEndsTheJobAndTheNextStartGoesOn) {
  EXPECT_NE(Run(3, "die"), 0);
  const std::size_t before = Evaluated().size();
  EXPECT_LT(before, static_cast<std::size_t>(kPoints));
  ASSERT_EQ(Run(2), 0) << ReadFileOrDie(training_.path() + "/stderr");
  // Twice at most what was in flight: a batch of each of three ranks.
  EXPECT_LE(Evaluated().size(), static_cast<std::size_t>(kPoints) + 3 * 8);
  const SmallTraining alone(7);
  int ours = 0;
  int none = 0;
  EXPECT_EQ(GoOn(training_, none), GoOn(alone, ours));
  EXPECT_EQ(none, 0);
}

TEST_F(MpiSurfaceTest, TheProgramIsARankAndTheFirstSaysWhatWasRecorded) {
  const std::string loss = " --loss 'while read x y path; do echo $x; done' ";
  const std::string program = std::string(SIGHTLINE_PROGRAM) + " landscape run";
  ASSERT_EQ(RunRanks(3, program + loss + training_.path()), 0)
      << ReadFileOrDie(training_.path() + "/stderr");
  const std::string out = ReadFileOrDie(training_.path() + "/stdout");
  EXPECT_THAT(out, HasSubstr("PCA: 7 x 7 points recorded"));
  EXPECT_EQ(out.find("PCA"), out.rfind("PCA"));
  EXPECT_NE(RunRanks(2, program + " --restart --loss 'exit 3' " + training_.path()), 0);
  EXPECT_THAT(ReadFileOrDie(training_.path() + "/stderr"), HasSubstr("ended with exit code 3"));
}

TEST_F(MpiSurfaceTest, ALossThatFailsOnAnyRankEndsTheJobWithItsWords) {
  EXPECT_EQ(Run(2, "fail"), 4);
  EXPECT_THAT(ReadFileOrDie(training_.path() + "/stderr"), HasSubstr("no data here"));
  ASSERT_EQ(Run(2), 0);
}

}  // namespace
}  // namespace sightline::landscape
