// Real databases of torch_npu, beside what its own analysis says of them. They may not be
// committed, so they are read from ../shared/corpus/ascend, which names its sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <filesystem>
#include <map>
#include <string>
#include <utility>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::SizeIs;

class RealDatabase : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend"); }

  static std::string Path(const std::string& kind) {
    return testing::SharedPath("corpus/ascend/") + kind + '/' + GetParam() + "_ascend_pt";
  }
  static std::string Database(const std::string& start) {
    for (const auto& entry :
         std::filesystem::directory_iterator(Path("torch_npu_db") + "/ASCEND_PROFILER_OUTPUT")) {
      if (entry.path().filename().string().starts_with(start)) return entry.path().string();
    }
    ADD_FAILURE() << "no " << start;
    return {};
  }
  static Profile Open(const std::string& path) {
    auto profile = ImportProfile(path);
    EXPECT_THAT(profile, testing::IsOk());
    return profile ? *std::move(profile) : Profile();
  }
};

std::map<std::string, std::pair<std::uint64_t, std::int64_t>> Kernels(const Profile& profile) {
  std::map<std::string, std::pair<std::uint64_t, std::int64_t>> rows;
  for (const OperatorRow& row : AnalyzeOperators(profile, OperatorGrouping::kByName).rows) {
    if (!row.name.starts_with("hcom_")) rows.emplace(row.name, std::pair(row.count, row.total));
  }
  return rows;
}

TEST_P(RealDatabase, TheSplitOfTheStepIsThatOfStepTraceTime) {
  const Profile own = Open(Database("ascend_pytorch"));
  const Profile sums = Open(Database("analysis"));
  const StepTable steps = AnalyzeSteps(own);
  ASSERT_THAT(steps.steps, SizeIs(1));
  EXPECT_EQ(steps.steps[0].number, 50);
  const DeviceUse use = MeasureDeviceUse(own, steps).steps.at(0);
  const DeviceStep& said = sums.device_steps.at(0);
  EXPECT_NEAR(static_cast<double>(use.computing), static_cast<double>(said.computing), 20);
  EXPECT_NEAR(static_cast<double>(use.communication), static_cast<double>(said.communication), 1e5);
  EXPECT_NEAR(static_cast<double>(use.communication_alone),
              static_cast<double>(said.communication_alone),
              static_cast<double>(said.communication_alone) * 0.001);
}

TEST_P(RealDatabase, EveryRowIsUnderstood) {
  const Profile profile = Open(Path("torch_npu_db"));
  EXPECT_THAT(profile.model.not_understood, SizeIs(0));
  for (const SourceFile& file : profile.files) EXPECT_EQ(file.note, "") << file.path;
}

// The text is of another run of the same program, so counts are equal and times are near.
TEST_P(RealDatabase, OperatorsAreThoseOfTheTextForm) {
  const auto in_database = Kernels(Open(Path("torch_npu_db")));
  const auto in_text = Kernels(Open(Path("torch_npu_text")));
  EXPECT_EQ(in_database.size(), in_text.size());
  std::int64_t database_total = 0;
  std::int64_t text_total = 0;
  for (const auto& [name, row] : in_text) {
    ASSERT_TRUE(in_database.contains(name)) << name;
    EXPECT_EQ(in_database.at(name).first, row.first) << name;
    database_total += in_database.at(name).second;
    text_total += row.second;
  }
  EXPECT_NEAR(static_cast<double>(database_total), static_cast<double>(text_total),
              static_cast<double>(text_total) * 0.02);
}

TEST_P(RealDatabase, AFolderOfDatabasesSplitsTheStepExactly) {
  const Profile profile = Open(Path("torch_npu_db"));
  EXPECT_EQ(profile.format, SourceFormat::kTorchNpu);
  const DeviceUse use = MeasureDeviceUse(profile, AnalyzeSteps(profile)).steps.at(0);
  const DeviceStep& said = profile.device_steps.at(0);
  EXPECT_EQ(use.computing, said.computing);
  EXPECT_EQ(use.communication_alone, said.communication_alone);
  EXPECT_EQ(use.idle, said.idle);
}

TEST_P(RealDatabase, TheRankIsInTheDatabase) {
  EXPECT_EQ(Open(Database("ascend_pytorch")).rank, std::string(GetParam()).back() - '0');
}

INSTANTIATE_TEST_SUITE_P(All, RealDatabase,
                         ::testing::Values("level0/rank0", "level0/rank1", "level1/rank0",
                                           "level1/rank1"),
                         [](const auto& one) {
                           std::string name = one.param;
                           name[name.find('/')] = '_';
                           return name;
                         });

}  // namespace
}  // namespace sightline::profiler
