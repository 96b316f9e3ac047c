// sightline recover, and what info and verify say about journals.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Lines;
using ::testing::Not;
using testing::Ran;
using testing::ReadRun;
using testing::RecordedRun;
using testing::RunProgram;

constexpr char kSummaryName[] = "events.out.events.summary.1795191184.0.vm_MS";

class RecoverTest : public ::testing::Test {
 protected:
  // A run whose recorder was killed: step 1 is in its file, step 2 in the journal only.
  void KillARun() { KillARun(Run()); }
  static void KillARun(const std::string& directory) {
    const int status = testing::InForkedChild([&] {
      RecorderOptions options;
      options.writing.flush_interval = std::chrono::hours(1);
      auto recorder = Recorder::Open(directory, options);
      if (!recorder) _exit(1);
      (*recorder)->AddScalar("loss", 1, 1);
      if (!(*recorder)->Flush().ok()) _exit(1);
      (*recorder)->AddScalar("loss", 2, 2);
      kill(getpid(), SIGKILL);
    });
    ASSERT_TRUE(WIFSIGNALED(status));
  }
  std::string Run() const { return dir_.File("run"); }
  std::string Out() const { return dir_.File("out"); }
  static std::vector<std::string> Values(const std::string& directory) {
    return RecordedRun::Values(ReadRun(directory).mindspore);
  }
  // A copy of a real file, changed by `change`.
  template <typename Change>
  void CopyCorpusFile(Change&& change) {
    std::filesystem::create_directories(Run());
    std::string bytes =
        testing::ReadFileOrDie(CorpusPath(std::string("mindspore/values/") + kSummaryName));
    change(bytes);
    testing::WriteFileOrDie(Run() + "/" + kSummaryName, bytes);
  }

  testing::TempDir dir_;
};

TEST_F(RecoverTest, CompletesTheFilesOfAKilledRecorder) {
  KillARun();
  EXPECT_THAT(Values(Run()), ElementsAre("1 loss=1"));
  const Ran ran = RunProgram({"recover", dir_.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("run: 1 journal completed, 1 event moved into the files"));
  EXPECT_THAT(Values(Run()), ElementsAre("1 loss=1", "2 loss=2"));
  EXPECT_THAT(ReadRun(Run()).other, ElementsAre(HasSubstr(".sightline-killed-")));
}

TEST_F(RecoverTest, ARecoveredRunStaysKilledUntilItIsResumed) {
  KillARun();
  const auto killed = [&] {
    return RunProgram({"ls", Run(), "--where", "state == \"killed\"", "--columns", "state"}).out;
  };
  EXPECT_THAT(killed(), HasSubstr("killed\n"));
  ASSERT_EQ(RunProgram({"recover", Run()}).exit_code, 0);
  EXPECT_THAT(killed(), HasSubstr("killed, recovered\n"));
  const auto json = nlohmann::json::parse(RunProgram({"ls", "--json", Run()}).out);
  EXPECT_EQ(json["runs"][0]["state"], "killed");
  EXPECT_EQ(RunProgram({"recover", Run()}).exit_code, 0);
  EXPECT_THAT(killed(), HasSubstr("killed, recovered\n"));
  auto recorder = Recorder::Open(Run(), {});
  ASSERT_THAT(recorder, testing::IsOk());
  (*recorder)->AddScalar("loss", 3, 3);
  ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  EXPECT_EQ(killed(), "no run fits --where\n");
}

TEST_F(RecoverTest, AJournalThatStaysLeavesNoMark) {
  KillARun();
  const std::string journal = Run() + "/" + ReadRun(Run()).other.at(0);
  std::filesystem::resize_file(journal, 100);
  RunProgram({"recover", Run()});
  for (const auto& entry : std::filesystem::directory_iterator(Run()))
    EXPECT_THAT(entry.path().string(), Not(HasSubstr("killed")));
}

TEST_F(RecoverTest, TakesSeveralPaths) {
  const std::vector<std::string> runs = {dir_.File("a"), dir_.File("b"), dir_.File("c")};
  for (const std::string& run : runs) KillARun(run);
  const Ran ran = RunProgram({"recover", runs[0], runs[1]});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out,
              AllOf(HasSubstr("a: 1 journal completed"), HasSubstr("b: 1 journal completed")));
  EXPECT_THAT(Values(runs[1]), ElementsAre("1 loss=1", "2 loss=2"));
  EXPECT_THAT(Values(runs[2]), ElementsAre("1 loss=1"));
}

TEST_F(RecoverTest, ChangesNothingIfOneOfSeveralPathsIsWrong) {
  KillARun();
  const Ran ran = RunProgram({"recover", Run(), dir_.File("missing")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("missing"));
  EXPECT_THAT(Values(Run()), ElementsAre("1 loss=1"));
}

TEST_F(RecoverTest, CopiesOnePathAtATime) {
  KillARun();
  const Ran ran = RunProgram({"recover", Run(), Run(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("-o takes one PATH"));
  EXPECT_FALSE(std::filesystem::exists(Out()));
}

TEST_F(RecoverTest, LeavesALiveRecorderAlone) {
  auto recorder = Recorder::Open(Run(), {});
  ASSERT_THAT(recorder, testing::IsOk());
  (*recorder)->AddScalar("loss", 1, 1);
  const Ran ran = RunProgram({"recover", Run()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 journal left alone, since its recorder lives"));
  EXPECT_THAT(RunProgram({"info", Run()}).out, HasSubstr("is in use: its recorder lives"));
  EXPECT_THAT((*recorder)->Close(), testing::IsOk());
  EXPECT_THAT(Values(Run()), ElementsAre("1 loss=1"));
}

TEST_F(RecoverTest, InfoAndVerifyNameTheJournalOfADeadRecorder) {
  KillARun();
  const std::string name = ReadRun(Run()).other.at(0);
  for (const char* verb : {"info", "verify"}) {
    EXPECT_THAT(RunProgram({verb, Run()}).out,
                AllOf(HasSubstr(name + " was left by a recorder that was killed"),
                      HasSubstr("sightline recover " + Run())));
  }
  const auto info = nlohmann::json::parse(RunProgram({"info", "--json", Run()}).out);
  EXPECT_EQ(info["runs"][0]["journals"][0]["owner"], "dead");
  const auto verify = Lines(RunProgram({"verify", "--json", Run()}).out);
  EXPECT_EQ(verify[0]["journals"][0]["journal"], Run() + "/" + name);
  ASSERT_EQ(RunProgram({"recover", Run()}).exit_code, 0);
  EXPECT_THAT(RunProgram({"info", Run()}).out, Not(HasSubstr("journal")));
}

TEST_F(RecoverTest, ReportsAJournalThatCannotBeRead) {
  KillARun();
  const std::string journal = Run() + "/" + ReadRun(Run()).other.at(0);
  std::filesystem::resize_file(journal, 100);
  const Ran ran = RunProgram({"recover", Run()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.out, HasSubstr("cannot complete the files of a killed recorder"));
  EXPECT_TRUE(std::filesystem::exists(journal));
}

TEST_F(RecoverTest, CopiesRecordsOfFilesAndJournalsAndChangesNothing) {
  KillARun();
  const Ran ran = RunProgram({"recover", dir_.path(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("nothing lost"));
  EXPECT_THAT(Values(Out() + "/run"), ElementsAre("1 loss=1", "2 loss=2"));
  EXPECT_EQ(RunProgram({"verify", Out()}).exit_code, 0);
  EXPECT_THAT(Values(Run()), ElementsAre("1 loss=1"));
}

TEST_F(RecoverTest, ASoundFileIsCopiedToTheByte) {
  CopyCorpusFile([](std::string&) {});
  ASSERT_EQ(RunProgram({"recover", Run() + "/" + kSummaryName, "-o", Out()}).exit_code, 0);
  EXPECT_EQ(testing::ReadFileOrDie(Out() + "/" + kSummaryName),
            testing::ReadFileOrDie(Run() + "/" + kSummaryName));
}

TEST_F(RecoverTest, NamesLostRegionsByOffsetAndSteps) {
  testing::TempDir made;
  std::string bytes;
  {
    auto recorder = Recorder::Open(made.path(), {});
    ASSERT_THAT(recorder, testing::IsOk());
    for (int step = 1; step <= 9; ++step) (*recorder)->AddScalar("loss", step, step);
    ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  }
  std::filesystem::create_directories(Run());
  const std::string name = ReadRun(made.path()).mindspore.at(0).name;
  bytes = testing::ReadFileOrDie(made.path() + "/" + name);
  const std::size_t record = testing::FrameRecord("").size();
  // The last record's payload, and a few bytes after the end of the file.
  bytes[bytes.size() - record] = static_cast<char>(bytes[bytes.size() - record] ^ 1);
  testing::WriteFileOrDie(Run() + "/" + name, bytes + "tail");
  const Ran ran = RunProgram({"recover", "--json", Run(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 1) << ran.err;
  const auto line = Lines(ran.out).at(0);
  EXPECT_EQ(line["records"], 9);
  ASSERT_EQ(line["lost"].size(), 1);
  EXPECT_EQ(line["lost"][0]["after_step"], 8);
  EXPECT_EQ(line["lost"][0]["reason"], "payload checksum");
  EXPECT_THAT(RunProgram({"recover", Run(), "-o", Out() + "2"}).out, HasSubstr("after 8"));
  EXPECT_EQ(RunProgram({"verify", Out()}).exit_code, 0);
}

TEST_F(RecoverTest, KeepsEverySoundRecordWhereverAByteIsWrong) {
  std::size_t size = 0;
  CopyCorpusFile([&](std::string& bytes) { size = bytes.size(); });
  for (std::size_t at = 0; at < size; at += size / 6) {
    CopyCorpusFile([&](std::string& bytes) { bytes[at] = static_cast<char>(bytes[at] ^ 0x20); });
    const std::string out = Out() + std::to_string(at);
    const Ran ran = RunProgram({"recover", "--json", Run(), "-o", out});
    ASSERT_EQ(ran.exit_code, 1) << at << ran.err;
    const auto twin = nlohmann::json::parse(testing::ReadFileOrDie(
        CorpusPath(std::string("mindspore/values/") + kSummaryName + ".json")));
    EXPECT_EQ(Lines(ran.out).at(0)["records"], twin.size() - 1) << at;
    EXPECT_EQ(RunProgram({"verify", out}).exit_code, 0) << at;
  }
}

TEST_F(RecoverTest, AnExistingOutputIsRefusedAndAFailureLeavesNone) {
  CopyCorpusFile([](std::string&) {});
  std::filesystem::create_directories(Out());
  const Ran ran = RunProgram({"recover", Run(), "-o", Out()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("already exists"));
  EXPECT_EQ(RunProgram({"recover", dir_.File("nothing"), "-o", dir_.File("x")}).exit_code, 2);
  EXPECT_EQ(RunProgram({"recover", Run(), "-o", dir_.File("no/such/folder")}).exit_code, 2);
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(dir_.path()))
    names.push_back(entry.path().filename());
  EXPECT_THAT(names, ::testing::UnorderedElementsAre("run", "out"));
}

}  // namespace
}  // namespace sightline
