// `sightline profile`, run as people run it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sightline/tests/support/support.h"
#include "sightline/tests/tools/program.h"

namespace sightline {
namespace {

using nlohmann::json;
using ::testing::AllOf;
using testing::CorpusPath;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Lines;
using testing::Ran;
using testing::ReadFileOrDie;
using testing::RunProgram;
using testing::TempDir;
using testing::WriteFileOrDie;

const std::string& Folder() {
  static const std::string folder = CorpusPath("profiler/mindspore_2_7/dynamic_ascend_ms");
  return folder;
}

TEST(ProfileProgram, OpsInJsonAreLinesByTotal) {
  const Ran ran = RunProgram({"profile", "ops", "--json", Folder()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), 13);
  std::vector<std::string> keys;
  for (const auto& [key, value] : lines[0].items()) keys.push_back(key);
  EXPECT_THAT(keys,
              ::testing::UnorderedElementsAre("type", "count", "total_us", "average_us", "share"));
  EXPECT_EQ(lines[0]["type"], "ReLU");
  EXPECT_EQ(lines[0]["count"], 12);
  EXPECT_EQ(lines[0]["total_us"], 14915.412);
  double share = 0;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    share += lines[i]["share"].get<double>();
    if (i > 0) {
      EXPECT_LE(lines[i]["total_us"], lines[i - 1]["total_us"]);
    }
  }
  EXPECT_NEAR(share, 1, 1e-9);
}

TEST(ProfileProgram, OpsOfEachOperatorCanBeSearched) {
  const Ran ran = RunProgram({"profile", "ops", "--json", "--each", "--find", "CONV1", Folder()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto lines = Lines(ran.out);
  ASSERT_FALSE(lines.empty());
  for (const json& line : lines) EXPECT_THAT(line["name"].get<std::string>(), HasSubstr("conv1"));
  const Ran table = RunProgram({"profile", "ops", "--top", "2", Folder()});
  EXPECT_THAT(table.out, AllOf(HasSubstr("from the execution timestamps"),
                               HasSubstr("The first 2 of 13 rows"), HasSubstr("ReLU")));
}

TEST(ProfileProgram, InfoCountsTheEventsOfEachFile) {
  const Ran ran = RunProgram({"profile", "info", "--json", Folder()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const json info = Lines(ran.out).at(0);
  EXPECT_EQ(info["format"], "MindSpore");
  EXPECT_EQ(info["events"], 557);
  EXPECT_EQ(info["modelled"], 557);
  // Two more files have sums of data that was read, and are listed with that reason.
  ASSERT_EQ(info["files"].size(), 5);
  for (std::size_t i = 0; i < 5; ++i) EXPECT_EQ(info["files"][i].contains("unread"), i > 2);
  const Ran text = RunProgram({"profile", "info", CorpusPath("profiler/xla")});
  EXPECT_THAT(text.out, AllOf(HasSubstr("122 spans"), HasSubstr("no one-letter phase (ph)")));
}

TEST(ProfileProgram, SummarySaysWhatCostsMostAndInfoBeginsWithIt) {
  const std::string slow = CorpusPath("profiler/mindspore_2_0/minddata_slowgen");
  const Ran ran = RunProgram({"profile", "summary", "--json", slow});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), 1);
  EXPECT_EQ(lines[0]["rule"], "data-wait");
  EXPECT_EQ(lines[0]["subject"], "GeneratorOp_6");
  EXPECT_THAT(lines[0]["evidence"].get<std::string>(), HasSubstr("144 of 150 batches"));
  for (const char* verb : {"summary", "info"}) {
    EXPECT_THAT(RunProgram({"profile", verb, slow}).out,
                AllOf(HasSubstr("1. The steps wait for their data."), HasSubstr("Try: ")));
  }
  EXPECT_EQ(Lines(RunProgram({"profile", "info", "--json", slow}).out).at(0)["summary"][0],
            lines[0]);
}

TEST(ProfileProgram, SummaryOfAHealthyProfileSaysSo) {
  EXPECT_EQ(RunProgram({"profile", "summary", Folder()}).out, "Nothing stands out.\n");
  EXPECT_EQ(RunProgram({"profile", "summary", "--json", Folder()}).out, "");
  EXPECT_EQ(RunProgram({"profile", "summary", "--before", Folder(), Folder()}).out,
            "Nothing stands out.\n");
  EXPECT_EQ(RunProgram({"profile", "summary", "--before", "/nowhere", Folder()}).exit_code, 2);
}

TEST(ProfileProgram, SummaryOfAnEmptyProfileSaysThatItIsEmpty) {
  const TempDir dir;
  const std::string path = dir.path() + "/empty.json";
  WriteFileOrDie(path, R"({"traceEvents":[]})");
  EXPECT_THAT(RunProgram({"profile", "summary", path}).out, HasSubstr("The profile is empty"));
}

TEST(ProfileProgram, RanksAreSideBySide) {
  const std::string folder = CorpusPath("profiler/step_trace");
  const Ran ran = RunProgram({"profile", "cluster", "--json", folder});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const json ranks = Lines(ran.out).at(0)["ranks"];
  ASSERT_GE(ranks.size(), 2);
  EXPECT_GT(ranks[0]["step_us"], 0);
  EXPECT_THAT(RunProgram({"profile", "cluster", folder + "/async", folder + "/sync"}).out,
              AllOf(HasSubstr("waits for data"), HasSubstr("communication")));
  EXPECT_EQ(RunProgram({"profile", "cluster", "/nowhere"}).exit_code, 2);
}

// Folders of 12 ranks, in each a trace of five steps. Rank 11's take twice as long; in the order of
// the alphabet its folder is the fourth.
TEST(ProfileProgram, RanksAreNumberedByTheirFoldersAndNotByTheAlphabet) {
  const TempDir dir;
  for (int rank = 0; rank < 12; ++rank) {
    const int length = rank == 11 ? 2000 : 1000;
    std::string trace = R"({"traceEvents": [)";
    for (int step = 0; step < 5; ++step) {
      trace += fmt::format(
          R"({}{{"ph": "X", "name": "ProfilerStep#{}", "pid": 1, "tid": 1, "ts": {}, "dur": {}}})",
          step == 0 ? "" : ",", step, step * length, length);
    }
    std::filesystem::create_directories(fmt::format("{}/rank_{}", dir.path(), rank));
    WriteFileOrDie(fmt::format("{}/rank_{}/a.trace.json", dir.path(), rank), trace + "]}");
  }
  const Ran ran = RunProgram({"profile", "cluster", "--json", dir.path()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const json cluster = Lines(ran.out).at(0);
  ASSERT_EQ(cluster["ranks"].size(), 12);
  for (std::size_t i = 0; i < 12; ++i) EXPECT_EQ(cluster["ranks"][i]["rank"], i);
  EXPECT_EQ(cluster["findings"][0]["what"], "Rank 11 keeps the others waiting.");
}

// Folders of NPUs, whose small tables are enough. Rank 10 cannot be read, and rank 2 has no steps.
TEST(ProfileProgram, RanksThatCannotBeReadAreNamedAndTheOthersCompared) {
  const TempDir dir;
  const auto put = [&](int rank, const std::string& name, const std::string& text) {
    const std::string folder = fmt::format("{}/rank_{}_ascend_pt", dir.path(), rank);
    std::filesystem::create_directories(folder + "/ASCEND_PROFILER_OUTPUT");
    WriteFileOrDie(folder + "/" + name, text);
  };
  for (const int rank : {0, 1, 2, 10}) {
    put(rank, fmt::format("profiler_info_{}.json", rank),
        fmt::format(R"({{"rank_id": {}}})", rank));
  }
  for (const int rank : {0, 1}) {
    put(rank, "ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
        "Step,Computing,Communication(Not Overlapped),Communication,Free\n7,5000,100,100,50\n");
  }
  put(2, "ASCEND_PROFILER_OUTPUT/memory_record.csv",
      "Component,Timestamp(us),Total Allocated(MB),Total Reserved(MB),Device Type\n"
      "PTA,1,1,2,NPU:0\n");
  const Ran ran = RunProgram({"profile", "cluster", dir.path()});
  EXPECT_EQ(ran.exit_code, 1);
  EXPECT_THAT(ran.err, HasSubstr("rank_10_ascend_pt"));
  EXPECT_THAT(ran.out, AllOf(HasSubstr("5.15 ms"), HasSubstr("no data")));
  const json cluster = Lines(RunProgram({"profile", "cluster", "--json", dir.path()}).out).at(0);
  EXPECT_THAT(cluster["findings"], ::testing::IsEmpty());
  ASSERT_EQ(cluster["ranks"].size(), 3);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(cluster["ranks"][i]["rank"], i);
  EXPECT_EQ(cluster["ranks"][0]["own_us"], 5050);
  EXPECT_FALSE(cluster["ranks"][2].contains("step_us"));
  ASSERT_EQ(cluster["unreadable"].size(), 1);
  EXPECT_THAT(cluster["unreadable"][0]["path"].get<std::string>(), HasSubstr("rank_10"));
}

// Ranks of NPUs, which compute for these microseconds in a step of 10 ms.
void WriteCluster(const std::string& folder, const std::vector<int>& computing) {
  for (std::size_t rank = 0; rank < computing.size(); ++rank) {
    const std::string profile = fmt::format("{}/rank_{}_ascend_pt", folder, rank);
    std::filesystem::create_directories(profile + "/ASCEND_PROFILER_OUTPUT");
    WriteFileOrDie(fmt::format("{}/profiler_info_{}.json", profile, rank), "{}");
    WriteFileOrDie(profile + "/ASCEND_PROFILER_OUTPUT/step_trace_time.csv",
                   fmt::format("Step,Computing,Communication(Not Overlapped),Communication,Free\n"
                               "7,{0},{1},{1},0\n",
                               computing[rank], 10'000 - computing[rank]));
  }
}

TEST(ProfileProgram, TwoClustersAreComparedRankByRank) {
  const TempDir dir;
  WriteCluster(dir.path() + "/before", {5000, 5000, 5000, 5000});
  WriteCluster(dir.path() + "/after", {5000, 5000, 8000, 5000, 5000});
  std::vector<std::string> call = {"profile", "cluster", dir.path() + "/after", "--against",
                                   dir.path() + "/before"};
  const Ran ran = RunProgram(call);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("4 ranks in both"), HasSubstr("+3.00 ms"),
                             HasSubstr("unlike the others"), HasSubstr("Only after: 4.")));
  call.emplace_back("--json");
  const json cluster = Lines(RunProgram(call).out).at(0);
  EXPECT_EQ(cluster["against"]["ranks"][2]["stands_out"], true);
  EXPECT_EQ(cluster["ranks"].size(), 5);
}

TEST(ProfileProgram, ClustersWithoutACommonRankAreNotCompared) {
  const TempDir dir;
  WriteCluster(dir.path() + "/before", {5000});
  const Ran ran =
      RunProgram({"profile", "cluster", dir.path() + "/before", "--against", "/nowhere"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere"));
  const Ran other = RunProgram({"profile", "cluster", CorpusPath("profiler/step_trace"),
                                "--against", dir.path() + "/before"});
  EXPECT_EQ(other.exit_code, 2);
  EXPECT_THAT(other.err, HasSubstr("no rank has device steps in both clusters"));
}

TEST(ProfileProgram, TheUseOfThePeakIsSaidWhereTheUserGivesTheOperations) {
  const TempDir dir;
  WriteCluster(dir.path(), {5000, 5000});
  EXPECT_THAT(RunProgram({"profile", "cluster", dir.path(), "--step-flops", "1e12", "--peak-flops",
                          "100e12", "--step-tokens", "4096"})
                  .out,
              HasSubstr("A step takes 10.00 ms on 2 ranks: 50.0 TFLOP/s a device, 50.0 % of its "
                        "peak (MFU); 409600 tokens/s"));
  EXPECT_EQ(RunProgram({"profile", "cluster", dir.path(), "--peak-flops", "1e12"}).exit_code, 2);
  EXPECT_EQ(RunProgram({"profile", "cluster", dir.path(), "--step-flops", "-1"}).exit_code, 2);
}

TEST(ProfileProgram, InfoOfAFolderShowsEveryProfileInIt) {
  const Ran ran = RunProgram({"profile", "info", "--json", CorpusPath("profiler/mindspore_2_0")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_EQ(Lines(ran.out).size(), 3);
}

TEST(ProfileProgram, StepsSayThatTheyAreInferred) {
  const Ran ran = RunProgram({"profile", "steps", "--json", Folder()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const json steps = Lines(ran.out).at(0);
  EXPECT_EQ(steps["inferred"], true);
  EXPECT_EQ(steps["steps"].size(), 3);
  EXPECT_THAT(RunProgram({"profile", "steps", Folder()}).out, HasSubstr("inferred"));
  const Ran recorded = RunProgram({"profile", "steps", CorpusPath("profiler/step_trace/async")});
  EXPECT_THAT(recorded.out, AllOf(HasSubstr("5 steps"), HasSubstr("1.80 ms (4.5 %)")));
}

// The mean of the steps, with these variables set.
json MeanWith(const std::vector<std::pair<const char*, const char*>>& variables) {
  for (const auto& [name, value] : variables) setenv(name, value, 1);
  const Ran ran = RunProgram({"profile", "steps", "--json", Folder()});
  for (const auto& [name, value] : variables) unsetenv(name);
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  return Lines(ran.out).at(0)["mean"];
}

TEST(ProfileProgram, StepsSayWhyDevicesAreIdleAndThatSeveralAreAdded) {
  const TempDir dir;
  WriteFileOrDie(dir.File("trace.json"), R"([
    {"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":90,"dur":2,"args":{"correlation":1}},
    {"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":92,"dur":2,"args":{"correlation":2}},
    {"ph":"X","name":"gemm","cat":"kernel","pid":2,"tid":7,"ts":100,"dur":10,"args":{"correlation":1}},
    {"ph":"X","name":"gemm","cat":"kernel","pid":3,"tid":7,"ts":100,"dur":10,"args":{"correlation":2}},
    {"ph":"X","name":"aten::item","cat":"cpu_op","pid":1,"tid":1,"ts":100,"dur":100},
    {"ph":"X","name":"launch","cat":"cuda_runtime","pid":1,"tid":1,"ts":200,"dur":5,"args":{"correlation":3}},
    {"ph":"X","name":"gemm","cat":"kernel","pid":2,"tid":7,"ts":205,"dur":10,"args":{"correlation":3}}
  ])");
  const Ran ran = RunProgram({"profile", "steps", dir.File("trace.json")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("In all (125.0 us, the sum of 2 devices): computing 30.0 us"));
  EXPECT_THAT(ran.out, HasSubstr("idle 95.0 us (76.0 %): for the host 95.0 us (76.0 %)"));
  EXPECT_THAT(ran.out, HasSubstr("While a device waited for the host: reading a value from the "
                                 "device (item) 90.0 us (most: aten::item 90.0 us)"));
}

TEST(ProfileProgram, StepsAreDividedAtTheOperatorsThatTheEnvironmentNames) {
  constexpr auto* kFirst = "Default/network-WithLossCell/_backbone-LeNet5/conv1-Conv2d/Conv2D-op0";
  constexpr auto* kLater = "Default/network-WithLossCell/_backbone-LeNet5/conv2-Conv2d/Conv2D-op0";
  const json plain = MeanWith({});
  const json later = MeanWith({{"FP_POINT", kLater}});
  EXPECT_GT(later["gap_us"], plain["gap_us"]);
  EXPECT_LT(later["work_us"], plain["work_us"]);
  EXPECT_EQ(MeanWith({{"PROFILING_FP_START", kLater}}), later);
  EXPECT_EQ(MeanWith({{"FP_POINT", kLater}, {"PROFILING_FP_START", kFirst}}), later);
  const json early = MeanWith({{"BP_POINT", kLater}});
  EXPECT_GT(early["tail_us"], plain["tail_us"]);
  EXPECT_EQ(MeanWith({{"PROFILING_BP_END", kLater}}), early);
}

TEST(ProfileProgram, DataNamesTheSlowOperator) {
  const std::string folder = CorpusPath("profiler/mindspore_2_0/minddata_slowgen");
  const Ran ran = RunProgram({"profile", "data", folder});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, AllOf(HasSubstr("150 batches: 144 found the queue empty"),
                             HasSubstr("GeneratorOp_6")));
  const json data = Lines(RunProgram({"profile", "data", "--json", folder}).out).at(0);
  std::vector<std::string> rules;
  for (const json& advice : data["advice"]) rules.push_back(advice["rule"]);
  EXPECT_THAT(rules, ElementsAre("data-process", "slow-operator", "idle-workers", "prefetch",
                                 "idle-workers", "idle-workers", "idle-workers", "leaf-queue"));
}

TEST(ProfileProgram, MemoryShowsThePeak) {
  const Ran ran = RunProgram(
      {"profile", "memory", "--json", CorpusPath("profiler/mindspore_2_7/memory_ascend_ms")});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const auto lines = Lines(ran.out);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[1]["peak"], 1073741824);
  EXPECT_THAT(RunProgram({"profile", "memory", Folder()}).out, HasSubstr("no records of memory"));
}

TEST(ProfileProgram, MemoryOfASnapshotNamesTheStacksAtThePeak) {
  const std::string path = CorpusPath("profiler/snapshot/protocol4_snapshot.pickle");
  const auto lines = Lines(RunProgram({"profile", "memory", "--json", path}).out);
  ASSERT_EQ(lines.size(), 5) << "allocated and reserved memory of two devices, and one peak";
  EXPECT_EQ(lines[4]["device"], "device 0");
  EXPECT_EQ(lines[4]["peak"], 9300);
  EXPECT_EQ(lines[4]["holders"][0]["stack"],
            json({"load /src/load.py:9", "train /src/train.py:2"}));
  const Ran ran = RunProgram({"profile", "memory", path});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("on device 0, held by 2 call stacks"));
  EXPECT_THAT(ran.out, HasSubstr("  train /src/train.py:2\n"));
}

TEST(ProfileProgram, CompareFindsNoDifferenceBetweenAProfileAndItself) {
  const Ran ran = RunProgram({"profile", "compare", "--json", Folder(), Folder()});
  EXPECT_EQ(ran.exit_code, 0) << ran.err;
  const json comparison = Lines(ran.out).at(0);
  EXPECT_EQ(comparison["steps_before"], 3);
  for (const json& part : comparison["operators"]) EXPECT_EQ(part["difference_us"], 0);
}

TEST(ProfileProgram, BelowAMemoryLimitEveryVerbSaysTheSame) {
  const std::vector<std::vector<std::string>> verbs = {
      {"summary"},           {"info"},   {"ops"}, {"steps"}, {"data"}, {"flame"}, {"memory"},
      {"compare", Folder()}, {"cluster"}};
  for (std::vector<std::string> arguments : verbs) {
    SCOPED_TRACE(arguments.front());
    arguments.insert(arguments.begin(), "profile");
    arguments.insert(arguments.end(), {"--json", Folder()});
    const Ran without = RunProgram(arguments);
    arguments.emplace_back("--memory-limit=64MB");
    const Ran limited = RunProgram(arguments);
    EXPECT_EQ(limited.exit_code, without.exit_code) << limited.err;
    EXPECT_EQ(limited.out, without.out);
    arguments.back() = "--memory-limit=63MB";
    const Ran little = RunProgram(arguments);
    EXPECT_EQ(little.exit_code, 2);
    EXPECT_THAT(little.err, HasSubstr("a memory limit of 63000000 bytes"));
  }
}

TEST(ProfileProgram, ExportKeepsAMemoryLimitToo) {
  const TempDir dir;
  std::vector<std::string> arguments = {"profile", "export", Folder(), "-o", dir.File("whole")};
  EXPECT_EQ(RunProgram(arguments).exit_code, 0);
  arguments.insert(arguments.end(), {"--memory-limit=64MB"});
  arguments[4] = dir.File("limited");
  const Ran limited = RunProgram(arguments);
  EXPECT_EQ(limited.exit_code, 0) << limited.err;
  EXPECT_TRUE(ReadFileOrDie(dir.File("limited")) == ReadFileOrDie(dir.File("whole")));
  arguments.back() = "--memory-limit=63MB";
  EXPECT_EQ(RunProgram(arguments).exit_code, 2);
}

TEST(ProfileProgram, DamageIsNamedAndWhatIsNoProfileIsRefused) {
  const TempDir dir;
  const std::string trace = ReadFileOrDie(Folder() + "/ASCEND_PROFILER_OUTPUT/trace_view.json");
  WriteFileOrDie(dir.File("cut.json"), trace.substr(0, trace.size() / 2));
  const Ran cut = RunProgram({"profile", "ops", "--json", dir.File("cut.json")});
  EXPECT_EQ(cut.exit_code, 1);
  EXPECT_THAT(cut.err, HasSubstr("within an event"));
  EXPECT_FALSE(Lines(cut.out).empty());
  WriteFileOrDie(dir.File("other.json"), "{}");
  EXPECT_EQ(RunProgram({"profile", "ops", dir.File("other.json")}).exit_code, 2);
  EXPECT_EQ(RunProgram({"profile", "ops", dir.File("nowhere")}).exit_code, 2);
  const Ran several = RunProgram({"profile", "ops", CorpusPath("profiler/mindspore_2_0")});
  EXPECT_EQ(several.exit_code, 2);
  EXPECT_THAT(several.err, HasSubstr("name one of them"));
}

TEST(ProfileProgram, ExportCutsATraceThatCanBeReadAgain) {
  const TempDir dir;
  for (const std::string name : {"/part.perfetto-trace", "/part.json"}) {
    const std::string part = dir.path() + name;
    const Ran ran = RunProgram({"profile", "export", Folder(), "--to", "4ms", "-o", part});
    ASSERT_EQ(ran.exit_code, 0) << ran.err;
    const json info = Lines(RunProgram({"profile", "info", "--json", part}).out).at(0);
    EXPECT_EQ(info["events"], info["modelled"]) << name;
    EXPECT_GT(info["spans"], 0);
    EXPECT_LT(info["spans"], 557);
  }
}

TEST(ProfileProgram, AnAnonymousExportTellsNoPath) {
  const TempDir dir;
  WriteFileOrDie(dir.File("trace.json"),
                 R"([{"ph":"X","name":"/home/me/a.py(1): f","pid":1,"tid":1,"ts":1,"dur":2}])");
  const std::string out = dir.File("out.json");
  const Ran ran =
      RunProgram({"profile", "export", "--anonymous", dir.File("trace.json"), "-o", out});
  ASSERT_EQ(ran.exit_code, 0) << ran.err;
  EXPECT_THAT(ReadFileOrDie(out), HasSubstr(R"("name":"file1.py(1): f")"));
}

TEST(ProfileProgram, ExportRefusesWhatIsNoTime) {
  const TempDir dir;
  const std::string out = dir.path() + "/part.json";
  for (const std::string time : {"soon", "-1", "1h", ""}) {
    const Ran ran = RunProgram({"profile", "export", Folder(), "--from=" + time + "x", "-o", out});
    EXPECT_EQ(ran.exit_code, 2);
    EXPECT_THAT(ran.err, HasSubstr("but must be a time from 0 on, like 1.5, 20ms or 300us"));
  }
  const Ran turned =
      RunProgram({"profile", "export", Folder(), "--from", "2", "--to", "1ms", "-o", out});
  EXPECT_EQ(turned.exit_code, 2);
  EXPECT_THAT(turned.err, HasSubstr("--from 2 is after --to 1ms"));
  const Ran late = RunProgram({"profile", "export", Folder(), "--from", "60", "-o", out});
  EXPECT_EQ(late.exit_code, 2);
  EXPECT_THAT(late.err, HasSubstr("--from 60 is after the profile's end at "));
}

TEST(ProfileProgram, ExportSaysWhereItCannotWrite) {
  const Ran ran = RunProgram({"profile", "export", Folder(), "-o", "/nowhere/part.json"});
  EXPECT_EQ(ran.exit_code, 2);
  EXPECT_THAT(ran.err, HasSubstr("/nowhere"));
}

TEST(ProfileProgram, FlamePrintsFoldedStacks) {
  const TempDir dir;
  const std::string trace = dir.path() + "/trace.json";
  WriteFileOrDie(trace, R"([{"ph":"X","name":"outer","tid":1,"ts":0,"dur":5},)"
                        R"({"ph":"X","name":"inner","tid":1,"ts":1,"dur":2}])");
  EXPECT_EQ(RunProgram({"profile", "flame", trace}).out, "1;outer 3000\n1;outer;inner 2000\n");
  const auto lines = Lines(RunProgram({"profile", "flame", "--json", trace}).out);
  ASSERT_EQ(lines.size(), 2);
  EXPECT_EQ(lines[1], json({{"stack", "1;outer;inner"}, {"self_us", 2}, {"count", 1}}));
}

TEST(ProfileProgram, SqlAnswersAQuery) {
  const TempDir dir;
  const std::string trace = dir.path() + "/trace.json";
  WriteFileOrDie(trace, R"([{"ph":"X","name":"outer","tid":1,"ts":0,"dur":5},)"
                        R"({"ph":"X","name":"inner","tid":1,"ts":1,"dur":2}])");
  const std::string query = "select name, duration, duration / 2.0 as half, type from spans";
  EXPECT_EQ(RunProgram({"profile", "sql", trace, query}).out,
            "name   duration  half  type\nouter      5000  2500\ninner      2000  1000\n");
  EXPECT_EQ(Lines(RunProgram({"profile", "sql", "--json", trace, query}).out).at(1),
            json({{"name", "inner"}, {"duration", 2000}, {"half", 1000.0}, {"type", nullptr}}));
  EXPECT_THAT(RunProgram({"profile", "sql", trace}).out, HasSubstr("spans: what ran"));
  const Ran refused = RunProgram({"profile", "sql", trace, "drop table spans"});
  EXPECT_EQ(refused.exit_code, 2);
  EXPECT_THAT(refused.err, HasSubstr("a profile can only be read"));
}

TEST(ProfileProgram, AStepPointThatIsNoOperatorIsSaid) {
  const Ran absent = RunProgram({"profile", "steps", "--fp-point", "Default/none", Folder()});
  EXPECT_EQ(absent.exit_code, 0);
  EXPECT_THAT(absent.err, HasSubstr("no operator is named Default/none; --fp-point is ignored"));
  EXPECT_EQ(absent.out, RunProgram({"profile", "steps", Folder()}).out);
  const auto lines = Lines(RunProgram({"profile", "ops", "--each", "--json", Folder()}).out);
  const std::string name = lines.at(0).at("name");
  EXPECT_EQ(RunProgram({"profile", "steps", "--bp-point", name, Folder()}).err, "");
}

}  // namespace
}  // namespace sightline
