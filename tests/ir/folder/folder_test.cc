#include "sightline/ir/folder/folder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <string>
#include <vector>

#include "sightline/ir/folder/folder_order.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Pair;
using testing::SmallDump;

class FolderTest : public ::testing::Test {
 protected:
  // Dumps with one statement each, in this order of time.
  void Write(const std::vector<std::string>& names) {
    for (const std::string& name : names) files_.Put("graphs/" + name, SmallDump("Add"));
  }

  // A dump of the graph @ENTRY.
  void WriteGraph(const std::string& name, const std::string& entry, const std::string& callees) {
    std::string text = SmallDump(callees);
    for (std::size_t at = 0; (at = text.find("main_1", at)) != std::string::npos;)
      text.replace(at, 6, entry);
    files_.Put("graphs/" + name, text);
  }

  // Of each dump the number of the one that it is compared with; "-" for none, in front of those of
  // other graphs "other".
  std::vector<std::string> Compared() {
    std::vector<std::string> compared;
    for (const Dump& dump : Read().dumps) {
      compared.push_back((dump.other_graph ? "other " : "") +
                         (dump.before ? std::to_string(*dump.before) : "-"));
    }
    return compared;
  }

  Folder Read() {
    auto folder = ReadFolder(files_, "graphs", {});
    EXPECT_THAT(folder, IsOk());
    return *std::move(folder);
  }

  static std::vector<std::string> Paths(const Folder& folder, Range range) {
    std::vector<std::string> paths;
    for (std::uint32_t i = range.begin; i < range.end(); ++i) paths.push_back(folder.dumps[i].path);
    return paths;
  }

  // Each dump with its place: "r1c2k1 name"; a run, then a compilation, then a kernel graph.
  std::vector<std::string> Places() {
    const Folder folder = Read();
    std::vector<std::string> places(folder.dumps.size());
    for (std::size_t r = 0; r < folder.runs.size(); ++r) {
      const ir::Run& run = folder.runs[r];
      const auto mark = [&places](Range range, const std::string& text) {
        for (std::uint32_t i = range.begin; i < range.end(); ++i) places[i] += text;
      };
      mark(run.dumps, "r" + std::to_string(r + 1));
      mark(run.unnumbered, "r" + std::to_string(r + 1) + " unnumbered");
      for (std::size_t c = 0; c < run.compilations.size(); ++c) {
        mark(run.compilations[c].dumps, "c" + std::to_string(c + 1));
        for (std::size_t k = 0; k < run.compilations[c].kernel_sets.size(); ++k)
          mark(run.compilations[c].kernel_sets[k].dumps, "k" + std::to_string(k + 1));
      }
    }
    for (std::size_t i = 0; i < places.size(); ++i) places[i] += " " + folder.dumps[i].path;
    return places;
  }

  testing::MemoryFileSystem files_;
};

TEST_F(FolderTest, DumpsAreInTheOrderOfTheirNumbers) {
  Write({"opt_pass_1_b_0010.ir", "00_bootstrap_0000.ir", "01_type_inference_9999.ir",
         "02_auto_monad_10000.ir", "opt_pass_0_a_0009.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 00_bootstrap_0000.ir", "r1c1 opt_pass_0_a_0009.ir",
                                    "r1c1 opt_pass_1_b_0010.ir", "r1c1 01_type_inference_9999.ir",
                                    "r1c1 02_auto_monad_10000.ir"));
}

TEST_F(FolderTest, ACompilationBeginsAtTheBootstrapOrWhereTheStagesFall) {
  Write({"04_inline_0004.ir", "20_validate_0020.ir", "00_bootstrap_0040.ir", "01_a_0041.ir",
         "05_b_0045.ir", "03_c_0050.ir", "03_c_0060.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 04_inline_0004.ir", "r1c1 20_validate_0020.ir",
                                    "r1c2 00_bootstrap_0040.ir", "r1c2 01_a_0041.ir",
                                    "r1c2 05_b_0045.ir", "r1c3 03_c_0050.ir", "r1c4 03_c_0060.ir"));
}

TEST_F(FolderTest, WhatIsWrittenBeforeTheFirstStageBelongsToIt) {
  Write({"opt_pass_0_a_0001.ir", "02_b_0002.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 opt_pass_0_a_0001.ir", "r1c1 02_b_0002.ir"));
}

TEST_F(FolderTest, KernelGraphsAreSetsOfTheirCompilation) {
  Write({"00_bootstrap_0000.ir", "hwopt_d_before_graph_0_0001.ir",
         "hwopt_common_final_graph_0_0002.ir", "trace_code_graph_0003",
         "hwopt_d_before_graph_1_0004.ir", "trace_code_graph_0005", "23_execute_0006.ir",
         "hwopt_d_before_graph_5_0007.ir", "hwopt_d_before_graph_6_0008.ir",
         "00_bootstrap_0009.ir"});
  EXPECT_THAT(
      Places(),
      ElementsAre("r1c1 00_bootstrap_0000.ir", "r1c1k1 hwopt_d_before_graph_0_0001.ir",
                  "r1c1k1 hwopt_common_final_graph_0_0002.ir", "r1c1k1 trace_code_graph_0003",
                  "r1c1k2 hwopt_d_before_graph_1_0004.ir", "r1c1k2 trace_code_graph_0005",
                  "r1c1 23_execute_0006.ir", "r1c1k3 hwopt_d_before_graph_5_0007.ir",
                  "r1c1k4 hwopt_d_before_graph_6_0008.ir", "r1c2 00_bootstrap_0009.ir"));
}

TEST_F(FolderTest, ASetEndsWithItsTraceWhateverTheNextOneBeginsWith) {
  Write({"00_bootstrap_0000.ir", "hwopt_common_final_graph_0_0001.ir", "trace_code_graph_0002",
         "hwopt_d_before_graph_1_0003.ir", "hwopt_common_final_graph_1_0004.ir"});
  EXPECT_THAT(Places(),
              ElementsAre("r1c1 00_bootstrap_0000.ir", "r1c1k1 hwopt_common_final_graph_0_0001.ir",
                          "r1c1k1 trace_code_graph_0002", "r1c1k2 hwopt_d_before_graph_1_0003.ir",
                          "r1c1k2 hwopt_common_final_graph_1_0004.ir"));
}

TEST_F(FolderTest, ANumberThatComesAgainIsOfASecondRun) {
  // The second run had one pass less in front of its validate.
  Write({"00_bootstrap_0000.ir", "opt_pass_0_a_0001.ir", "20_validate_0002.ir"});
  Write({"00_bootstrap_0000.ir", "20_validate_0001.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 opt_pass_0_a_0001.ir", "r1c1 20_validate_0002.ir",
                                    "r2c1 00_bootstrap_0000.ir", "r2c1 20_validate_0001.ir"));
}

TEST_F(FolderTest, RunsAreToldApartWithoutAFallOfTheirNumbersToo) {
  Write({"00_bootstrap_0000.ir", "01_a_0001.ir", "01_b_0001.ir", "02_c_0002.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 00_bootstrap_0000.ir", "r1c1 01_a_0001.ir",
                                    "r2c1 01_b_0001.ir", "r2c1 02_c_0002.ir"));
}

TEST_F(FolderTest, FoldersOfTheSameProcessBelongToTheRun) {
  Write({"00_bootstrap_0000.ir", "bprop/12_optimize_0002.ir", "verbose_ir_files/expand_Add_0003.ir",
         "actor_set/final_actor_set_kernel_graph_0.ir", "elsewhere/00_bootstrap_0000.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 00_bootstrap_0000.ir", "r1c1 bprop/12_optimize_0002.ir",
                                    "r1c1 verbose_ir_files/expand_Add_0003.ir",
                                    "r1 unnumbered actor_set/final_actor_set_kernel_graph_0.ir"));
}

TEST_F(FolderTest, EveryRankIsARun) {
  Write({"rank_10/00_bootstrap_0000.ir", "rank_2/00_bootstrap_0000.ir",
         "rank_2/verbose_ir_files/expand_Add_0001.ir", "rank_2/om/analyze_fail.ir"});
  EXPECT_THAT(Places(), ElementsAre("r1c1 rank_2/00_bootstrap_0000.ir",
                                    "r1c1 rank_2/verbose_ir_files/expand_Add_0001.ir",
                                    "r1 unnumbered rank_2/om/analyze_fail.ir",
                                    "r2c1 rank_10/00_bootstrap_0000.ir"));
  const Folder folder = Read();
  EXPECT_EQ(folder.runs[0].rank, 2);
  EXPECT_EQ(folder.runs[1].rank, 10);
}

TEST_F(FolderTest, OtherFilesAreCounted) {
  Write({"00_bootstrap_0000.ir"});
  files_.Put("graphs/00_bootstrap_0001.dot", "12345");
  files_.Put("graphs/ms_output_optimize.pb", "123");
  const Folder folder = Read();
  EXPECT_EQ(folder.other_files, 2);
  EXPECT_EQ(folder.other_bytes, 8);
}

TEST_F(FolderTest, EachDumpIsComparedWithTheOneBeforeOfItsGraph) {
  files_.Put("graphs/00_bootstrap_0000.ir", SmallDump("Add"));
  files_.Put("graphs/hwopt_d_before_graph_0_0001.ir", SmallDump("Add Cast"));
  files_.Put("graphs/verbose_ir_files/expand_Add_0002.ir", SmallDump("Mul"));
  files_.Put("graphs/hwopt_common_final_graph_0_0003.ir", SmallDump("Add Cast"));
  files_.Put("graphs/opt_pass_0_a_0004.ir", SmallDump("Add"));
  files_.Put("graphs/01_b_0005.ir", SmallDump("Add ReLU ReLU"));
  const Folder folder = Read();
  std::vector<std::string> compared;
  for (const Dump& dump : folder.dumps) {
    compared.push_back(std::string(KernelStep(dump.name)) + (dump.changed ? " changed" : " equal") +
                       (dump.before ? " to " + std::to_string(*dump.before) : ""));
  }
  EXPECT_THAT(compared, ElementsAre("00_bootstrap changed", "hwopt_d_before changed",
                                    "expand_Add changed", "hwopt_common_final equal to 1",
                                    "opt_pass_0_a equal to 0", "01_b changed to 4"));
  const Delta delta = DeltaOf(folder.dumps[4], folder.dumps[5]);
  EXPECT_EQ(delta.statements, 2);
  EXPECT_EQ(delta.subgraphs, 0);
  EXPECT_THAT(delta.callees, ElementsAre(Pair("ReLU", 2)));
  const Delta back = DeltaOf(folder.dumps[5], folder.dumps[0]);
  EXPECT_EQ(back.statements, -2);
  EXPECT_THAT(back.callees, ElementsAre(Pair("ReLU", -2)));
}

// As MindSpore writes them: opt_resolve of the gradients of operators, in the middle of a pass.
TEST_F(FolderTest, StepsOfAnotherGraphAreComparedWithinThatGraph) {
  WriteGraph("01_type_inference_0000.ir", "1_net_construct_5", "Add");
  WriteGraph("opt_substep_opt_a_r1_j0_0_a_0001.ir", "1_net_construct_5", "Add");
  WriteGraph("opt_resolve.r1.resolve.getattr_0002.ir", "bprop_load_507", "Load Depend");
  WriteGraph("opt_resolve.r1.resolve.getattr_0003.ir", "bprop_switch_516", "Switch");
  WriteGraph("opt_substep_opt_resolve_r1_j0_0_resolve_0004.ir", "bprop_load_507", "Load");
  WriteGraph("opt_substep_opt_a_r1_j0_1_b_0005.ir", "1_net_construct_5", "Add Cast");
  WriteGraph("opt_pass_1_c_0006.ir", "1_net_construct_5", "Add Cast");
  EXPECT_THAT(Compared(), ElementsAre("-", "0", "other -", "other -", "other 2", "1", "5"));
  const Folder folder = Read();
  EXPECT_THAT(DeltaOf(folder.dumps[2], folder.dumps[4]).callees, ElementsAre(Pair("Depend", -1)));
  EXPECT_THAT(DeltaOf(folder.dumps[1], folder.dumps[5]).callees, ElementsAre(Pair("Cast", 1)));
}

TEST_F(FolderTest, ACloneOfTheGraphIsTheGraph) {
  WriteGraph("00_bootstrap_0000.ir", "net_construct_4", "Add");
  WriteGraph("01_type_inference_0001.ir", "1_net_construct_68", "Add");
  WriteGraph("opt_substep_opt_a_r1_j0_39_renormalize_0002.ir", "104_1_net_construct_1008", "Add");
  WriteGraph("opt_substep_opt_a_r2_j0_0_a_0003.ir", "104_1_net_construct_1008", "Add");
  EXPECT_THAT(Compared(), ElementsAre("-", "0", "1", "2"));
}

TEST_F(FolderTest, AStepMayGiveTheGraphTheNameThatTheNextPassKnows) {
  WriteGraph("01_type_inference_0000.ir", "net_1", "Add");
  WriteGraph("opt_substep_opt_a_r1_j0_0_a_0001.ir", "lifted_1", "Add");
  WriteGraph("opt_substep_opt_a_r1_j0_1_b_0002.ir", "lifted_1", "Add");
  WriteGraph("opt_pass_1_c_0003.ir", "lifted_1", "Add");
  WriteGraph("02_auto_monad_0004.ir", "renamed_1", "Add");
  EXPECT_THAT(Compared(), ElementsAre("-", "0", "1", "2", "3"));
}

// Where only some passes are dumped.
TEST_F(FolderTest, StepsWithoutAStageAreOfTheGraphOfTheFirst) {
  WriteGraph("opt_substep_opt_a_r1_j0_0_a_0000.ir", "net_1", "Add");
  WriteGraph("opt_resolve.r1.resolve.getattr_0001.ir", "bprop_load_507", "Load");
  WriteGraph("opt_substep_opt_a_r1_j0_1_b_0002.ir", "net_1", "Add");
  EXPECT_THAT(Compared(), ElementsAre("-", "other -", "0"));
}

TEST_F(FolderTest, ACompilationIsNotComparedWithTheOneBefore) {
  Write({"00_bootstrap_0000.ir", "00_bootstrap_0001.ir"});
  EXPECT_FALSE(Read().dumps[1].before);
}

TEST_F(FolderTest, AFileThatCannotBeReadIsSaidAndTheOthersAreCompared) {
  Write({"00_a_0000.ir", "01_b_0001.ir", "02_c_0002.ir"});
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kOpenForRead, "01_b", StatusCode::kPermissionDenied);
  const auto folder = ReadFolder(faulty, "graphs", {});
  ASSERT_THAT(folder, IsOk());
  EXPECT_THAT(
      folder->dumps[1].error,
      IsStatus(StatusCode::kPermissionDenied, "graphs/01_b_0001.ir can be read by its owner only"));
  EXPECT_EQ(folder->dumps[2].before, 0);
  EXPECT_FALSE(folder->dumps[2].changed);
}

TEST_F(FolderTest, AFolderOfAnotherUserIsAPlainMessage) {
  Write({"00_a_0000.ir"});
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kList, "graphs", StatusCode::kPermissionDenied);
  const auto folder = ReadFolder(faulty, "graphs", {});
  ASSERT_FALSE(folder);
  EXPECT_THAT(folder.error(),
              IsStatus(StatusCode::kPermissionDenied, "graphs can be read by its owner only"));
  EXPECT_THAT(folder.error(), IsStatus(StatusCode::kPermissionDenied, "chmod -R a+rX"));
}

// Gives up what root may do, for a test; others than root have nothing to give up.
class AsNobody {
 public:
  AsNobody() { EXPECT_TRUE(getuid() != 0 || seteuid(65534) == 0); }
  ~AsNobody() { EXPECT_TRUE(getuid() != 0 || seteuid(0) == 0); }
  AsNobody(const AsNobody&) = delete;
  AsNobody& operator=(const AsNobody&) = delete;
};

// As MindSpore leaves its dumps: folders 0700 and files 0400, here of root. For a test that does
// not run as root they are its own, and take even its own rights away.
TEST_F(FolderTest, WhatAnotherUserLeftOnDiskIsAPlainMessageToo) {
  namespace fs = std::filesystem;
  const testing::TempDir dir;
  const bool is_root = getuid() == 0;
  fs::permissions(dir.path(), static_cast<fs::perms>(0755));
  for (const char* folder : {"closed", "open"}) {
    fs::create_directory(dir.File(folder));
    testing::WriteFileOrDie(dir.File(folder) + "/00_a_0000.ir", SmallDump("Add"));
  }
  fs::permissions(dir.File("open/00_a_0000.ir"), static_cast<fs::perms>(is_root ? 0400 : 0));
  fs::permissions(dir.File("closed"), static_cast<fs::perms>(is_root ? 0700 : 0));
  {
    const AsNobody nobody;
    EXPECT_THAT(ReadFolder(FileSystem::Local(), dir.File("closed"), {}).error(),
                IsStatus(StatusCode::kPermissionDenied,
                         dir.File("closed") + " can be read by its owner only, as MindSpore"));
    const auto folder = ReadFolder(FileSystem::Local(), dir.File("open"), {});
    ASSERT_THAT(folder, IsOk());
    EXPECT_THAT(folder->dumps[0].error,
                IsStatus(StatusCode::kPermissionDenied, "00_a_0000.ir can be read by its owner"));
  }
  fs::permissions(dir.File("closed"), fs::perms::owner_all);
}

TEST_F(FolderTest, AMissingFolderIsAnErrorAndAnEmptyOneIsNot) {
  EXPECT_THAT(ReadFolder(files_, "graphs", {}).error(), IsStatus(StatusCode::kNotFound, "graphs"));
  EXPECT_THAT(files_.CreateDirectories("graphs"), IsOk());
  EXPECT_TRUE(Read().runs.empty());
}

TEST_F(FolderTest, AListedFolderIsInTheSameOrderAndReadsNoDump) {
  Write({"01_b_0001.ir", "00_a_0000.ir"});
  testing::FaultyFileSystem counting(files_);
  const auto folder = ListFolder(counting, "graphs");
  ASSERT_THAT(folder, IsOk());
  EXPECT_THAT(Paths(*folder, folder->runs[0].dumps), ElementsAre("00_a_0000.ir", "01_b_0001.ir"));
  EXPECT_EQ(counting.calls(testing::FileOperation::kOpenForRead), 0);
}

TEST_F(FolderTest, DamagedAndForeignFilesHaveFiguresToo) {
  files_.Put("graphs/00_a_0000.ir", SmallDump("Add") + "what is this\n");
  files_.Put("graphs/01_b_0001.ir", "what is this\n");
  const Folder folder = Read();
  EXPECT_EQ(folder.dumps[0].figures.problem_count, 1);
  EXPECT_TRUE(folder.dumps[0].figures.is_dump);
  EXPECT_FALSE(folder.dumps[1].figures.is_dump);
}

TEST(NetworkOf, IsTheClassOrFunctionOfAnEntry) {
  EXPECT_EQ(NetworkOf("13_1_mindspore_nn_wrap_cell_wrapper_TrainOneStepCell_construct_279"),
            "TrainOneStepCell");
  EXPECT_EQ(NetworkOf("__main___run_mlp__locals__M_construct_4"), "M");
  EXPECT_EQ(NetworkOf("__main___SwitchNet_construct_5"), "SwitchNet");
  EXPECT_EQ(NetworkOf("f_5"), "f");
  EXPECT_EQ(NetworkOf("kernel_graph_0"), "kernel_graph");
  EXPECT_EQ(NetworkOf("12"), "12");
  EXPECT_EQ(NetworkOf(""), "");
}

}  // namespace
}  // namespace sightline::ir
