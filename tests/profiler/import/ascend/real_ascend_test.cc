// Real profiles of NPUs, beside what their profiler says about them. They may not be committed, so
// they are read from ../shared/corpus/ascend, which names its sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

constexpr double kOfOne = 0.001;  // "within 0.1 %".

class RealAscend : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/ascend"); }

  static std::string Path(const std::string& name) {
    return testing::SharedPath("corpus/ascend/" + name);
  }

  static Profile Open(const std::string& name) {
    auto profile = ImportProfile(Path(name));
    EXPECT_THAT(profile, testing::IsOk()) << name;
    return profile ? *std::move(profile) : Profile();
  }

  static Profile OpenFault(const std::string& name) { return Open("faults/" + name); }

  // Calls check(profile, figure) for every folder of which EXPECTED.json has the figure.
  template <typename Check>
  static void ForEachExpected(const char* name, Check check) {
    const auto expected = nlohmann::json::parse(testing::ReadFileOrDie(Path("EXPECTED.json")));
    int checked = 0;
    for (const auto& [folder, figures] : expected.items()) {
      if (!figures.contains(name)) continue;
      SCOPED_TRACE(folder);
      check(Open(folder), figures[name]);
      ++checked;
    }
    EXPECT_GT(checked, 0) << name;
  }

  // Every folder of a real profile that lists its steps.
  static std::vector<std::string> Folders() {
    std::vector<std::string> found;
    for (const char* top : {"torch_npu_text", "four_npus_pp2_dp2", "old_matrix"}) {
      for (const auto& entry : std::filesystem::recursive_directory_iterator(Path(top))) {
        if (entry.path().filename() != "step_trace_time.csv") continue;
        const auto folder = entry.path().parent_path().parent_path();
        found.push_back(std::filesystem::relative(folder, Path("")).string());
      }
    }
    return found;
  }
};

DeviceUseTable UseOf(const Profile& profile) {
  return MeasureDeviceUse(profile, AnalyzeSteps(profile));
}

BusyTimes BusyOf(const Model& model) { return FindBusyTimes(model, FindDevices(model)); }

// The one row of step_trace_time.csv, in nanoseconds, by the titles of its columns.
std::map<std::string, double> StepRow(const std::string& folder) {
  std::istringstream text(
      testing::ReadFileOrDie(folder + "/ASCEND_PROFILER_OUTPUT/step_trace_time.csv"));
  std::string titles;
  std::string values;
  std::getline(text, titles);
  std::getline(text, values);
  std::istringstream title(titles);
  std::istringstream value(values);
  std::map<std::string, double> row;
  for (std::string key, cell; std::getline(title, key, ',') && std::getline(value, cell, ',');)
    row[key] = std::atof(cell.c_str()) * 1000;
  return row;
}

// The step's use is that of the row.
void ExpectRow(const DeviceUse& use, const std::map<std::string, double>& row) {
  const auto expect = [](std::int64_t actual, double wanted) {
    EXPECT_NEAR(static_cast<double>(actual), wanted, wanted * kOfOne + 1);
  };
  expect(use.computing, row.at("Computing"));
  expect(use.communication, row.at("Communication"));
  expect(use.communication_alone, row.at("Communication(Not Overlapped)"));
  expect(use.idle, row.at("Free"));
  expect(use.total, row.at("Stage"));
  if (row.contains("Preparing")) expect(use.preparing, row.at("Preparing"));
}

TEST_F(RealAscend, EveryStepIsSplitAsItsProfilerSays) {
  const std::vector<std::string> folders = Folders();
  EXPECT_THAT(folders, SizeIs(10));
  for (const std::string& folder : folders) {
    SCOPED_TRACE(folder);
    const DeviceUseTable table = UseOf(Open(folder));
    ASSERT_THAT(table.steps, SizeIs(1));
    EXPECT_TRUE(table.of_device);
    const auto row = StepRow(Path(folder));
    EXPECT_EQ(table.steps[0].number, static_cast<std::int64_t>(row.at("Step") / 1000));
    ExpectRow(table.steps[0], row);
  }
}

TEST_F(RealAscend, TheLanesOfTheTraceSplitItTheSameWay) {
  for (const std::string& folder : Folders()) {
    if (!folder.starts_with("torch_npu_text")) continue;  // The others have no trace.
    SCOPED_TRACE(folder);
    Profile profile = Open(folder);
    profile.device_steps.clear();
    const DeviceUseTable table = UseOf(profile);
    ASSERT_THAT(table.steps, SizeIs(1));
    EXPECT_FALSE(table.listed);
    ExpectRow(table.steps[0], StepRow(Path(folder)));
  }
}

TEST_F(RealAscend, ItsTasksComputeAndItsGroupsCommunicateForAsLong) {
  for (const std::string& folder : Folders()) {
    if (folder.starts_with("old_matrix")) continue;  // Its kernel_details.csv is an excerpt.
    const Profile profile = Open(folder);
    if (profile.model.spans.size() == 0) continue;
    SCOPED_TRACE(folder);
    const BusyTimes busy = BusyOf(profile.model);
    EXPECT_TRUE(busy.of_device);
    const auto row = StepRow(Path(folder));
    const double computing = row.at("Computing");
    const double alone = row.at("Communication(Not Overlapped)");
    EXPECT_NEAR(static_cast<double>(Cover(busy.computing).all()), computing, computing * kOfOne);
    EXPECT_NEAR(
        static_cast<double>(Cover(Combine(busy.communication, busy.computing, false)).all()), alone,
        alone * kOfOne);
  }
}

TEST_F(RealAscend, TasksOfNoNamedTypeComputeUnlessTheyCopyOrWait) {
  const DeviceUseTable by_lanes = UseOf(Open("one_trace_view.json"));
  EXPECT_EQ(by_lanes.steps[0].computing, 1'788'267);
  const BusyTimes busy = BusyOf(Open("one_trace_view.json").model);
  EXPECT_NEAR(static_cast<double>(Cover(busy.computing).all()), 1'788'267, 1'788);
}

// The gradient of the vocabulary's head, which both summaries of a rank of the last stage name.
TEST_F(RealAscend, AKernelFarBelowItsBoundIsNamed) {
  const auto found = Summarize(Open("four_npus_pp2_dp2/rank_2_ascend_pt"));
  const auto kernel = std::find_if(found.begin(), found.end(), [](const Finding& finding) {
    return finding.rule == "far-below-bound";
  });
  ASSERT_NE(kernel, found.end());
  EXPECT_THAT(kernel->evidence, HasSubstr("MatMulV3 36.82 ms in 2 calls (its busiest unit, "
                                          "aic_mte2: 44 %; shapes \"4096,151936;151936,1024\")"));
}

TEST_F(RealAscend, CompilationsThatLeaveTheDeviceIdleAreNamed) {
  const auto found = Summarize(Open("torch_npu_text/level1/rank0_ascend_pt"));
  ASSERT_EQ(found.at(1).rule, "device-idle");
  EXPECT_THAT(found[1].evidence, HasSubstr("the host compiled operators (AscendCL@aclopCompile"
                                           "AndExecute, 19 calls, 14.05 ms)"));
}

TEST_F(RealAscend, StepsAreThoseOfItsTablesAndNeverInferred) {
  for (const std::string& folder : Folders()) {
    SCOPED_TRACE(folder);
    const StepTable table = AnalyzeSteps(Open(folder));
    EXPECT_NE(table.source, StepSource::kInferred);
    EXPECT_LE(table.steps.size(), 1);
  }
  EXPECT_EQ(AnalyzeSteps(Open("four_npus_pp2_dp2/rank_0_ascend_pt")).steps.at(0).number, 13);
}

TEST_F(RealAscend, WaitsAreNeitherComputingNorOperators) {
  for (const char* fault :
       {"01_waits_count_as_computing", "13_waits_as_operators/trace_view.json"}) {
    SCOPED_TRACE(fault);
    const Profile profile = OpenFault(fault);
    const DeviceUse use = UseOf(profile).steps.at(0);
    EXPECT_EQ(use.computing, 8'000'000);
    EXPECT_EQ(use.communication_alone, 72'000'000);
    for (std::size_t i = 0; i < profile.model.spans.size(); ++i) {
      if (profile.model.spans.kind[i] == SpanKind::kKernel) {
        EXPECT_EQ(profile.model.names[profile.model.spans.name[i]], "Conv2D");
      }
    }
  }
}

TEST_F(RealAscend, TheStepIdOfKernelsIsTheirStepAndItsCollectivesAreNoKernels) {
  const Profile profile = OpenFault("11_step_id_ignored");
  const StepTable steps = AnalyzeSteps(profile);
  ASSERT_THAT(steps.steps, SizeIs(1));
  EXPECT_EQ(steps.steps[0].number, 13);
  const DeviceUse use = MeasureDeviceUse(profile, steps).steps.at(0);
  EXPECT_EQ(use.computing, 231'290'100);
  EXPECT_EQ(use.communication, 420'174'260);
  for (const ListedOperator& one : profile.operators)
    EXPECT_THAT(std::string(profile.model.names[one.name]), Not(HasSubstr("hcom")));
  for (const Finding& one : Summarize(profile)) EXPECT_NE(one.rule, "first-step");
}

TEST_F(RealAscend, TheSummaryNamesBareCommunicationAndItsCollectives) {
  const std::vector<Finding> findings =
      Summarize(OpenFault("09_summary_ignores_device_communication"));
  ASSERT_THAT(findings, Not(IsEmpty()));
  EXPECT_EQ(findings[0].rule, "communication");
  EXPECT_NEAR(findings[0].share, 0.72, 1e-9);
  EXPECT_THAT(findings[0].evidence, AllOf(HasSubstr("72.00 ms"), HasSubstr("hcom_allReduce")));
}

TEST_F(RealAscend, TheSummaryJudgesTheDeviceOfEveryFolder) {
  for (const std::string& folder : Folders()) {
    SCOPED_TRACE(folder);
    const Profile profile = Open(folder);
    const DeviceUse use = UseOf(profile).steps.at(0);
    const std::vector<Finding> findings = Summarize(profile);
    ASSERT_THAT(findings, Not(IsEmpty()));
    EXPECT_EQ(findings[0].rule, "communication");
    EXPECT_NEAR(findings[0].share,
                static_cast<double>(use.communication_alone) / static_cast<double>(use.total),
                1e-9);
  }
}

TEST_F(RealAscend, AnExcerptOfTheKernelsExplainsNothing) {
  for (const Finding& one : Summarize(Open("old_matrix/test_rank_0"))) {
    EXPECT_THAT(one.evidence, Not(HasSubstr("gaps")));
    if (one.rule == "communication") {
      EXPECT_THAT(one.evidence, HasSubstr("hcom_allReduce 118."));
    }
  }
}

TEST_F(RealAscend, WhatIsNotRecordedNamesTheSwitchThatRecordsIt) {
  std::string advice;
  for (const Finding& one : Summarize(Open("torch_npu_text/level0/rank0_ascend_pt")))
    advice += one.change;
  EXPECT_THAT(advice, AllOf(HasSubstr("Level1"), HasSubstr("gc_detect_threshold"),
                            HasSubstr("msprof_tx"), Not(HasSubstr("with_stack"))));
}

// The greatest value of the counter whose name begins so.
double PeakOf(const Profile& profile, const std::string& name) {
  for (const MemoryCurve& curve : FindMemoryCurves(profile)) {
    if (curve.name.starts_with(name)) return curve.peak;
  }
  ADD_FAILURE() << "no counter " << name;
  return 0;
}

TEST_F(RealAscend, AMegabyteOfTorchNpuHas1048576Bytes) {
  const Profile profile = OpenFault("03_memory_megabytes");
  EXPECT_EQ(PeakOf(profile, "memory reserved, APP, NPU:0"), 2'212'077'568);
  EXPECT_EQ(PeakOf(profile, "APP/Memory/Bytes"), 2160232.0 * 1024);
  const Profile real = Open("torch_npu_text/level1/rank0_ascend_pt");
  EXPECT_EQ(PeakOf(real, "memory reserved, APP, NPU:0"), 2'216'407'040);
  EXPECT_EQ(PeakOf(real, "APP/Memory/Bytes"), 2'216'407'040);
}

TEST_F(RealAscend, MemoryPeaksAreThoseExpected) {
  ForEachExpected("memory_peak_bytes", [](const Profile& profile, const nlohmann::json& figures) {
    for (const auto& [name, peak] : figures.items()) {
      const std::size_t space = name.find(' ');
      if (name.ends_with("active")) continue;  // Not read.
      EXPECT_EQ(
          PeakOf(profile, "memory " + name.substr(space + 1) + ", " + name.substr(0, space) + ","),
          peak.get<double>());
    }
  });
}

TEST_F(RealAscend, OperatorsAreThoseExpected) {
  ForEachExpected("operators", [](const Profile& profile, const nlohmann::json& figures) {
    std::map<std::string, std::pair<std::uint64_t, std::int64_t>> types;
    for (const ListedOperator& one : profile.operators) {
      auto& [count, total] = types[std::string(profile.model.names[one.type])];
      count += one.count;
      total += one.total;
    }
    EXPECT_EQ(types.size(), figures.size());
    for (const auto& [type, figure] : figures.items()) {
      EXPECT_EQ(types[type].first, figure[0].get<std::uint64_t>()) << type;
      // An execution is a whole number of nanoseconds.
      const auto rounding = static_cast<double>(types[type].first);
      EXPECT_NEAR(static_cast<double>(types[type].second), figure[1].get<double>() * 1000, rounding)
          << type;
    }
  });
}

TEST_F(RealAscend, LinksAreTheTotalsOfTheMatrix) {
  ForEachExpected("links_mb_ms", [](const Profile& profile, const nlohmann::json& figures) {
    EXPECT_EQ(profile.links.size(), figures.size());
    for (const LinkUse& link : profile.links) {
      const auto& figure = figures.at(link.link + " " + link.transport);
      EXPECT_NEAR(link.bytes, figure[0].get<double>() * 1e6, 1);
      EXPECT_NEAR(static_cast<double>(link.time), figure[1].get<double>() * 1e6, 1);
    }
  });
}

TEST_F(RealAscend, RanksOfLinksAreThoseOfTheTraining) {
  for (const LinkUse& link : Open("four_npus_pp2_dp2/rank_3_ascend_pt").links) {
    EXPECT_THAT(link.link, ::testing::AnyOf("3-0", "3-1", "3-2", "3-3"))
        << "in its groups they begin with 1 or 3";
  }
}

TEST_F(RealAscend, ALinkOfHccsIsNotListedAgainAsSdma) {
  const Profile profile = Open("torch_npu_text/level1/rank0_ascend_pt");
  for (const CommunicationUse& use : profile.communication) {
    for (const LinkUse& link : use.links) EXPECT_EQ(link.transport, "HCCS");
  }
}

TEST_F(RealAscend, FilesOfFrameworkHaveTheRankInTheirNames) {
  const Profile profile = OpenFault("07_framework_rank3");
  EXPECT_EQ(profile.rank, 3);
  EXPECT_EQ(profile.format, SourceFormat::kMindSpore);
  EXPECT_THAT(profile.operators, SizeIs(1));
  EXPECT_THAT(profile.data.operators, SizeIs(2));
  EXPECT_THAT(profile.data.batches, SizeIs(1));
  EXPECT_EQ(PeakOf(profile, "memory allocated"), 1048576);
  for (const SourceFile& file : profile.files) EXPECT_EQ(file.unread, "") << file.path;
}

TEST_F(RealAscend, StagesAreTheRanksWithinTheGroupOfThePipeline) {
  for (const int rank : {0, 1, 2, 3}) {
    const Profile profile =
        OpenFault("08_stage_from_metadata/rank_" + std::to_string(rank) + "_ascend_pt");
    EXPECT_EQ(profile.rank, rank);
    EXPECT_EQ(profile.stage, rank / 2);
  }
}

TEST_F(RealAscend, TheBubbleIsTheWaitingOfThePipelinesSendsAndReceives) {
  constexpr double kMillis[] = {313.9, 323.0, 72.7, 75.0};
  for (const int rank : {0, 1, 2, 3}) {
    const Profile profile = Open("four_npus_pp2_dp2/rank_" + std::to_string(rank) + "_ascend_pt");
    EXPECT_NEAR(static_cast<double>(UseOf(profile).steps.at(0).bubble) / 1e6, kMillis[rank], 0.1);
  }
}

TEST_F(RealAscend, LanesOfKernelsAreNamedByDeviceAndStream) {
  const Profile profile = OpenFault("11_step_id_ignored");
  std::vector<std::string> lanes;
  for (const Lane& lane : profile.model.lanes) {
    if (lane.count > 0) {
      lanes.push_back(std::string(profile.model.names[lane.process]) + ", " +
                      std::string(profile.model.names[lane.thread]));
    }
  }
  EXPECT_THAT(lanes, ::testing::UnorderedElementsAre("Ascend 0, stream 2",
                                                     "Ascend 0, communication", "Ascend 0, steps"));
}

std::vector<std::string> DisagreementsIn(const Profile& profile) {
  std::vector<std::string> found;
  for (const Disagreement& one : FindDisagreements(profile))
    found.push_back(one.what + ": " + one.first + ", " + one.second);
  return found;
}

TEST_F(RealAscend, SourcesThatDoNotAgreeAreSaid) {
  for (const char* name :
       {"faults/11_step_id_ignored", "faults/12_false_straggler/rank_0_ascend_pt",
        "old_matrix/test_rank_0", "old_matrix/test_rank_1"}) {
    EXPECT_THAT(DisagreementsIn(Open(name)),
                ::testing::Contains(AllOf(HasSubstr("computing of step"),
                                          HasSubstr("step_trace_time.csv, kernel_details.csv"))))
        << name;
  }
}

TEST_F(RealAscend, SourcesOfWholeProfilesAgree) {
  for (const std::string& folder : Folders()) {
    if (folder.starts_with("old_matrix")) continue;
    EXPECT_THAT(DisagreementsIn(Open(folder)), IsEmpty()) << folder;
  }
}

TEST_F(RealAscend, AFolderOfTorchNpuIsNotCalledMindSpore) {
  for (const std::string& folder : Folders())
    EXPECT_EQ(SourceFormatName(Open(folder).format), "torch_npu") << folder;
}

TEST_F(RealAscend, FilesThatAreNotReadSayWhy) {
  for (const std::string& folder : Folders()) {
    for (const SourceFile& file : Open(folder).files) {
      if (file.path.ends_with(".csv")) {
        EXPECT_NE(file.unread, "unknown file") << file.path;
      }
    }
  }
}

TEST_F(RealAscend, TablesOfValuesOverTimeAreReadInFull) {
  int tables = 0;
  const auto check = [&](const Profile& profile) {
    for (const SourceFile& file : profile.files) {
      if (!file.path.ends_with("npu_module_mem.csv") && !file.path.ends_with("data_preprocess.csv"))
        continue;
      EXPECT_GT(file.events, 0) << file.path;
      EXPECT_EQ(file.modelled, file.events) << file.path;
      ++tables;
    }
  };
  check(OpenFault("15_data_preprocess"));
  for (const std::string& folder : Folders()) check(Open(folder));
  EXPECT_GE(tables, 5);
}

}  // namespace
}  // namespace sightline::profiler
