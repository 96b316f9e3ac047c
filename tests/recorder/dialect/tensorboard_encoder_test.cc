#include "sightline/recorder/dialect/tensorboard_encoder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sightline/proto/session.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/tests/recorder/encoder_fixture.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::BytesOf;
using ::testing::ElementsAre;
using testing::ElementsOf;
using testing::EventBuilder;
using ::testing::HasSubstr;
using testing::IsOk;
using testing::IsStatus;
using testing::RecordsIn;
using testing::SameDouble;
using ::testing::SizeIs;

constexpr double kNow = 1795191134.4527354;

tensorboard::Event Decode(const std::string& bytes) {
  tensorboard::Event event;
  EXPECT_TRUE(event.ParseFromString(bytes));
  return event;
}

tensorboard::Event EventOf(const EventBuilder& values, std::int64_t step = 1) {
  Payload payload;
  EXPECT_TRUE(tensorboard::EncodeSummaryEvent(values.Event(kNow, step), payload));
  return Decode(BytesOf(payload));
}

std::vector<tensorboard::Summary::Value> ValuesOf(const EventBuilder& values) {
  const tensorboard::Event event = EventOf(values);
  return {event.summary().value().begin(), event.summary().value().end()};
}

std::string ScalarMessage(std::int64_t step, std::string_view tag, double value) {
  std::vector<char> room(tensorboard::MaxScalarRecordSize(tag.size()));
  const char* end = tensorboard::PutScalarRecord(room.data(), kNow, step, tag, value);
  const auto records = RecordsIn({room.data(), static_cast<std::size_t>(end - room.data())});
  return records.size() == 1 ? records[0] : std::string();
}

std::vector<std::int64_t> ShapeOf(const tensorboard::TensorProto& tensor) {
  std::vector<std::int64_t> shape;
  for (const auto& dim : tensor.tensor_shape().dim()) shape.push_back(dim.size());
  return shape;
}

std::vector<double> DoublesOf(const tensorboard::TensorProto& tensor) {
  EXPECT_EQ(tensor.dtype(), tensorboard::DT_DOUBLE);
  std::vector<double> values(tensor.tensor_content().size() / sizeof(double));
  std::memcpy(values.data(), tensor.tensor_content().data(), tensor.tensor_content().size());
  return values;
}

TrainLineage LeNetLineage() {
  TrainLineage lineage;
  lineage.network = "LeNet5";
  lineage.learning_rate = 0.01;
  lineage.epoch = 3;
  lineage.loss = 0.5;
  return lineage;
}

tensorboard::hparams::SessionStartInfo StartInfoOf(const tensorboard::Summary::Value& value) {
  EXPECT_EQ(value.tag(), "_hparams_/session_start_info");
  EXPECT_EQ(value.metadata().plugin_data().plugin_name(), "hparams");
  tensorboard::hparams::HParamsPluginData data;
  EXPECT_TRUE(data.ParseFromString(value.metadata().plugin_data().content()));
  EXPECT_EQ(data.version(), 0);
  return data.session_start_info();
}

// --- Scalars ---

TEST(TensorBoardScalarTest, HasProtobufsOwnBytes) {
  for (const std::int64_t step : {std::int64_t{0}, std::int64_t{1}, std::int64_t{-1},
                                  std::int64_t{300}, std::numeric_limits<std::int64_t>::min()}) {
    for (const std::size_t size : {1U, 100U, 127U, 128U, 500U, 4096U}) {
      const std::string tag(size, 't');
      tensorboard::Event expected;
      expected.set_wall_time(kNow);
      expected.set_step(step);
      auto* value = expected.mutable_summary()->add_value();
      value->set_simple_value(0.25F);
      value->set_tag(tag);
      EXPECT_EQ(ScalarMessage(step, tag, 0.25), expected.SerializeAsString());
    }
  }
}

TEST(TensorBoardScalarTest, EqualsTheGeneralEncodersEvent) {
  for (const std::int64_t step : {0, 1, 300}) {
    EventBuilder values;
    values.Scalar("loss/标签", 0.25);
    Payload payload;
    ASSERT_TRUE(tensorboard::EncodeSummaryEvent(values.Event(kNow, step), payload));
    EXPECT_EQ(ScalarMessage(step, "loss/标签", 0.25), BytesOf(payload));
  }
}

// --- The first record ---

TEST(TensorBoardEncoderTest, BeginsAFileWithVersionWriterAndSession) {
  SessionInfo session;
  session.set_session_id("0123");
  Payload payload;
  tensorboard::EncodeVersionEvent(kNow, session.SerializeAsString(), payload);
  const tensorboard::Event event = Decode(BytesOf(payload));
  EXPECT_EQ(event.wall_time(), kNow);
  EXPECT_EQ(event.file_version(), "brain.Event:2");
  EXPECT_EQ(event.source_metadata().writer(), "sightline");
  EXPECT_EQ(event.session().session_id(), "0123");
}

// --- Histograms ---

TEST(TensorBoardEncoderTest, EndsABucketWhereTheNextOneBegins) {
  HistogramData data;
  data.buckets = {{-1, 0.5, 3}, {-0.5, 0.5, 0}, {0, 0.499, 5}};
  data.min = -1;
  data.max = 0.5;
  data.sum = 1.25;
  data.sum_squares = 2.5;
  data.count = 11;
  data.nan_count = 1;
  data.neg_inf_count = 2;
  data.has_finite = true;
  EventBuilder values;
  values.Histogram("h", data);
  const auto histo = ValuesOf(values).at(0).histo();
  EXPECT_EQ(histo.min(), -1);
  EXPECT_EQ(histo.max(), 0.5);
  EXPECT_EQ(histo.num(), 8);  // The finite ones.
  EXPECT_EQ(histo.sum(), 1.25);
  EXPECT_EQ(histo.sum_squares(), 2.5);
  EXPECT_THAT(histo.bucket_limit(), ElementsAre(-0.5, 0, 0.5));
  EXPECT_THAT(histo.bucket(), ElementsAre(3, 0, 5));
}

// MindSpore's buckets of equal values reach half a unit beyond them; TensorBoard's data server
// would show [2, 1.8) and (2.2, 2].
TEST(TensorBoardEncoderTest, HasNoEmptyBucketsOutsideOfMinAndMax) {
  HistogramData data;
  data.buckets = {{1.5, 0.3, 0}, {1.8, 0.4, 10}, {2.2, 0.3, 0}};
  data.min = data.max = 2;
  data.count = 10;
  data.has_finite = true;
  EventBuilder values;
  values.Histogram("h", data);
  const auto histo = ValuesOf(values).at(0).histo();
  EXPECT_THAT(histo.bucket_limit(), ElementsAre(2));
  EXPECT_THAT(histo.bucket(), ElementsAre(10));
}

TEST(TensorBoardEncoderTest, HasNoBucketsWithoutFiniteValues) {
  HistogramData data;
  data.nan_count = 4;
  data.count = 4;
  EventBuilder values;
  values.Histogram("h", data);
  const auto histo = ValuesOf(values).at(0).histo();
  EXPECT_EQ(histo.num(), 0);
  EXPECT_EQ(histo.bucket_size(), 0);
}

// --- Tensors ---

TEST(TensorBoardEncoderTest, KeepsEveryDtypeAsItIs) {
  const std::pair<DType, tensorboard::DataType> dtypes[] = {
      {DType::kBool, tensorboard::DT_BOOL},         {DType::kInt8, tensorboard::DT_INT8},
      {DType::kInt16, tensorboard::DT_INT16},       {DType::kInt32, tensorboard::DT_INT32},
      {DType::kInt64, tensorboard::DT_INT64},       {DType::kUint8, tensorboard::DT_UINT8},
      {DType::kUint16, tensorboard::DT_UINT16},     {DType::kUint32, tensorboard::DT_UINT32},
      {DType::kUint64, tensorboard::DT_UINT64},     {DType::kFloat16, tensorboard::DT_HALF},
      {DType::kFloat32, tensorboard::DT_FLOAT},     {DType::kFloat64, tensorboard::DT_DOUBLE},
      {DType::kBfloat16, tensorboard::DT_BFLOAT16},
  };
  for (const auto& [dtype, expected] : dtypes) {
    const std::string elements = ElementsOf(dtype, {0, 1, 1, 0, 1, 0});
    EventBuilder values;
    values.Tensor("t", dtype, {2, 3}, elements);
    const auto value = ValuesOf(values).at(0);
    EXPECT_EQ(value.tensor().dtype(), expected);
    EXPECT_THAT(ShapeOf(value.tensor()), ElementsAre(2, 3));
    EXPECT_EQ(value.tensor().tensor_content(), elements);
    EXPECT_EQ(value.metadata().plugin_data().plugin_name(), "sightline");
    EXPECT_EQ(value.metadata().data_class(), tensorboard::DATA_CLASS_TENSOR);
  }
}

TEST(TensorBoardEncoderTest, WritesALandscapeAsItsTensors) {
  LossLandscape landscape;
  landscape.x = {-0.1, 0, 0.1};
  landscape.y = {-1, 1};
  landscape.z = {1, 2, 3, 4, 5, 6.1};
  landscape.path = LossLandscape::Path{{1, 2}, {0.1, 0}, {0.2, 0}, {0.3, 0.4}};
  landscape.convergence_point = LossLandscape::Point{0, 0, 0.7};
  EventBuilder values;
  values.Message(ValueKind::kLandscape, "land", SerializeLandscape(landscape).value());
  const auto written = ValuesOf(values);
  ASSERT_THAT(written, SizeIs(9));
  EXPECT_EQ(written[0].tag(), "land/x");
  EXPECT_EQ(DoublesOf(written[0].tensor()), landscape.x);
  EXPECT_EQ(written[2].tag(), "land/z");
  EXPECT_THAT(ShapeOf(written[2].tensor()), ElementsAre(2, 3));
  EXPECT_EQ(DoublesOf(written[2].tensor()), landscape.z);
  EXPECT_EQ(written[5].tag(), "land/path/z");
  EXPECT_EQ(DoublesOf(written[5].tensor()), landscape.path->z);
  EXPECT_EQ(written[8].tag(), "land/convergence/z");
  EXPECT_THAT(ShapeOf(written[8].tensor()), ElementsAre());
  EXPECT_EQ(DoublesOf(written[8].tensor()), std::vector<double>{0.7});
}

// --- Lineage ---

TEST(TensorBoardEncoderTest, WritesLineageAsText) {
  EventBuilder values;
  values.Message(ValueKind::kEvaluationLineage, "",
                 SerializeEvaluationLineage({.metrics = {{"acc", 0.5}}}));
  values.Message(ValueKind::kDatasetGraph, "",
                 SerializeDatasetGraph({.parameters = {{"op_type", "Batch"}}}).value());
  const auto written = ValuesOf(values);
  ASSERT_THAT(written, SizeIs(2));
  EXPECT_EQ(written[0].tag(), "eval_lineage");
  EXPECT_EQ(written[0].metadata().plugin_data().plugin_name(), "text");
  EXPECT_EQ(written[0].tensor().dtype(), tensorboard::DT_STRING);
  EXPECT_THAT(ShapeOf(written[0].tensor()), ElementsAre(1));
  EXPECT_THAT(written[0].tensor().string_val(),
              ElementsAre("| name | value |\n| --- | --- |\n| acc | 0.5 |\n"));
  EXPECT_EQ(written[1].tag(), "dataset_graph");
  EXPECT_THAT(written[1].tensor().string_val(0), HasSubstr("| 1 | Batch |"));
}

TEST(TensorBoardEncoderTest, WritesCustomPairsAlsoAsHyperParameters) {
  EventBuilder values;
  values.Message(
      ValueKind::kCustomLineage, "",
      SerializeCustomLineage({{"bs", std::int64_t{32}}, {"lr", 0.01}, {"version", "r1"}}));
  const auto written = ValuesOf(values);
  ASSERT_THAT(written, SizeIs(2));
  EXPECT_EQ(written[0].tag(), "custom_lineage_data");
  const auto info = StartInfoOf(written[1]);
  EXPECT_EQ(info.start_time_secs(), kNow);
  EXPECT_EQ(info.hparams_size(), 3);
  EXPECT_EQ(info.hparams().at("bs").number_value(), 32);
  EXPECT_EQ(info.hparams().at("lr").number_value(), 0.01);
  EXPECT_EQ(info.hparams().at("version").string_value(), "r1");
}

TEST(TensorBoardEncoderTest, MergesTheHyperParametersOfAnEvent) {
  EventBuilder values;
  values.Message(ValueKind::kTrainLineage, "", SerializeTrainLineage(LeNetLineage()));
  values.Message(ValueKind::kCustomLineage, "", SerializeCustomLineage({{"version", "r1"}}));
  const auto written = ValuesOf(values);
  ASSERT_THAT(written, SizeIs(3));
  EXPECT_EQ(written[0].tag(), "train_lineage");
  EXPECT_EQ(written[1].tag(), "custom_lineage_data");
  const auto info = StartInfoOf(written[2]);
  EXPECT_EQ(info.hparams().at("network").string_value(), "LeNet5");
  EXPECT_EQ(info.hparams().at("learning_rate").number_value(), 0.01);
  EXPECT_EQ(info.hparams().at("version").string_value(), "r1");
  EXPECT_FALSE(info.hparams().contains("loss"));  // What came out is no parameter.
}

// --- Graphs ---

TEST(TensorBoardEncoderTest, WritesAGraphAsGraphDef) {
  Graph graph;
  graph.parameters = {{"x", {}}};
  graph.nodes = {{.name = "a", .op_type = "ReLU", .scope = "Default", .inputs = {"x"}}};
  Payload payload;
  ASSERT_THAT(tensorboard::EncodeGraphEvent(kNow, 0, SerializeGraph(graph).value(), payload),
              IsOk());
  const tensorboard::Event event = Decode(BytesOf(payload));
  tensorboard::GraphDef graph_def;
  ASSERT_TRUE(graph_def.ParseFromString(event.graph_def()));
  ASSERT_EQ(graph_def.node_size(), 2);
  EXPECT_EQ(graph_def.node(1).name(), "Default/a");
}

TEST(TensorBoardEncoderTest, ReportsAGraphThatIsNoneAndWritesNothing) {
  Payload payload;
  EXPECT_THAT(tensorboard::EncodeGraphEvent(kNow, 0, "no graph", payload),
              IsStatus(StatusCode::kDataLoss, "no GraphProto"));
  EXPECT_EQ(payload.size(), 0U);
}

TEST(TensorBoardEncoderTest, LeavesGraphsOutOfSummaries) {
  EventBuilder values;
  values.Message(ValueKind::kGraph, "", SerializeGraph({}).value());
  Payload payload;
  EXPECT_FALSE(tensorboard::EncodeSummaryEvent(values.Event(kNow, 1), payload));
  EXPECT_EQ(payload.size(), 0U);
  values.Scalar("loss", 1);
  EXPECT_THAT(ValuesOf(values), SizeIs(1));
}

TEST(TensorBoardEncoderTest, PutsTimeAndStepIntoAnEventOfItsOwn) {
  tensorboard::Event event;
  event.mutable_session_log()->set_status(tensorboard::SessionLog::START);
  const std::string given = event.SerializeAsString();
  Payload payload;
  tensorboard::EncodeOwnEvent(kNow, 7, given, payload);
  event.set_wall_time(kNow);
  event.set_step(7);
  EXPECT_EQ(Decode(BytesOf(payload)).SerializeAsString(), event.SerializeAsString());

  EventBuilder values;
  values.Message(ValueKind::kTensorBoardEvent, "", given);
  payload.Clear();
  EXPECT_FALSE(tensorboard::EncodeSummaryEvent(values.Event(kNow, 1), payload));
  EXPECT_EQ(payload.size(), 0U);
}

// --- Any values ---

void ExpectSameHistogram(const tensorboard::HistogramProto& histo, const HistogramData& data) {
  ASSERT_EQ(static_cast<std::size_t>(histo.bucket_size()), data.buckets.size());
  ASSERT_EQ(histo.bucket_limit_size(), histo.bucket_size());
  for (int i = 0; i < histo.bucket_size(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    EXPECT_EQ(histo.bucket(i), static_cast<double>(data.buckets[at].count));
    if (at + 1 < data.buckets.size()) {
      EXPECT_THAT(histo.bucket_limit(i), SameDouble(data.buckets[at + 1].left));
    }
  }
  EXPECT_THAT(histo.min(), SameDouble(data.min));
  EXPECT_THAT(histo.max(), SameDouble(data.max));
  EXPECT_THAT(histo.sum(), SameDouble(data.sum));
  EXPECT_THAT(histo.sum_squares(), SameDouble(data.sum_squares));
}

void ExpectSameValue(const tensorboard::Summary::Value& written, const PreparedValue& value) {
  EXPECT_EQ(written.tag(), value.tag);
  if (value.kind == ValueKind::kScalar) {
    ASSERT_TRUE(written.has_simple_value());
    EXPECT_THAT(static_cast<double>(written.simple_value()),
                SameDouble(static_cast<double>(static_cast<float>(value.scalar))));
  } else if (value.kind == ValueKind::kTensor) {
    EXPECT_EQ(ShapeOf(written.tensor()),
              std::vector<std::int64_t>(value.tensor.shape.begin(), value.tensor.shape.end()));
    EXPECT_EQ(DTypeOfTensorFlow(written.tensor().dtype()), value.tensor.dtype);
    EXPECT_EQ(
        written.tensor().tensor_content(),
        std::string_view(static_cast<const char*>(value.tensor.data), value.tensor.ByteSize()));
  } else if (value.kind == ValueKind::kHistogram) {
    ExpectSameHistogram(written.histo(), *value.histogram);
  } else {
    ASSERT_EQ(value.kind, ValueKind::kImage);
    EXPECT_EQ(written.image().height(), value.image->height);
    EXPECT_EQ(written.image().width(), value.image->width);
    EXPECT_EQ(written.image().colorspace(), value.image->colorspace);
    EXPECT_EQ(written.image().encoded_image_string(), value.image->bytes);
  }
}

TEST(TensorBoardEncoderTest, AnySequenceOfValuesIsDecodedEqual) {
  testing::AnyValues any(20261121);
  Payload payload;
  for (int round = 0; round < 500; ++round) {
    const EventBuilder values = any.Draw();
    const PreparedEvent event = values.Event(kNow, any.Integer());
    payload.Clear();
    ASSERT_TRUE(tensorboard::EncodeSummaryEvent(event, payload));
    const tensorboard::Event decoded = Decode(BytesOf(payload));
    ASSERT_EQ(decoded.step(), event.step);
    int at = 0;
    for (const PreparedValue& value : event.values) {
      if (value.kind == ValueKind::kLandscape) {
        at += 3;  // Empty ones.
      } else {
        ASSERT_LT(at, decoded.summary().value_size());
        ExpectSameValue(decoded.summary().value(at++), value);
      }
    }
    ASSERT_EQ(at, decoded.summary().value_size());
  }
}

}  // namespace
}  // namespace sightline
