#include "sightline/ir/graph_dumper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sightline/ir/dump_files.h"
#include "sightline/ir/folder.h"
#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/ir/sorted.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_meaning.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using testing::FaultyFileSystem;
using testing::FileOperation;
using testing::FrameworkGraph;
using testing::GraphMeaning;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using ::testing::IsSupersetOf;
using testing::MemoryFileSystem;
using ::testing::Not;
using ::testing::SizeIs;
using testing::TempDir;
using ::testing::UnorderedElementsAre;

DumpOptions At(int level, FileSystem& files, const std::string& path = "graphs") {
  DumpOptions options;
  options.level = level;
  options.path = path;
  options.file_system = &files;
  return options;
}

// A file system whose first file waits to be opened.
class GatedFileSystem : public FaultyFileSystem {
 public:
  using FaultyFileSystem::FaultyFileSystem;

  Result<std::unique_ptr<WritableFile>> OpenForWrite(const std::string& path,
                                                     OpenMode mode) override {
    {
      std::unique_lock lock(mutex_);
      waits_ = true;
      changed_.notify_all();
      changed_.wait(lock, [this] { return open_; });
    }
    return FaultyFileSystem::OpenForWrite(path, mode);
  }
  void AwaitWriter() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [this] { return waits_; });
  }
  void Open() {
    const std::lock_guard lock(mutex_);
    open_ = true;
    changed_.notify_all();
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  bool waits_ = false;
  bool open_ = false;
};

class GraphDumperTest : public ::testing::Test {
 protected:
  // A compilation with a dump of each kind.
  static void Compile(GraphDumper& dumper) {
    const auto dump = [&](const DumpPoint& point, const std::vector<std::string>& primitives) {
      const auto graph = FrameworkGraph::Small(primitives);
      dumper.Dump(point, graph.Visitor());
    };
    dumper.StartCompilation();
    dump(DumpPoint::Stage("bootstrap"), {"Add"});
    dump(DumpPoint::Pass("inline"), {"Add", "Mul"});
    dump(DumpPoint::Substep("opt_a", 1, 0, 0, "a_1"), {"Add", "Mul", "Sub"});
    dump(DumpPoint::Substitution("opt_a", 1, "a_1", "cse"), {"Add", "Sub"});
    dump(DumpPoint::KernelGraph("common_final_graph_0"), {"MatMul"});
    dump(DumpPoint::BackEndDetail("expand_Add"), {"Add", "Add"});
  }

  // Names of the files that are there after a compilation, with options_ at this level.
  std::vector<std::string> Written(int level) {
    options_.level = level;
    for (const std::string& path : memory_.Files("graphs"))
      EXPECT_THAT(memory_.Remove(path), IsOk());
    GraphDumper dumper(options_);
    Compile(dumper);
    EXPECT_THAT(dumper.Close(), IsOk());
    std::vector<std::string> names;
    for (const std::string& path : memory_.Files("graphs"))
      names.push_back(path.substr(std::string("graphs/").size()));
    return names;
  }

  MemoryFileSystem memory_;
  FaultyFileSystem files_{memory_};
  DumpOptions options_ = At(1, memory_);
};

TEST_F(GraphDumperTest, Level0LooksAtNoGraph) {
  GraphDumper dumper(At(0, memory_));
  EXPECT_FALSE(dumper.Wants(DumpPoint::Stage("validate")));
  dumper.Dump(DumpPoint::Stage("validate"), [](GraphVisitor&) { ADD_FAILURE(); });
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperTest, Level1IsStagesPassesAndKernelGraphs) {
  EXPECT_THAT(Written(1), ElementsAre("00_bootstrap_0000.ir", "hwopt_common_final_graph_0_0002.ir",
                                      "opt_pass_0_inline_0001.ir"));
}

TEST_F(GraphDumperTest, Level2AddsDetailOfTheBackEnd) {
  EXPECT_THAT(Written(2), UnorderedElementsAre("00_bootstrap_0000.ir", "opt_pass_0_inline_0001.ir",
                                               "hwopt_common_final_graph_0_0002.ir",
                                               "verbose_ir_files/expand_Add_0003.ir"));
}

TEST_F(GraphDumperTest, Level3AddsStepsSubstitutionsAndPictures) {
  EXPECT_THAT(Written(3),
              UnorderedElementsAre(
                  "00_bootstrap_0000.ir", "00_bootstrap_0001.dot", "opt_pass_0_inline_0002.ir",
                  "opt_pass_0_inline_0003.dot", "opt_substep_opt_a_r1_j0_0_a_1_0004.ir",
                  "opt_substep_opt_a_r1_j0_0_a_1_0005.dot", "opt_a.r1.a_1.cse_0006.ir",
                  "opt_a.r1.a_1.cse_0007.dot", "hwopt_common_final_graph_0_0008.ir",
                  "verbose_ir_files/expand_Add_0009.ir"));
  EXPECT_THAT(memory_.Get("graphs/00_bootstrap_0001.dot"),
              AllOf(HasSubstr("digraph"), HasSubstr("Add")));
}

TEST_F(GraphDumperTest, PassesSelectByNameAndBringInSteps) {
  options_.passes = {"bootstrap", "opt_a"};
  EXPECT_THAT(Written(1),
              UnorderedElementsAre("00_bootstrap_0000.ir", "opt_substep_opt_a_r1_j0_0_a_1_0002.ir",
                                   "opt_a.r1.a_1.cse_0003.ir"));
}

TEST_F(GraphDumperTest, PassesAtLevel0DumpNothing) {
  options_.passes = {"_"};
  EXPECT_THAT(Written(0), IsEmpty());
}

// So that a dump has the name that it would have without.
TEST_F(GraphDumperTest, NumbersOfDumpsThatAreLeftOutStayFree) {
  const std::vector<std::string> all = Written(3);
  options_.passes = {"cse", "expand"};
  EXPECT_THAT(Written(3),
              UnorderedElementsAre("opt_a.r1.a_1.cse_0006.ir", "opt_a.r1.a_1.cse_0007.dot",
                                   "verbose_ir_files/expand_Add_0009.ir"));
  EXPECT_THAT(all,
              IsSupersetOf({"opt_a.r1.a_1.cse_0007.dot", "verbose_ir_files/expand_Add_0009.ir"}));
}

TEST_F(GraphDumperTest, OfEachIntervalOneDumpIsWritten) {
  options_.interval = 3;
  EXPECT_THAT(Written(2), UnorderedElementsAre("hwopt_common_final_graph_0_0002.ir"));
}

TEST_F(GraphDumperTest, WhatIsLeftOutIsNotLookedAt) {
  DumpOptions options = At(1, memory_);
  options.passes = {"validate"};
  GraphDumper dumper(options);
  dumper.Dump(DumpPoint::Stage("parse"), [](GraphVisitor&) { ADD_FAILURE(); });
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_EQ(dumper.Stats().dumps, 0);
}

TEST_F(GraphDumperTest, StagesPrintWholeNamesAndPassesScopes) {
  Written(1);
  EXPECT_THAT(memory_.Get("graphs/00_bootstrap_0000.ir"),
              HasSubstr("# Fullname with scope: (Default/net/Add-op0)"));
  EXPECT_THAT(memory_.Get("graphs/opt_pass_0_inline_0001.ir"), HasSubstr("# Scope: (Default/net)"));
}

TEST_F(GraphDumperTest, ASecondCompilationBeginsItsStagesAgain) {
  GraphDumper dumper(At(1, memory_));
  Compile(dumper);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_TRUE(memory_.Exists("graphs/00_bootstrap_0003.ir"));
}

TEST_F(GraphDumperTest, EqualDumpsAreHardLinks) {
  const TempDir dir;
  GraphDumper dumper(At(1, FileSystem::Local(), dir.File("graphs")));
  for (const char* stage : {"parse", "inline", "validate"}) {
    const auto graph = FrameworkGraph::Small({"Add"});  // At another address each time.
    dumper.Dump(DumpPoint::Stage(stage), graph.Visitor());
  }
  const auto other = FrameworkGraph::Small({"Sub"});
  dumper.Dump(DumpPoint::Stage("execute"), other.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("graphs/00_parse_0000.ir")), 3);
  EXPECT_TRUE(std::filesystem::equivalent(dir.File("graphs/00_parse_0000.ir"),
                                          dir.File("graphs/02_validate_0002.ir")));
  EXPECT_EQ(std::filesystem::hard_link_count(dir.File("graphs/03_execute_0003.ir")), 1);
  EXPECT_EQ(dumper.Stats().links, 2);
  EXPECT_EQ(dumper.Stats().files, 2);
}

TEST_F(GraphDumperTest, TheFolderIsReadWithItsUnchangedDumpsCollapsed) {
  const TempDir dir;
  GraphDumper dumper(At(2, FileSystem::Local(), dir.path()));
  Compile(dumper);
  const auto graph = FrameworkGraph::Small({"Add"});
  for (const char* pass : {"a", "b", "c"}) dumper.Dump(DumpPoint::Pass(pass), graph.Visitor());
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto folder = ReadFolder(LocalDumps(), dir.path(), {});
  ASSERT_THAT(folder, IsOk());
  ASSERT_THAT(folder->runs, SizeIs(1));
  ASSERT_THAT(folder->runs[0].compilations, SizeIs(2));
  EXPECT_THAT(folder->runs[0].compilations[0].kernel_sets, SizeIs(1));
  std::vector<std::string> changed;
  for (const Dump& dump : folder->dumps) {
    EXPECT_THAT(dump.error, IsOk());
    EXPECT_EQ(dump.figures.problem_count, 0) << dump.path;
    if (dump.changed && dump.before) changed.push_back(dump.path);
  }
  EXPECT_THAT(changed, ElementsAre("opt_pass_0_inline_0001.ir", "opt_pass_1_a_0004.ir",
                                   "opt_pass_0_inline_0008.ir"));
}

// With control flow, symbolic shapes, and behind kernel selection.
TEST_F(GraphDumperTest, TheTextIsTheGraphThatWasVisited) {
  for (const char* name :
       {"control_flow_grad/20_validate_0077.ir", "dyn/20_validate_0074.ir",
        "dyn/hwopt_common_final_graph_0_0121.ir", "mlp_level1/graph_build_0_0090.ir"}) {
    const auto module = ReadIr(FileSystem::Local(), testing::CorpusPath("ir/" + std::string(name)));
    ASSERT_THAT(module, IsOk());
    const FrameworkGraph graph = FrameworkGraph::Of(*module);
    for (const bool sorted : {false, true}) {
      DumpOptions options = At(1, memory_);
      options.sorted = sorted;
      GraphDumper dumper(options);
      dumper.Dump(DumpPoint::Stage("validate"), graph.Visitor());
      EXPECT_THAT(dumper.Close(), IsOk());
      const std::string text = memory_.Get("graphs/00_validate_0000.ir");
      const auto read = ParseIr(text);
      ASSERT_THAT(read, IsOk());
      EXPECT_EQ(read->problem_count, 0);
      using enum GraphMeaning::Detail;
      EXPECT_TRUE(GraphMeaning(*read, kGraph).results() == GraphMeaning(*module, kGraph).results())
          << name;
      EXPECT_EQ(text.find("# Total subgraph: ") != std::string::npos, sorted);
    }
  }
}

TEST_F(GraphDumperTest, TheGraphMayGoAsSoonAsTheCallReturns) {
  GatedFileSystem gated(memory_);
  GraphDumper dumper(At(1, gated));
  const auto first = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("first"), first.Visitor());
  gated.AwaitWriter();
  auto graph = std::make_unique<FrameworkGraph>(FrameworkGraph::Small({"Sub"}));
  dumper.Dump(DumpPoint::Stage("second"), graph->Visitor());
  for (auto& op : graph->subgraphs[0].ops) op.primitive.assign(op.primitive.size(), '!');
  graph.reset();
  gated.Open();
  EXPECT_THAT(dumper.Flush(), IsOk());
  EXPECT_THAT(memory_.Get("graphs/01_second_0001.ir"), HasSubstr("= Sub(%para1_x)"));
}

TEST_F(GraphDumperTest, WithoutRoomADumpIsDroppedAndItsNumberStaysFree) {
  GatedFileSystem gated(memory_);
  DumpOptions options = At(1, gated);
  options.buffer_bytes = 1;
  options.when_full = WhenFull::kDrop;
  GraphDumper dumper(options);
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("first"), graph.Visitor());  // Larger than the buffer: alone.
  gated.AwaitWriter();
  dumper.Dump(DumpPoint::Stage("dropped"), graph.Visitor());
  EXPECT_EQ(dumper.Stats().dropped, 1);
  gated.Open();
  EXPECT_THAT(dumper.Flush(), IsOk());
  dumper.Dump(DumpPoint::Stage("third"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files("graphs"),
              ElementsAre("graphs/00_first_0000.ir", "graphs/02_third_0002.ir"));
  EXPECT_EQ(dumper.Stats().dumps, 2);
}

TEST_F(GraphDumperTest, OrWaitsForRoom) {
  GatedFileSystem gated(memory_);
  DumpOptions options = At(1, gated);
  options.buffer_bytes = 1;
  GraphDumper dumper(options);
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("first"), graph.Visitor());
  gated.AwaitWriter();
  std::thread compiler([&] { dumper.Dump(DumpPoint::Stage("second"), graph.Visitor()); });
  gated.Open();
  compiler.join();
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_EQ(dumper.Stats().dumps, 2);
  EXPECT_EQ(dumper.Stats().dropped, 0);
  EXPECT_THAT(memory_.Files("graphs"), SizeIs(2));
}

TEST_F(GraphDumperTest, AnyCallToTheFileSystemMayFail) {
  std::uint64_t n = 1;
  for (;; ++n) {
    const std::string path = "graphs" + std::to_string(n);
    const std::uint64_t fired = files_.fired();
    files_.FailCall(n, StatusCode::kIoError);
    GraphDumper dumper(At(3, files_, path));
    Compile(dumper);
    const Status status = dumper.Close();
    const DumperStats stats = dumper.Stats();
    EXPECT_EQ(stats.dumps, 6);
    files_.Heal();
    if (files_.fired() == fired) {
      EXPECT_THAT(status, IsOk());
      break;
    }
    EXPECT_THAT(status, IsStatus(StatusCode::kIoError, "injected fault")) << n;
    EXPECT_EQ(stats.errors, 1) << n;
    EXPECT_GE(memory_.Files(path).size(), 9) << n;  // Of ten.
    for (const std::string& file : memory_.Files(path))
      EXPECT_THAT(file, Not(HasSubstr("unfinished"))) << n;
  }
  EXPECT_GT(n, 30);
}

TEST_F(GraphDumperTest, AFullDiskIsReportedAndWhenThereIsRoomAgainItGoesOn) {
  GraphDumper dumper(At(1, memory_));
  const auto first = FrameworkGraph::Small({"Add"});
  const auto second = FrameworkGraph::Small({"Sub"});
  memory_.SetCapacity(100);
  dumper.Dump(DumpPoint::Stage("first"), first.Visitor());
  EXPECT_THAT(dumper.Flush(), IsStatus(StatusCode::kResourceExhausted, "00_first_0000"));
  EXPECT_THAT(memory_.Files(), IsEmpty());
  memory_.SetCapacity(1 << 20);
  dumper.Dump(DumpPoint::Stage("second"), second.Visitor());
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kResourceExhausted, "no space left"));
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/01_second_0001.ir"));
  EXPECT_EQ(dumper.Stats().errors, 1);
}

TEST_F(GraphDumperTest, AnExceptionOfTheFrameworkEndsTheDumpAlone) {
  GraphDumper dumper(At(1, memory_));
  dumper.Dump(DumpPoint::Stage("broken"), [](GraphVisitor& visitor) {
    visitor.Subgraph({.name = "main"});
    throw std::runtime_error("a node is gone");
  });
  dumper.Dump(DumpPoint::Stage("strange"), [](GraphVisitor&) { throw 1; });
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("whole"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kFailedPrecondition,
                                       "the dump broken was broken off: a node is gone"));
  EXPECT_EQ(dumper.Stats().errors, 2);
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/00_whole_0000.ir"));
}

TEST_F(GraphDumperTest, AGraphWithoutSubgraphsIsAnError) {
  GraphDumper dumper(At(1, memory_));
  dumper.Dump(DumpPoint::Stage("empty"), [](GraphVisitor&) {});
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kInvalidArgument, "00_empty_0000: no subgraph"));
}

TEST_F(GraphDumperTest, OptionsOutOfRangeDumpNothing) {
  DumpOptions options = At(9, memory_);
  GraphDumper dumper(options);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kInvalidArgument, "level is 9"));
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperTest, ARankHasAFolder) {
  DumpOptions options = At(1, memory_);
  options.rank = 3;
  GraphDumper dumper(options);
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("graphs/rank_3/00_parse_0000.ir"));
  const auto folder = ReadFolder(memory_, "graphs", {});
  ASSERT_THAT(folder, IsOk());
  EXPECT_EQ(folder->runs[0].rank, 3);
}

TEST_F(GraphDumperTest, WithoutAPathItIsTheCurrentFolder) {
  GraphDumper dumper(At(1, memory_, ""));
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("parse"), graph.Visitor());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), ElementsAre("00_parse_0000.ir"));
}

TEST_F(GraphDumperTest, CompressedDumpsAreReadAsOthersAre) {
  const TempDir dir;
  DumpOptions options = At(1, FileSystem::Local(), dir.path());
  options.compress = true;
  GraphDumper dumper(options);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto module = ReadIr(LocalDumps(), dir.File("00_bootstrap_0000.ir.gz"));
  ASSERT_THAT(module, IsOk());
  EXPECT_EQ(module->nodes.size(), 2);
  const auto folder = ReadFolder(LocalDumps(), dir.path(), {});
  ASSERT_THAT(folder, IsOk());
  EXPECT_THAT(folder->dumps, SizeIs(3));
}

TEST_F(GraphDumperTest, AfterCloseNothingIsDumped) {
  GraphDumper dumper(At(1, memory_));
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("late"), graph.Visitor());
  EXPECT_THAT(dumper.Flush(), IsOk());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperTest, ManyThreadsGetNumbersOfTheirOwn) {
  GraphDumper dumper(At(1, memory_));
  const auto graph = FrameworkGraph::Small({"Add"});
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      for (int k = 0; k < 25; ++k) dumper.Dump(DumpPoint::KernelGraph("x"), graph.Visitor());
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), SizeIs(100));
  EXPECT_TRUE(memory_.Exists("graphs/hwopt_x_0099.ir"));
  EXPECT_EQ(dumper.Stats().files, 1);
  EXPECT_EQ(dumper.Stats().links, 99);
}

TEST_F(GraphDumperTest, AForkedChildDumpsNothing) {
  const TempDir dir;
  const auto graph = FrameworkGraph::Small({"Add"});
  {
    GraphDumper dumper(At(1, FileSystem::Local(), dir.path()));
    dumper.Dump(DumpPoint::Stage("parent"), graph.Visitor());
    EXPECT_THAT(dumper.Flush(), IsOk());
    const pid_t child = fork();
    if (child == 0) {
      dumper.Dump(DumpPoint::Stage("child"), graph.Visitor());
      const bool refused = !dumper.Wants(DumpPoint::Stage("x")) && !dumper.Close().ok();
      _exit(refused ? 0 : 1);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
    dumper.Dump(DumpPoint::Stage("parent"), graph.Visitor());
  }
  EXPECT_TRUE(std::filesystem::exists(dir.File("01_parent_0001.ir")));
  EXPECT_FALSE(std::filesystem::exists(dir.File("01_child_0001.ir")));
}

}  // namespace
}  // namespace sightline::ir
