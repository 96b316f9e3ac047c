#include "sightline/recorder/message/tensorboard_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <limits>

#include "sightline/base/wire.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_graph.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/recorder/message/message.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;

using Value = tensorboard::Summary::Value;

// The event's values, by the generated classes. The recorder takes the event.
std::vector<Value> ValuesIn(const Result<std::string>& event) {
  EXPECT_THAT(event, IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kTensorBoardEvent, *event), IsOk());
  tensorboard::Event parsed;
  EXPECT_TRUE(parsed.ParseFromString(*event));
  EXPECT_EQ(parsed.SerializeAsString().size(), event->size()) << "a field that the schema lacks";
  return {parsed.summary().value().begin(), parsed.summary().value().end()};
}

const std::string& PluginOf(const Value& value) {
  return value.metadata().plugin_data().plugin_name();
}

std::vector<float> FloatsIn(const tensorboard::TensorProto& tensor) {
  EXPECT_EQ(tensor.dtype(), tensorboard::DT_FLOAT);
  std::vector<float> floats(tensor.tensor_content().size() / sizeof(float));
  std::memcpy(floats.data(), tensor.tensor_content().data(), floats.size() * sizeof(float));
  return floats;
}

std::vector<std::int64_t> ShapeOf(const tensorboard::TensorProto& tensor) {
  std::vector<std::int64_t> shape;
  for (const auto& dim : tensor.tensor_shape().dim()) shape.push_back(dim.size());
  return shape;
}

// The fields of a plugin's own message, for which there is no schema here: "2=body", "7=14".
std::vector<std::string> FieldsIn(std::string_view message) {
  std::vector<std::string> fields;
  wire::Field field;
  wire::Scanner scan(message);
  while (scan.Next(field)) {
    const std::string value = field.type == wire::WireType::kBytes
                                  ? std::string(field.bytes)
                                  : std::to_string(field.number_value);
    fields.push_back(std::to_string(field.number) + "=" + value);
  }
  EXPECT_FALSE(scan.malformed());
  return fields;
}

TEST(TensorBoardValuesTest, ATextIsAStringOfTheTextPlugin) {
  const auto values = ValuesIn(SerializeText("note", "**h\xc3\xa9**\xff"));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0].tag(), "note/text_summary");
  EXPECT_EQ(PluginOf(values[0]), "text");
  EXPECT_EQ(values[0].tensor().dtype(), tensorboard::DT_STRING);
  EXPECT_THAT(ShapeOf(values[0].tensor()), ElementsAre(1));
  EXPECT_THAT(values[0].tensor().string_val(), ElementsAre("**h\xc3\xa9**\uFFFD"));
}

TEST(TensorBoardValuesTest, ASoundIsAWavFileOfItsSamples) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  const double samples[] = {0, 0.5, -0.5, 2, -INFINITY, kNan};
  const auto values = ValuesIn(SerializeAudio("beep", View(samples, {1, 6}), 8000));
  ASSERT_EQ(values.size(), 1U);
  const auto& audio = values[0].audio();
  EXPECT_EQ(audio.sample_rate(), 8000);
  EXPECT_EQ(audio.num_channels(), 1);
  EXPECT_EQ(audio.length_frames(), 6);
  EXPECT_EQ(audio.content_type(), "audio/wav");
  const std::string& wav = audio.encoded_audio_string();
  ASSERT_EQ(wav.size(), 44U + 12U);
  EXPECT_EQ(wav.substr(0, 4) + wav.substr(8, 8) + wav.substr(36, 4), "RIFFWAVEfmt data");
  const auto number_at = [&wav](std::size_t at) {
    std::uint32_t number = 0;
    std::memcpy(&number, &wav[at], sizeof(number));
    return number;
  };
  EXPECT_EQ(number_at(4), 36U + 12U);
  EXPECT_EQ(number_at(24), 8000U);
  EXPECT_EQ(number_at(28), 16000U);
  EXPECT_EQ(number_at(40), 12U);
  std::int16_t pcm[6];
  std::memcpy(pcm, &wav[44], sizeof(pcm));
  EXPECT_THAT(pcm, ElementsAre(0, 16383, -16383, 32767, -32767, 0));
}

TEST(TensorBoardValuesTest, RefusesWhatIsNoSound) {
  const float samples[] = {0, 0, 0, 0};
  const auto fault = [&](const TensorView& view, double rate) {
    const auto event = SerializeAudio("beep", view, rate);
    return event ? Status() : event.error();
  };
  EXPECT_THAT(
      fault(View(samples, {2, 2}), 1),
      IsStatus(StatusCode::kInvalidArgument, "one channel of samples, not the shape (2, 2)"));
  EXPECT_THAT(fault(View(samples, {1}), 1), IsStatus(StatusCode::kInvalidArgument, "(1)"));
  EXPECT_THAT(fault(View(samples, {0}), 1), IsOk());
  for (const double rate : {0.0, -1.0, 4e9, std::nan("")}) {
    EXPECT_THAT(fault(View(samples, {4}), rate),
                IsStatus(StatusCode::kInvalidArgument, "sample_rate is"));
  }
  constexpr std::int64_t kTwo[] = {2};
  EXPECT_THAT(fault({DType::kComplex64, kTwo, samples}, 1),
              IsStatus(StatusCode::kInvalidArgument, "complex"));
}

TEST(TensorBoardValuesTest, ACurveHasARowForEachCount) {
  const PrCurve curve{{1, 2}, {3, 4}, {5, 6}, {7, 8}, {9, 10}, {11, 12}, 2};
  const auto values = ValuesIn(SerializePrCurve("pr", curve));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(PluginOf(values[0]), "pr_curves");
  EXPECT_THAT(FieldsIn(values[0].metadata().plugin_data().content()), ElementsAre("2=2"));
  EXPECT_THAT(ShapeOf(values[0].tensor()), ElementsAre(6, 2));
  EXPECT_THAT(FloatsIn(values[0].tensor()), ElementsAre(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
  EXPECT_THAT(SerializePrCurve("pr", {.recall = {1}}).error(),
              IsStatus(StatusCode::kInvalidArgument, "differ in size"));
}

TEST(TensorBoardValuesTest, AMeshHasAValueForEachOfItsArrays) {
  const float vertices[] = {1, 2, 3, 4, 5, 6};
  const std::uint8_t colors[] = {255, 0, 0, 0, 255, 0};
  const std::int32_t faces[] = {0, 1, 0};
  constexpr std::int64_t kPoints[] = {1, 2, 3};
  constexpr std::int64_t kTriangles[] = {1, 1, 3};
  const auto values = ValuesIn(SerializeMesh("body", {.vertices = View(vertices, kPoints),
                                                      .colors = View(colors, kPoints),
                                                      .faces = View(faces, kTriangles),
                                                      .config_json = R"({"lights": []})"}));
  ASSERT_EQ(values.size(), 3U);
  EXPECT_EQ(values[0].tag(), "body_VERTEX");
  EXPECT_EQ(values[1].tag(), "body_FACE");
  EXPECT_EQ(values[2].tag(), "body_COLOR");
  EXPECT_THAT(FloatsIn(values[0].tensor()), ElementsAre(1, 2, 3, 4, 5, 6));
  EXPECT_THAT(FloatsIn(values[1].tensor()), ElementsAre(0, 1, 0));
  EXPECT_THAT(FloatsIn(values[2].tensor()), ElementsAre(255, 0, 0, 0, 255, 0));
  EXPECT_EQ(PluginOf(values[2]), "mesh");
  EXPECT_THAT(FieldsIn(values[2].metadata().plugin_data().content()),
              ElementsAre("2=body", "3=3", R"(5={"lights": []})", "6=\x01\x02\x03", "7=14"));
}

TEST(TensorBoardValuesTest, AMeshMayHaveItsPointsOnly) {
  const float vertices[] = {1, 2, 3};
  const auto values = ValuesIn(SerializeMesh("body", {.vertices = View(vertices, {1, 1, 3})}));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_THAT(FieldsIn(values[0].metadata().plugin_data().content()),
              ElementsAre("2=body", "3=1", "5={}", "6=\x01\x01\x03", "7=2"));
  EXPECT_THAT(
      SerializeMesh("body", {.vertices = View(vertices, {3})}).error(),
      IsStatus(StatusCode::kInvalidArgument, "VERTEX have the shape (batch, n, 3), not (3)"));
}

TEST(TensorBoardValuesTest, HyperParametersAreARowOfTheHparamsPage) {
  const HyperParameter parameters[] = {
      {"rate", 0.1},
      {"layers", std::int64_t{3}},
      {"optimizer", "adam", std::vector<HyperParameter::Value>{"adam", "sgd"}},
      {"bias", true}};
  const std::string metrics[] = {"accuracy"};
  const auto values = ValuesIn(SerializeHyperParameters(parameters, metrics));
  ASSERT_EQ(values.size(), 3U);
  tensorboard::hparams::HParamsPluginData start;
  EXPECT_EQ(values[1].tag(), "_hparams_/session_start_info");
  ASSERT_TRUE(start.ParseFromString(values[1].metadata().plugin_data().content()));
  const auto& given = start.session_start_info().hparams();
  ASSERT_EQ(given.size(), 4U);
  EXPECT_EQ(given.at("rate").number_value(), 0.1);
  EXPECT_EQ(given.at("layers").number_value(), 3);
  EXPECT_EQ(given.at("optimizer").string_value(), "adam");
  EXPECT_TRUE(given.at("bias").bool_value());
  tensorboard::hparams::HParamsPluginData end;
  EXPECT_EQ(values[2].tag(), "_hparams_/session_end_info");
  ASSERT_TRUE(end.ParseFromString(values[2].metadata().plugin_data().content()));
  EXPECT_EQ(static_cast<int>(end.session_end_info().status()), 1);
  EXPECT_EQ(values[0].tag(), "_hparams_/experiment");
  // experiment 2 { hparam_infos 4 { name 1, type 4, domain_discrete 5 }, metric_infos 5 }
  const std::string experiment =
      FieldsIn(values[0].metadata().plugin_data().content())[0].substr(2);
  const auto infos = FieldsIn(experiment);
  ASSERT_EQ(infos.size(), 5U);
  EXPECT_THAT(FieldsIn(infos[0].substr(2)), ElementsAre("1=rate", "4=3"));
  EXPECT_THAT(FieldsIn(infos[2].substr(2)), ElementsAre("1=optimizer", "4=1",
                                                        "5=\n\x06\x1a\x04"
                                                        "adam\n\x05\x1a\x03"
                                                        "sgd"));
  EXPECT_THAT(FieldsIn(infos[3].substr(2)), ElementsAre("1=bias", "4=2"));
  EXPECT_EQ(infos[4],
            "5=\n\n\x12\x08"
            "accuracy");
}

TEST(TensorBoardValuesTest, ALayoutHasItsChartsByCategory) {
  const ChartLayout layout{
      {{"loss",
        {{"both", {"train", "test"}}, {"band", {"mean", "low", "high"}, /*margin=*/true}}}}};
  const auto values = ValuesIn(SerializeChartLayout(layout));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0].tag(), "custom_scalars__config__");
  EXPECT_EQ(PluginOf(values[0]), "custom_scalars");
  ASSERT_EQ(values[0].tensor().string_val_size(), 1);
  const auto categories = FieldsIn(values[0].tensor().string_val(0));
  ASSERT_EQ(categories.size(), 1U);
  EXPECT_THAT(FieldsIn(categories[0].substr(2)),
              ElementsAre("1=loss",
                          "2=\n\x04"
                          "both\x12\x0d\n\x05train\n\x04test",
                          "2=\n\x04"
                          "band\x1a\x13\n\x11\n\x04mean\x12\x03low\x1a\x04high"));
  EXPECT_THAT(SerializeChartLayout({{{"", {{"", {"a"}, true}}}}}).error(),
              IsStatus(StatusCode::kInvalidArgument, "three tags (value, lower, upper), not 1"));
}

TEST(TensorBoardValuesTest, AScalarMayBeATensorWithAllItsDigits) {
  const auto values = ValuesIn(SerializeScalarTensor("loss", 0.1, true));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(PluginOf(values[0]), "scalars");
  EXPECT_EQ(values[0].tensor().dtype(), tensorboard::DT_DOUBLE);
  EXPECT_THAT(ShapeOf(values[0].tensor()), ElementsAre());
  double number = 0;
  ASSERT_EQ(values[0].tensor().tensor_content().size(), sizeof(number));
  std::memcpy(&number, values[0].tensor().tensor_content().data(), sizeof(number));
  EXPECT_EQ(number, 0.1);
  EXPECT_THAT(FloatsIn(ValuesIn(SerializeScalarTensor("loss", 0.1, false))[0].tensor()),
              ElementsAre(0.1F));
}

TEST(TensorBoardValuesTest, AHistogramThatIsCountedIsTakenAsItIs) {
  const auto values = ValuesIn(SerializeCountedHistogram("h", {.min = -1,
                                                               .max = 3,
                                                               .count = 6,
                                                               .sum = 9.5,
                                                               .sum_squares = 20,
                                                               .limits = {1, 3},
                                                               .counts = {2, 4}}));
  ASSERT_EQ(values.size(), 1U);
  const auto& histogram = values[0].histo();
  EXPECT_EQ(histogram.min(), -1);
  EXPECT_EQ(histogram.max(), 3);
  EXPECT_EQ(histogram.num(), 6);
  EXPECT_EQ(histogram.sum(), 9.5);
  EXPECT_EQ(histogram.sum_squares(), 20);
  EXPECT_THAT(histogram.bucket_limit(), ElementsAre(1, 3));
  EXPECT_THAT(histogram.bucket(), ElementsAre(2, 4));
  EXPECT_THAT(SerializeCountedHistogram("h", {.limits = {1}}).error(),
              IsStatus(StatusCode::kInvalidArgument, "1 bucket limits, but 0 bucket counts"));
}

TEST(TensorBoardValuesTest, APictureIsTheBytesOfAFile) {
  const auto values = ValuesIn(SerializePicture("p", 2, 3, 4, "GIF89a"));
  ASSERT_EQ(values.size(), 1U);
  EXPECT_EQ(values[0].image().height(), 2);
  EXPECT_EQ(values[0].image().width(), 3);
  EXPECT_EQ(values[0].image().colorspace(), 4);
  EXPECT_EQ(values[0].image().encoded_image_string(), "GIF89a");
}

TEST(TensorBoardValuesTest, AGraphHasItsNodes) {
  const TensorBoardNode nodes[] = {
      {.name = "input/x", .op = "IO Node", .shape = std::vector<std::int64_t>{2, 3}},
      {.name = "hidden", .op = "Gemm", .inputs = {"input/x"}, .attributes = "alpha = 0.5"}};
  const std::string event = SerializeTensorBoardGraph(nodes);
  EXPECT_THAT(CheckMessage(ValueKind::kTensorBoardEvent, event), IsOk());
  tensorboard::Event parsed;
  ASSERT_TRUE(parsed.ParseFromString(event));
  tensorboard::GraphDef graph;
  ASSERT_TRUE(graph.ParseFromString(parsed.graph_def()));
  ASSERT_EQ(graph.node_size(), 2);
  EXPECT_EQ(graph.node(1).name(), "hidden");
  EXPECT_EQ(graph.node(1).op(), "Gemm");
  EXPECT_THAT(graph.node(1).input(), ElementsAre("input/x"));
  EXPECT_EQ(graph.node(1).attr().at("attr").s(), "alpha = 0.5");
  const auto& shape = graph.node(0).attr().at("_output_shapes").list().shape(0);
  ASSERT_EQ(shape.dim_size(), 2);
  EXPECT_EQ(shape.dim(0).size(), 2);
  EXPECT_EQ(shape.dim(1).size(), 3);
}

}  // namespace
}  // namespace sightline
