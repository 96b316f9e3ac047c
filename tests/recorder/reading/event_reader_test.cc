#include "sightline/recorder/reading/event_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FrameRecord;
using ::testing::IsEmpty;

constexpr auto kMindSpore = EventFileKind::kMindSporeSummary;
constexpr auto kTensorBoard = EventFileKind::kTensorBoard;

// Files of a few events, and what is read from them: "version", or "tag=scalar@step" a value.
class EventReaderTest : public ::testing::Test {
 protected:
  static std::string MindSporeVersion() {
    mindspore::Event event;
    event.set_wall_time(1);
    event.set_version("MindSpore.Event:1");
    return FrameRecord(event.SerializeAsString());
  }
  static std::string MindSporeScalar(std::int64_t step, float scalar) {
    mindspore::Event event;
    event.set_wall_time(1);
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("m");
    value->set_scalar_value(scalar);
    return FrameRecord(event.SerializeAsString());
  }
  static std::string TensorBoardVersion() {
    tensorboard::Event event;
    event.set_file_version("brain.Event:2");
    return FrameRecord(event.SerializeAsString());
  }
  static std::string TensorBoardScalar(std::int64_t step, float scalar) {
    tensorboard::Event event;
    event.set_step(step);
    auto* value = event.mutable_summary()->add_value();
    value->set_tag("t");
    value->set_simple_value(scalar);
    return FrameRecord(event.SerializeAsString());
  }

  std::unique_ptr<EventReader> Open(const std::string& name, std::string_view bytes,
                                    Tail tail = Tail::kFinal) {
    fs_.Put("run/" + name, bytes);
    auto reader = EventReader::Open(fs_, "run/" + name, tail);
    EXPECT_THAT(reader, testing::IsOk());
    return *std::move(reader);
  }
  static std::vector<std::string> ReadOn(EventReader& reader) {
    std::vector<std::string> read;
    while (reader.Next() == ReadOutcome::kRecord) {
      const EventView& event = reader.event();
      if (event.kind == EventKind::kVersion) read.emplace_back("version");
      for (const ValueView& value : event.values) {
        std::string text(value.tag);
        if (value.kind == ContentKind::kScalar)
          text += "=" + std::to_string(static_cast<int>(value.scalar));
        read.push_back(text + "@" + std::to_string(event.step));
      }
    }
    EXPECT_THAT(reader.status(), testing::IsOk());
    return read;
  }

  testing::MemoryFileSystem fs_;
};

TEST_F(EventReaderTest, ReadsMindSporesFiles) {
  auto reader = Open("events.out.events.summary.1.0.vm_MS",
                     MindSporeVersion() + MindSporeScalar(1, 10) + MindSporeScalar(2, 20));
  EXPECT_THAT(ReadOn(*reader), ElementsAre("version", "m=10@1", "m=20@2"));
  EXPECT_EQ(reader->kind(), kMindSpore);
  EXPECT_EQ(reader->records(), 3u);
}

TEST_F(EventReaderTest, ReadsTensorBoardsFiles) {
  auto reader = Open("events.out.tfevents.1.vm", TensorBoardVersion() + TensorBoardScalar(1, 10));
  EXPECT_THAT(ReadOn(*reader), ElementsAre("version", "t=10@1"));
  EXPECT_EQ(reader->kind(), kTensorBoard);
}

TEST_F(EventReaderTest, ReadsLineageFiles) {
  mindspore::LineageEvent event;
  event.set_wall_time(1);
  event.mutable_evaluation_lineage()->set_metric("{}");
  auto reader =
      Open("events.out.events.summary.1.0.vm_lineage", FrameRecord(event.SerializeAsString()));
  ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
  EXPECT_EQ(reader->event().kind, EventKind::kEvaluationLineage);
}

TEST_F(EventReaderTest, AFileThatIsNotThereIsNotFound) {
  EXPECT_THAT(EventReader::Open(fs_, "run/none").error(),
              testing::IsStatus(StatusCode::kNotFound, "run/none"));
}

TEST_F(EventReaderTest, ANameThatSaysNothingLeavesItToTheFirstEvent) {
  EXPECT_THAT(ReadOn(*Open("a", TensorBoardVersion() + TensorBoardScalar(1, 1))),
              ElementsAre("version", "t=1@1"));
  EXPECT_THAT(ReadOn(*Open("b", TensorBoardScalar(1, 1))), ElementsAre("t=1@1"));
  EXPECT_THAT(ReadOn(*Open("c", MindSporeVersion() + MindSporeScalar(1, 1))),
              ElementsAre("version", "m=1@1"));
}

TEST_F(EventReaderTest, AVersionRecordOverrulesTheName) {
  EXPECT_THAT(ReadOn(*Open("x.summary.1_MS", TensorBoardVersion() + TensorBoardScalar(1, 1))),
              ElementsAre("version", "t=1@1"));
  EXPECT_THAT(ReadOn(*Open("x.tfevents.1", MindSporeVersion() + MindSporeScalar(1, 1))),
              ElementsAre("version", "m=1@1"));
}

TEST_F(EventReaderTest, ASoundRecordThatIsNoEventIsASkippedRegion) {
  const std::string first = MindSporeScalar(1, 1);
  const std::string bad = FrameRecord("\x09no protobuf");
  auto reader = Open("x.summary.1_MS", first + bad + bad + MindSporeScalar(2, 2));
  EXPECT_THAT(ReadOn(*reader), ElementsAre("m=1@1", "m=2@2"));
  EXPECT_THAT(reader->skipped(), ElementsAre(SkippedRegion{first.size(), 2 * bad.size(),
                                                           SkipReason::kMalformedEvent}));
  EXPECT_EQ(reader->records(), 2u);
}

TEST_F(EventReaderTest, AnEventThatTheCallerRejectsIsASkippedRegion) {
  auto reader = Open("x.summary.1_MS", MindSporeScalar(1, 1) + MindSporeScalar(2, 2));
  ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
  reader->Reject();
  EXPECT_THAT(ReadOn(*reader), ElementsAre("m=2@2"));
  EXPECT_EQ(reader->skipped().size(), 1u);
}

TEST_F(EventReaderTest, EventsKnowWhereTheyAre) {
  const std::string first = MindSporeVersion();
  auto reader = Open("x.summary.1_MS", first + MindSporeScalar(1, 1));
  ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
  EXPECT_EQ(reader->event().offset, 0u);
  ASSERT_EQ(reader->Next(), ReadOutcome::kRecord);
  EXPECT_EQ(reader->event().offset, first.size());
}

TEST_F(EventReaderTest, FollowsAGrowingFile) {
  const std::string bytes = MindSporeVersion() + MindSporeScalar(1, 1);
  auto reader = Open("x.summary.1_MS", bytes.substr(0, bytes.size() - 1), Tail::kGrowing);
  EXPECT_THAT(ReadOn(*reader), ElementsAre("version"));
  fs_.Put("run/x.summary.1_MS", bytes);
  EXPECT_THAT(ReadOn(*reader), ElementsAre("m=1@1"));
  fs_.Put("run/x.summary.1_MS", bytes + "torn");
  EXPECT_THAT(ReadOn(*reader), IsEmpty());
  EXPECT_THAT(reader->skipped(), IsEmpty());
  reader->Finish();
  EXPECT_THAT(ReadOn(*reader), IsEmpty());
  EXPECT_EQ(reader->skipped().size(), 1u);
}

}  // namespace
}  // namespace sightline
