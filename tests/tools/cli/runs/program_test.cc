// The verbs that read, run as people run them.
#include "sightline/tests/tools/program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using ::testing::ContainsRegex;
using testing::CorpusPath;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Lines;
using ::testing::Not;
using testing::Ran;
using ::testing::StartsWith;

constexpr char kSummaryName[] = "events.out.events.summary.1795191184.0.vm_MS";

class ProgramTest : public ::testing::Test {
 protected:
  static Ran Run(const std::vector<std::string>& arguments) {
    return testing::RunProgram(arguments);
  }
  static std::string Values() {
    return CorpusPath(std::string("mindspore/values/") + kSummaryName);
  }

  // A copy of a real file with a bit of its third record's payload changed.
  std::string Damaged() {
    std::string bytes = testing::ReadFileOrDie(Values());
    bytes[110] = static_cast<char>(bytes[110] ^ 1);
    testing::WriteFileOrDie(dir_.File(kSummaryName), bytes);
    return dir_.File(kSummaryName);
  }

  testing::TempDir dir_;
};

TEST_F(ProgramTest, WithoutArgumentsItExplainsItself) {
  const Ran ran = Run({});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("Examples:"), HasSubstr("  cat "), HasSubstr("  info "),
                             HasSubstr("  verify ")));
}

TEST_F(ProgramTest, EveryVerbHasHelpWithExamplesAndExitCodes) {
  for (const char* verb : {"cat", "info", "plan", "verify"}) {
    const Ran ran = Run({verb, "--help"});
    EXPECT_EQ(ran.exit_code, 0) << verb;
    EXPECT_THAT(ran.out, AllOf(HasSubstr("Examples:\n  sightline " + std::string(verb)),
                               HasSubstr("Exit codes: 0")));
  }
}

TEST_F(ProgramTest, PrintsItsVersion) {
  EXPECT_THAT(Run({"--version"}).out, StartsWith("sightline 0."));
}

TEST_F(ProgramTest, SaysOfWhatItWasBuiltAndWhatThisProcessorRuns) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--version", "--verbose"}, {"--verbose", "--version"}}) {
    EXPECT_THAT(
        Run(arguments).out,
        ContainsRegex("^sightline 0\\.[^\n]*\n  commit +not a release\n"
                      "  tool chain +(Clang|GCC) [0-9.]+, lib(std)?c\\+\\+ [0-9.]+, glibc 2"
                      "[^\n]*\n  checksums +[^\n]+\n  histograms +[^\n]+\n  notify +[^\n]+\n$"));
  }
}

TEST_F(ProgramTest, AWrongCommandLineIsExitCode2) {
  EXPECT_EQ(Run({"frobnicate"}).exit_code, 2);
  EXPECT_EQ(Run({"cat"}).exit_code, 2);
  EXPECT_EQ(Run({"cat", "--limit", "-1", Values()}).exit_code, 2);
  const Ran ran = Run({"cat", "--tag", "(", Values()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--tag (: not a regular expression of RE2"));
}

TEST_F(ProgramTest, AWrongCommandLineIsReportedByItsVerb) {
  EXPECT_EQ(Run({"frobnicate"}).err,
            "sightline: there is no verb frobnicate\nsightline --help says more\n");
  EXPECT_EQ(Run({"ir"}).err, "sightline ir: a verb is required\nsightline ir --help says more\n");
  EXPECT_THAT(Run({"ir", "--all"}).err, StartsWith("sightline ir: there is no option --all\n"));
  EXPECT_THAT(Run({"ir", "info", "--all", "."}).err,
              AllOf(StartsWith("sightline ir info: "), HasSubstr("--all"),
                    HasSubstr("\nsightline ir info --help says more\n")));
}

TEST_F(ProgramTest, HelpNamesGroupsOfOptionsAndNotWhatTheyExclude) {
  const Ran ran = Run({"ir", "dot", "--help"});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\n\nWhat is drawn:\n  --scope TEXT "),
                             HasSubstr("\n\nHow coarsely:\n  --all "), Not(HasSubstr("Excludes")),
                             Not(HasSubstr("[Option Group"))));
}

// Files that are not event files, despite their names.

TEST_F(ProgramTest, AFileThatIsNotAnEventFileIsNamedAndIsNotDamage) {
  const std::string run = CorpusPath("wild/script_beside_run");
  for (const char* const verb : {"verify", "cat"}) {
    const Ran ran = Run({verb, run});
    EXPECT_EQ(ran.exit_code, 0) << verb;
    EXPECT_EQ(ran.err, std::string("sightline ") + verb + ": " + run +
                           "/plot_tfevents.py: not an event file: text\n");
  }
  EXPECT_THAT(Run({"info", run}).out, HasSubstr("not an event file: text"));
}

TEST_F(ProgramTest, TagsAreShownWithTheirDisplayNames) {
  const std::string run = CorpusPath("wild/display_names");
  EXPECT_THAT(Run({"info", run}).out, HasSubstr("loss/scalar_summary (\"my loss\")  scalar"));
  EXPECT_THAT(Run({"info", "--json", run}).out, HasSubstr("\"display_name\": \"my loss\""));
  const testing::TempDir dir;
  ASSERT_EQ(Run({"export", run, "--format", "html", "-o", dir.File("page.html")}).exit_code, 0);
  EXPECT_THAT(testing::ReadFileOrDie(dir.File("page.html")),
              HasSubstr("<figcaption>my loss (loss/scalar_summary)</figcaption>"));
}

TEST_F(ProgramTest, ADirectoryOfOtherFilesIsNotARun) {
  const std::string directory = CorpusPath("wild/file_names/gz");
  for (const char* const verb : {"info", "ls"}) {
    const Ran ran = Run({verb, directory});
    EXPECT_EQ(ran.exit_code, 0) << verb;
    EXPECT_THAT(ran.out, StartsWith("there are no event files in or below " + directory + "\n  " +
                                    directory +
                                    "/events.out.tfevents.1700000000.box.gz: not an "
                                    "event file: gzip\n"));
  }
  const Ran named = Run({"verify", directory + "/events.out.tfevents.1700000000.box.gz"});
  EXPECT_EQ(named.exit_code, 2);
  EXPECT_THAT(named.out, HasSubstr("cannot be read: not an event file: gzip"));
}

// cat

TEST_F(ProgramTest, CatPrintsEveryEventAsALineOfJson) {
  const Ran ran = Run({"cat", Values()});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.err, IsEmpty());
  const auto lines = Lines(ran.out);
  const json twin = json::parse(testing::ReadFileOrDie(Values() + ".json"));
  ASSERT_EQ(lines.size(), twin.size());
  EXPECT_EQ(lines[1], twin[1]);
}

TEST_F(ProgramTest, CatReadsSeveralFilesAndDirectories) {
  const auto lines = Lines(Run({"cat", Values(), CorpusPath("tensorboard/torch/both_a")}).out);
  EXPECT_EQ(lines.size(), 52u);
  EXPECT_EQ(Lines(Run({"cat", CorpusPath("tensorboard/torch")}).out).size(), 85u) << "its own";
  EXPECT_GT(Lines(Run({"cat", CorpusPath("tensorboard")}).out).size(), 85u) << "it has none";
}

TEST_F(ProgramTest, CatLimitsAndFilters) {
  const auto lines = Lines(Run({"cat", "--tag", "^scalar/f", "--limit", "2", Values()}).out);
  ASSERT_EQ(lines.size(), 2u);
  EXPECT_EQ(lines[0]["summary"]["value"][0]["tag"], "scalar/f32");
  EXPECT_EQ(lines[1]["summary"]["value"][0]["tag"], "scalar/f64");
  EXPECT_EQ(Lines(Run({"cat", "--limit", "3", Values(), Values()}).out).size(), 3u);
}

TEST_F(ProgramTest, CatShowsPixelsOrBytesOfImages) {
  const auto pixels = Lines(Run({"cat", "--tag", "^image/u8_rgb$", Values()}).out);
  EXPECT_TRUE(pixels.at(0)["summary"]["value"][0]["image"].contains("pixels_sha256"));
  const auto bytes = Lines(Run({"cat", "--bytes", "--tag", "^image/u8_rgb$", Values()}).out);
  EXPECT_THAT(bytes.at(0)["summary"]["value"][0]["image"]["encoded_image"].get<std::string>(),
              StartsWith("iVBORw0K"));
}

TEST_F(ProgramTest, CatKnowsScalarsByTheMetadataOfTheFirstValue) {
  const std::string log = CorpusPath("wild/metadata_once/events.out.tfevents.1700000000.box");
  const std::string expected = Run({"cat", "--csv", log}).out;
  EXPECT_EQ(std::count(expected.begin(), expected.end(), '\n'), 5) << expected;
  // The same with all values but the first in a second file.
  const std::string bytes = testing::ReadFileOrDie(log);
  std::size_t end = 0;
  for (int record = 0; record < 2; ++record) {
    std::uint64_t length = 0;
    std::memcpy(&length, &bytes[end], sizeof(length));
    end += length + 16;
  }
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.1.vm"), bytes.substr(0, end));
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.2.vm"), bytes.substr(end));
  EXPECT_EQ(Run({"cat", "--csv", dir_.path()}).out, expected);
}

TEST_F(ProgramTest, InfoNamesTheKindThatTheFirstValueOfATagHas) {
  const Ran ran = Run({"info", "--json", CorpusPath("wild/metadata_once_smallest")});
  const json tags = json::parse(ran.out)["runs"][0]["tags"];
  ASSERT_EQ(tags.size(), 1U) << ran.out;
  EXPECT_EQ(tags[0]["kind"], "text");
  EXPECT_EQ(tags[0]["values"], 3);
}

TEST_F(ProgramTest, CatSkipsDamageAndReportsIt) {
  const Ran ran = Run({"cat", Damaged()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_EQ(Lines(ran.out).size(), 49u);
  EXPECT_THAT(ran.err, HasSubstr("skipped 48 bytes at offset 92 (payload checksum)"));
}

TEST_F(ProgramTest, CatOfAnUnreadableFileIsExitCode2AndTheRestIsPrinted) {
  const Ran ran = Run({"cat", dir_.File("none"), Values()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr(dir_.File("none")));
  EXPECT_EQ(Lines(ran.out).size(), 50u);
  EXPECT_EQ(Run({"cat", dir_.path()}).exit_code, 2);
}

TEST_F(ProgramTest, CatPrintsScalarsAsOneTable) {
  const Ran ran = Run({"cat", "--csv", "--tag", "^scalar/f|^both", Values()});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_EQ(ran.out,
            "step,wall_time,tag,value\r\n"
            "1,1795191184.4190059,scalar/f32,1.6243454217910767\r\n"
            "2,1795191184.4192455,scalar/f64,-inf\r\n");
  EXPECT_EQ(Run({"cat", "--csv", "--limit", "1", Values(), Values()}).out,
            "step,wall_time,tag,value\r\n1,1795191184.4190059,scalar/f32,1.6243454217910767\r\n");
  EXPECT_EQ(Run({"cat", "--csv", "--tag", "nothing", Values()}).out,
            "step,wall_time,tag,value\r\n");
  EXPECT_EQ(Run({"cat", "--csv", "--bytes", Values()}).exit_code, 2);
}

TEST_F(ProgramTest, CatOfSeveralRunsAsATableNamesTheRunOfEachRow) {
  const std::string logs = CorpusPath("tensorboard/torch");
  const std::string table =
      "run,step,wall_time,tag,value\r\n" + logs + "/both_a,0,1795191135.4760857,both,1\r\n";
  const Ran tree = Run({"cat", "--csv", "--tag", "^both$", logs});
  EXPECT_EQ(tree.exit_code, 0);
  EXPECT_THAT(tree.out, AllOf(StartsWith(table), HasSubstr("\r\n" + logs + "/both_b,0,")));
  EXPECT_THAT(Run({"cat", "--csv", "--tag", "^both$", logs + "/both_a", logs + "/both_b"}).out,
              StartsWith(table));
}

TEST_F(ProgramTest, CatOfDamageAsATableIsExitCode1) {
  const Ran ran = Run({"cat", "--csv", Damaged()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("skipped 48 bytes at offset 92 (payload checksum)"));
  EXPECT_THAT(ran.out, StartsWith("step,wall_time,tag,value\r\n"));
}

TEST_F(ProgramTest, AWrongLimitIsNamed) {
  const Ran ran = Run({"cat", "--limit", "-1", Values()});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("--limit: -1 is not a whole number of at least 0\n"));
}

TEST_F(ProgramTest, AFileThatIsNotAnEventFileIsNamed) {
  const std::string script = dir_.File("net.py");
  testing::WriteFileOrDie(script, "print(1)\n");
  const Ran cat = Run({"cat", script, Values()});
  EXPECT_EQ(cat.exit_code, 2);
  EXPECT_THAT(cat.err, HasSubstr("net.py: not an event file: text"));
  EXPECT_EQ(Lines(cat.out).size(), 50u);
  const Ran verify = Run({"verify", script});
  EXPECT_EQ(verify.exit_code, 2);
  EXPECT_THAT(verify.out, HasSubstr("not an event file: text"));
  const Ran info = Run({"info", script});
  EXPECT_EQ(info.exit_code, 2);
  EXPECT_THAT(info.err, HasSubstr("net.py is a file: name its directory"));
}

// verify

TEST_F(ProgramTest, VerifyOfSoundFilesIsExitCode0) {
  const Ran ran = Run({"verify", CorpusPath("mindspore"), CorpusPath("tensorboard")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("sound"), HasSubstr("vm_lineage"), HasSubstr("tfevents")));
  EXPECT_THAT(ran.out, Not(HasSubstr("lost")));
}

TEST_F(ProgramTest, VerifyShowsATableOfDamagedRegions) {
  const Ran ran = Run({"verify", Damaged(), Values()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.out, HasSubstr("1 damaged region, 48 B lost"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("  offset +length +reason"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex(" 92 +48 +payload checksum"));
}

TEST_F(ProgramTest, VerifyInJsonGivesRecordsBytesAndRegions) {
  const Ran ran = Run({"verify", "--json", Damaged()});
  EXPECT_EQ(ran.exit_code, 1);
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0]["file"], dir_.File(kSummaryName));
  EXPECT_EQ(lines[0]["records"], 49);
  EXPECT_EQ(lines[0]["bytes"], 21853);
  EXPECT_EQ(lines[0]["regions"],
            json::parse(R"([{"offset":92,"length":48,"reason":"payload checksum"}])"));
}

TEST_F(ProgramTest, VerifyOfAnUnreadableFileIsExitCode2) {
  EXPECT_EQ(Run({"verify", dir_.File("none"), Damaged()}).exit_code, 2);
  const Ran ran = Run({"verify", "--json", dir_.File("none")});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(Lines(ran.out).at(0)["error"].get<std::string>(), HasSubstr("none"));
  testing::TempDir empty;
  EXPECT_EQ(Run({"verify", empty.path()}).exit_code, 2);
}

// info

TEST_F(ProgramTest, InfoShowsRunsTagsAndFiles) {
  const Ran ran = Run({"info", CorpusPath("mindspore")});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, ::testing::ContainsRegex(
                           "lenet  2026-11-20 15:42:17 UTC to 2026-11-20 15:42:20 UTC"));
  EXPECT_THAT(ran.out, ::testing::ContainsRegex("loss/auto +scalar +12  1 to 30  MindSpore"));
  EXPECT_THAT(ran.out, HasSubstr("also: 1 graph, 1 train lineage, 1 evaluation lineage, 1 dataset "
                                 "graph, 1 custom lineage"));
  EXPECT_THAT(ran.out,
              ::testing::ContainsRegex("1795189336.0.vm_MS +MindSpore summary +15  1.6 MB  sound"));
}

TEST_F(ProgramTest, InfoCountsOtherEventsInWords) {
  constexpr std::string_view kGraph("\x22\0", 2);  // Fields of TensorBoard's Event, empty.
  constexpr std::string_view kLogMessage("\x32\0", 2);
  constexpr std::string_view kRunMetadata("\x42\0", 2);
  std::string bytes;
  for (const std::string_view event :
       {kGraph, kGraph, kLogMessage, kRunMetadata, kRunMetadata, kRunMetadata})
    bytes += testing::FrameRecord(event);
  testing::WriteFileOrDie(dir_.File("events.out.tfevents.1700000000.host.0"), bytes);
  EXPECT_THAT(Run({"info", dir_.path()}).out,
              HasSubstr("also: 2 graphs, 1 log message, 3 run metadata events\n"));
}

TEST_F(ProgramTest, InfoShowsDamage) {
  Damaged();
  const Ran ran = Run({"info", dir_.path()});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, HasSubstr("1 damaged region, 48 B lost; see sightline verify"));
}

TEST_F(ProgramTest, InfoInJsonIsOneObject) {
  Damaged();
  const Ran ran = Run({"info", "--json", dir_.path()});
  EXPECT_EQ(ran.exit_code, 0);
  const json info = json::parse(ran.out);
  ASSERT_EQ(info["runs"].size(), 1u);
  EXPECT_EQ(info["runs"][0]["name"], ".");
  EXPECT_EQ(info["runs"][0]["files"][0]["records"], 49);
  EXPECT_EQ(info["runs"][0]["files"][0]["regions"][0]["length"], 48);
  EXPECT_EQ(info["runs"][0]["events"]["summary"], 48);
}

TEST_F(ProgramTest, InfoOfAFileIsExitCode2) {
  EXPECT_EQ(Run({"info", dir_.File("none")}).exit_code, 2);
  const Ran ran = Run({"info", dir_.path()});
  EXPECT_EQ(ran.exit_code, 0);
  EXPECT_THAT(ran.out, AllOf(HasSubstr("there are no event files in or below "),
                             HasSubstr("`sightline ir info` reads graph dumps")));
}

TEST_F(ProgramTest, ControlCharactersOfATagDoNotReachTheTerminal) {
  // {wall_time, summary {value {tag "\x1b[2J", scalar_value}}}
  const std::string event("\x09\0\0\0\0\0\0\0\x40\x2a\x0d\x0a\x0b\x0a\x04\x1b[2J\x1d\0\0\0\0", 24);
  testing::WriteFileOrDie(dir_.File(kSummaryName), testing::FrameRecord(event));
  const Ran ran = Run({"info", dir_.path()});
  EXPECT_THAT(ran.out, AllOf(HasSubstr("\\x1b[2J"), Not(HasSubstr("\x1b"))));
  EXPECT_THAT(Run({"cat", dir_.path()}).out, HasSubstr("\\u001b[2J"));
}

// A recorder that still runs: what it accepted is shown, and nothing is written.

TEST_F(ProgramTest, EveryVerbShowsValuesThatAreOnlyInTheJournal) {
  RecorderOptions options;
  options.writing.flush_interval = std::chrono::hours(1);
  auto recorder = Recorder::Open(dir_.File("live"), options);
  ASSERT_THAT(recorder, testing::IsOk());
  for (std::int64_t step = 1; step <= 7; ++step) {
    ASSERT_EQ((*recorder)->AddScalar("loss", step, 0.5), Outcome::kAccepted);
  }
  EXPECT_EQ(Lines(Run({"cat", "--tag", "loss", dir_.File("live")}).out).size(), 7u);
  EXPECT_THAT(Run({"info", dir_.File("live")}).out,
              AllOf(HasSubstr("7 records still in the journal"),
                    ::testing::ContainsRegex("loss +scalar +7  1 to 7")));
  const Ran verified = Run({"verify", "--json", dir_.File("live")});
  EXPECT_EQ(verified.exit_code, 0);
  EXPECT_EQ(Lines(verified.out).at(0)["records"], 8);
  ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  EXPECT_EQ(Lines(Run({"cat", "--tag", "loss", dir_.File("live")}).out).size(), 7u);
}

TEST_F(ProgramTest, InfoCountsTheStepsOfAResumedRunOnce) {
  RecorderOptions options;
  options.formats = {Format::kMindSpore, Format::kTensorBoard};
  std::vector<std::string> sessions;
  for (const int first : {1, 6}) {
    if (first != 1) options.resume_from_step = first;
    auto recorder = Recorder::Open(dir_.path(), options);
    ASSERT_THAT(recorder, testing::IsOk());
    for (std::int64_t step = first; step < first + 8; ++step)
      (*recorder)->AddScalar("loss", step, 0.5);
    sessions.push_back((*recorder)->session_id());
    ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  }
  const Ran ran = Run({"info", dir_.path()});
  EXPECT_THAT(
      ran.out,
      AllOf(HasSubstr("session " + sessions[0] + ", superseded from step 6 on"),
            HasSubstr("session " + sessions[1] + ", resumed from step 6"),
            HasSubstr("3 values superseded by later sessions: not counted below"),
            ::testing::ContainsRegex("loss +scalar +13  1 to 13  MindSpore . TensorBoard")));
  const json run = json::parse(Run({"info", "--json", dir_.path()}).out)["runs"][0];
  EXPECT_EQ(run["superseded_values"], 3);
  EXPECT_EQ(run["tags"][0]["superseded"], 3);
  EXPECT_EQ(run["tags"][0]["values"], 13);
  ASSERT_EQ(run["sessions"].size(), 2U);
  EXPECT_EQ(run["sessions"][0]["superseded_from"], 6);
  EXPECT_EQ(run["sessions"][1]["resume_from_step"], 6);
  EXPECT_EQ(run["sessions"][1]["continues_session"], sessions[0]);
}

// A little output stays in a buffer until the end; much of it is refused long before.
TEST_F(ProgramTest, RefusedOutputIsReported) {
  Damaged();
  for (const std::string& arguments : {std::string("--version"), std::string("completion bash"),
                                       "info " + dir_.path(), "verify " + dir_.path()}) {
    const std::string command = std::string(SIGHTLINE_PROGRAM) + " " + arguments +
                                " >/dev/full 2>'" + dir_.File("stderr") + "'";
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 2) << arguments;
    EXPECT_THAT(testing::ReadFileOrDie(dir_.File("stderr")),
                HasSubstr("not all that was printed could be written"));
  }
}

}  // namespace
}  // namespace sightline
