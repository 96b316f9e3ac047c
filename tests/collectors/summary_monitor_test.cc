#include "sightline/collectors/summary_monitor.h"

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "sightline/tests/collectors/allocations.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::sightline::testing::WriteFileOrDie;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

class ManualClock : public Clock {
 public:
  double WallSeconds() const override { return 1'000'000 + seconds; }
  std::int64_t MonotonicNanos() const override { return static_cast<std::int64_t>(seconds * 1e9); }

  double seconds = 0;
};

// A monitor on a directory of its own, a network of six parameters, and what was recorded as lines.
class SummaryMonitorTest : public ::testing::Test {
 protected:
  SummaryMonitorTest() {
    options.say = [this](std::string_view line) { said.emplace_back(line); };
    options.collect_freq = 1;
    options.recorder.clock = &clock;
    for (const std::string_view name :
         {"conv.weight", "conv.bias", "fc1.weight", "fc1.bias", "fc2.weight", "fc2.bias"}) {
      network.Add(name, weights.data(), {2, 2});
    }
  }
  ~SummaryMonitorTest() override { unsetenv("SIGHTLINE_DISABLE"); }

  SummaryMonitor& Monitor() {
    if (monitor == nullptr) {
      auto created = SummaryMonitor::Create(dir.path(), options);
      EXPECT_THAT(created, IsOk());
      monitor = *std::move(created);
    }
    return *monitor;
  }

  // Steps of a training, one a second: the loss is 1/step, plus what `fill` adds.
  template <typename Fill>
  void Train(std::int64_t steps, const Fill& fill) {
    for (std::int64_t step = 1; step <= steps; ++step) {
      clock.seconds += 1;
      Monitor().EndStep(step, [&](StepInfo& info) {
        info.loss = 1.0 / static_cast<double>(step);
        fill(info);
      });
    }
  }
  void Train(std::int64_t steps) {
    Train(steps, [](StepInfo&) {});
  }

  // The recorded values as "<step> <tag>=<value>"; ends the run.
  std::vector<std::string> Recorded() {
    EXPECT_THAT(Monitor().End(), IsOk());
    return RecordedRun::Values(ReadRun(dir.path()).mindspore);
  }
  std::vector<std::string> Lineage() {
    EXPECT_THAT(Monitor().End(), IsOk());
    return RecordedRun::Values(ReadRun(dir.path()).lineage);
  }

  // Nothing but what a test asks for.
  void CollectOnly(CollectSpecifiedData what) { options.collect_specified_data = std::move(what); }
  static CollectSpecifiedData Nothing() {
    return {.collect_metric = false,
            .collect_graph = false,
            .collect_train_lineage = false,
            .collect_eval_lineage = false,
            .collect_input_data = false,
            .collect_throughput = false,
            .collect_histograms = false};
  }
  static CollectSpecifiedData OnlyMetrics() {
    CollectSpecifiedData what = Nothing();
    what.collect_metric = true;
    return what;
  }

  TempDir dir;
  ManualClock clock;
  SummaryOptions options;
  std::vector<std::string> said;
  std::array<float, 4> weights = {0.5F, -0.5F, 0.25F, 1};
  std::array<float, 2 * 3 * 8 * 8> images = {};
  TensorList network;
  std::unique_ptr<SummaryMonitor> monitor;
};

TEST_F(SummaryMonitorTest, RecordsTheLossOfEveryStepThatIsDue) {
  options.collect_freq = 2;
  CollectOnly(OnlyMetrics());
  Train(4);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5", "4 loss/auto=0.25"));
}

TEST_F(SummaryMonitorTest, AsksNothingOfAStepThatIsNotDue) {
  options.collect_freq = 10;
  std::vector<std::int64_t> asked;
  Train(25, [&](StepInfo& info) { asked.push_back(info.step); });
  EXPECT_THAT(asked, ElementsAre(1, 10, 20));
}

TEST_F(SummaryMonitorTest, TakesAStepInfoThatIsKept) {
  options.collect_freq = 10;
  CollectOnly(OnlyMetrics());
  StepInfo info;
  for (info.step = 1; info.step <= 20; ++info.step) {
    info.loss = 2.0;
    Monitor().EndStep(info);
  }
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=2", "10 loss/auto=2", "20 loss/auto=2"));
}

TEST_F(SummaryMonitorTest, KnowsBeforehandWhatIsNotDue) {
  options.collect_freq = 10;
  StepInfo info;
  for (info.step = 1; info.step <= 25; ++info.step) {
    EXPECT_EQ(Monitor().IsDue(info.step), info.step == 1 || info.step % 10 == 0) << info.step;
    Monitor().EndStep(info);
  }
}

TEST_F(SummaryMonitorTest, RecordsAStepOnce) {
  CollectOnly(OnlyMetrics());
  Train(2);
  Monitor().EndStep(2, [](StepInfo& info) { info.loss = 7; });
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5"));
}

TEST_F(SummaryMonitorTest, RecordsAgainWhenATrainingGoesBack) {
  CollectOnly(OnlyMetrics());
  Train(2);
  Train(1);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5", "1 loss/auto=1"));
}

TEST_F(SummaryMonitorTest, RecordsTheMeanOfALossOfSeveralValues) {
  CollectOnly(OnlyMetrics());
  const std::array<double, 4> losses = {1, 2, 3, 6};
  Monitor().EndStep(1, [&](StepInfo& info) { info.losses.Set(losses.data(), {4}); });
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=3"));
}

TEST_F(SummaryMonitorTest, RecordsTheLearningRate) {
  CollectOnly(OnlyMetrics());
  Monitor().EndStep(1, [](StepInfo& info) { info.learning_rate = 0.125; });
  EXPECT_THAT(Recorded(), ElementsAre("1 learning_rate/auto=0.125"));
}

TEST_F(SummaryMonitorTest, RecordsScalarsUnderTheirNames) {
  Monitor().EndStep(1, [](StepInfo& info) { info.scalars = {{"accuracy", 0.5}, {"tokens", 7}}; });
  EXPECT_THAT(Recorded(), ElementsAre("1 accuracy=0.5", "1 tokens=7"));
}

TEST_F(SummaryMonitorTest, RecordsHistogramsOfTheFirstFiveParameters) {
  CollectOnly({.collect_metric = false});
  Monitor().EndStep(1, [&](StepInfo& info) { info.parameters = network; });
  EXPECT_THAT(Recorded(),
              ElementsAre("1 conv.weight/auto:histogram=4", "1 conv.bias/auto:histogram=4",
                          "1 fc1.weight/auto:histogram=4", "1 fc1.bias/auto:histogram=4",
                          "1 fc2.weight/auto:histogram=4"));
}

TEST_F(SummaryMonitorTest, RecordsHistogramsOfTheParametersThatMatch) {
  CollectOnly({.histogram_regular = "fc.*bias"});
  Monitor().EndStep(1, [&](StepInfo& info) { info.parameters = network; });
  EXPECT_THAT(Recorded(),
              ElementsAre("1 fc1.bias/auto:histogram=4", "1 fc2.bias/auto:histogram=4"));
}

TEST_F(SummaryMonitorTest, FollowsAListOfParametersThatChanges) {
  CollectOnly({.collect_throughput = false, .histogram_regular = "fc"});
  Monitor().EndStep(
      1, [&](StepInfo& info) { info.parameters.Add("fc1.weight", weights.data(), {4}); });
  Monitor().EndStep(2, [&](StepInfo& info) {
    info.parameters.Add("conv.weight", weights.data(), {4});
    info.parameters.Add("fc1.weight", weights.data(), {4});
  });
  EXPECT_THAT(Recorded(),
              ElementsAre("1 fc1.weight/auto:histogram=4", "2 fc1.weight/auto:histogram=4"));
}

TEST_F(SummaryMonitorTest, RecordsTheInputAsOnePicture) {
  Monitor().EndStep(1, [&](StepInfo& info) { info.input.Set(images.data(), {2, 3, 8, 8}); });
  EXPECT_THAT(Recorded(), ElementsAre("1 input_data/auto:image=8x16"));
}

TEST_F(SummaryMonitorTest, SwitchesInputOffWithAWarningWhenItIsNoImage) {
  Train(3, [&](StepInfo& info) {
    info.loss.reset();
    info.input.Set(images.data(), {2, 192});
  });
  EXPECT_THAT(Recorded(), Not(Contains(HasSubstr("input_data"))));
  EXPECT_THAT(
      said,
      Contains("input data is not recorded from step 1 on: an image has the shape (batch, 1 or 3 "
               "channels, height, width), not (2, 192) of float32"));
  EXPECT_THAT(said, Contains(HasSubstr("input data")).Times(1));
}

TEST_F(SummaryMonitorTest, RecordsTensorsUnderTheirNamesAtTensorSteps) {
  options.collect_tensor_freq = 2;
  CollectOnly(Nothing());
  Train(4, [&](StepInfo& info) {
    if (info.wants_tensors) info.tensors.Add("hidden", weights.data(), {4});
  });
  EXPECT_THAT(Recorded(),
              ElementsAre("1 hidden:tensor=0.5", "2 hidden:tensor=0.5", "4 hidden:tensor=0.5"));
}

TEST_F(SummaryMonitorTest, TellsWhatATensorStepWillUse) {
  options.collect_freq = 10;
  options.collect_tensor_freq = 4;
  std::vector<std::string> wants;
  Train(10, [&](StepInfo& info) {
    wants.push_back(std::to_string(info.step) + (info.wants_rest ? " rest" : "") +
                    (info.wants_tensors ? " tensors" : ""));
  });
  EXPECT_THAT(wants, ElementsAre("1 rest tensors", "4 tensors", "8 tensors", "10 rest"));
}

TEST_F(SummaryMonitorTest, SpreadsTensorsOverTheStepsThatBeginAnnounced) {
  CollectOnly(Nothing());
  Monitor().Begin({.epochs = 4, .steps_per_epoch = 50});
  Train(200, [&](StepInfo& info) {
    if (info.wants_tensors) info.tensors.Add("hidden", weights.data(), {4});
  });
  EXPECT_THAT(Recorded(), AllOf(SizeIs(20), Contains("1 hidden:tensor=0.5"),
                                Contains("190 hidden:tensor=0.5")));
}

TEST_F(SummaryMonitorTest, ExportsTensorsAsNpy) {
  options.export_options.tensor_format = TensorFormat::kNpy;
  Monitor().EndStep(1, [&](StepInfo& info) { info.tensors.Add("a/b", weights.data(), {2, 2}); });
  EXPECT_THAT(Recorded(), ElementsAre("1 a/b:tensor=0.5"));
  EXPECT_THAT(ReadRun(dir.path()).npy, ElementsAre("a%2Fb_1.npy"));
}

TEST_F(SummaryMonitorTest, RecordsStepTimeAndSamplesPerSecond) {
  options.collect_freq = 4;
  CollectOnly({.collect_metric = false});
  Monitor().Begin({.batch_size = 32});
  Train(8);
  EXPECT_THAT(Recorded(), ElementsAre("4 step_time/auto=1", "4 samples_per_second/auto=32",
                                      "8 step_time/auto=1", "8 samples_per_second/auto=32"));
}

TEST_F(SummaryMonitorTest, LeavesEvaluationsOutOfTheStepTime) {
  CollectOnly({.collect_metric = false, .collect_eval_lineage = false});
  Train(1);
  Monitor().BeginEvaluation();
  clock.seconds += 100;
  Monitor().EndEvaluation({}, 1);
  clock.seconds += 1;
  Monitor().EndStep(2, [](StepInfo&) {});
  EXPECT_THAT(Recorded(), ElementsAre("2 step_time/auto=1"));
}

TEST_F(SummaryMonitorTest, RecordsNoStepTimeAfterAnEvaluationOfUnknownLength) {
  CollectOnly({.collect_metric = false, .collect_eval_lineage = false});
  Train(1);
  clock.seconds += 100;
  Monitor().EndEvaluation({}, 1);
  for (const std::int64_t step : {2, 3}) {
    clock.seconds += 1;
    Monitor().EndStep(step, [](StepInfo&) {});
  }
  EXPECT_THAT(Recorded(), ElementsAre("3 step_time/auto=1"));
}

TEST_F(SummaryMonitorTest, RecordsMetricsOfAnEvaluation) {
  Monitor().EndEvaluation({{"accuracy", 0.75}, {"f1", 0.5}}, 40,
                          {.dataset_path = "test", .dataset_size = 100});
  EXPECT_THAT(Recorded(), ElementsAre("40 eval/accuracy=0.75", "40 eval/f1=0.5"));
  EXPECT_THAT(Lineage(), Contains(AllOf(HasSubstr("eval:lineage="), HasSubstr("\"accuracy\""),
                                        HasSubstr("0.75"))));
}

TEST_F(SummaryMonitorTest, LogsWhateverTheStep) {
  options.collect_freq = 100;
  Monitor().Log({{"gradient norm", 0.5}, {"temperature", 300}}, 7);
  Monitor().Log({}, 8);
  EXPECT_THAT(Recorded(), ElementsAre("7 gradient norm=0.5", "7 temperature=300"));
}

TEST_F(SummaryMonitorTest, RecordsTheGraphOnce) {
  const Graph graph{.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU"}}};
  Monitor().RecordGraph(graph);
  Monitor().RecordGraph(graph);
  EXPECT_THAT(Recorded(), ElementsAre("0 :graph=net"));
}

TEST_F(SummaryMonitorTest, ReportsAGraphThatIsNone) {
  Monitor().RecordGraph(
      {.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU", .inputs = {"nowhere"}}}});
  EXPECT_THAT(Monitor().End(), IsStatus(StatusCode::kInvalidArgument, "graph: "));
  EXPECT_THAT(said.back(), HasSubstr("nowhere"));
}

TEST_F(SummaryMonitorTest, RecordsTheTrainingsLineageAtTheEnd) {
  Monitor().Begin({.epochs = 1, .steps_per_epoch = 4, .network = "LeNet5"});
  Train(4);
  EXPECT_THAT(Lineage(), ElementsAre("0 train:lineage=LeNet5"));
}

TEST_F(SummaryMonitorTest, RecordsCustomLineage) {
  options.custom_lineage_data = {{"version", "r1"}, {"batch", std::int64_t{32}}};
  CollectOnly(Nothing());
  EXPECT_THAT(Lineage(), ElementsAre("0 custom:lineage="));
}

TEST_F(SummaryMonitorTest, CollectsNothingThatIsSwitchedOff) {
  CollectOnly(Nothing());
  Monitor().Begin({.network = "LeNet5"});
  Monitor().RecordGraph({.name = "net", .nodes = {{.name = "relu", .op_type = "ReLU"}}});
  Train(2, [&](StepInfo& info) {
    info.learning_rate = 0.1;
    info.input.Set(images.data(), {2, 3, 8, 8});
    info.parameters = network;
  });
  Monitor().EndEvaluation({{"accuracy", 0.75}}, 2);
  EXPECT_THAT(Recorded(), IsEmpty());
  EXPECT_THAT(Lineage(), IsEmpty());
}

TEST_F(SummaryMonitorTest, WritesBothDialects) {
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  CollectOnly(OnlyMetrics());
  Train(2);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).tensorboard),
              ElementsAre("1 loss/auto=1", "2 loss/auto=0.5"));
}

TEST_F(SummaryMonitorTest, KeepsFilesBelowTheirLimit) {
  options.max_file_size = 2000;
  Train(200);
  EXPECT_THAT(Monitor().End(), IsOk());
  const RecordedRun run = ReadRun(dir.path());
  EXPECT_GT(run.mindspore.size(), 3U);
  for (const auto& file : run.mindspore) EXPECT_LE(file.bytes, 2000U) << file.name;
}

TEST_F(SummaryMonitorTest, NamesTagAndFirstStepOfALossThatIsNoNumber) {
  std::vector<std::string> found;
  options.on_nonfinite = [&](const NonFinite& what) { found.push_back(what.ToString()); };
  Train(4, [](StepInfo& info) {
    if (info.step >= 3) info.loss = kNan;
  });
  EXPECT_THAT(found, ElementsAre("loss/auto is nan at step 3"));
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(said.back(), HasSubstr("; first not finite: loss/auto is nan at step 3"));
}

TEST_F(SummaryMonitorTest, NoticesALossThatIsNoNumberAtAStepThatIsNotRecorded) {
  options.collect_freq = 100;
  std::vector<std::string> found;
  options.on_nonfinite = [&](const NonFinite& what) { found.push_back(what.ToString()); };
  StepInfo info;
  for (info.step = 1; info.step <= 20; ++info.step) {
    info.loss = info.step >= 17 ? INFINITY : 1.0;
    Monitor().EndStep(info);
  }
  EXPECT_THAT(found, ElementsAre("loss/auto is inf at step 17"));
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}

TEST_F(SummaryMonitorTest, NoticesParametersTensorsAndLoggedValuesThatAreNoNumbers) {
  std::vector<std::string> found;
  options.on_nonfinite = [&](const NonFinite& what) { found.push_back(what.ToString()); };
  Train(2, [&](StepInfo& info) {
    weights[2] = info.step == 2 ? kNan : 0;
    info.parameters.Add("fc1.weight", weights.data(), {4});
    info.tensors.Add("hidden", weights.data(), {4});
  });
  Monitor().Log({{"gradient norm", INFINITY}}, 5);
  EXPECT_THAT(found, ElementsAre("fc1.weight/auto is nan at step 2", "hidden is nan at step 2",
                                 "gradient norm is inf at step 5"));
}

TEST_F(SummaryMonitorTest, SurvivesACallbackThatThrows) {
  options.on_nonfinite = [](const NonFinite&) { throw std::runtime_error("stop"); };
  CollectOnly(OnlyMetrics());
  Monitor().EndStep(1, [](StepInfo& info) { info.loss = kNan; });
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=nan"));
}

TEST_F(SummaryMonitorTest, SurvivesATrainersFunctionThatThrows) {
  CollectOnly(OnlyMetrics());
  Monitor().EndStep(1, [](StepInfo&) { throw std::runtime_error("the device is gone"); });
  Monitor().EndStep(2, [](StepInfo& info) { info.loss = 1; });
  EXPECT_THAT(Monitor().End(), IsStatus(StatusCode::kFailedPrecondition, "the device is gone"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), ElementsAre("2 loss/auto=1"));
}

TEST_F(SummaryMonitorTest, LeavesOutWhatIsNoTensorAndSaysSo) {
  Monitor().EndStep(1, [&](StepInfo& info) {
    const float* nothing = nullptr;
    info.tensors.Add("missing", nothing, {4});
    info.tensors.Add("hidden", weights.data(), {4});
  });
  Monitor().EndStep(2, [](StepInfo&) {});
  static_cast<void>(Monitor().End());
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), Contains("1 hidden:tensor=0.5"));
  EXPECT_EQ(Monitor().Stats().invalid_values, 1U);
  EXPECT_THAT(said.back(), AllOf(HasSubstr("; refused 1 value"), HasSubstr("missing")));
}

TEST_F(SummaryMonitorTest, SaysWhereTheRunIsRecordedAndHowToLookAtIt) {
  options.collect_freq = 10;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  Monitor();
  EXPECT_THAT(said, ElementsAre("recording step 1 and every 10th to " + dir.path() +
                                "; look with: sightline info " + dir.path() +
                                " | tensorboard --logdir " + dir.path()));
}

TEST_F(SummaryMonitorTest, SaysWhatWasRecorded) {
  CollectOnly(OnlyMetrics());
  Train(3);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(said, SizeIs(2));
  EXPECT_THAT(said.back(), AllOf(StartsWith("recorded 3 values in 3 events ("),
                                 HasSubstr(") in " + dir.path())));
}

TEST_F(SummaryMonitorTest, DoesNothingWhenSwitchedOff) {
  setenv("SIGHTLINE_DISABLE", "1", 1);
  std::filesystem::remove(dir.path());
  options.custom_lineage_data = {{"version", "r1"}};
  Monitor().Begin({.network = "LeNet5"});
  Monitor().RecordGraph({.name = "net"});
  bool asked = false;
  Train(20, [&](StepInfo&) { asked = true; });
  StepInfo info{.step = 1, .loss = kNan};
  Monitor().EndStep(info);
  Monitor().Log({{"x", 1}}, 1);
  Monitor().BeginEvaluation();
  Monitor().EndEvaluation({{"accuracy", 1}}, 1);
  Monitor().SetModel("model.ckpt", 1);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_FALSE(asked);
  EXPECT_FALSE(Monitor().enabled());
  EXPECT_EQ(Monitor().Stats().accepted_values, 0U);
  EXPECT_FALSE(std::filesystem::exists(dir.path()));
  EXPECT_THAT(said, ElementsAre("recording is switched off by SIGHTLINE_DISABLE"));
}

TEST_F(SummaryMonitorTest, IsNotSwitchedOffByZero) {
  setenv("SIGHTLINE_DISABLE", "0", 1);
  EXPECT_TRUE(Monitor().enabled());
}

TEST_F(SummaryMonitorTest, RefusesBadOptionsEvenWhenSwitchedOff) {
  options.collect_freq = 0;
  for (const char* disable : {"0", "1"}) {
    setenv("SIGHTLINE_DISABLE", disable, 1);
    const auto created = SummaryMonitor::Create(dir.path(), options);
    ASSERT_FALSE(created);
    EXPECT_THAT(created.error(), IsStatus(StatusCode::kInvalidArgument, "collect_freq is 0"));
  }
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
}

TEST_F(SummaryMonitorTest, NamesADirectoryThatIsNone) {
  const std::string path = dir.File("file");
  WriteFileOrDie(path, "");
  const auto created = SummaryMonitor::Create(path, options);
  ASSERT_FALSE(created);
  EXPECT_THAT(created.error().message(), HasSubstr(path));
}

TEST_F(SummaryMonitorTest, EndsOnce) {
  CollectOnly(OnlyMetrics());
  Train(1);
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_THAT(Monitor().End(), IsOk());
  Train(3);
  Monitor().Log({{"x", 1}}, 9);
  Monitor().RecordGraph({.name = "net"});
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
  EXPECT_THAT(said, SizeIs(2));
}

TEST_F(SummaryMonitorTest, EndsWhenItIsDestroyed) {
  CollectOnly(OnlyMetrics());
  Train(1);
  monitor.reset();
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore), ElementsAre("1 loss/auto=1"));
  EXPECT_THAT(said.back(), StartsWith("recorded 1 value in 1 event"));
}

TEST_F(SummaryMonitorTest, SaysNothingInAForkedChild) {
  CollectOnly(OnlyMetrics());
  Train(1);
  const pid_t child = fork();
  if (child == 0) {
    Train(3);
    const bool quiet = monitor->End().ok() && said.size() == 1;
    _exit(quiet ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}

TEST_F(SummaryMonitorTest, LivesBesideAnother) {
  TempDir other_dir;
  CollectOnly(OnlyMetrics());
  auto other = SummaryMonitor::Create(other_dir.path(), options);
  ASSERT_THAT(other, IsOk());
  Train(1);
  (*other)->EndStep(1, [](StepInfo& info) { info.loss = 8; });
  EXPECT_THAT((*other)->End(), IsOk());
  EXPECT_THAT(RecordedRun::Values(ReadRun(other_dir.path()).mindspore),
              ElementsAre("1 loss/auto=8"));
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}

TEST_F(SummaryMonitorTest, AllocatesNothingOnTheTrainingsThreadOnceItKnowsItsNames) {
  options.collect_tensor_freq = 1;
  Monitor().Begin({.batch_size = 32});
  const auto everything = [&](StepInfo& info) {
    info.loss = 1;
    info.learning_rate = 0.1;
    info.scalars.push_back({"accuracy", 0.5});
    info.input.Set(images.data(), {2, 3, 8, 8});
    for (std::size_t i = 0; i < network.size(); ++i)
      info.parameters.Add(network.name(i), network.view(i));
    info.tensors.Add("hidden", weights.data(), {4});
  };
  Monitor().EndStep(1, everything);
  Monitor().EndStep(2, everything);
  const std::uint64_t before = testing::AllocationsOfThisThread();
  for (std::int64_t step = 3; step <= 50; ++step) Monitor().EndStep(step, everything);
  EXPECT_EQ(testing::AllocationsOfThisThread() - before, 0U);
  EXPECT_THAT(Recorded(), IsSupersetOf({"50 loss/auto=1", "50 hidden:tensor=0.5"}));
}

}  // namespace
}  // namespace sightline
