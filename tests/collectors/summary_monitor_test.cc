// What SummaryMonitor records of steps and evaluations.
#include "sightline/collectors/summary_monitor.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "sightline/tests/collectors/summary_monitor_fixture.h"
#include "sightline/tests/support/allocations.h"

namespace sightline {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;
using testing::kNan;
using ::testing::Not;
using ::testing::SizeIs;
using testing::SummaryMonitorTest;

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

TEST_F(SummaryMonitorTest, RecordsHistogramsAndImagesUnderTheirNames) {
  CollectOnly(Nothing());
  Monitor().EndStep(1, [&](StepInfo& info) {
    info.histograms.Add("gradients", weights.data(), {2, 2});
    info.images.Add("filters", images.data(), {2, 3, 8, 8});
  });
  EXPECT_THAT(Recorded(), ElementsAre("1 gradients:histogram=4", "1 filters:image=8x16"));
}

TEST_F(SummaryMonitorTest, SaysWhichParametersItSelects) {
  for (std::size_t i = 0; i < network.size(); ++i)
    EXPECT_EQ(Monitor().SelectsParameter(i, network.name(i)), i < 5) << i;
}

TEST_F(SummaryMonitorTest, SelectsNoParameterWhereHistogramsAreOff) {
  CollectOnly({.collect_histograms = false});
  EXPECT_FALSE(Monitor().SelectsParameter(0, "conv.weight"));
}

TEST_F(SummaryMonitorTest, SelectsNoParameterAfterTheEnd) {
  EXPECT_THAT(Monitor().End(), IsOk());
  EXPECT_FALSE(Monitor().SelectsParameter(0, "conv.weight"));
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
    EXPECT_EQ(info.wants_input, info.step == 1) << "step " << info.step;
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
    EXPECT_EQ(info.wants_scalars, info.wants_images);
    wants.push_back(std::to_string(info.step) + (info.wants_scalars ? " scalars" : "") +
                    (info.wants_histograms ? " histograms" : "") +
                    (info.wants_tensors ? " tensors" : ""));
  });
  EXPECT_THAT(wants, ElementsAre("1 scalars histograms tensors", "4 tensors", "8 tensors",
                                 "10 scalars histograms"));
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

TEST_F(SummaryMonitorTest, InSinkModeStepsAreEpochs) {
  Monitor().Begin({.epochs = 400, .steps_per_epoch = 7, .sink_mode = true});
  std::vector<std::int64_t> steps;
  Train(400, [&](StepInfo& info) {
    if (info.wants_tensors) steps.push_back(info.step);
  });
  EXPECT_THAT(steps, SizeIs(20));
  EXPECT_EQ(steps[1], 400 / 19);
}

TEST_F(SummaryMonitorTest, ProcessesThatTrainTogetherShareTheTensorsSteps) {
  Monitor().Begin(
      {.epochs = 1, .steps_per_epoch = 3200, .device_num = 8, .parallel_mode = "data_parallel"});
  std::vector<std::int64_t> steps;
  Train(50, [&](StepInfo& info) {
    if (info.wants_tensors) steps.push_back(info.step);
  });
  EXPECT_THAT(steps, ElementsAre(1, 21, 42));  // 3200 / 8 / 19 = 21.
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
  Monitor().EndEvaluation(1, {});
  clock.seconds += 1;
  Monitor().EndStep(2, [](StepInfo&) {});
  EXPECT_THAT(Recorded(), ElementsAre("2 step_time/auto=1"));
}

TEST_F(SummaryMonitorTest, RecordsNoStepTimeAfterAnEvaluationOfUnknownLength) {
  CollectOnly({.collect_metric = false, .collect_eval_lineage = false});
  Train(1);
  clock.seconds += 100;
  Monitor().EndEvaluation(1, {});
  for (const std::int64_t step : {2, 3}) {
    clock.seconds += 1;
    Monitor().EndStep(step, [](StepInfo&) {});
  }
  EXPECT_THAT(Recorded(), ElementsAre("3 step_time/auto=1"));
}

TEST_F(SummaryMonitorTest, RecordsMetricsOfAnEvaluation) {
  Monitor().EndEvaluation(40, {{"accuracy", 0.75}, {"f1", 0.5}},
                          {.dataset_path = "test", .dataset_size = 100});
  EXPECT_THAT(Recorded(), ElementsAre("40 eval/accuracy=0.75", "40 eval/f1=0.5"));
  EXPECT_THAT(Lineage(), Contains(AllOf(HasSubstr("eval:lineage="), HasSubstr("\"accuracy\""),
                                        HasSubstr("0.75"))));
}

TEST_F(SummaryMonitorTest, LogsWhateverTheStep) {
  options.collect_freq = 100;
  Monitor().Log(7, {{"gradient norm", 0.5}, {"temperature", 300}});
  Monitor().Log(8, {});
  EXPECT_THAT(Recorded(), ElementsAre("7 gradient norm=0.5", "7 temperature=300"));
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
  Monitor().Log(5, {{"gradient norm", INFINITY}});
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

TEST_F(SummaryMonitorTest, NamesALossThatHasNoMeanWhereItIsRecorded) {
  options.frequencies = {{.tag = "loss/auto", .every_steps = 3}};
  CollectOnly(OnlyMetrics());
  const std::int64_t shape[] = {2};
  const TensorView complex{DType::kComplex64, shape, weights.data()};
  for (std::int64_t step = 1; step <= 3; ++step) {
    Monitor().EndStep(step, [&](StepInfo& info) {
      info.losses.Set(complex);
      info.learning_rate = 0.5;
    });
  }
  EXPECT_THAT(Monitor().End(),
              IsStatus(StatusCode::kInvalidArgument, "values that were refused: 2; first: loss"));
  EXPECT_THAT(RecordedRun::Values(ReadRun(dir.path()).mindspore),
              ElementsAre("1 learning_rate/auto=0.5", "2 learning_rate/auto=0.5",
                          "3 learning_rate/auto=0.5"));
  EXPECT_EQ(Monitor().Stats().invalid_values, 2U) << "of steps 1 and 3";
  EXPECT_THAT(said.back(), HasSubstr("loss/auto: complex64 cannot be recorded"));
  const auto names_the_loss = [](const std::string& line) {
    return line.starts_with("not recorded: loss/auto: complex64 cannot be recorded");
  };
  EXPECT_EQ(std::count_if(said.begin(), said.end(), names_the_loss), 1) << "at its first only";
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
