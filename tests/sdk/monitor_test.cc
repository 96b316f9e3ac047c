// A training through the C interface, read back by the library's own readers.
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "sightline/recorder/message/graph.h"
#include "sightline/runs/model/run.h"
#include "sightline/sdk/sightline.hpp"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::sightline::sdk::Sized;
using ::sightline::testing::InForkedChild;
using ::sightline::testing::ReadRun;
using ::sightline::testing::RecordedRun;
using ::sightline::testing::TempDir;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::IsSupersetOf;

class SdkMonitor : public ::testing::Test {
 protected:
  SdkMonitor() {
    options_.without = SIGHTLINE_WITHOUT_SYSTEM | SIGHTLINE_WITHOUT_THROUGHPUT;
    options_.context = &said_;
    options_.say = [](void* context, const char* line) {
      *static_cast<std::string*>(context) += line + std::string("\n");
    };
  }
  ~SdkMonitor() override { sightline_monitor_free(monitor_); }

  void Create() {
    ASSERT_EQ(sightline_monitor_create(dir_.path().c_str(), &options_, &monitor_), SIGHTLINE_OK)
        << sightline_error(nullptr);
  }
  sightline_code EndStep(std::int64_t step, double loss) {
    auto info = Sized<sightline_step>();
    info.step = step;
    info.loss = &loss;
    return sightline_monitor_end_step(monitor_, &info);
  }
  void End() {
    ASSERT_EQ(sightline_monitor_end(monitor_, SIGHTLINE_ENDED_WELL), SIGHTLINE_OK)
        << sightline_error(monitor_);
  }
  std::vector<std::string> Recorded() const {
    return RecordedRun::Values(ReadRun(dir_.path()).mindspore);
  }
  std::vector<std::string> Lineage() const {
    return RecordedRun::Values(ReadRun(dir_.path()).lineage);
  }
  std::string Words() const { return sightline_error(monitor_); }
  sightline_value Array(const char* tag, sightline_kind kind) const {
    auto value = Sized<sightline_value>();
    value.tag = tag;
    value.kind = kind;
    value.dtype = SIGHTLINE_FLOAT32;
    value.data = weights_.data();
    value.bytes = 16;
    value.shape = shape_.data();
    value.dimensions = shape_.size();
    return value;
  }

  TempDir dir_;
  std::string said_;
  sightline_monitor_options options_ = Sized<sightline_monitor_options>();
  sightline_monitor* monitor_ = nullptr;
  const std::vector<float> weights_ = {0.5F, -1.0F, 2.0F, 0.25F};
  const std::vector<std::int64_t> shape_ = {1, 1, 2, 2};
};

TEST_F(SdkMonitor, RecordsTheStepsThatAreDue) {
  options_.collect_freq = 2;
  Create();
  for (std::int64_t step = 1; step <= 5; ++step) {
    EXPECT_EQ(sightline_monitor_is_due(monitor_, step), step == 1 || step % 2 == 0 ? 1 : 0);
    EXPECT_EQ(EndStep(step, 1.0 / static_cast<double>(step)), SIGHTLINE_OK);
  }
  End();
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "2 loss/auto=0.5", "4 loss/auto=0.25"));
  EXPECT_THAT(said_, AllOf(HasSubstr("every 2nd"), HasSubstr("recorded 4 values")));
}

TEST_F(SdkMonitor, RecordsParametersAndValuesUnderTheirNames) {
  Create();
  // What a parameter is follows from its place.
  const sightline_value parameters[] = {Array("dense.weight", SIGHTLINE_SCALAR)};
  const double rate = 0.5;
  auto scalar = Array("accuracy", SIGHTLINE_SCALAR);
  scalar.dtype = SIGHTLINE_FLOAT64;
  scalar.data = &rate;
  scalar.bytes = sizeof(rate);
  scalar.dimensions = 0;
  const sightline_value values[] = {scalar, Array("gradient", SIGHTLINE_HISTOGRAM),
                                    Array("picture", SIGHTLINE_IMAGE),
                                    Array("output", SIGHTLINE_TENSOR)};
  const auto input = Array("input", SIGHTLINE_IMAGE);
  auto step = Sized<sightline_step>();
  step.step = 1;
  step.learning_rate = &rate;
  step.input = &input;
  step.parameters = parameters;
  step.parameter_count = 1;
  step.values = values;
  step.value_count = 4;
  EXPECT_EQ(sightline_monitor_end_step(monitor_, &step), SIGHTLINE_OK) << Words();
  End();
  EXPECT_THAT(Recorded(), IsSupersetOf({"1 dense.weight/auto:histogram=4", "1 accuracy=0.5",
                                        "1 learning_rate/auto=0.5", "1 gradient:histogram=4",
                                        "1 picture:image=2x2", "1 output:tensor=0.5",
                                        "1 input_data/auto:image=2x2"}));
}

TEST_F(SdkMonitor, LeavesOutWhatAStepCannotHave) {
  Create();
  auto bad = Array("bad", SIGHTLINE_TENSOR);
  bad.dtype = 99;
  const double loss = 1;
  auto step = Sized<sightline_step>();
  step.step = 1;
  step.loss = &loss;
  step.values = &bad;
  step.value_count = 1;
  EXPECT_EQ(sightline_monitor_end_step(monitor_, &step), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("bad: dtype is 99"));
  auto text = Sized<sightline_value>();
  text.tag = "note";
  text.kind = SIGHTLINE_TEXT;
  text.data = "text";
  text.bytes = 4;
  step.values = &text;
  step.step = 10;
  EXPECT_EQ(sightline_monitor_end_step(monitor_, &step), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("note: a step has scalars"));
  EXPECT_EQ(sightline_monitor_end(monitor_, SIGHTLINE_ENDED_WELL), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_THAT(Words(), HasSubstr("values that were refused: 2"));
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "10 loss/auto=1"));
}

TEST_F(SdkMonitor, SaysWhichValuesWouldBeRecorded) {
  options_.collect_freq = 10;
  Create();
  EXPECT_EQ(sightline_monitor_should_record(monitor_, "a", 10, SIGHTLINE_SCALAR), 1);
  EXPECT_EQ(sightline_monitor_should_record(monitor_, "a", 11, SIGHTLINE_SCALAR), 0);
  EXPECT_EQ(sightline_monitor_should_record(monitor_, "a", 10, 99), 0);
  EXPECT_EQ(sightline_monitor_should_record(monitor_, nullptr, 10, SIGHTLINE_SCALAR), 0);
  EXPECT_EQ(sightline_monitor_selects_parameter(monitor_, 4, "w"), 1);
  EXPECT_EQ(sightline_monitor_selects_parameter(monitor_, 5, "w"), 0);
  EXPECT_EQ(sightline_monitor_selects_parameter(monitor_, 4, nullptr), 0);
  EXPECT_EQ(sightline_monitor_selects_parameter(nullptr, 4, "w"), 0);
  EXPECT_EQ(sightline_monitor_is_due(nullptr, 1), 0);
}

TEST_F(SdkMonitor, FollowsFrequenciesOfTags) {
  auto frequency = Sized<sightline_frequency>();
  frequency.tag = "loss/auto";
  frequency.every_steps = 3;
  options_.frequencies = &frequency;
  options_.frequency_count = 1;
  Create();
  for (std::int64_t step = 1; step <= 6; ++step) EndStep(step, 1);
  End();
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1", "3 loss/auto=1", "6 loss/auto=1"));
}

TEST_F(SdkMonitor, RecordsTrainingSettingsAndResults) {
  sightline_setting settings[] = {Sized<sightline_setting>(), Sized<sightline_setting>(),
                                  Sized<sightline_setting>()};
  settings[0].name = "seed";
  settings[0].type = SIGHTLINE_INTEGER;
  settings[0].integer = 7;
  settings[1].name = "decay";
  settings[1].type = SIGHTLINE_NUMBER;
  settings[1].number = 0.125;
  settings[2].name = "data";
  settings[2].type = SIGHTLINE_STRING;
  settings[2].string = "digits";
  options_.settings = settings;
  options_.setting_count = 3;
  Create();
  auto training = Sized<sightline_training>();
  const double rate = 0.01;
  training.epochs = 2;
  training.steps_per_epoch = 5;
  training.batch_size = 32;
  training.learning_rate = &rate;
  training.network = "LeNet5";
  training.optimizer = "Momentum";
  training.dataset_size = 160;
  EXPECT_EQ(sightline_monitor_begin(monitor_, &training), SIGHTLINE_OK);
  for (std::int64_t step = 1; step <= 10; ++step) EndStep(step, 0.5);
  EXPECT_EQ(sightline_monitor_set_model(monitor_, "net.ckpt", 1234), SIGHTLINE_OK);
  EXPECT_EQ(sightline_monitor_set_last_loss(monitor_, 0.25), SIGHTLINE_OK);
  End();
  const auto run = Run::Open(dir_.path());
  ASSERT_TRUE(run);
  const auto& lineage = (*run)->lineage();
  const auto has = [&](const char* name, const LineageValue& value) {
    const auto found = lineage.find(name);
    return found != lineage.end() && found->second == value;
  };
  EXPECT_TRUE(has("network", "LeNet5"));
  EXPECT_TRUE(has("optimizer", "Momentum"));
  EXPECT_TRUE(has("epoch", std::int64_t{2}));
  EXPECT_TRUE(has("batch_size", std::int64_t{32}));
  EXPECT_TRUE(has("train_dataset_size", std::int64_t{160}));
  EXPECT_TRUE(has("model_path", "net.ckpt"));
  EXPECT_TRUE(has("model_size", std::int64_t{1234}));
  EXPECT_TRUE(has("loss", 0.25));
  EXPECT_TRUE(has("seed", std::int64_t{7}));
  EXPECT_TRUE(has("decay", 0.125));
  EXPECT_TRUE(has("data", "digits"));
}

TEST_F(SdkMonitor, RecordsEvaluationsLogsAndGraphs) {
  Create();
  Graph graph;
  graph.name = "digits";
  graph.nodes = {{.name = "conv", .op_type = "Conv2D"}};
  const auto proto = SerializeGraph(graph);
  ASSERT_TRUE(proto);
  EXPECT_EQ(sightline_monitor_record_graph(monitor_, proto->data(), proto->size()), SIGHTLINE_OK);
  EXPECT_EQ(sightline_monitor_record_graph(monitor_, "no graph", 8), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_record_dataset_graph(monitor_, nullptr, 8),
            SIGHTLINE_INVALID_ARGUMENT);
  const sightline_scalar norm[] = {{"norm", 0.5}};
  EXPECT_EQ(sightline_monitor_log(monitor_, 3, norm, 1), SIGHTLINE_OK);
  EXPECT_EQ(sightline_monitor_begin_evaluation(monitor_), SIGHTLINE_OK);
  const sightline_scalar metrics[] = {{"accuracy", 0.75}};
  EXPECT_EQ(sightline_monitor_end_evaluation(monitor_, 4, metrics, 1, "test", 10), SIGHTLINE_OK);
  End();
  EXPECT_THAT(Recorded(), IsSupersetOf({"3 norm=0.5", "4 eval/accuracy=0.75"}));
  EXPECT_THAT(Recorded(), Contains(HasSubstr("graph=digits")));
}

TEST_F(SdkMonitor, LendsItsRecorder) {
  Create();
  sightline_recorder* const recorder = sightline_monitor_recorder(monitor_);
  ASSERT_NE(recorder, nullptr);
  EXPECT_EQ(sightline_recorder_add_scalar(recorder, "own", 7, 0.5), SIGHTLINE_OK);
  EXPECT_EQ(sightline_recorder_close(recorder), SIGHTLINE_FAILED_PRECONDITION);
  EXPECT_THAT(sightline_error(recorder), HasSubstr("sightline_monitor_end"));
  sightline_recorder_free(recorder);  // Does nothing.
  End();
  EXPECT_EQ(sightline_recorder_add_scalar(recorder, "own", 8, 0.5), SIGHTLINE_CLOSED);
  EXPECT_THAT(Recorded(), ElementsAre("7 own=0.5"));
}

TEST_F(SdkMonitor, NoticesNaN) {
  options_.on_nonfinite = [](void* context, const char* tag, std::int64_t step, double value) {
    EXPECT_TRUE(std::isnan(value));
    *static_cast<std::string*>(context) += tag + std::string(" at ") + std::to_string(step);
  };
  Create();
  EndStep(3, NAN);
  EXPECT_THAT(said_, HasSubstr("loss/auto at 3"));
}

TEST_F(SdkMonitor, SaysClosedAfterItsEnd) {
  Create();
  EndStep(1, 1);
  End();
  EXPECT_EQ(sightline_monitor_end(monitor_, SIGHTLINE_ENDED_WELL), SIGHTLINE_OK);
  EXPECT_EQ(EndStep(2, 1), SIGHTLINE_CLOSED);
  EXPECT_THAT(Words(), HasSubstr("ended"));
  const auto training = Sized<sightline_training>();
  EXPECT_EQ(sightline_monitor_begin(monitor_, &training), SIGHTLINE_CLOSED);
  EXPECT_EQ(sightline_monitor_log(monitor_, 1, nullptr, 0), SIGHTLINE_CLOSED);
  EXPECT_EQ(sightline_monitor_set_last_loss(monitor_, 1), SIGHTLINE_CLOSED);
}

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(SdkMonitor, RecordsNothingInAForkedChild) {
  Create();
  EndStep(1, 1);
  EXPECT_EQ(InForkedChild([&] {
              if (EndStep(10, 1) != SIGHTLINE_CLOSED) _exit(1);
              if (sightline_monitor_end(monitor_, SIGHTLINE_ENDED_WELL) != SIGHTLINE_CLOSED)
                _exit(2);
              sightline_monitor_free(monitor_);
            }),
            0);
  End();
  EXPECT_THAT(Recorded(), ElementsAre("1 loss/auto=1"));
}
#endif

TEST_F(SdkMonitor, DoesNothingOnARankThatDoesNotRecord) {
  auto recorder = Sized<sightline_recorder_options>();
  recorder.has_rank = 1;
  recorder.rank = 1;
  recorder.world_size = 2;
  const std::int64_t ranks[] = {0};
  options_.recorder = &recorder;
  options_.ranks = ranks;
  options_.rank_count = 1;
  Create();
  EXPECT_EQ(EndStep(1, 1), SIGHTLINE_OK);
  EXPECT_EQ(sightline_monitor_recorder(monitor_), nullptr);
  End();
  EXPECT_THAT(Recorded(), IsEmpty());
}

TEST_F(SdkMonitor, NamesAWrongOption) {
  const auto failure = [&](auto&& change) -> std::string {
    auto options = Sized<sightline_monitor_options>();
    change(options);
    EXPECT_EQ(sightline_monitor_create(dir_.path().c_str(), &options, &monitor_),
              SIGHTLINE_INVALID_ARGUMENT);
    EXPECT_EQ(monitor_, nullptr);
    return sightline_error(nullptr);
  };
  auto setting = Sized<sightline_setting>();
  setting.name = "seed";
  auto frequency = Sized<sightline_frequency>();
  frequency.kind = 99;
  const sightline_recorder_options unsized{};
  EXPECT_THAT(failure([](auto& o) { o.struct_size = 1; }), HasSubstr("struct_size is 1"));
  EXPECT_THAT(failure([](auto& o) { o.without = 1024; }), HasSubstr("without is 1024"));
  EXPECT_THAT(failure([](auto& o) { o.collect_freq = -1; }), HasSubstr("collect_freq"));
  EXPECT_THAT(failure([](auto& o) { o.max_overhead = 2; }), HasSubstr("max_overhead"));
  EXPECT_THAT(failure([](auto& o) { o.histogram_regular = "("; }), HasSubstr("histogram_regular"));
  EXPECT_THAT(failure([](auto& o) { o.setting_count = 1; }), HasSubstr("sightline_setting"));
  EXPECT_THAT(failure([&](auto& o) { o.settings = &setting, o.setting_count = 1; }),
              HasSubstr("seed: type is 0"));
  EXPECT_THAT(failure([&](auto& o) { o.frequencies = &frequency, o.frequency_count = 1; }),
              HasSubstr("kind is 99"));
  EXPECT_THAT(failure([&](auto& o) { o.recorder = &unsized; }),
              HasSubstr("sightline_recorder_options: struct_size is 0"));
}

TEST_F(SdkMonitor, NullPointersAreErrors) {
  Create();
  EXPECT_EQ(sightline_monitor_create("run", nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_begin(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_begin(monitor_, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_end_step(nullptr, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_end_step(monitor_, nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_log(monitor_, 1, nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  const sightline_scalar nameless[] = {{nullptr, 1}};
  EXPECT_EQ(sightline_monitor_log(monitor_, 1, nameless, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_begin_evaluation(nullptr), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_end_evaluation(monitor_, 1, nullptr, 1, nullptr, 0),
            SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_record_graph(monitor_, nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_set_model(monitor_, nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_end(nullptr, 1), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_end(monitor_, 9), SIGHTLINE_INVALID_ARGUMENT);
  EXPECT_EQ(sightline_monitor_recorder(nullptr), nullptr);
  sightline_monitor_free(nullptr);
}

}  // namespace
}  // namespace sightline
