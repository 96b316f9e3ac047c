// The files of a recorder: rotation, limits, full disks, failing file systems, journals.
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "sightline/recorder/journal/host.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tests/recorder/recorder_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using testing::FileOperation;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Not;
using testing::ReadRun;
using testing::RecordedRun;
using ::testing::SizeIs;

class RecorderFilesTest : public testing::RecorderTest {};

TEST_F(RecorderFilesTest, WritesTheVersionRecordAtOnce) {
  Open();
  const RecordedRun run = ReadRun(dir_.path());
  ASSERT_THAT(run.mindspore, SizeIs(1));
  EXPECT_EQ(run.mindspore.front().records, 1);
  EXPECT_THAT(run.mindspore.front().session, HasSubstr(recorder_->session_id()));
}

TEST_F(RecorderFilesTest, StartsTheNextFileWhenOneIsFull) {
  options_.formats = {Format::kMindSpore, Format::kTensorBoard};
  options_.max_file_size = 2000;
  Recorder& recorder = Open();
  for (int i = 0; i < 1000; ++i) recorder.AddScalar("loss", i, i);
  const RecordedRun run = Close();
  for (const auto* files : {&run.mindspore, &run.tensorboard}) {
    EXPECT_GT(files->size(), 10);
    for (const auto& file : *files) EXPECT_LE(file.bytes, options_.max_file_size) << file.name;
    const auto values = RecordedRun::Values(*files);
    ASSERT_THAT(values, SizeIs(1000));
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_THAT(values[i], HasSubstr(std::to_string(i) + " loss="));
  }
}

TEST_F(RecorderFilesTest, GivesAnEventLargerThanTheLimitAFileOfItsOwn) {
  options_.max_file_size = 2000;
  Recorder& recorder = Open();
  recorder.AddScalar("before", 1, 1);
  recorder.AddTensor("large", 2, Floats(5000, 2));
  recorder.AddScalar("after", 3, 3);
  const RecordedRun run = Close();
  EXPECT_THAT(Summary(run), ElementsAre("1 before=1", "2 large:tensor=2", "3 after=3"));
  EXPECT_THAT(run.mindspore, SizeIs(3));
}

// Of whom a directory may have journals elsewhere, but no links to them.
class MemoryWithJournals : public testing::MemoryFileSystem {
 public:
  Result<std::string> MappablePath(const std::string& path) override { return path; }
};

TEST_F(RecorderFilesTest, SaysThatAJournalElsewhereCannotBeLinkedAndIsNotSafeThen) {
  testing::TempDir elsewhere;
  MemoryWithJournals memory;
  options_.writing.file_system = &memory;
  options_.writing.journal_dir = elsewhere.path();
  auto recorder = Recorder::Open(dir_.File("in memory only"), options_);
  ASSERT_THAT(recorder, IsOk());
  EXPECT_FALSE((*recorder)->Stats().kill_safe);
  EXPECT_THAT((*recorder)->Stats().first_error,
              IsStatus(StatusCode::kNotFound, "cannot link journal"));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
  (*recorder)->AddScalar("loss", 1, 1);
  EXPECT_THAT((*recorder)->Close(), IsOk());
}

TEST_F(RecorderFilesTest, WithoutAJournalWhatNoFileCouldTakeIsCountedAsLost) {
  testing::MemoryFileSystem memory;  // Which no journal can be mapped from.
  options_.writing.file_system = &memory;
  options_.writing.min_free_disk_bytes = 1000;
  auto recorder = Recorder::Open("run", options_);
  ASSERT_THAT(recorder, IsOk());
  memory.SetFreeBytes(10);
  const TaggedValue values[] = {{"loss", Value::Scalar(1)}, {"rate", Value::Scalar(2)}};
  EXPECT_EQ((*recorder)->Record(1, values), Outcome::kAccepted);
  EXPECT_EQ((*recorder)->AddScalar("loss", 2, 1), Outcome::kAccepted);
  EXPECT_THAT((*recorder)->Close(),
              IsStatus(StatusCode::kResourceExhausted, "what is not in the files is lost"));
  EXPECT_EQ((*recorder)->Stats().lost_values, 3U);
}

TEST_F(RecorderFilesTest, IsNotSafeAndSaysSoWhereTheFileSystemCopiesOnEachWrite) {
  using CopyOnWrite = Storage::CopyOnWrite;
  for (const CopyOnWrite kind : {CopyOnWrite::kAlways, CopyOnWrite::kUnlessTurnedOff}) {
    // Where it can be turned off, which only btrfs can.
    if (StorageOf(dir_.path()).copy_on_write == kind) continue;
    const testing::TempDir dir;
    const Host host{
        .storage = [kind](const std::string&) { return Storage{.copy_on_write = kind}; }};
    options_.writing.host = &host;
    const auto recorder = Recorder::Open(dir.path(), options_);
    ASSERT_THAT(recorder, IsOk());
    EXPECT_FALSE((*recorder)->Stats().kill_safe);
    EXPECT_THAT((*recorder)->Stats().first_error,
                IsStatus(StatusCode::kUnimplemented, "copies on each write"));
    (*recorder)->AddScalar("loss", 1, 1);
    EXPECT_THAT((*recorder)->Close(), IsOk());
    EXPECT_THAT(Summary(ReadRun(dir.path())), ElementsAre("1 loss=1"));
    EXPECT_THAT(ReadRun(dir.path()).other, IsEmpty()) << "no half-made journal";
  }
}

// What a power loss may not take: the files before the last, and the names.
TEST_F(RecorderFilesTest, SyncsTheFilesThatItLeftBehindAndTheirNames) {
  options_.max_file_size = 2000;
  testing::FaultyFileSystem files(FileSystem::Local());
  options_.writing.file_system = &files;
  Recorder& recorder = Open();
  for (int i = 0; i < 100; ++i) recorder.AddScalar("loss", i, i);
  ASSERT_THAT(recorder.Flush(), IsOk());
  const std::vector<std::string> names = recorder.Stats().files;
  ASSERT_GE(names.size(), 2U);
  files.FailEvery(testing::FileOperation::kSync, names.front(), StatusCode::kIoError);
  EXPECT_THAT(recorder.Flush(FlushTo::kDisk), IsStatus(StatusCode::kIoError, "injected fault"));
  files.Heal();
  files.FailEvery(testing::FileOperation::kSyncDirectory, "", StatusCode::kIoError);
  EXPECT_THAT(recorder.Flush(FlushTo::kDisk), IsStatus(StatusCode::kIoError, "injected fault"));
  files.Heal();
  EXPECT_THAT(recorder.Flush(FlushTo::kDisk), IsOk());
  const std::uint64_t synced = files.calls(testing::FileOperation::kSyncDirectory);
  EXPECT_THAT(recorder.Flush(FlushTo::kDisk), IsOk());
  EXPECT_EQ(files.calls(testing::FileOperation::kSyncDirectory), synced) << "nothing is new";
  recorder_->Close().ok();
}

TEST_F(RecorderFilesTest, StopsAtTheLimitWhenAskedTo) {
  options_.max_file_size = 2000;
  options_.on_file_full = OnFileFull::kStop;
  Recorder& recorder = Open();
  for (int i = 0; i < 1000; ++i) recorder.AddScalar("loss", i, i);
  const RecordedRun run = Close();
  ASSERT_THAT(run.mindspore, SizeIs(1));
  EXPECT_LE(run.mindspore.front().bytes, 2000);
  EXPECT_GT(run.mindspore.front().bytes, 1900);
  EXPECT_EQ(Summary(run).size() + recorder.Stats().left_out_values, 1000);
}

TEST_F(RecorderFilesTest, NumbersItsFilesBehindThoseThatAreThere) {
  testing::WriteFileOrDie(dir_.File("events.out.events.summary.9999999999.0.host_MS"), "");
  Open();
  EXPECT_THAT(recorder_->Stats().files, ElementsAre(HasSubstr("summary.10000000000.0.host_MS")));
}

TEST_F(RecorderFilesTest, NamesTheDirectoryThatIsNone) {
  testing::WriteFileOrDie(dir_.File("file"), "");
  const auto recorder = Recorder::Open(dir_.File("file") + "/run", options_);
  ASSERT_FALSE(recorder);
  EXPECT_THAT(std::string(recorder.error().message()), HasSubstr(dir_.File("file")));
}

TEST_F(RecorderFilesTest, PutsTheJournalWhereItIsToldAndALinkBesideTheRun) {
  testing::TempDir elsewhere;
  options_.writing.journal_dir = elsewhere.path();
  Recorder& recorder = Open();
  recorder.AddScalar("loss", 1, 1);
  const std::string name = ".sightline-journal-" + recorder.session_id();
  EXPECT_TRUE(std::filesystem::is_regular_file(elsewhere.File(name)));
  EXPECT_TRUE(std::filesystem::is_symlink(dir_.File(name)));
  Close();
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(RecorderFilesTest, NeedsNoLinkToAJournalBesideTheRunHoweverThatIsWritten) {
  std::filesystem::create_directory(dir_.File("run"));
  std::filesystem::create_directory_symlink(dir_.File("run"), dir_.File("link"));
  for (const char* name : {"run/", "link", "link/../run/."}) {
    options_.writing.journal_dir = dir_.File(name);
    auto recorder = Recorder::Open(dir_.File("run"), options_);
    ASSERT_THAT(recorder, IsOk());
    EXPECT_TRUE((*recorder)->Stats().kill_safe) << (*recorder)->Stats().first_error.ToString();
    EXPECT_THAT((*recorder)->Close(), IsOk());
    EXPECT_THAT(ReadRun(dir_.File("run")).other, IsEmpty());
  }
}

// Changes the process's working directory for a scope.
class WorkingDirectory {
 public:
  explicit WorkingDirectory(const std::string& path) { std::filesystem::current_path(path); }
  ~WorkingDirectory() { std::filesystem::current_path(before_); }

 private:
  const std::filesystem::path before_ = std::filesystem::current_path();
};

TEST_F(RecorderFilesTest, TakesNoUrlAndNoNulByteForAFolder) {
  const WorkingDirectory here(dir_.path());
  const std::string url = "s3://bucket/run";
  const auto refused = [&](const std::string& directory) {
    const auto recorder = Recorder::Open(directory, options_);
    return recorder ? Status() : recorder.error();
  };
  const auto bad = [](const char* text) { return IsStatus(StatusCode::kInvalidArgument, text); };
  EXPECT_THAT(refused(url),
              bad("directory is s3://bucket/run, but must be a path of this machine"));
  EXPECT_THAT(refused(dir_.File("a") + std::string(1, '\0') + "b"),
              bad("directory has a NUL byte"));
  EXPECT_THAT(FileSystem::Local().CreateDirectories(url + "/dumps"),
              bad("directory is s3://bucket/run/dumps, but must be"));
  EXPECT_TRUE(std::filesystem::is_empty(dir_.path()));
  options_.writing.journal_dir = url;
  EXPECT_THAT(refused(dir_.path()), bad("journal_dir is s3://bucket/run, but must be"));
  options_.writing.journal_dir.clear();
  EXPECT_TRUE(refused(dir_.File("s3:") + "//folder").ok()) << "a name of this machine";
}

TEST_F(RecorderFilesTest, StaysInItsDirectoryWhenTheProcessGoesToAnother) {
  options_.max_file_size = 2000;
  options_.writing.journal_dir = "journals";
  const WorkingDirectory before(dir_.path());
  auto recorder = Recorder::Open("./run", options_);
  ASSERT_THAT(recorder, IsOk());
  EXPECT_EQ((*recorder)->directory(), dir_.File("run"));
  const std::string link = dir_.File("run/.sightline-journal-" + (*recorder)->session_id());
  EXPECT_TRUE(std::filesystem::is_symlink(link));
  EXPECT_TRUE(std::filesystem::exists(link));  // What it leads to, from anywhere.
  testing::TempDir elsewhere;
  const WorkingDirectory after(elsewhere.path());
  for (int i = 0; i < 1000; ++i) (*recorder)->AddScalar("loss", i, i);
  EXPECT_THAT((*recorder)->Close(), IsOk());
  EXPECT_THAT(ReadRun(dir_.File("run")).mindspore, SizeIs(::testing::Gt(10)));
  EXPECT_TRUE(std::filesystem::is_empty(elsewhere.path()));
}

TEST_F(RecorderFilesTest, GoesOnInPrivateMemoryWhereNoJournalCanBeMapped) {
  testing::MemoryFileSystem memory;
  options_.writing.file_system = &memory;
  auto recorder = Recorder::Open("run", options_);
  ASSERT_THAT(recorder, IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  EXPECT_THAT((*recorder)->Close(), IsOk());
  const RecorderStats stats = (*recorder)->Stats();
  EXPECT_FALSE(stats.kill_safe);
  EXPECT_THAT(std::string(stats.first_error.message()), HasSubstr("not safe against SIGKILL"));
  EXPECT_THAT(memory.Files("run"), SizeIs(1));
}

TEST_F(RecorderFilesTest, PausesBeforeTheDiskIsFullAndGoesOnWhenThereIsSpace) {
  testing::MemoryFileSystem memory;
  options_.writing.file_system = &memory;
  options_.writing.min_free_disk_bytes = 1000;
  options_.writing.flush_interval = std::chrono::milliseconds(1);
  auto recorder = Recorder::Open("run", options_);
  ASSERT_THAT(recorder, IsOk());
  memory.SetFreeBytes(999);
  (*recorder)->AddScalar("loss", 1, 1);
  EXPECT_THAT((*recorder)->Flush(),
              IsStatus(StatusCode::kResourceExhausted, "only 999 bytes are free in run"));
  EXPECT_TRUE((*recorder)->Stats().paused);
  // What does not fit into the buffer any more is dropped and counted; training does not wait.
  int accepted = 1;
  while ((*recorder)->AddTensor("t", ++accepted, Floats(10'000, 1)) == Outcome::kAccepted) {
  }
  EXPECT_EQ((*recorder)->Stats().dropped_values, 1);
  memory.SetFreeBytes(1'000'000);
  EXPECT_THAT((*recorder)->Flush(), IsOk());
  EXPECT_FALSE((*recorder)->Stats().paused);
  EXPECT_THAT((*recorder)->Close(),
              IsStatus(StatusCode::kResourceExhausted, "values that were dropped: 1"));
  EXPECT_EQ((*recorder)->Stats().written_events, static_cast<std::uint64_t>(accepted - 1));
}

TEST_F(RecorderFilesTest, KeepsWholeRecordsOnAFullDiskAndCompletesThemLater) {
  testing::MemoryFileSystem memory;
  options_.writing.file_system = &memory;
  auto recorder = Recorder::Open("run", options_);
  ASSERT_THAT(recorder, IsOk());
  memory.SetCapacity(10'000);
  for (int i = 0; i < 1000; ++i) (*recorder)->AddScalar("loss", i, i);
  EXPECT_THAT((*recorder)->Flush(), IsStatus(StatusCode::kResourceExhausted, "MindSpore summary"));
  memory.SetCapacity(std::uint64_t{1} << 30);
  EXPECT_THAT((*recorder)->Flush(), IsOk());
  EXPECT_THAT((*recorder)->Close(), IsOk());
  EXPECT_EQ((*recorder)->Stats().written_events, 1000);
  RecordReader reader(*memory.OpenForRead(memory.Files("run").front()));
  while (reader.Next() == ReadOutcome::kRecord) {
  }
  EXPECT_EQ(reader.records(), 1001);
  EXPECT_THAT(reader.skipped(), IsEmpty());
}

TEST_F(RecorderFilesTest, AFailingExportDoesNotHoldTheEventFilesBack) {
  testing::FaultyFileSystem faulty(FileSystem::Local());
  faulty.FailEvery(FileOperation::kRename, ".npy", StatusCode::kIoError);
  options_.writing.file_system = &faulty;
  options_.export_npy = true;
  Recorder& recorder = Open();
  for (int i = 0; i < 200; ++i)
    EXPECT_EQ(recorder.AddTensor("t", i, Floats(5'000, 1)), Outcome::kAccepted);
  EXPECT_THAT(recorder.Flush(), IsStatus(StatusCode::kIoError, "npy export"));
  EXPECT_THAT(Summary(ReadRun(dir_.path())), SizeIs(200));
  EXPECT_GT(recorder.Stats().lost_values, 0);
  EXPECT_THAT(recorder.Close(), Not(IsOk()));
}

TEST_F(RecorderFilesTest, LeavesTheJournalWhenFilesCannotBeWrittenAndTheNextRecorderCompletesThem) {
  testing::FaultyFileSystem faulty(FileSystem::Local());
  options_.writing.file_system = &faulty;
  Recorder& recorder = Open();
  faulty.FailEvery(FileOperation::kWriteAt, "_MS", StatusCode::kIoError);
  faulty.KeepOfFailedWrites(7);
  for (int i = 0; i < 100; ++i) recorder.AddScalar("loss", i, i);
  const Status closed = recorder.Close();
  EXPECT_THAT(closed, IsStatus(StatusCode::kIoError, "MindSpore summary"));
  EXPECT_THAT(closed, IsStatus(StatusCode::kIoError, "`sightline recover " + dir_.path() + "`"));
  recorder_.reset();
  faulty.Heal();
  Open();
  Close();
  EXPECT_THAT(Summary(ReadRun(dir_.path())), SizeIs(100));
}

TEST_F(RecorderFilesTest, PromisesNothingOfAJournalThatWasRemovedWithItsDirectory) {
  options_.max_file_size = 2000;
  auto recorder = Recorder::Open(dir_.File("run"), options_);
  ASSERT_THAT(recorder, IsOk());
  std::filesystem::remove_all(dir_.File("run"));
  for (int i = 0; i < 1000; ++i) (*recorder)->AddScalar("loss", i, i);
  const Status closed = (*recorder)->Close();
  EXPECT_THAT(closed, IsStatus(StatusCode::kNotFound, "No such file"));
  EXPECT_THAT(closed, IsStatus(StatusCode::kNotFound, "is lost, since there is no journal"));
}

TEST_F(RecorderFilesTest, SurvivesAFailureOfEveryFileSystemCall) {
  std::uint64_t calls = 0;
  for (std::uint64_t n = 1; calls == 0 || n <= calls; ++n) {
    SCOPED_TRACE(n);
    testing::TempDir dir;
    testing::FaultyFileSystem faulty(FileSystem::Local());
    options_.writing.file_system = &faulty;
    options_.formats = {Format::kMindSpore, Format::kTensorBoard};
    options_.export_npy = true;
    options_.max_file_size = 4000;
    if (calls != 0) faulty.FailCall(n, StatusCode::kIoError);
    std::uint64_t accepted = 0;
    {
      auto recorder = Recorder::Open(dir.path(), options_);
      if (!recorder) {
        EXPECT_THAT(std::string(recorder.error().message()), HasSubstr("injected"));
        continue;
      }
      for (int i = 0; i < 100; ++i) {
        accepted += (*recorder)->AddScalar("loss", i, i) == Outcome::kAccepted ? 1U : 0U;
        if (i % 25 == 0) (*recorder)->AddTensor("t", i, Floats(10, 1));
      }
      const Status closed = (*recorder)->Close();
      EXPECT_TRUE(closed.ok() || (*recorder)->Stats().errors > 0);
    }
    if (calls == 0) calls = faulty.calls();
    faulty.Heal();
    // Whatever was not written then is written now.
    auto next = Recorder::Open(dir.path(), options_);
    ASSERT_THAT(next, IsOk());
    EXPECT_THAT((*next)->Close(), IsOk());
    const RecordedRun run = ReadRun(dir.path());
    EXPECT_TRUE(run.sound());
    std::uint64_t scalars = 0;
    for (const std::string& value : RecordedRun::Values(run.tensorboard))
      scalars += value.find("loss") != std::string::npos ? 1U : 0U;
    EXPECT_EQ(accepted, 100);
    EXPECT_EQ(scalars, 100);
    EXPECT_THAT(Summary(run), SizeIs(104));
    EXPECT_THAT(run.npy, SizeIs(4));
  }
  EXPECT_GT(calls, 20);
}

}  // namespace
}  // namespace sightline
