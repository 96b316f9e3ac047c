#include "sightline/recorder/message/tensorboard_event.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/base/wire.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/recorder/message/message.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;

// An event as the writers' generated classes make it.
tensorboard::Event At(double wall_time, std::int64_t step) {
  tensorboard::Event event;
  event.set_wall_time(wall_time);
  event.set_step(step);
  return event;
}

tensorboard::Summary::Value& Add(tensorboard::Event& event, const std::string& tag, float number) {
  tensorboard::Summary::Value& value = *event.mutable_summary()->add_value();
  value.set_tag(tag);
  value.set_simple_value(number);
  return value;
}

TensorBoardEvent TakenApart(std::string_view bytes) {
  const Result<TensorBoardEvent> event = TakeApartTensorBoardEvent(bytes);
  EXPECT_THAT(event, IsOk());
  return *event;
}

TEST(TensorBoardEventTest, FindsAScalar) {
  tensorboard::Event event = At(12.5, -3);
  Add(event, "loss", 0.25F).mutable_metadata();  // tensorboardX gives each scalar an empty one.
  const std::string bytes = event.SerializeAsString();
  const TensorBoardEvent apart = TakenApart(bytes);
  EXPECT_EQ(apart.wall_time, 12.5);
  EXPECT_EQ(apart.step, -3);
  ASSERT_TRUE(apart.scalar);
  EXPECT_EQ(apart.scalar->tag, "loss");
  EXPECT_EQ(apart.scalar->value, 0.25F);
  EXPECT_EQ(apart.content, "");
  EXPECT_FALSE(apart.is_version);
}

// What a scalar's record cannot hold stays as it is.
TEST(TensorBoardEventTest, KeepsEverythingElseAsContent) {
  tensorboard::Event described = At(1, 2);
  Add(described, "loss", 1).mutable_metadata()->set_display_name("Loss");
  tensorboard::Event two = At(1, 2);
  Add(two, "a", 1);
  Add(two, "b", 2);
  tensorboard::Event text = At(1, 2);
  text.mutable_summary()->add_value()->mutable_tensor()->add_string_val("words");
  tensorboard::Event graph = At(1, 2);
  graph.set_graph_def("nodes");
  tensorboard::Event long_tag = At(1, 2);
  Add(long_tag, std::string(5000, 't'), 1);
  for (tensorboard::Event event : {described, two, text, graph, long_tag}) {
    const TensorBoardEvent apart = TakenApart(event.SerializeAsString());
    EXPECT_FALSE(apart.scalar) << event.DebugString();
    event.clear_wall_time();
    event.clear_step();
    EXPECT_EQ(apart.content, event.SerializeAsString());
    EXPECT_THAT(CheckMessage(ValueKind::kTensorBoardEvent, apart.content), IsOk());
  }
}

TEST(TensorBoardEventTest, KeepsFieldsThatItDoesNotKnowInTheirOrder) {
  std::string content;
  wire::AppendInt(content, 60, -1);
  wire::AppendFloat(content, 61, 1.5F);
  wire::AppendBytes(content, 5, "");
  wire::AppendDouble(content, 62, 2.5);
  std::string bytes = content;
  wire::AppendInt(bytes, 2, 7);
  wire::AppendDouble(bytes, 1, 3.5);
  const TensorBoardEvent apart = TakenApart(bytes);
  EXPECT_EQ(apart.content, content);
  EXPECT_EQ(apart.step, 7);
  EXPECT_EQ(apart.wall_time, 3.5);
}

TEST(TensorBoardEventTest, KnowsTheVersionThatOnlyTheRecorderWrites) {
  tensorboard::Event event = At(1, 2);
  event.set_file_version("brain.Event:2");
  EXPECT_TRUE(TakenApart(event.SerializeAsString()).is_version);
}

TEST(TensorBoardEventTest, RefusesWhatIsNoMessage) {
  tensorboard::Event event = At(1, 2);
  Add(event, "loss", 1);
  const std::string bytes = event.SerializeAsString();
  EXPECT_THAT(TakeApartTensorBoardEvent(bytes.substr(0, bytes.size() - 1)).error(),
              IsStatus(StatusCode::kInvalidArgument, "not a serialized Event"));
  EXPECT_THAT(TakenApart("").content, "");
}

// A summary that is cut within is content, which CheckMessage refuses.
TEST(TensorBoardEventTest, MakesNoScalarOfADamagedValue) {
  std::string summary;
  wire::AppendBytes(summary, 1,
                    "\x0a\x7f"
                    "loss");
  std::string bytes;
  wire::AppendBytes(bytes, 5, summary);
  const TensorBoardEvent apart = TakenApart(bytes);
  EXPECT_FALSE(apart.scalar);
  EXPECT_FALSE(CheckMessage(ValueKind::kTensorBoardEvent, apart.content).ok());
}

}  // namespace
}  // namespace sightline
