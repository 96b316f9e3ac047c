// Real profiles of GPUs and what must be said of them, beside the sums of an independent reader
// (../shared/bench/profile_oracle.py). They may not be committed, so they are read from
// ../shared/corpus/gpu_profiles, which names their sources.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

constexpr double kPoint = 0.005;  // Half a percent.

class RealGpu : public ::testing::Test {
 protected:
  void SetUp() override { testing::NeedShared("corpus/gpu_profiles"); }

  static Profile Open(const std::string& name) {
    auto profile = ImportProfile(testing::SharedPath("corpus/gpu_profiles/" + name));
    EXPECT_THAT(profile, testing::IsOk()) << name;
    return profile ? *std::move(profile) : Profile();
  }

  static DeviceUseTable UseOf(const Profile& profile) {
    return MeasureDeviceUse(profile, AnalyzeSteps(profile));
  }
};

std::vector<std::string> RulesOf(const std::vector<Finding>& findings) {
  std::vector<std::string> rules;
  for (const Finding& one : findings) rules.push_back(one.rule);
  return rules;
}

// The finding of this rule, or an empty one.
Finding Of(const std::vector<Finding>& findings, const std::string& rule) {
  const auto found = std::find_if(findings.begin(), findings.end(),
                                  [&](const Finding& one) { return one.rule == rule; });
  EXPECT_NE(found, findings.end()) << rule;
  return found == findings.end() ? Finding() : *found;
}

// What the oracle says of the whole file, in nanoseconds.
struct Sums {
  const char* file;
  std::int64_t span;
  std::int64_t idle;
  std::int64_t communication;
};

TEST_F(RealGpu, TheTimesOfTheDeviceAreThoseOfTheOracle) {
  constexpr Sums kSums[] = {
      {"real/b200_eager.json.gz", 84'487'178, 72'890'696, 2'141'501},
      {"real/h100_bert_small.json.gz", 3'907'825, 3'598'388, 0},
      {"real/hta_sampled_rank-0.json.gz", 1'222'847'000, 675'191'000, 396'199'000},
      {"real/mi300_resnet_act.json.gz", 86'567'708, 2'565'652, 71'516'523},
      {"real/mtia_inference_rank_0.json.gz", 442'646'618, 20'947'858, 0},
      {"real/normalization_layer_test.json.gz", 1'068'779'832, 1'067'761'200, 0},
      {"real/ns_resolution.pt.trace.json.gz", 480'029'179, 7'574'738, 0},
      {"real/torch_compile_triton.json.gz", 12'549'032, 11, 0},
      {"kineto_old/torch18_workers0.pt.trace.json.gz", 927'973'000, 274'446'000, 0},
      {"kineto_old/torch19_workers0.pt.trace.json.gz", 996'477'000, 392'919'000, 0},
  };
  for (const Sums& sums : kSums) {
    SCOPED_TRACE(sums.file);
    const DeviceUse use = UseOf(Open(sums.file)).all;
    EXPECT_EQ(use.total, sums.span);
    EXPECT_EQ(use.idle, sums.idle);
    EXPECT_EQ(use.communication, sums.communication);
    EXPECT_EQ(use.computing + use.communication_alone + use.copy_alone + use.idle, use.total);
    EXPECT_GE(use.idle_other(), 0);
  }
}

TEST_F(RealGpu, AnEagerModelThatIsServedIsHostBound) {
  const auto found = Summarize(Open("real/b200_eager.json.gz"));
  EXPECT_THAT(RulesOf(found), ElementsAre("host-bound"));
  EXPECT_NEAR(Of(found, "host-bound").share, 0.86, kPoint);
}

TEST_F(RealGpu, ASmallModelIsHostBound) {
  const auto found = Summarize(Open("real/h100_bert_small.json.gz"));
  EXPECT_THAT(RulesOf(found), ElementsAre("host-bound"));
  EXPECT_NEAR(Of(found, "host-bound").share, 0.92, kPoint);
  EXPECT_THAT(Of(found, "host-bound").evidence, HasSubstr("aten::"));
}

TEST_F(RealGpu, ARecommenderIsIdleAndExchangesItsEmbeddingsBare) {
  const auto found = Summarize(Open("real/hta_sampled_rank-0.json.gz"));
  EXPECT_THAT(RulesOf(found), UnorderedElementsAre("host-bound", "communication"));
  EXPECT_NEAR(Of(found, "host-bound").share, 0.55, kPoint);
  EXPECT_NEAR(Of(found, "communication").share, 0.275, kPoint);
  EXPECT_THAT(Of(found, "communication").evidence, HasSubstr("ncclKernel_SendRecv"));
}

TEST_F(RealGpu, OneOfManyRanksCommunicatesBare) {
  const Profile profile = Open("real/mi300_resnet_act.json.gz");
  EXPECT_THAT(AnalyzeSteps(profile).steps, SizeIs(3));
  const auto found = Summarize(profile);
  EXPECT_THAT(RulesOf(found), ElementsAre("communication"));
  EXPECT_NEAR(found.front().share, 0.64, kPoint);
  EXPECT_THAT(found.front().evidence, HasSubstr("ncclDevKernel_Generic"));
}

TEST_F(RealGpu, EachRankOfATrainingCommunicatesBare) {
  constexpr double kBare[] = {0.426, 0.590, 0.283, 0.501, 0.395, 0.379, 0.288, 0.144};
  const auto ranks = FindProfiles(testing::SharedPath("corpus/gpu_profiles/dlrm8_ranks"));
  ASSERT_THAT(ranks, SizeIs(8));
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    SCOPED_TRACE(ranks[i].path);
    const auto profile = ImportProfile(ranks[i].path);
    ASSERT_THAT(profile, testing::IsOk());
    EXPECT_EQ(profile->rank, static_cast<std::int64_t>(i));
    EXPECT_NEAR(Of(Summarize(*profile), "communication").share, kBare[i], kPoint);
  }
}

TEST_F(RealGpu, TrainingsThatWaitForTheirDataSaySoOnce) {
  const auto older = Summarize(Open("kineto_old/torch18_workers0.pt.trace.json.gz"));
  EXPECT_THAT(RulesOf(older), ElementsAre("data-wait"));
  EXPECT_NEAR(older.front().share, 0.29, kPoint);
  const auto old = Summarize(Open("kineto_old/torch19_workers0.pt.trace.json.gz"));
  EXPECT_THAT(RulesOf(old), ElementsAre("data-wait"));
  EXPECT_NEAR(old.front().share, 0.395, kPoint);
}

TEST_F(RealGpu, ATestOfLayersHasNoStepsAndNoFindingFromThem) {
  const Profile profile = Open("real/normalization_layer_test.json.gz");
  EXPECT_THAT(AnalyzeSteps(profile).steps, IsEmpty());
  EXPECT_THAT(RulesOf(Summarize(profile)), Not(Contains("first-step")));
}

TEST_F(RealGpu, AnAcceleratorThatServesHasNoStepsAndNoFinding) {
  const Profile profile = Open("real/mtia_inference_rank_0.json.gz");
  EXPECT_THAT(AnalyzeSteps(profile).steps, IsEmpty());
  EXPECT_THAT(Summarize(profile), IsEmpty());
}

TEST_F(RealGpu, ABusyDeviceGivesNoFinding) {
  const Profile busy = Open("real/ns_resolution.pt.trace.json.gz");
  EXPECT_THAT(Summarize(busy), IsEmpty());
  const DeviceUse use = UseOf(busy).all;
  EXPECT_NEAR(static_cast<double>(use.idle) / static_cast<double>(use.total), 0.016, 0.0005);
  EXPECT_THAT(Summarize(Open("real/torch_compile_triton.json.gz")), IsEmpty());
}

// kernels 28.137 ms on eight devices.
TEST_F(RealGpu, XlasStreamsHaveItsKernels) {
  const Profile profile = Open("real/mi300_jax_conv.xplane.pb");
  std::int64_t total = 0;
  int kernels = 0;
  for (std::size_t i = 0; i < profile.model.spans.size(); ++i) {
    if (profile.model.lane_of(i).kind != LaneKind::kStream) continue;
    total += profile.model.spans.duration[i];
    ++kernels;
  }
  EXPECT_EQ(kernels, 235);
  EXPECT_NEAR(static_cast<double>(total), 28.137e6, 1e3);
}

TEST_F(RealGpu, TimesOfSeveralDevicesAreSaidToBeAdded) {
  const std::vector<Finding> found = Summarize(Open("real/mi300_jax_conv.xplane.pb"));
  ASSERT_EQ(found.size(), 1U);
  EXPECT_THAT(found[0].evidence, HasSubstr("of the 832.15 ms from its first task to its last, all "
                                           "8 devices together"));
}

TEST_F(RealGpu, JaxNumbersItsSteps) {
  const StepTable table = AnalyzeSteps(Open("made/jax/vm.xplane.pb"));
  EXPECT_EQ(table.source, StepSource::kMarked);
  ASSERT_THAT(table.steps, SizeIs(6));
  EXPECT_EQ(table.steps[3].number, 3);
  EXPECT_NEAR(static_cast<double>(table.steps[1].total()), 8.09e6, 1e4);
  EXPECT_NEAR(static_cast<double>(table.steps[2].total()), 8.86e6, 1e4);
  EXPECT_NEAR(static_cast<double>(table.steps[3].total()), 9.82e6, 1e4);
}

}  // namespace
}  // namespace sightline::profiler
