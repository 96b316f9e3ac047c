#include "sightline/recorder/message/lineage.h"

#include <gmock/gmock.h>
#include <google/protobuf/util/message_differencer.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/recorder/message/lineage_rows.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using google::protobuf::util::MessageDifferencer;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Pair;
using testing::ReadFileOrDie;
using testing::RecordsIn;

// The lineage events that MindSpore wrote: dataset, custom, train; then evaluation.
std::vector<mindspore::LineageEvent> RealEvents() {
  std::vector<mindspore::LineageEvent> events;
  for (const char* name : {"mindspore/lenet/events.out.events.summary.1795189336.0.vm_lineage",
                           "mindspore/lenet/events.out.events.summary.1795189340.0.vm_lineage"}) {
    for (const std::string& record : RecordsIn(ReadFileOrDie(CorpusPath(name)))) {
      EXPECT_TRUE(events.emplace_back().ParseFromString(record));
    }
  }
  EXPECT_EQ(events.size(), 4U);
  return events;
}

std::string RealDataset() { return RealEvents().at(0).dataset_graph().SerializeAsString(); }
std::string RealCustom() { return RealEvents().at(1).user_defined_info().SerializeAsString(); }
std::string RealTrain() { return RealEvents().at(2).train_lineage().SerializeAsString(); }
std::string RealEvaluation() { return RealEvents().at(3).evaluation_lineage().SerializeAsString(); }

TrainLineage FullTrainLineage() {
  TrainLineage lineage;
  lineage.network = "LeNet5";
  lineage.optimizer = "Momentum";
  lineage.loss_function = "SoftmaxCrossEntropyWithLogits";
  lineage.learning_rate = 0.5;
  lineage.loss = 0.25;
  lineage.epoch = 3;
  lineage.batch_size = 32;
  lineage.parallel_mode = "stand_alone";
  lineage.device_num = 1;
  lineage.train_dataset_path = "/data/\"mnist\"";
  lineage.train_dataset_size = 60000;
  lineage.model_path = "ckpt/lenet\\1.ckpt";
  lineage.model_size = std::int64_t{5} << 32;
  return lineage;
}

// --- Training ---

TEST(TrainLineageTest, ComesBackEqual) {
  EXPECT_EQ(ParseTrainLineage(SerializeTrainLineage(FullTrainLineage())).value(),
            FullTrainLineage());
  EXPECT_EQ(ParseTrainLineage(SerializeTrainLineage({})).value(), TrainLineage());
}

TEST(TrainLineageTest, IsWhatMindSporeWritesByteForByte) {
  const auto lineage = ParseTrainLineage(RealTrain());
  ASSERT_THAT(lineage, IsOk());
  EXPECT_EQ(lineage->network, "LeNet5");
  EXPECT_EQ(lineage->batch_size, 32);
  EXPECT_EQ(lineage->model_path, "");
  EXPECT_EQ(lineage->model_size, 0);
  EXPECT_EQ(SerializeTrainLineage(*lineage), RealTrain());
}

TEST(TrainLineageTest, WritesTheModelsPathAsJson) {
  mindspore::TrainLineage proto;
  ASSERT_TRUE(proto.ParseFromString(SerializeTrainLineage(FullTrainLineage())));
  EXPECT_EQ(proto.model().path(), R"({"ckpt": "ckpt/lenet\\1.ckpt"})");
}

TEST(TrainLineageTest, CutsIntegersToTheFilesRange) {
  TrainLineage lineage;
  lineage.epoch = std::int64_t{1} << 40;
  lineage.batch_size = -(std::int64_t{1} << 40);
  const auto read = ParseTrainLineage(SerializeTrainLineage(lineage));
  EXPECT_EQ(read->epoch, std::numeric_limits<std::int32_t>::max());
  EXPECT_EQ(read->batch_size, std::numeric_limits<std::int32_t>::min());
}

// --- Evaluation ---

TEST(EvaluationLineageTest, IsWhatMindSporeWritesByteForByte) {
  const auto lineage = ParseEvaluationLineage(RealEvaluation());
  ASSERT_THAT(lineage, IsOk());
  EXPECT_THAT(lineage->metrics, ElementsAre(Pair("Accuracy", 0.10625)));
  EXPECT_EQ(lineage->valid_dataset_size, 320);
  EXPECT_EQ(SerializeEvaluationLineage(*lineage), RealEvaluation());
}

TEST(EvaluationLineageTest, KeepsAnyNumberAndAnyName) {
  EvaluationLineage lineage;
  lineage.metrics = {{"inf", INFINITY},        {"minus", -INFINITY}, {"tiny", 5e-324},
                     {"a \"quoted\" NaN", 1},  {"third", 1.0 / 3},   {"Infinity", -0.5},
                     {"back\\slash\\", -1e300}};
  EXPECT_EQ(ParseEvaluationLineage(SerializeEvaluationLineage(lineage)).value(), lineage);
  lineage.metrics = {{"nan", std::nan("")}};
  EXPECT_TRUE(
      std::isnan(ParseEvaluationLineage(SerializeEvaluationLineage(lineage))->metrics.at("nan")));
}

// As Python's json module spells it, which reads it back in MindInsight.
TEST(EvaluationLineageTest, SpellsNumbersAsPythonDoes) {
  mindspore::EvaluationLineage proto;
  EvaluationLineage lineage;
  lineage.metrics = {{"a", 1}, {"b", INFINITY}, {"c", std::nan("")}};
  ASSERT_TRUE(proto.ParseFromString(SerializeEvaluationLineage(lineage)));
  EXPECT_EQ(proto.metric(), R"({"a": 1.0, "b": Infinity, "c": NaN})");
}

TEST(EvaluationLineageTest, LeavesOutMetricsThatAreNoNumbers) {
  mindspore::EvaluationLineage proto;
  proto.set_metric(R"({"acc": 0.5, "per_class": [0.1, 0.9], "note": "x"})");
  EXPECT_THAT(ParseEvaluationLineage(proto.SerializeAsString())->metrics,
              ElementsAre(Pair("acc", 0.5)));
  for (const char* metric : {"", "{", "[1]", "{\"a\": NaN", "\"\\", "-Infinity"}) {
    proto.set_metric(metric);
    EXPECT_TRUE(ParseEvaluationLineage(proto.SerializeAsString())->metrics.empty()) << metric;
  }
}

// --- Custom data ---

TEST(CustomLineageTest, ReadsWhatMindSporeWrites) {
  const CustomLineage expected = {{"bs", std::int64_t{32}}, {"lr", 0.01}, {"version", "r1"}};
  EXPECT_EQ(ParseCustomLineage(RealCustom()).value(), expected);
}

TEST(CustomLineageTest, WritesEachPairAsItsOwnEntry) {
  mindspore::UserDefinedInfo proto;
  ASSERT_TRUE(
      proto.ParseFromString(SerializeCustomLineage({{"bs", std::int64_t{32}}, {"lr", 0.01}})));
  EXPECT_EQ(proto.user_info_size(), 2);
  EXPECT_EQ(proto.user_info(0).map_int32().at("bs"), 32);
  EXPECT_EQ(proto.user_info(1).map_double().at("lr"), 0.01);
}

TEST(CustomLineageTest, WritesLargeIntegersAsTheNextTypeThatHoldsThem) {
  constexpr std::int64_t kExact = std::int64_t{1} << 53;
  const CustomLineage pairs = {{"a", std::int64_t{INT32_MAX}},
                               {"b", std::int64_t{INT32_MAX} + 1},
                               {"c", -kExact},
                               {"d", kExact + 1},
                               {"e", INT64_MIN}};
  const CustomLineage expected = {{"a", std::int64_t{INT32_MAX}},
                                  {"b", 2147483648.0},
                                  {"c", -9007199254740992.0},
                                  {"d", "9007199254740993"},
                                  {"e", "-9223372036854775808"}};
  EXPECT_EQ(ParseCustomLineage(SerializeCustomLineage(pairs)).value(), expected);
}

// --- Dataset pipelines ---

TEST(DatasetGraphTest, SaysAgainWhatMindSporeSaid) {
  const auto graph = ParseDatasetGraph(RealDataset());
  ASSERT_THAT(graph, IsOk());
  EXPECT_EQ(graph->parameters.at("op_type"), DatasetGraph::Parameter("Batch"));
  EXPECT_EQ(graph->parameters.at("batch_size"), DatasetGraph::Parameter(std::int64_t{32}));
  const DatasetGraph& map = graph->children.at(0).children.at(0);
  EXPECT_EQ(map.parameters.at("input_columns"),
            DatasetGraph::Parameter(std::vector<std::string>{"label"}));
  mindspore::DatasetGraph ours;
  mindspore::DatasetGraph real;
  ASSERT_TRUE(ours.ParseFromString(SerializeDatasetGraph(*graph).value()));
  ASSERT_TRUE(real.ParseFromString(RealDataset()));
  EXPECT_TRUE(MessageDifferencer::Equals(ours, real));
}

TEST(DatasetGraphTest, ComesBackEqual) {
  DatasetGraph graph;
  graph.parameters = {{"op_type", "Batch"},
                      {"drop", true},
                      {"n", std::int64_t{-3}},
                      {"p", 0.5},
                      {"columns", std::vector<std::string>{"im\"age", "标签"}}};
  graph.operations = {{{{"tensor_op_name", "Resize"}}, {32, 32}, {0.5F}}};
  graph.sampler = DatasetGraph::Operation{{{"sampler_name", "Random"}}, {}, {}};
  graph.children = {DatasetGraph{}, DatasetGraph{.parameters = {{"op_type", "Mnist"}}}};
  EXPECT_EQ(ParseDatasetGraph(SerializeDatasetGraph(graph).value()).value(), graph);
}

TEST(DatasetGraphTest, RefusesPipelinesThatReadersCouldNotParse) {
  const auto chain = [](int stages) {
    DatasetGraph graph;
    for (int i = 1; i < stages; ++i) {
      DatasetGraph next;
      next.children.push_back(std::move(graph));
      graph = std::move(next);
    }
    return graph;
  };
  EXPECT_THAT(SerializeDatasetGraph(chain(64)), IsOk());
  EXPECT_THAT(SerializeDatasetGraph(chain(65)).error(),
              IsStatus(StatusCode::kInvalidArgument, "64 stages"));
}

// --- All of them ---

TEST(LineageTest, ReplacesTextThatIsNotUtf8) {
  TrainLineage train;
  train.network = "Net\xff";
  train.model_path = "\xff.ckpt";
  EXPECT_EQ(ParseTrainLineage(SerializeTrainLineage(train))->network, "Net\xef\xbf\xbd");
  EXPECT_EQ(ParseTrainLineage(SerializeTrainLineage(train))->model_path, "\xef\xbf\xbd.ckpt");
  EXPECT_TRUE(
      ParseCustomLineage(SerializeCustomLineage({{"k\xff", "v\xff"}}))->contains("k\xef\xbf\xbd"));
  EXPECT_THAT(
      ParseEvaluationLineage(SerializeEvaluationLineage({.metrics = {{"m\xff", 1.0}}}))->metrics,
      ElementsAre(Pair("m\xef\xbf\xbd", 1.0)));
}

TEST(LineageTest, ReportsBytesThatAreNoMessage) {
  EXPECT_THAT(ParseTrainLineage("x").error(),
              IsStatus(StatusCode::kDataLoss, "not a valid TrainLineage"));
  EXPECT_THAT(ParseEvaluationLineage("x").error(),
              IsStatus(StatusCode::kDataLoss, "not a valid EvaluationLineage"));
  EXPECT_THAT(ParseCustomLineage("x").error(),
              IsStatus(StatusCode::kDataLoss, "not a valid UserDefinedInfo"));
  EXPECT_THAT(ParseDatasetGraph("x").error(),
              IsStatus(StatusCode::kDataLoss, "not a valid DatasetGraph"));
}

// --- As text ---

TEST(LineageRowsTest, SayWhatTheMessageSays) {
  EXPECT_THAT(RowsOf(ValueKind::kTrainLineage, RealTrain()),
              ElementsAre(Pair("network", LineageValue("LeNet5")),
                          Pair("optimizer", LineageValue("Momentum")),
                          Pair("learning_rate", LineageValue(0.01)),
                          Pair("loss_function", LineageValue("SoftmaxCrossEntropyWithLogits")),
                          Pair("epoch", LineageValue(std::int64_t{3})),
                          Pair("batch_size", LineageValue(std::int64_t{32})),
                          Pair("parallel_mode", LineageValue("stand_alone")),
                          Pair("device_num", LineageValue(std::int64_t{1})),
                          Pair("train_dataset_size", LineageValue(std::int64_t{320})),
                          Pair("loss", LineageValue(2.30286)),
                          Pair("model_size", LineageValue(std::int64_t{0}))));
  EXPECT_THAT(RowsOf(ValueKind::kEvaluationLineage, RealEvaluation()),
              ElementsAre(Pair("Accuracy", LineageValue(0.10625)),
                          Pair("valid_dataset_size", LineageValue(std::int64_t{320}))));
  EXPECT_TRUE(RowsOf(ValueKind::kTrainLineage, "garbage").empty());
}

TEST(LineageRowsTest, ShowAPipelineFromItsSourceOn) {
  const LineageRows rows = RowsOf(ValueKind::kDatasetGraph, RealDataset());
  ASSERT_EQ(rows.size(), 6U);
  EXPECT_EQ(rows[0],
            LineageRows::value_type(
                "1", "GeneratorDataset(connector_queue_size: 16, num_parallel_workers: 1)"));
  EXPECT_THAT(std::get<std::string>(rows[1].second),
              HasSubstr(R"(Map(connector_queue_size: 16, input_columns: ["image"])"));
  EXPECT_THAT(std::get<std::string>(rows[1].second), HasSubstr("; Rescale(tensor_op_params: "));
  EXPECT_THAT(std::get<std::string>(rows[5].second), HasSubstr("Batch(batch_size: 32"));
}

TEST(LineageRowsTest, TellSettingsFromResults) {
  const LineageRows train = HyperParametersOf(ValueKind::kTrainLineage, RealTrain());
  ASSERT_EQ(train.size(), 9U);
  EXPECT_EQ(train[0].first, "network");
  EXPECT_EQ(HyperParametersOf(ValueKind::kCustomLineage, RealCustom()).size(), 3U);
  EXPECT_TRUE(HyperParametersOf(ValueKind::kEvaluationLineage, RealEvaluation()).empty());
  EXPECT_TRUE(HyperParametersOf(ValueKind::kDatasetGraph, RealDataset()).empty());
}

TEST(LineageRowsTest, AreATableInWhichNothingIsMarkup) {
  EXPECT_EQ(MarkdownTable({{"lr", 0.01}, {"n", std::int64_t{3}}}),
            "| name | value |\n| --- | --- |\n| lr | 0.01 |\n| n | 3 |\n");
  EXPECT_EQ(MarkdownTable({{"a|b_c", "<b>*x*\n`y`"}}),
            "| name | value |\n| --- | --- |\n| a\\|b\\_c | &lt;b>\\*x\\* \\`y\\` |\n");
}

}  // namespace
}  // namespace sightline
