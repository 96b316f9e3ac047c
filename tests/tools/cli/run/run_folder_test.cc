#include "sightline/tools/cli/run/run_folder.h"

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

namespace fs = std::filesystem;
using testing::TempDir;

// In a directory and an environment of its own.
class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() : before_(fs::current_path()) {
    fs::current_path(dir_.path());
    Unset();
    setenv("TZ", "UTC", 1);
  }
  ~RunFolderTest() override {
    Unset();
    fs::current_path(before_);
  }

  static void Unset() {
    for (const char* name : {"SLURM_JOB_ID", "SLURM_STEP_ID", "TORCHELASTIC_RUN_ID",
                             "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "PMI_JOBID", "RANK",
                             "WORLD_SIZE", "SLURM_PROCID", "SLURM_NTASKS"})
      unsetenv(name);
  }
  std::string Name(const std::string& directory = "", const std::string& name = "") {
    const auto folder = MakeRunFolder(clock_, directory, name);
    EXPECT_THAT(folder, testing::IsOk());
    EXPECT_TRUE(fs::is_directory(folder->path));
    return fs::relative(folder->path, fs::current_path());
  }

  const fs::path before_;
  const TempDir dir_;
  testing::ManualClock clock_{1'700'000'000};
};

TEST_F(RunFolderTest, ANewOneIsNamedAfterTheTime) {
  EXPECT_EQ(Name(), "sightline_runs/2023-11-14_22-13-20");
  EXPECT_EQ(Name(), "sightline_runs/2023-11-14_22-13-20_2");
}

TEST_F(RunFolderTest, TheUserNamesIt) {
  setenv("SLURM_JOB_ID", "12", 1);
  EXPECT_EQ(Name("a/b"), "a/b");
  EXPECT_EQ(Name("", "small"), "sightline_runs/small");
  EXPECT_EQ(Name("", "small"), "sightline_runs/small");
}

TEST_F(RunFolderTest, AJobHasOne) {
  setenv("PMIX_NAMESPACE", "prterun-host-7@1", 1);
  EXPECT_EQ(Name(), "sightline_runs/mpi_prterun-host-7_1");
  setenv("TORCHELASTIC_RUN_ID", "none", 1);  // torchrun's default.
  EXPECT_EQ(Name(), "sightline_runs/mpi_prterun-host-7_1");
  setenv("TORCHELASTIC_RUN_ID", "../x", 1);
  EXPECT_EQ(Name(), "sightline_runs/torch_.._x");
  setenv("SLURM_JOB_ID", "12", 1);
  EXPECT_EQ(Name(), "sightline_runs/slurm_12");
  setenv("SLURM_STEP_ID", "0", 1);
  EXPECT_EQ(Name(), "sightline_runs/slurm_12_0");
}

TEST_F(RunFolderTest, OneThatCannotBeMadeIsSaid) {
  testing::WriteFileOrDie(dir_.File("file"), "");
  EXPECT_THAT(MakeRunFolder(clock_, "file/x", "").error().message(),
              ::testing::HasSubstr("Not a directory"));
}

TEST_F(RunFolderTest, EachOfSeveralRanksHasAConsole) {
  EXPECT_EQ(ConsoleNameOfProcess(), "console.log");
  setenv("RANK", "3", 1);
  EXPECT_EQ(ConsoleNameOfProcess(), "console-rank3.log");
  setenv("WORLD_SIZE", "1", 1);
  EXPECT_EQ(ConsoleNameOfProcess(), "console.log");
}

}  // namespace
}  // namespace sightline
