// sightline export, run as people run it.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pty.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iterator>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::Lines;
using ::testing::Not;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;

// PATH is another one as long as it lives.
class PathVariable {
 public:
  explicit PathVariable(const std::string& path) : before_(getenv("PATH")) {
    setenv("PATH", path.c_str(), 1);
  }
  ~PathVariable() { setenv("PATH", before_.c_str(), 1); }
  PathVariable(const PathVariable&) = delete;
  PathVariable& operator=(const PathVariable&) = delete;

 private:
  std::string before_;
};

class ExportProgramTest : public ::testing::Test {
 protected:
  std::string Out() const { return dir_.File("out"); }
  std::string RunDir() const { return dir_.File("net"); }
  Ran Export(const std::string& format, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments = {"export", RunDir(), "--format", format, "-o", Out()};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return RunProgram(arguments);
  }
  // Losses 0.5, 1, 1.5 of steps 1 to 3, one of step 3 again, a tensor, a histogram, lineage.
  void Record(RecorderOptions options = {}) {
    auto recorder = Recorder::Open(RunDir(), options);
    ASSERT_THAT(recorder, testing::IsOk());
    for (int step = 1; step <= 3; ++step) (*recorder)->AddScalar("loss", step, step * 0.5);
    (*recorder)->AddScalar("loss", 3, 9);
    (*recorder)->AddScalar("a,\"b\"", 2, std::nan(""));
    const std::vector<float> values = {1, 2, 3, 4, 5, 6};
    const std::vector<std::int64_t> shape = {2, 3};
    (*recorder)->AddTensor("conv/weight", 2, View(values.data(), shape));
    (*recorder)->AddHistogram("conv/weight", 2, View(values.data(), shape));
    CustomLineage pairs;
    pairs["note"] = std::string("<script>alert(1)</script>");
    pairs["lr"] = 0.25;
    (*recorder)->AddMessage("", 0, ValueKind::kCustomLineage, SerializeCustomLineage(pairs));
    ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  }
  // The program as a process of its own, whose words go nowhere.
  pid_t StartExport(const std::string& format) {
    const pid_t child = fork();
    if (child != 0) return child;
    const int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 1);
    dup2(nowhere, 2);
    signal(SIGTERM, SIG_DFL);
    execl(SIGHTLINE_PROGRAM, SIGHTLINE_PROGRAM, "export", RunDir().c_str(), "--format",
          format.c_str(), "-o", Out().c_str(), nullptr);
    _exit(127);
  }
  std::vector<std::string> NamesInFolder() const {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(dir_.path()))
      names.push_back(entry.path().filename());
    return names;
  }

  testing::TempDir dir_;
};

TEST_F(ExportProgramTest, CsvHasARowAPoint) {
  Record();
  const Ran ran = Export("csv");
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const std::string text = ReadFileOrDie(Out());
  EXPECT_THAT(text, ::testing::StartsWith("run,rank,tag,step,wall_time,value\r\n"));
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 6);
  EXPECT_THAT(text, AllOf(HasSubstr("\r\nnet,0,\"a,\"\"b\"\"\",2,"), HasSubstr(",nan\r\n"),
                          HasSubstr("\r\nnet,0,loss,1,"), HasSubstr(",9\r\n")));
  // It names the values that CSV cannot express.
  EXPECT_THAT(ran.out, AllOf(HasSubstr("1 run: scalar (5)"), HasSubstr("left out: tensor: "),
                             HasSubstr("left out: histogram: "), HasSubstr("custom lineage: ")));
}

TEST_F(ExportProgramTest, WideCsvHasARowAStepWithTheLatestValues) {
  Record();
  const Ran ran = Export("csv", {"--wide"});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  std::vector<std::string> rows;
  std::istringstream in(ReadFileOrDie(Out()));
  for (std::string row; std::getline(in, row);) {
    const std::size_t time = row.find(',', row.find(',', row.find(',') + 1) + 1);
    rows.push_back(row.substr(0, time) + row.substr(row.find(',', time + 1)));
  }
  EXPECT_THAT(rows, ElementsAre("run,rank,step,\"a,\"\"b\"\"\",loss\r", "net,0,1,,0.5\r",
                                "net,0,2,nan,1\r", "net,0,3,,9\r"));
  EXPECT_THAT(ran.out, HasSubstr("an earlier value of the same step (1 value)"));
}

TEST_F(ExportProgramTest, TagsAndStepsSelect) {
  Record();
  ASSERT_EQ(Export("jsonl", {"--tags", "^loss$", "--steps", "2:3"}).exit_code, 0);
  std::vector<double> values;
  for (const json& line : Lines(ReadFileOrDie(Out()))) {
    if (line["kind"] == "scalar") values.push_back(line["value"].get<double>());
  }
  EXPECT_THAT(values, ElementsAre(1, 1.5, 9));
  EXPECT_EQ(Export("jsonl", {"--force", "--steps", "2"}).exit_code, 2);
  EXPECT_EQ(Export("jsonl", {"--force", "--tags", "("}).exit_code, 2);
  EXPECT_EQ(Export("npz", {"--force", "--wide"}).exit_code, 2);
}

TEST_F(ExportProgramTest, JsonLinesHaveEveryEvent) {
  for (const char* run :
       {"mindspore/values", "mindspore/lenet_landscape", "tensorboard/torch/both_a"}) {
    const std::string from = CorpusPath(run);
    ASSERT_EQ(RunProgram({"export", from, "--format", "jsonl", "-o", Out(), "--force"}).exit_code,
              0)
        << run;
    std::vector<std::string> exported;
    for (const json& line : Lines(ReadFileOrDie(Out()))) {
      if (line.contains("value") && line["kind"] != "scalar")
        exported.push_back(line["value"].dump());
    }
    std::vector<std::string> shown;
    for (const json& line : Lines(RunProgram({"cat", "--bytes", from}).out)) {
      for (const json& value : line.value("/summary/value"_json_pointer, json::array())) {
        const bool scalar =
            value.contains("scalar_value") || value.contains("simple_value") ||
            value.value("/metadata/plugin_data/plugin_name"_json_pointer, "") == "scalars";
        if (!scalar) shown.push_back(value.dump());
      }
    }
    EXPECT_THAT(exported, ::testing::UnorderedElementsAreArray(shown)) << run;
  }
}

TEST_F(ExportProgramTest, TensorBoardHasTheValuesOfMindSporesDialect) {
  Record();
  ASSERT_EQ(Export("tensorboard").exit_code, 0);
  std::vector<std::string> values;
  for (const auto& file : testing::ReadRun(Out() + "/net").tensorboard) {
    EXPECT_THAT(file.skipped, IsEmpty());
    for (const auto& event : file.events) {
      for (const auto& value : event) values.push_back(value.ToString());
    }
  }
  EXPECT_THAT(values,
              ::testing::IsSupersetOf({"1 loss=0.5", "2 loss=1", "3 loss=1.5", "3 loss=9",
                                       "2 conv/weight:tensor=", "2 conv/weight:histogram=6"}));
  EXPECT_EQ(RunProgram({"verify", Out()}).exit_code, 0);
}

TEST_F(ExportProgramTest, TensorBoardHasLandscapesAsPicturesToo) {
  const Ran ran = RunProgram(
      {"export", CorpusPath("mindspore/lenet_landscape"), "--format", "tensorboard", "-o", Out()});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const Ran info = RunProgram({"info", "--json", Out()});
  EXPECT_THAT(info.out, AllOf(HasSubstr("landscape_[1, 3]/picture"),
                              HasSubstr("landscape_[3]/picture"), HasSubstr("landscape_[1, 3]/z")));
}

TEST_F(ExportProgramTest, TensorBoardsOwnValuesAreCopiedToTheByte) {
  const std::string from = CorpusPath("tensorboard/torch/both_a");
  ASSERT_EQ(RunProgram({"export", from, "--format", "tensorboard", "-o", Out()}).exit_code, 0);
  const auto values = [](const std::string& path) {
    std::vector<std::string> lines;
    for (json line : Lines(RunProgram({"cat", "--bytes", path}).out)) {
      if (!line.contains("summary")) continue;
      line.erase("record_bytes");
      lines.push_back(line.dump());
    }
    return lines;
  };
  EXPECT_THAT(values(Out() + "/both_a"), ::testing::UnorderedElementsAreArray(values(from)));
}

TEST_F(ExportProgramTest, NpyHasScalarsAsColumnsAndTensorsUnchanged) {
  Record();
  const Ran ran = Export("npy");
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  const auto values = ReadNpyFile(FileSystem::Local(), Out() + "/net/scalars/loss/values.npy");
  ASSERT_THAT(values, testing::IsOk());
  EXPECT_EQ(values->dtype, DType::kFloat64);
  std::vector<double> numbers(4);
  ASSERT_EQ(values->data.size(), sizeof(double) * 4);
  std::memcpy(numbers.data(), values->data.data(), values->data.size());
  EXPECT_THAT(numbers, ElementsAre(0.5, 1, 1.5, 9));
  const auto tensor = ReadNpyFile(FileSystem::Local(), Out() + "/net/tensors/conv%2Fweight/2.npy");
  ASSERT_THAT(tensor, testing::IsOk());
  EXPECT_THAT(tensor->shape, ElementsAre(2, 3));
  const auto histogram =
      ReadNpyFile(FileSystem::Local(), Out() + "/net/histograms/conv%2Fweight/2.npy");
  ASSERT_THAT(histogram, testing::IsOk());
  EXPECT_THAT(histogram->shape, ElementsAre(3, 3));
}

TEST_F(ExportProgramTest, ManyFilesNeedForce) {
  auto recorder = Recorder::Open(RunDir(), {});
  ASSERT_THAT(recorder, testing::IsOk());
  for (int i = 0; i < 33'334; ++i)
    (*recorder)->AddScalar((i < 3 ? "few/" : "many/") + std::to_string(i), 1, 1);
  ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  const Ran refused = Export("npy");
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, AllOf(HasSubstr("100002 files"), HasSubstr("force")));
  EXPECT_FALSE(std::filesystem::exists(Out()));
  EXPECT_EQ(Export("npy", {"--tags", "^few"}).exit_code, 0);
  EXPECT_EQ(Export("npz", {"--force", "--tags", "^many"}).exit_code, 2) << "the target is a folder";
  std::filesystem::remove_all(Out());
  EXPECT_EQ(Export("npz").exit_code, 0) << "one file";
}

TEST_F(ExportProgramTest, SpreadsheetsGetNoFormulas) {
  auto recorder = Recorder::Open(RunDir(), {});
  ASSERT_THAT(recorder, testing::IsOk());
  (*recorder)->AddScalar("=1+1", 1, -2);
  ASSERT_THAT((*recorder)->Close(), testing::IsOk());
  ASSERT_EQ(Export("csv", {"--csv-safe"}).exit_code, 0);
  EXPECT_THAT(ReadFileOrDie(Out()), AllOf(HasSubstr("net,0,'=1+1,1,"), HasSubstr(",-2\r\n")));
  ASSERT_EQ(Export("csv", {"--csv-safe", "--wide", "--force"}).exit_code, 0);
  EXPECT_THAT(ReadFileOrDie(Out()), HasSubstr("run,rank,step,wall_time,'=1+1\r\n"));
  ASSERT_EQ(Export("csv", {"--force"}).exit_code, 0);
  EXPECT_THAT(ReadFileOrDie(Out()), HasSubstr("net,0,=1+1,1,"));
  EXPECT_EQ(Export("jsonl", {"--csv-safe", "--force"}).exit_code, 2);
  const Ran cat = RunProgram({"cat", "--csv", "--csv-safe", RunDir()});
  EXPECT_THAT(cat.out, HasSubstr(",'=1+1,-2\r\n"));
}

TEST_F(ExportProgramTest, TheHtmlPageLoadsNothingAndShowsTextsAsText) {
  Record();
  ASSERT_EQ(Export("html").exit_code, 0);
  std::string page = ReadFileOrDie(Out());
  constexpr std::string_view kSvg = "http://www.w3.org/2000/svg";  // A namespace: a name.
  for (std::size_t at = 0; (at = page.find(kSvg)) != std::string::npos;)
    page.erase(at, kSvg.size());
  EXPECT_THAT(
      page, AllOf(HasSubstr("&lt;script&gt;alert(1)&lt;/script&gt;"),
                  Not(HasSubstr("<script>alert")), HasSubstr("default-src 'none'"),
                  Not(HasSubstr("http://")), Not(HasSubstr("https://")), Not(HasSubstr("eval("))));
  EXPECT_THAT(page, HasSubstr("a,&quot;b&quot;"));
  EXPECT_LT(page.size(), 30'000);
}

// A program `python3` on PATH that prints its arguments behind -c and its script.
TEST_F(ExportProgramTest, ParquetIsLeftToPython) {
  const testing::TempDir bin;
  testing::WriteFileOrDie(bin.File("python3"),
                          "#!/bin/sh\nshift 2\nfor a in \"$@\"; do echo \"$a\"; done\nexit 7\n");
  std::filesystem::permissions(bin.File("python3"), std::filesystem::perms::owner_all);
  const PathVariable path(bin.path());
  const Ran ran = Export("parquet", {"--tags", "-x", "--steps", "2:3", "--force", "--json"});
  EXPECT_EQ(ran.exit_code, 7) << ran.err;
  EXPECT_EQ(ran.out, "--format=parquet\n--output=" + Out() +
                         "\n--tags=-x\n--steps=2:3\n--force\n--json\n--\n" + RunDir() + "\n");
  EXPECT_EQ(Export("parquet", {"--wide"}).exit_code, 2);
}

TEST_F(ExportProgramTest, ParquetWithoutPythonNamesWhatItNeeds) {
  const testing::TempDir empty;
  const PathVariable path(empty.path());
  const Ran ran = Export("parquet");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, AllOf(HasSubstr("--format parquet needs Python"), HasSubstr("pyarrow")));
}

// The program with a terminal as its standard error; what it wrote there.
std::string ExportOnTerminal(const std::string& run, const std::string& out) {
  int terminal = -1;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  if (child == 0) {
    execl(SIGHTLINE_PROGRAM, "sightline", "export", run.c_str(), "--format", "csv", "-o",
          out.c_str(), nullptr);
    _exit(127);
  }
  std::string text;
  char buffer[4096];
  for (ssize_t got = 0; (got = read(terminal, buffer, sizeof(buffer))) > 0;)
    text.append(buffer, static_cast<std::size_t>(got));
  close(terminal);
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0) << text;
  return text;
}

TEST_F(ExportProgramTest, ATerminalSeesProgressThatGoesAwayAndAPipeNothing) {
  Record();
  EXPECT_THAT(ExportOnTerminal(RunDir(), Out()),
              AllOf(HasSubstr("\r\x1b[Ksightline export: 0 %, 0.0 MB of 0.0 MB\r\x1b[K"),
                    HasSubstr("1 run: scalar (5)")));
  EXPECT_EQ(Export("csv", {"--force"}).err, "");
}

TEST_F(ExportProgramTest, AnExistingTargetIsReplacedByForceOnly) {
  Record();
  testing::WriteFileOrDie(Out(), "mine");
  const Ran ran = Export("csv");
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("already exists"));
  EXPECT_EQ(ReadFileOrDie(Out()), "mine");
  EXPECT_EQ(Export("csv", {"--force"}).exit_code, 0);
  EXPECT_THAT(ReadFileOrDie(Out()), ::testing::StartsWith("run,"));
  EXPECT_THAT(NamesInFolder(), ::testing::UnorderedElementsAre("net", "out"));
}

TEST_F(ExportProgramTest, ForceReplacesFoldersOfExportsOnly) {
  Record();
  std::filesystem::create_directories(Out() + "/photos");
  EXPECT_EQ(Export("npy", {"--force"}).exit_code, 2);
  EXPECT_TRUE(std::filesystem::exists(Out() + "/photos"));
  std::filesystem::remove_all(Out());
  EXPECT_EQ(Export("npy").exit_code, 0);
  testing::WriteFileOrDie(Out() + "/old", "");
  EXPECT_EQ(Export("tensorboard", {"--force"}).exit_code, 0);
  EXPECT_FALSE(std::filesystem::exists(Out() + "/old"));
  EXPECT_THAT(NamesInFolder(), ::testing::UnorderedElementsAre("net", "out"));
}

TEST_F(ExportProgramTest, AFailureLeavesNothing) {
  EXPECT_EQ(Export("csv").exit_code, 2);
  Record();
  EXPECT_EQ(
      RunProgram({"export", RunDir(), dir_.File("none"), "--format", "npy", "-o", Out()}).exit_code,
      2);
  EXPECT_EQ(Export("xml").exit_code, 2);
  EXPECT_THAT(NamesInFolder(), ElementsAre("net"));
}

TEST_F(ExportProgramTest, DamageIsReportedAndTheRestIsExported) {
  Record();
  for (const auto& entry : std::filesystem::directory_iterator(RunDir())) {
    const std::string path = entry.path();
    if (!path.ends_with("_MS")) continue;
    std::string bytes = ReadFileOrDie(path);
    bytes.back() = static_cast<char>(bytes.back() ^ 1);
    testing::WriteFileOrDie(path, bytes);
  }
  const Ran ran = Export("csv");
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("bytes of damage"));
  EXPECT_THAT(ReadFileOrDie(Out()), HasSubstr(",loss,1,"));
}

// Ended at some moment between its first file and its last, it leaves the whole output or none.
TEST_F(ExportProgramTest, LeavesNoPartialOutputWhenInterrupted) {
  Record();
  for (int round = 0; round < 5; ++round) {
    std::filesystem::remove_all(Out());
    const pid_t child = StartExport("npy");
    ASSERT_GE(child, 0);
    // Something of it is there, or it has ended.
    int status = 0;
    pid_t ended = 0;
    while (ended == 0 && NamesInFolder().size() == 1) ended = waitpid(child, &status, WNOHANG);
    if (ended == 0) {
      kill(child, SIGTERM);
      ASSERT_EQ(waitpid(child, &status, 0), child);
    }
    EXPECT_THAT(NamesInFolder(), Each(::testing::AnyOf("net", "out")));
    if (std::filesystem::exists(Out())) {
      EXPECT_TRUE(std::filesystem::exists(Out() + "/net/scalars/loss/values.npy"));
    }
  }
}

// Killed at some moment, it leaves the whole output or none; an unfinished output stays under a
// hidden name beside it. SIGHTLINE_KILL_RUNS is the number of kills.
TEST_F(ExportProgramTest, LeavesTheWholeOutputOrNoneWhenKilled) {
  Record();
  const char* const wanted = std::getenv("SIGHTLINE_KILL_RUNS");
  const int kills = wanted == nullptr ? 20 : std::atoi(wanted);
  const std::string formats[] = {"csv", "jsonl", "tensorboard", "npy", "npz", "html"};
  std::map<std::string, std::string> whole;  // Of the formats, as text.
  const auto text_of = [](const std::string& path) {
    if (!std::filesystem::is_directory(path)) return ReadFileOrDie(path);
    std::map<std::string, std::string> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(path)) {
      if (entry.is_regular_file()) files[entry.path()] = ReadFileOrDie(entry.path());
    }
    std::string text;
    for (const auto& [file, bytes] : files) text += file + ":" + bytes;
    return text;
  };
  for (const std::string& format : formats) {
    ASSERT_EQ(Export(format, {"--force"}).exit_code, 0);
    whole[format] = text_of(Out());
    std::filesystem::remove_all(Out());
  }
  std::mt19937_64 random(1);
  for (int round = 0; round < kills; ++round) {
    const std::string& format = formats[static_cast<std::size_t>(round) % std::size(formats)];
    const pid_t child = StartExport(format);
    ASSERT_GE(child, 0);
    // Something of it is there and some moments have passed, or it has ended.
    int status = 0;
    pid_t ended = 0;
    std::uint64_t looks = random() % 60;
    while (ended == 0 && (NamesInFolder().size() == 1 || looks-- > 0))
      ended = waitpid(child, &status, WNOHANG);
    if (ended == 0) {
      kill(child, SIGKILL);
      ASSERT_EQ(waitpid(child, &status, 0), child);
    }
    if (std::filesystem::exists(Out())) {
      ASSERT_EQ(text_of(Out()), whole[format]) << format;
    }
    for (const std::string& name : NamesInFolder()) {
      if (name == "net") continue;
      EXPECT_TRUE(name == "out" || name.starts_with(".out.sightline-")) << name;
      std::filesystem::remove_all(dir_.File(name));
    }
  }
}

}  // namespace
}  // namespace sightline
