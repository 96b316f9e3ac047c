#include "sightline/recorder/reading/session_search.h"

#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/recorder/recorder_fixture.h"
#include "sightline/tests/support/records.h"

namespace sightline {
namespace {

using ::testing::HasSubstr;
using testing::IsOk;
using testing::RecordedRun;

class SessionSearchTest : public testing::RecorderTest {
 protected:
  // Records a session of one value; its id.
  std::string Record(int rank = 0) {
    options_.writing.rank = rank;
    options_.writing.world_size = rank + 1;
    Recorder& recorder = Open();
    recorder.AddScalar("loss", 1, 1);
    std::string id = recorder.session_id();
    EXPECT_THAT(recorder.Close(), IsOk());
    return id;
  }
  std::string Newest(int rank = 0, const std::vector<std::string>& live = {}) {
    return FindNewestSession(FileSystem::Local(), dir_.path(), rank, live);
  }
};

TEST_F(SessionSearchTest, FindsTheOneWhoseFilesAreReadLast) {
  EXPECT_EQ(Newest(), "");
  const std::string first = Record();
  EXPECT_EQ(Newest(), first);
  const std::string second = Record();
  EXPECT_EQ(Newest(), second);
  EXPECT_EQ(Newest(0, {second}), first);
  EXPECT_EQ(FindNewestSession(FileSystem::Local(), dir_.File("none"), 0, {}), "");
}

TEST_F(SessionSearchTest, FindsTheRanksOwn) {
  const std::string first = Record(0);
  const std::string second = Record(1);
  EXPECT_EQ(Newest(0), first);
  EXPECT_EQ(Newest(1), second);
  EXPECT_EQ(Newest(2), "");
}

TEST_F(SessionSearchTest, PassesOverFilesOfOtherProgramsAndDamagedOnes) {
  const std::string session = Record();
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.9999999998.vm"), "no record");
  testing::WriteFileOrDie(dir_.File("events.out.events.summary.9999999999.0.vm_MS"),
                          testing::ReadFileOrDie(testing::CorpusPath(
                              "mindspore/values/events.out.events.summary.1795191184.0.vm_MS")));
  EXPECT_EQ(Newest(), session);
}

TEST_F(SessionSearchTest, PassesOverIdsThatNoRecorderMakes) {
  const std::string session = Record();
  // So long that it would not fit into the header of the journal that continues it.
  for (const std::string& forged : {std::string(20'000, 'a'), std::string(32, '/')}) {
    mindspore::Event event;
    event.set_wall_time(1);
    event.set_version("MindSpore.Event:1");
    event.mutable_session()->set_session_id(forged);
    testing::WriteFileOrDie(dir_.File("events.out.events.summary.9999999999.0.vm_MS"),
                            testing::FrameRecord(event.SerializeAsString()));
    EXPECT_EQ(Newest(), session);
  }
}

// What a resumed recorder says of itself.

class ResumedRecorderTest : public SessionSearchTest {
 protected:
  static Session SessionOf(const testing::RecordedFile& file) {
    return DecodeSession(file.session).value();
  }
};

TEST_F(ResumedRecorderTest, NamesStepAndSessionInEveryFile) {
  const std::string before = Record();
  options_.resume_from_step = 0;
  options_.max_file_size = 300;
  Recorder& recorder = Open();
  EXPECT_EQ(recorder.continues_session(), before);
  for (int step = 0; step < 20; ++step) recorder.AddScalar("loss", step, 1);
  const RecordedRun run = Close();
  ASSERT_GT(run.mindspore.size(), 3U);
  for (std::size_t i = 1; i < run.mindspore.size(); ++i) {
    EXPECT_EQ(SessionOf(run.mindspore[i]).resume_from_step, 0);
    EXPECT_EQ(SessionOf(run.mindspore[i]).continues_session, before);
  }
  EXPECT_FALSE(SessionOf(run.mindspore[0]).resume_from_step);
}

TEST_F(ResumedRecorderTest, TellsTensorBoardOnceWhichTailToHide) {
  options_.formats = {Format::kTensorBoard};
  options_.resume_from_step = 7;
  options_.max_file_size = 300;
  Recorder& recorder = Open();
  for (int step = 7; step < 27; ++step) recorder.AddScalar("loss", step, 1);
  const RecordedRun run = Close();
  ASSERT_GT(run.tensorboard.size(), 3U);
  const auto values = RecordedRun::Values(run.tensorboard);
  EXPECT_EQ(values.size(), 21U);
  EXPECT_EQ(values[0], "7 :session log=");
  EXPECT_EQ(values[1], "7 loss=1");
}

TEST_F(ResumedRecorderTest, DoesNotContinueASessionThatIsStillRecorded) {
  const std::string before = Record();
  Open();
  options_.resume_from_step = 5;
  const auto beside = Recorder::Open(dir_.path(), options_);
  ASSERT_THAT(beside, IsOk());
  EXPECT_EQ((*beside)->continues_session(), before);
}

TEST_F(ResumedRecorderTest, WithNothingToContinueItRecordsAllTheSame) {
  options_.resume_from_step = 5;
  EXPECT_EQ(Open().continues_session(), "");
  recorder_->AddScalar("loss", 5, 1);
  EXPECT_THAT(Summary(Close()), ::testing::ElementsAre("5 loss=1"));
}

TEST_F(ResumedRecorderTest, ANegativeStepIsRefused) {
  options_.resume_from_step = -1;
  EXPECT_THAT(std::string(options_.Check().message()),
              HasSubstr("resume_from_step is -1, but must be a step, at least 0"));
}

}  // namespace
}  // namespace sightline
