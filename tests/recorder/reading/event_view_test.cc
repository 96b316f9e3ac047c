#include "sightline/recorder/reading/event_view.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"

namespace sightline {
namespace {

using ::testing::IsEmpty;

constexpr auto kMindSpore = EventFileKind::kMindSporeSummary;
constexpr auto kLineage = EventFileKind::kMindSporeLineage;
constexpr auto kTensorBoard = EventFileKind::kTensorBoard;

// Events built with the generated classes, read without them.
class EventViewTest : public ::testing::Test {
 protected:
  const EventView& Parse(EventFileKind kind, const google::protobuf::MessageLite& message) {
    bytes_ = message.SerializePartialAsString();
    EXPECT_TRUE(ParseEvent(kind, bytes_, event_));
    return event_;
  }

  std::string bytes_;
  EventView event_;
};

TEST_F(EventViewTest, ReadsTimeStepAndScalarsOfMindSpore) {
  mindspore::Event event;
  event.set_wall_time(1.5e9 + 0.25);
  event.set_step(-7);
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("loss/auto");
  value->set_scalar_value(0.5F);
  value = event.mutable_summary()->add_value();
  value->set_tag("lr");
  value->set_scalar_value(-1.0F);

  const EventView& view = Parse(kMindSpore, event);
  EXPECT_EQ(view.wall_time, 1.5e9 + 0.25);
  EXPECT_EQ(view.step, -7);
  EXPECT_EQ(view.kind, EventKind::kSummary);
  ASSERT_EQ(view.values.size(), 2u);
  EXPECT_EQ(view.values[0].tag, "loss/auto");
  EXPECT_EQ(view.values[0].kind, ContentKind::kScalar);
  EXPECT_EQ(view.values[0].scalar, 0.5);
  EXPECT_EQ(view.values[1].tag, "lr");
  EXPECT_EQ(view.values[1].scalar, -1.0);
  EXPECT_EQ(view.payload, bytes_);
}

TEST_F(EventViewTest, GivesTheMessageOfEveryKindOfMindSporeUndecoded) {
  mindspore::Event event;
  event.mutable_summary()->add_value()->mutable_image()->set_encoded_image("png");
  event.mutable_summary()->add_value()->mutable_tensor()->add_float_data(1);
  event.mutable_summary()->add_value()->mutable_histogram()->set_count(3);
  event.mutable_summary()->add_value()->mutable_loss_landscape()->mutable_metadata()->set_unit(
      "epoch");
  event.mutable_summary()->add_value();

  const EventView& view = Parse(kMindSpore, event);
  ASSERT_EQ(view.values.size(), 5u);
  EXPECT_EQ(view.values[0].kind, ContentKind::kImage);
  EXPECT_EQ(view.values[0].message, event.summary().value(0).image().SerializePartialAsString());
  EXPECT_EQ(view.values[1].kind, ContentKind::kTensor);
  EXPECT_TRUE(view.values[1].is_tensor);
  EXPECT_EQ(view.values[1].message, event.summary().value(1).tensor().SerializeAsString());
  EXPECT_EQ(view.values[2].kind, ContentKind::kHistogram);
  EXPECT_EQ(view.values[2].message, event.summary().value(2).histogram().SerializeAsString());
  EXPECT_EQ(view.values[3].kind, ContentKind::kLandscape);
  EXPECT_EQ(view.values[4].kind, ContentKind::kUnknown);
}

TEST_F(EventViewTest, KnowsTheOtherEventsOfMindSpore) {
  mindspore::Event event;
  event.set_version("MindSpore.Event:1");
  EXPECT_EQ(Parse(kMindSpore, event).kind, EventKind::kVersion);
  EXPECT_EQ(event_.body, "MindSpore.Event:1");
  event.mutable_graph_def()->set_name("net");
  EXPECT_EQ(Parse(kMindSpore, event).kind, EventKind::kGraph);
  EXPECT_EQ(event_.body, event.graph_def().SerializeAsString());
  event.mutable_explain()->set_sample_id(1);
  EXPECT_EQ(Parse(kMindSpore, event).kind, EventKind::kExplain);
  event.clear_what();
  EXPECT_EQ(Parse(kMindSpore, event).kind, EventKind::kEmpty);
}

TEST_F(EventViewTest, KnowsTheEventsOfLineageFiles) {
  mindspore::LineageEvent event;
  event.mutable_train_lineage()->mutable_algorithm()->set_network("LeNet5");
  EXPECT_EQ(Parse(kLineage, event).kind, EventKind::kTrainLineage);
  EXPECT_EQ(event_.body, event.train_lineage().SerializeAsString());
  event.mutable_evaluation_lineage();
  EXPECT_EQ(Parse(kLineage, event).kind, EventKind::kEvaluationLineage);
  event.mutable_dataset_graph();
  EXPECT_EQ(Parse(kLineage, event).kind, EventKind::kDatasetGraph);
  event.mutable_user_defined_info();
  EXPECT_EQ(Parse(kLineage, event).kind, EventKind::kCustomLineage);
}

TEST_F(EventViewTest, ReadsOldStyleValuesOfTensorBoard) {
  tensorboard::Event event;
  event.set_wall_time(2.5);
  event.set_step(3);
  event.mutable_summary()->add_value()->set_simple_value(0.25F);
  event.mutable_summary()->add_value()->mutable_histo()->set_num(1);
  event.mutable_summary()->add_value()->mutable_image()->set_width(2);
  event.mutable_summary()->add_value()->mutable_audio()->set_sample_rate(8000);
  event.mutable_source_metadata()->set_writer("w");

  const EventView& view = Parse(kTensorBoard, event);
  EXPECT_EQ(view.kind, EventKind::kSummary);
  ASSERT_EQ(view.values.size(), 4u);
  EXPECT_EQ(view.values[0].kind, ContentKind::kScalar);
  EXPECT_EQ(view.values[0].scalar, 0.25);
  EXPECT_EQ(view.values[1].kind, ContentKind::kHistogram);
  EXPECT_EQ(view.values[2].kind, ContentKind::kImage);
  EXPECT_EQ(view.values[3].kind, ContentKind::kAudio);
}

TEST_F(EventViewTest, ThePluginSaysWhatATensorOfTensorFlow2Is) {
  const auto kind_of = [&](const std::string& plugin) {
    tensorboard::Event event;
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("t");
    value->mutable_tensor()->set_dtype(tensorboard::DT_DOUBLE);
    value->mutable_tensor()->add_double_val(1.0 / 3);
    value->mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
    const EventView& view = Parse(kTensorBoard, event);
    EXPECT_TRUE(view.values.at(0).is_tensor);
    EXPECT_EQ(view.values.at(0).plugin, plugin);
    return view.values.at(0).kind;
  };
  EXPECT_EQ(kind_of("scalars"), ContentKind::kScalar);
  EXPECT_EQ(event_.values[0].scalar, 1.0 / 3);
  EXPECT_EQ(kind_of("histograms"), ContentKind::kHistogram);
  EXPECT_EQ(kind_of("images"), ContentKind::kImage);
  EXPECT_EQ(kind_of("audio"), ContentKind::kAudio);
  EXPECT_EQ(kind_of("text"), ContentKind::kText);
  EXPECT_EQ(kind_of("pr_curves"), ContentKind::kPlugin);
  EXPECT_EQ(kind_of("sightline"), ContentKind::kTensor);
  EXPECT_EQ(kind_of(""), ContentKind::kTensor);
}

TEST_F(EventViewTest, ATensorOfScalarsIsNoScalar) {
  tensorboard::Event event;
  auto* value = event.mutable_summary()->add_value();
  value->mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
  value->mutable_tensor()->mutable_tensor_shape()->add_dim()->set_size(2);
  value->mutable_metadata()->mutable_plugin_data()->set_plugin_name("scalars");
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kTensor);
}

TEST_F(EventViewTest, ValuesThatAreOnlyMetadataBelongToTheirPlugin) {
  tensorboard::Event event;
  auto* value = event.mutable_summary()->add_value();
  value->set_tag("_hparams_/session_start_info");
  value->mutable_metadata()->mutable_plugin_data()->set_plugin_name("hparams");
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kPlugin);
}

TEST_F(EventViewTest, StringsWithoutAPluginAreText) {
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  value.mutable_tensor()->set_dtype(tensorboard::DT_STRING);
  value.mutable_tensor()->add_string_val("deadbeef");
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kText);
  auto& plugin = *value.mutable_metadata()->mutable_plugin_data();
  plugin.set_plugin_name("tensor");  // PyTorch's.
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kText);
  plugin.set_plugin_name("mine");
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kPlugin);
}

TEST_F(EventViewTest, ATensorOfPyTorchIsATensor) {
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  value.mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name("tensor");
  EXPECT_EQ(Parse(kTensorBoard, event).values.at(0).kind, ContentKind::kTensor);
}

TEST_F(EventViewTest, ATimeOfZeroIsNone) {
  tensorboard::Event event;
  event.set_step(3);
  EXPECT_TRUE(std::isnan(Parse(kTensorBoard, event).wall_time));
  mindspore::Event required;
  required.set_wall_time(0);
  EXPECT_TRUE(std::isnan(Parse(kMindSpore, required).wall_time));
  required.set_wall_time(-1);
  EXPECT_EQ(Parse(kMindSpore, required).wall_time, -1);
}

TEST_F(EventViewTest, KnowsTheOtherEventsOfTensorBoard) {
  tensorboard::Event event;
  event.set_file_version("brain.Event:2");
  event.mutable_source_metadata()->set_writer("w");
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kVersion);
  event.set_graph_def("graph");
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kGraph);
  EXPECT_EQ(event_.body, "graph");
  event.mutable_log_message();
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kLogMessage);
  event.mutable_session_log();
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kSessionLog);
  event.mutable_tagged_run_metadata();
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kRunMetadata);
  event.set_meta_graph_def("meta");
  EXPECT_EQ(Parse(kTensorBoard, event).kind, EventKind::kMetaGraph);
}

TEST_F(EventViewTest, OurSessionIsFoundInEitherDialect) {
  mindspore::Event ours;
  ours.set_version("MindSpore.Event:1");
  ours.mutable_session()->set_session_id("abc");
  EXPECT_EQ(Parse(kMindSpore, ours).session, ours.session().SerializeAsString());
  EXPECT_EQ(event_.kind, EventKind::kVersion);
  tensorboard::Event theirs;
  theirs.mutable_session()->set_rank(3);
  EXPECT_EQ(Parse(kTensorBoard, theirs).session, theirs.session().SerializeAsString());
}

TEST_F(EventViewTest, FieldsThatNoSchemaKnowsAreKeptInTheRawBytes) {
  std::string value;
  wire::AppendBytes(value, 1, "tag");
  wire::AppendFloat(value, 3, 1.0F);
  wire::AppendBytes(value, 77, "later");
  std::string summary;
  wire::AppendBytes(summary, 1, value);
  std::string payload;
  wire::AppendBytes(payload, 5, summary);
  wire::AppendInt(payload, 99, 1);
  ASSERT_TRUE(ParseEvent(kMindSpore, payload, event_));
  EXPECT_EQ(event_.values.at(0).scalar, 1.0);
  EXPECT_EQ(event_.values.at(0).raw, value);
  EXPECT_EQ(event_.payload, payload);
  payload.clear();
  wire::AppendBytes(payload, 99, "what");
  ASSERT_TRUE(ParseEvent(kMindSpore, payload, event_));
  EXPECT_EQ(event_.kind, EventKind::kOther);
  wire::AppendBytes(payload, 5, summary);
  wire::AppendBytes(payload, 99, "what");
  ASSERT_TRUE(ParseEvent(kMindSpore, payload, event_));
  EXPECT_EQ(event_.kind, EventKind::kSummary);
  EXPECT_EQ(event_.values.size(), 1u);
}

TEST_F(EventViewTest, OfSeveralThingsAnEventIsAboutTheLast) {
  mindspore::Event summary;
  summary.mutable_summary()->add_value()->set_scalar_value(1);
  mindspore::Event version;
  version.set_version("MindSpore.Event:1");
  const std::string both = summary.SerializePartialAsString() + version.SerializePartialAsString();
  ASSERT_TRUE(ParseEvent(kMindSpore, both, event_));
  EXPECT_EQ(event_.kind, EventKind::kVersion);
  EXPECT_THAT(event_.values, IsEmpty());
}

TEST_F(EventViewTest, AKnownFieldOfAnotherWireTypeIsIgnored) {
  std::string value;
  wire::AppendInt(value, 1, 5);
  wire::AppendInt(value, 3, 5);
  wire::AppendFloat(value, 4, 1.0F);
  std::string summary;
  wire::AppendBytes(summary, 1, value);
  wire::AppendInt(summary, 1, 5);
  std::string payload;
  wire::AppendInt(payload, 1, 1);
  wire::AppendBytes(payload, 2, "step");
  wire::AppendBytes(payload, 5, summary);
  ASSERT_TRUE(ParseEvent(kMindSpore, payload, event_));
  EXPECT_TRUE(std::isnan(event_.wall_time));
  ASSERT_EQ(event_.values.size(), 1u);
  EXPECT_EQ(event_.values[0].kind, ContentKind::kUnknown);
  EXPECT_THAT(event_.values[0].tag, IsEmpty());
}

TEST_F(EventViewTest, BytesThatAreNoMessageAreRefusedAtEveryLevel) {
  EXPECT_FALSE(ParseEvent(kMindSpore, "\x09 too short", event_));
  EXPECT_FALSE(ParseEvent(kMindSpore,
                          "\x2a\x7f"
                          "too long",
                          event_));
  EXPECT_FALSE(ParseEvent(kMindSpore, std::string("\x2a\x02\x0a\x05", 4), event_));
  EXPECT_FALSE(ParseEvent(kMindSpore, std::string("\x2a\x04\x0a\x02\x0a\x05", 6), event_));
  EXPECT_FALSE(ParseEvent(kTensorBoard, std::string("\x00\x01", 2), event_));
  EXPECT_FALSE(ParseEvent(kTensorBoard, std::string(20, '\xff'), event_));
}

TEST_F(EventViewTest, NothingOfTheEventBeforeIsLeft) {
  mindspore::Event event;
  event.set_step(4);
  event.set_wall_time(4);
  event.mutable_session();
  event.mutable_summary()->add_value()->set_scalar_value(1);
  Parse(kMindSpore, event);
  Parse(kMindSpore, mindspore::Event());
  EXPECT_EQ(event_.step, 0);
  EXPECT_TRUE(std::isnan(event_.wall_time));
  EXPECT_EQ(event_.kind, EventKind::kEmpty);
  EXPECT_THAT(event_.values, IsEmpty());
}

TEST_F(EventViewTest, GuessesTheKindOfAFileByWhatOnlyOneHas) {
  mindspore::LineageEvent lineage;
  lineage.mutable_train_lineage();
  EXPECT_EQ(GuessFileKind(lineage.SerializePartialAsString()), kLineage);
  mindspore::Event summary;
  summary.mutable_summary()->add_value()->set_scalar_value(1);
  EXPECT_EQ(GuessFileKind(summary.SerializePartialAsString()), kMindSpore);
  tensorboard::Event event;
  event.mutable_summary()->add_value()->set_simple_value(1);
  EXPECT_EQ(GuessFileKind(event.SerializeAsString()), kTensorBoard);
  event.mutable_summary()->mutable_value(0)->mutable_histo();
  EXPECT_EQ(GuessFileKind(event.SerializeAsString()), kTensorBoard);
}

// An event with one value of the kind, in the dialect that has it.
std::pair<EventFileKind, std::string> EventWith(ContentKind kind) {
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  const auto as_plugin = [&](const char* plugin) {
    value.mutable_tensor();
    value.mutable_metadata()->mutable_plugin_data()->set_plugin_name(plugin);
  };
  switch (kind) {
    case ContentKind::kScalar:
      value.set_simple_value(1);
      break;
    case ContentKind::kHistogram:
      value.mutable_histo();
      break;
    case ContentKind::kImage:
      value.mutable_image();
      break;
    case ContentKind::kTensor:
      value.mutable_tensor();
      break;
    case ContentKind::kLandscape: {
      mindspore::Event other;
      other.mutable_summary()->add_value()->mutable_loss_landscape();
      return {kMindSpore, other.SerializePartialAsString()};
    }
    case ContentKind::kAudio:
      value.mutable_audio();
      break;
    case ContentKind::kText:
      as_plugin("text");
      break;
    case ContentKind::kPlugin:
      as_plugin("pr_curves");
      break;
    case ContentKind::kUnknown:
      value.set_tag("without a content");
      break;
  }
  return {kTensorBoard, event.SerializeAsString()};
}

TEST_F(EventViewTest, RecognisesEveryKind) {
  std::vector<ContentKind> kinds(std::begin(kContentKinds), std::end(kContentKinds));
  kinds.push_back(ContentKind::kUnknown);
  for (const ContentKind kind : kinds) {
    const auto [file_kind, bytes] = EventWith(kind);
    ASSERT_TRUE(ParseEvent(file_kind, bytes, event_));
    ASSERT_EQ(event_.values.size(), 1U);
    EXPECT_EQ(event_.values[0].kind, kind) << ContentKindName(kind);
  }
}

}  // namespace
}  // namespace sightline
