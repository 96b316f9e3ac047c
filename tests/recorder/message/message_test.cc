#include "sightline/recorder/message/message.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/base/wire.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;

// `levels` dataset stages around each other, as bytes.
std::string NestedPipeline(int levels) {
  std::string message;
  for (int i = 0; i < levels; ++i) {
    std::string outer;
    wire::AppendBytes(outer, 1, message);
    message = std::move(outer);
  }
  return message;
}

TEST(MessageTest, AcceptsWhatTheLibraryMakes) {
  EXPECT_THAT(CheckMessage(ValueKind::kGraph, SerializeGraph({}).value()), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kLandscape, SerializeLandscape({}).value()), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kTrainLineage, SerializeTrainLineage({})), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kEvaluationLineage, SerializeEvaluationLineage({})), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kDatasetGraph, SerializeDatasetGraph({}).value()), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kCustomLineage, SerializeCustomLineage({{"a", 1.0}})),
              IsOk());
}

// An Event of TensorBoard's schema with one field.
std::string TensorBoardEvent(std::uint32_t field, std::string_view bytes) {
  std::string event;
  wire::AppendBytes(event, field, bytes);
  return event;
}

TEST(MessageTest, AcceptsATensorBoardEventThatIsAboutSomething) {
  constexpr ValueKind kKind = ValueKind::kTensorBoardEvent;
  for (const std::uint32_t field : {4U, 5U, 6U, 7U, 8U, 9U})
    EXPECT_THAT(CheckMessage(kKind, TensorBoardEvent(field, "")), IsOk()) << field;
  EXPECT_THAT(CheckMessage(kKind, ""), IsStatus(StatusCode::kInvalidArgument, "has no content"));
  EXPECT_THAT(CheckMessage(kKind, TensorBoardEvent(5, "\xff")),
              IsStatus(StatusCode::kInvalidArgument, "not a serialized Event"));
}

TEST(MessageTest, RefusesATensorBoardEventThatSaysWhatTheRecorderSays) {
  constexpr ValueKind kKind = ValueKind::kTensorBoardEvent;
  const auto is_refused = IsStatus(StatusCode::kInvalidArgument, "which the recorder sets");
  for (const std::uint32_t field : {3U, 10U, 1000U})
    EXPECT_THAT(CheckMessage(kKind, TensorBoardEvent(field, "")), is_refused) << field;
  std::string timed = TensorBoardEvent(5, "");
  wire::AppendDouble(timed, 1, 1.5);
  EXPECT_THAT(CheckMessage(kKind, timed), is_refused);
  std::string stepped = TensorBoardEvent(5, "");
  wire::AppendInt(stepped, 2, 1);
  EXPECT_THAT(CheckMessage(kKind, stepped), is_refused);
}

TEST(MessageTest, RefusesWhatIsNoMessage) {
  for (const ValueKind kind :
       {ValueKind::kGraph, ValueKind::kLandscape, ValueKind::kTrainLineage,
        ValueKind::kEvaluationLineage, ValueKind::kDatasetGraph, ValueKind::kCustomLineage}) {
    EXPECT_THAT(CheckMessage(kind, "\xff"),
                IsStatus(StatusCode::kInvalidArgument, "these 1 bytes are not a serialized"));
  }
}

// Protocol Buffers would say on standard error that a string is not UTF-8.
TEST(MessageTest, PrintsNothing) {
  std::string inner;
  wire::AppendBytes(inner, 2, "bad\xff");
  std::string graph;
  wire::AppendBytes(graph, 1, inner);
  ::testing::internal::CaptureStderr();
  (void)CheckMessage(ValueKind::kGraph, graph).ok();
  EXPECT_EQ(::testing::internal::GetCapturedStderr(), "");
}

TEST(MessageTest, HasNothingToCheckInOtherKinds) {
  EXPECT_THAT(CheckMessage(ValueKind::kScalar, "\xff"), IsOk());
}

TEST(MessageTest, RefusesTextThatReadersWouldChokeOn) {
  std::string inner;
  wire::AppendBytes(inner, 2, "bad\xff");  // NodeProto.name
  std::string graph;
  wire::AppendBytes(graph, 1, inner);
  EXPECT_THAT(
      CheckMessage(ValueKind::kGraph, graph),
      IsStatus(StatusCode::kInvalidArgument, "not UTF-8 in sightline.mindspore.NodeProto.name"));
}

TEST(MessageTest, RefusesWhatIsNestedDeeperThanReadersFollow) {
  EXPECT_THAT(CheckMessage(ValueKind::kDatasetGraph, NestedPipeline(90)), IsOk());
  EXPECT_THAT(CheckMessage(ValueKind::kDatasetGraph, NestedPipeline(99)),
              IsStatus(StatusCode::kInvalidArgument, "nested"));
  EXPECT_THAT(CheckMessage(ValueKind::kDatasetGraph, NestedPipeline(20'000)),
              IsStatus(StatusCode::kInvalidArgument, "nested"));
}

}  // namespace
}  // namespace sightline
