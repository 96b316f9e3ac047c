// What calls record, from one thread and from several.
#include "sightline/recorder/recorder.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <limits>
#include <numeric>
#include <thread>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/reading/event_reader.h"
#include "sightline/recorder/recorder_access.h"
#include "sightline/tests/recorder/recorder_fixture.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::ReadRun;
using testing::RecordedRun;
using testing::RecorderTest;
using ::testing::SizeIs;

constexpr std::uint8_t kPixels[] = {0, 50, 100, 150, 200, 250};

TEST_F(RecorderTest, WritesScalarsInTheOrderOfTheCalls) {
  Recorder& recorder = Open();
  const TagId loss = recorder.Intern("loss");
  EXPECT_EQ(recorder.AddScalar(loss, 1, 0.5), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddScalar("accuracy", 1, 0.75), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddScalar(loss, 2, 0.25), Outcome::kAccepted);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=0.5", "1 accuracy=0.75", "2 loss=0.25"));
}

TEST_F(RecorderTest, TheDefaultTagIdIsTheEmptyTag) {
  Open().AddScalar(TagId(), 1, 0.5);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 =0.5"));
}

TEST_F(RecorderTest, MakesOneEventOfTheValuesAddedBeforeRecord) {
  Recorder& recorder = Open();
  EXPECT_EQ(recorder.Stage("loss", Value::Scalar(1)), Outcome::kAccepted);
  EXPECT_EQ(recorder.Stage("weights", Value::Tensor(Floats(3, 7))), Outcome::kAccepted);
  EXPECT_EQ(recorder.RecordStaged(5), Outcome::kAccepted);
  EXPECT_EQ(recorder.Stage("loss", Value::Scalar(2)), Outcome::kAccepted);
  EXPECT_EQ(recorder.RecordStaged(6), Outcome::kAccepted);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run), ElementsAre("5 loss=1", "5 weights:tensor=7", "6 loss=2"));
  EXPECT_THAT(run.mindspore.front().events, SizeIs(2));
}

TEST_F(RecorderTest, RecordsNothingThatWasAddedAndNotRecorded) {
  Open().Stage("loss", Value::Scalar(1));
  EXPECT_THAT(Summary(Close()), IsEmpty());
}

TEST_F(RecorderTest, CopiesAddedValuesBeforeTheCallReturns) {
  Recorder& recorder = Open();
  recorder.Stage("weights", Value::Tensor(Floats(3, 7)));
  floats_[0] = 99;
  recorder.RecordStaged(1);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 weights:tensor=7"));
}

TEST_F(RecorderTest, KeepsTheNewestOfATagThatOccursTwiceInAStep) {
  Recorder& recorder = Open();
  recorder.Stage("loss", Value::Scalar(1));
  recorder.Stage("loss", Value::Scalar(2));
  recorder.Stage("loss", Value::Tensor(Floats(1, 3)));  // Another kind: no duplicate.
  recorder.RecordStaged(1);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=2", "1 loss:tensor=3"));
  EXPECT_EQ(recorder.Stats().duplicate_tags, 1);
}

TEST_F(RecorderTest, KeepsTheNewestAmongManyTags) {
  Recorder& recorder = Open();
  for (int i = 0; i < 100; ++i) recorder.Stage("tag" + std::to_string(i % 50), Value::Scalar(i));
  recorder.RecordStaged(1);
  const auto values = Summary(Close());
  EXPECT_THAT(values, SizeIs(50));
  EXPECT_EQ(values.front(), "1 tag0=50");
}

TEST_F(RecorderTest, RecordsEveryKindInBothDialects) {
  options_.formats = {Format::kMindSpore, Format::kTensorBoard};
  options_.export_npy = true;
  Recorder& recorder = Open();
  const TensorView floats = Floats(4, 1.5F);
  EXPECT_EQ(recorder.AddScalar("s", 1, 1), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddHistogram("h", 1, floats), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddTensor("t", 1, floats), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddImage("i", 1, View(kPixels, {1, 1, 2, 3})), Outcome::kAccepted);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run),
              ElementsAre("1 s=1", "1 h:histogram=4", "1 t:tensor=1.5", "1 i:image=2x3"));
  EXPECT_THAT(RecordedRun::Values(run.tensorboard),
              ElementsAre("1 s=1", "1 h:histogram=4", "1 t:tensor=", "1 i:image=2x3"));
  EXPECT_THAT(run.npy, ElementsAre("t_1.npy"));
}

// Event { summary { value { tag, audio { length_frames } } } }, without time and step.
std::string Sound(std::string_view tag, std::int64_t frames) {
  std::string audio;
  wire::AppendInt(audio, 3, frames);
  std::string value;
  wire::AppendBytes(value, 1, tag);
  wire::AppendBytes(value, 6, audio);
  std::string summary;
  wire::AppendBytes(summary, 1, value);
  std::string event;
  wire::AppendBytes(event, 5, summary);
  return event;
}

TEST_F(RecorderTest, WritesATensorBoardEventWhereTheDialectHasIt) {
  options_.formats = {Format::kMindSpore, Format::kTensorBoard};
  Recorder& recorder = Open();
  const std::string sounds[] = {Sound("a", 10), Sound("b", 20), Sound("c", 30)};
  const ValueKind kind = ValueKind::kTensorBoardEvent;
  EXPECT_EQ(recorder.AddMessage("", 1, kind, sounds[0]), Outcome::kAccepted);
  const TaggedValue values[] = {{"b", Value::Message(kind, sounds[1])},
                                {"loss", Value::Scalar(2)},
                                {"c", Value::Message(kind, sounds[2])}};
  EXPECT_EQ(recorder.Record(2, values), Outcome::kAccepted);
  const RecordedRun run = Close();
  EXPECT_THAT(RecordedRun::Values(run.tensorboard),
              ElementsAre("1 a:audio=10", "2 b:audio=20", "2 c:audio=30", "2 loss=2"));
  EXPECT_THAT(Summary(run), ElementsAre("2 loss=2"));
  EXPECT_EQ(recorder.Stats().errors, 0);
}

TEST_F(RecorderTest, RecordsValuesOfTensorBoardsPages) {
  options_.formats = {Format::kMindSpore, Format::kTensorBoard};
  Recorder& recorder = Open();
  const float samples[] = {0, 1, -1};
  const HyperParameter parameters[] = {{"rate", 0.1}};
  EXPECT_EQ(recorder.AddText("note", 1, "hello"), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddAudio("beep", 2, View(samples, {3}), 8000), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddPrCurve("pr", 3, {{1}, {1}, {1}, {1}, {1}, {1}}), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddMesh("body", 4, {.vertices = View(samples, {1, 1, 3})}),
            Outcome::kAccepted);
  EXPECT_EQ(recorder.AddHyperParameters(0, parameters, {}), Outcome::kAccepted);
  EXPECT_EQ(recorder.AddAudio("chord", 5, View(samples, {3}), 0), Outcome::kInvalid);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run), IsEmpty());
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kInvalidArgument, "chord: sample_rate is 0 Hz"));
  std::vector<std::string> found;
  const auto reader = EventReader::Open(FileSystem::Local(), dir_.File(run.tensorboard[0].name));
  ASSERT_THAT(reader, IsOk());
  while ((*reader)->Next() == ReadOutcome::kRecord) {
    for (const ValueView& value : (*reader)->event().values) {
      found.push_back(fmt::format(
          "{} {}:{}", (*reader)->event().step, value.tag,
          value.kind == ContentKind::kPlugin ? value.plugin : ContentKindName(value.kind)));
    }
  }
  EXPECT_THAT(found, ElementsAre("1 note/text_summary:text", "2 beep:audio", "3 pr:pr_curves",
                                 "4 body_VERTEX:mesh", "0 _hparams_/experiment:hparams",
                                 "0 _hparams_/session_start_info:hparams",
                                 "0 _hparams_/session_end_info:hparams"));
}

TEST_F(RecorderTest, RefusesATensorBoardEventThatNoFileWouldTake) {
  Recorder& recorder = Open();
  const Value sound = Value::Message(ValueKind::kTensorBoardEvent, Sound("a", 1));
  EXPECT_EQ(recorder.Add("a", 1, sound), Outcome::kInvalid);
  EXPECT_EQ(recorder.Stage("a", sound), Outcome::kInvalid);
  EXPECT_THAT(Summary(Close()), IsEmpty());
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kInvalidArgument, "a: only TensorBoard's dialect has a form"));
}

TEST_F(RecorderTest, TakesTheTimeOfAnEventFromItsCaller) {
  Recorder& recorder = Open();
  const TaggedValue values[] = {{"bad\xff", Value::Scalar(1)}};
  EXPECT_EQ(recorder.Record(1, 12.5, values), Outcome::kAccepted);
  EXPECT_EQ(recorder.Record(2, std::numeric_limits<double>::infinity(), values), Outcome::kInvalid);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run), ElementsAre("1 bad\xef\xbf\xbd=1"));
  auto reader = EventReader::Open(FileSystem::Local(), dir_.path() + "/" + run.mindspore[0].name);
  ASSERT_THAT(reader, IsOk());
  ASSERT_EQ((*reader)->Next(), ReadOutcome::kRecord);  // The version.
  ASSERT_EQ((*reader)->Next(), ReadOutcome::kRecord);
  EXPECT_EQ((*reader)->event().wall_time, 12.5);
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kInvalidArgument, "step 2: wall_time is inf"));
}

TEST_F(RecorderTest, MakesInvalidTagsReadable) {
  Recorder& recorder = Open();
  recorder.AddScalar("bad\xff", 1, 1);
  recorder.AddScalar(recorder.Intern("bad\xff"), 2, 2);
  const TaggedValue values[] = {{"bad\xff", Value::Scalar(3)}};
  recorder.Record(3, values);
  EXPECT_THAT(Summary(Close()),
              ElementsAre("1 bad\xef\xbf\xbd=1", "2 bad\xef\xbf\xbd=2", "3 bad\xef\xbf\xbd=3"));
}

TEST_F(RecorderTest, RefusesWhatCannotBeRecordedAndKeepsTheRest) {
  Recorder& recorder = Open();
  const std::int64_t flat[] = {6};
  const TaggedValue values[] = {{"picture", Value::Image(View(kPixels, flat))},
                                {"loss", Value::Scalar(1)}};
  EXPECT_EQ(recorder.Record(1, values), Outcome::kInvalid);
  EXPECT_EQ(recorder.AddTensor("nothing", 2, TensorView{DType::kFloat32, flat, nullptr}),
            Outcome::kInvalid);
  EXPECT_EQ(recorder.AddTensor("complex", 2, TensorView{DType::kComplex64, {}, kPixels}),
            Outcome::kInvalid);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 loss=1"));
  const RecorderStats stats = recorder.Stats();
  EXPECT_EQ(stats.invalid_values, 3);
  EXPECT_THAT(stats.first_error,
              IsStatus(StatusCode::kInvalidArgument, "picture: an image has the shape"));
}

// PyTorch's order of arguments in a loop is the classic: nothing may be silent about it.
TEST_F(RecorderTest, SaysTheFirstRefusedValueOfEachTagAndCauseAndReportsAllWhenClosing) {
  std::vector<std::string> said;
  options_.writing.on_refused = [&](std::string_view line) { said.emplace_back(line); };
  Recorder& recorder = Open();
  const std::int64_t flat[] = {6};
  const TensorView nothing{DType::kFloat32, flat, nullptr};
  for (int step = 1; step <= 100; ++step) {
    recorder.AddImage("picture", step, View(kPixels, flat));
    recorder.AddTensor("nothing", step, nothing);
    const Status why(StatusCode::kInvalidArgument, "step " + std::to_string(step) + " is no int");
    RecorderAccess::Refuse(recorder, why, "loss: no int");
  }
  EXPECT_THAT(said, ElementsAre(HasSubstr("picture: an image has the shape"),
                                HasSubstr("nothing: "), HasSubstr("step 1 is no int")));
  EXPECT_EQ(recorder.Stats().invalid_values, 300U);
  EXPECT_THAT(recorder.Close(),
              IsStatus(StatusCode::kInvalidArgument,
                       "values that were refused: 300; first: picture: an image has the shape"));
}

TEST_F(RecorderTest, SaysThatAnotherRecorderInItsDirectoryHasTheSameRank) {
  Open();
  std::vector<std::string> said;
  options_.writing.on_refused = [&](std::string_view line) { said.emplace_back(line); };
  const auto second = Recorder::Open(dir_.path(), options_);
  EXPECT_THAT(said, ElementsAre(HasSubstr("both are rank 0 of 1")));
}

TEST_F(RecorderTest, SaysNothingIfRecordersOfADirectoryHaveRanks) {
  options_.writing.rank = 0;
  options_.writing.world_size = 2;
  Open();
  std::vector<std::string> said;
  options_.writing.on_refused = [&](std::string_view line) { said.emplace_back(line); };
  options_.writing.rank = 1;
  const auto second = Recorder::Open(dir_.path(), options_);
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(RecorderTest, SaysNothingOfARecorderBesideTheTraining) {
  options_.writing.rank = 0;
  options_.writing.world_size = 0;
  Open();
  std::vector<std::string> said;
  options_.writing.on_refused = [&](std::string_view line) { said.emplace_back(line); };
  options_.writing.world_size = 1;
  const auto training = Recorder::Open(dir_.path(), options_);
  EXPECT_THAT(said, IsEmpty());
}

TEST_F(RecorderTest, SaysAHundredLinesAtMost) {
  std::size_t said = 0;
  options_.writing.on_refused = [&](std::string_view /*line*/) { ++said; };
  Recorder& recorder = Open();
  for (int i = 0; i < 200; ++i) {
    const std::string tag = std::to_string(i);
    RecorderAccess::Refuse(recorder, Status(StatusCode::kInvalidArgument, tag), tag);
  }
  EXPECT_EQ(said, 100U);
  EXPECT_EQ(recorder.Stats().invalid_values, 200U);
}

TEST_F(RecorderTest, SaysThatValuesAreDroppedAndReportsThemWhenClosing) {
  std::vector<std::string> said;
  options_.writing.on_refused = [&](std::string_view line) { said.emplace_back(line); };
  options_.writing.on_buffer_full = OnBufferFull::kDrop;
  Recorder& recorder = Open();
  for (int step = 1; step <= 3; ++step)
    recorder.AddTensor("huge", step, Floats(std::size_t{1} << 20U, 4));
  EXPECT_THAT(said, ElementsAre(HasSubstr("raise buffer_bytes")));
  EXPECT_THAT(recorder.Close(),
              IsStatus(StatusCode::kResourceExhausted, "values that were dropped: 3; first: "));
}

TEST_F(RecorderTest, AnswersClosedAfterClose) {
  Recorder& recorder = Open();
  Close();
  EXPECT_EQ(recorder.AddScalar("loss", 1, 1), Outcome::kClosed);
  EXPECT_EQ(recorder.Stage("loss", Value::Scalar(1)), Outcome::kClosed);
  EXPECT_THAT(recorder.Flush(), IsStatus(StatusCode::kFailedPrecondition, "closed"));
  EXPECT_THAT(recorder.Close(), IsOk());
}

TEST_F(RecorderTest, RefusesNothingAfterClose) {
  Recorder& recorder = Open();
  const TaggedValue loss{"loss", Value::Scalar(1)};
  constexpr double kNever = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(recorder.Record(1, kNever, {&loss, 1}), Outcome::kInvalid);
  const Status closed = recorder.Close();
  EXPECT_THAT(closed, IsStatus(StatusCode::kInvalidArgument, "refused: 1"));
  EXPECT_EQ(recorder.Record(2, kNever, {&loss, 1}), Outcome::kClosed);
  RecorderAccess::Refuse(recorder, Status(StatusCode::kInvalidArgument, "a call from Python"), "");
  EXPECT_EQ(recorder.Stats().invalid_values, 1);
  EXPECT_THAT(RecorderAccess::Refusals(recorder),
              IsStatus(closed.code(), std::string(closed.message())));
}

TEST_F(RecorderTest, CountsWhatItAcceptedAndWrote) {
  Recorder& recorder = Open();
  for (int i = 0; i < 10; ++i) recorder.AddScalar("loss", i, 1);
  EXPECT_THAT(recorder.Flush(), IsOk());
  const RecorderStats stats = recorder.Stats();
  EXPECT_EQ(stats.accepted_events, 10);
  EXPECT_EQ(stats.accepted_values, 10);
  EXPECT_EQ(stats.accepted_bytes, 10 * (4 + 8));
  EXPECT_EQ(stats.written_events, 10);
  EXPECT_TRUE(stats.kill_safe);
  EXPECT_THAT(stats.files, ElementsAre(HasSubstr("host_MS")));
  const RecordedRun run = Close();
  EXPECT_EQ(run.mindspore.front().bytes, recorder.Stats().written_bytes);
}

TEST_F(RecorderTest, HasWrittenEverythingWhenFlushReturns) {
  Recorder& recorder = Open();
  recorder.AddScalar("loss", 1, 1);
  EXPECT_THAT(recorder.Flush(FlushTo::kDisk), IsOk());
  EXPECT_THAT(Summary(ReadRun(dir_.path())), ElementsAre("1 loss=1"));
}

TEST_F(RecorderTest, WritesAValueLargerThanTheBufferThrough) {
  Recorder& recorder = Open();
  recorder.AddScalar("before", 1, 1);
  EXPECT_EQ(recorder.AddTensor("huge", 2, Floats(std::size_t{1} << 20, 4)), Outcome::kAccepted);
  // Accepted means: already in the file, since the buffer cannot hold it.
  EXPECT_THAT(Summary(ReadRun(dir_.path())), ElementsAre("1 before=1", "2 huge:tensor=4"));
  Close();
}

TEST_F(RecorderTest, DropsAValueLargerThanTheBufferWhenCallersMayNotWait) {
  options_.writing.on_buffer_full = OnBufferFull::kDrop;
  Recorder& recorder = Open();
  EXPECT_EQ(recorder.AddTensor("huge", 2, Floats(std::size_t{1} << 20, 4)), Outcome::kDropped);
  EXPECT_THAT(Summary(Close()), IsEmpty());
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kResourceExhausted, "raise buffer_bytes"));
}

// Values below the size from which on they may stay with the caller.
TEST_F(RecorderTest, RefusesAnEventOfManySmallValuesThatIsLargerThanTheBuffer) {
  Recorder& recorder = Open();
  const Value small = Value::Tensor(Floats(2'500, 1));
  std::vector<TaggedValue> values;
  for (int i = 0; i < 200; ++i) values.push_back({recorder.Intern(fmt::format("t{}", i)), small});
  EXPECT_EQ(recorder.Record(1, values), Outcome::kInvalid);
  recorder.AddScalar("behind", 2, 2);
  EXPECT_THAT(Summary(Close()), ElementsAre("2 behind=2"));
  EXPECT_EQ(recorder.Stats().invalid_values, 200U);
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kInvalidArgument, "an event of 200 values"));
}

TEST_F(RecorderTest, CountsALargeAddedValueAsUnprotectedUntilItIsWritten) {
  options_.writing.buffer_bytes = std::uint64_t{1} << 20U;
  options_.writing.flush_interval = std::chrono::minutes(10);
  Recorder& recorder = Open();
  shape_ = {std::int64_t{1} << 16U};
  std::vector<float> elements(std::size_t{1} << 16U, 8);
  recorder.Stage("large", Value::Tensor(View(elements.data(), shape_)));
  elements.assign(elements.size(), 9);  // The caller's again: a copy was made.
  recorder.RecordStaged(1);
  EXPECT_EQ(recorder.Stats().unprotected_bytes, std::uint64_t{1} << 18U);
  EXPECT_THAT(recorder.Flush(), IsOk());
  EXPECT_EQ(recorder.Stats().unprotected_bytes, 0U);
  EXPECT_THAT(Summary(Close()), ElementsAre("1 large:tensor=8"));
}

TEST_F(RecorderTest, RefusesToStageWithoutBound) {
  Recorder& recorder = Open();
  Outcome outcome = Outcome::kAccepted;
  int added = 0;
  while (outcome == Outcome::kAccepted) {
    outcome = recorder.Stage("t" + std::to_string(added), Value::Tensor(Floats(1000, 1)));
    added += outcome == Outcome::kAccepted ? 1 : 0;
  }
  EXPECT_EQ(outcome, Outcome::kDropped);
  recorder.RecordStaged(1);
  EXPECT_THAT(Summary(Close()), SizeIs(added));
  EXPECT_THAT(recorder.Stats().first_error,
              IsStatus(StatusCode::kResourceExhausted, "call RecordStaged(step)"));
}

TEST_F(RecorderTest, LosesNothingWhenCallersMustWaitForRoom) {
  Recorder& recorder = Open();
  const TensorView values = Floats(10'000, 1);
  for (int i = 0; i < 500; ++i) EXPECT_EQ(recorder.AddTensor("t", i, values), Outcome::kAccepted);
  EXPECT_THAT(Summary(Close()), SizeIs(500));
}

TEST_F(RecorderTest, SaysWhetherACallWouldWait) {
  constexpr std::size_t kMoreThanTheBuffer = std::size_t{2} << 20;
  EXPECT_TRUE(RecorderAccess::HasRoom(Open(), 100));
  EXPECT_FALSE(RecorderAccess::HasRoom(*recorder_, kMoreThanTheBuffer));
  Close();
  EXPECT_TRUE(RecorderAccess::HasRoom(*recorder_, kMoreThanTheBuffer))
      << "a closed recorder refuses at once";
  options_.writing.on_buffer_full = OnBufferFull::kDrop;
  EXPECT_TRUE(RecorderAccess::HasRoom(Open(), kMoreThanTheBuffer)) << "it would be dropped at once";
  options_.writing.sync = SyncPolicy::kEveryRecord;
  EXPECT_FALSE(RecorderAccess::HasRoom(Open(), 100)) << "it waits for the disk";
}

TEST_F(RecorderTest, CountsWhatItDropsWhenCallersMayNotWait) {
  options_.writing.on_buffer_full = OnBufferFull::kDrop;
  Recorder& recorder = Open();
  const TensorView values = Floats(20'000, 1);
  std::size_t dropped = 0;
  for (int i = 0; i < 500; ++i)
    dropped += recorder.AddTensor("t", i, values) == Outcome::kDropped ? 1U : 0U;
  EXPECT_EQ(Summary(Close()).size() + dropped, 500);
  EXPECT_EQ(recorder.Stats().dropped_values, dropped);
}

TEST_F(RecorderTest, CountsEachValueOfAnEventThatItDrops) {
  options_.writing.on_buffer_full = OnBufferFull::kDrop;
  Recorder& recorder = Open();
  const Value large = Value::Tensor(Floats(20'000, 1));
  const TaggedValue values[] = {{Tag("t"), large}, {Tag("loss"), Value::Scalar(1)}};
  std::uint64_t dropped = 0;
  for (int i = 0; i < 500; ++i) {
    dropped += recorder.Record(i, values) == Outcome::kDropped ? 2U : 0U;
    recorder.Stage("t", large);
    recorder.Stage("loss", Value::Scalar(1));
    recorder.Stage("accuracy", Value::Scalar(1));
    dropped += recorder.RecordStaged(i) == Outcome::kDropped ? 3U : 0U;
  }
  EXPECT_EQ(Summary(Close()).size() + dropped, 500 * 5);
  EXPECT_GT(dropped, 0U);
  EXPECT_EQ(recorder.Stats().dropped_values, dropped);
}

TEST_F(RecorderTest, KeepsTheOrderOfEachOfEightThreads) {
  Recorder& recorder = Open();
  constexpr int kThreads = 8;
  constexpr int kEvents = 2000;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&recorder, t] {
      const TagId tag = recorder.Intern("thread" + std::to_string(t));
      for (int i = 0; i < kEvents; ++i) recorder.AddScalar(tag, i, i);
    });
  }
  for (std::thread& thread : threads) thread.join();
  const RecordedRun run = Close();
  std::map<std::string, std::int64_t> next;
  for (const auto& event : run.mindspore.front().events)
    EXPECT_EQ(event.front().step, next[event.front().tag]++);
  EXPECT_THAT(next, SizeIs(kThreads));
  for (const auto& [tag, count] : next) EXPECT_EQ(count, kEvents) << tag;
}

TEST_F(RecorderTest, TakesTheValuesOfOneStepFromSeveralThreads) {
  Recorder& recorder = Open();
  std::vector<std::thread> threads;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back(
        [&recorder, t] { recorder.Stage("t" + std::to_string(t), Value::Scalar(t)); });
  }
  for (std::thread& thread : threads) thread.join();
  recorder.RecordStaged(1);
  const RecordedRun run = Close();
  ASSERT_THAT(run.mindspore.front().events, SizeIs(1));
  EXPECT_THAT(run.mindspore.front().events.front(), SizeIs(8));
}

TEST_F(RecorderTest, CloseMayComeWhileOthersRecord) {
  Recorder& recorder = Open();
  std::atomic<std::uint64_t> accepted{0};
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&] {
      while (recorder.AddScalar("loss", 1, 1) == Outcome::kAccepted) accepted.fetch_add(1);
    });
  }
  while (accepted.load() < 1000) std::this_thread::yield();
  const RecordedRun run = Close();
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(Summary(run).size(), accepted.load());
}

TEST_F(RecorderTest, SeveralRecordersShareAProcessAndADirectory) {
  std::vector<std::unique_ptr<Recorder>> recorders;
  for (int i = 0; i < 4; ++i) {
    auto recorder = Recorder::Open(dir_.path(), options_);
    ASSERT_THAT(recorder, IsOk());
    (*recorder)->AddScalar("r", i, i);
    recorders.push_back(*std::move(recorder));
  }
  for (auto& recorder : recorders) EXPECT_THAT(recorder->Close(), IsOk());
  const RecordedRun run = ReadRun(dir_.path());
  EXPECT_THAT(run.mindspore, SizeIs(4));
  EXPECT_THAT(Summary(run), ElementsAre("0 r=0", "1 r=1", "2 r=2", "3 r=3"));
}

TEST_F(RecorderTest, RefusesBadOptionsByNameAndValue) {
  const auto error = [&](auto change) {
    RecorderOptions options = options_;
    change(options);
    const auto recorder = Recorder::Open(dir_.path(), options);
    return recorder ? Status() : recorder.error();
  };
  const auto bad = [](const char* text) { return IsStatus(StatusCode::kInvalidArgument, text); };
  EXPECT_THAT(error([](auto& o) { o.formats.clear(); }), bad("formats"));
  EXPECT_THAT(error([](auto& o) { o.max_file_size = 0; }), bad("max_file_size is 0"));
  EXPECT_THAT(error([](auto& o) { o.writing.buffer_bytes = 17; }),
              bad("buffer_bytes is 17, but must be between"));
  EXPECT_THAT(error([](auto& o) { o.writing.flush_interval = {}; }), bad("flush_interval is 0 ms"));
  EXPECT_THAT(error([](auto& o) { o.writing.workers = -1; }), bad("workers is -1"));
  EXPECT_THAT(error([](auto& o) { o.writing.world_size = -1; }), bad("world_size is -1"));
  EXPECT_THAT(error([](auto& o) { o.writing.rank = -3; }), bad("rank is -3"));
  EXPECT_THAT(error([](auto& o) {
                o.writing.rank = 3;
                o.writing.world_size = 2;
              }),
              bad("rank is 3, but must be less than world_size, which is 2"));
  EXPECT_THAT(error([](auto& o) { o.writing.device_id = -2; }), bad("device_id is -2"));
  EXPECT_THAT(error([](auto& o) { o.writing.hostname = "a/b"; }), bad("hostname is a/b"));
  EXPECT_THAT(error([](auto& o) {
                o.writing.sync = SyncPolicy::kInterval;
                o.writing.sync_interval = {};
              }),
              bad("sync_interval is 0 ms"));
  EXPECT_THAT(error([](auto& o) {
                o.formats = {Format::kMindSpore, Format::kMindSpore};
              }),
              bad("formats names mindspore 2 times"));
  EXPECT_THAT(error([](auto& o) {
                o.writing.workers = 65;
                o.writing.device_id = -1;
              }),
              bad("workers is 65, but must be between 0 and 64; device_id is -1"));
}

}  // namespace
}  // namespace sightline
