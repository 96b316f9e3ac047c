#include "sightline/ir/folder/folder_diff.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/ir/small_dump.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using testing::SmallDump;

class FolderDiffTest : public ::testing::Test {
 protected:
  void Write(const std::string& path, const std::string& callees) {
    files_.Put(path, SmallDump(callees));
  }

  std::vector<GraphDiff> Compare(FileSystem& files) {
    auto a = ReadFolder(files, "a", {});
    auto b = ReadFolder(files, "b", {});
    EXPECT_THAT(a, IsOk());
    EXPECT_THAT(b, IsOk());
    a_ = *std::move(a);
    b_ = *std::move(b);
    const std::string path_a = "a";
    const std::string path_b = "b";
    return CompareFolders(files, {path_a, a_}, {path_b, b_});
  }

  // "00_a_0000.ir 00_a_0001.ir equal", "-" for none, "<-" after the first that differs.
  std::vector<std::string> Rows() {
    std::vector<std::string> rows;
    for (const GraphDiff& graph : Compare(files_)) {
      for (std::size_t i = 0; i < graph.dumps.size(); ++i) {
        const DumpPair& pair = graph.dumps[i];
        const bool different = pair.outcome == DumpOutcome::kDifferent;
        const bool equal = pair.outcome == DumpOutcome::kEqual;
        rows.push_back((pair.a ? a_.dumps[*pair.a].path : "-") + " " +
                       (pair.b ? b_.dumps[*pair.b].path : "-") +
                       (equal       ? " equal"
                        : different ? " different"
                                    : "") +
                       (graph.first_different == i ? " <-" : ""));
      }
    }
    return rows;
  }

  testing::MemoryFileSystem files_;
  Folder a_;
  Folder b_;
};

TEST_F(FolderDiffTest, PairsPassesByNameThoughTheirNumbersDiffer) {
  Write("a/00_bootstrap_0000.ir", "Add");
  Write("a/02_auto_monad_0004.ir", "Add Load");
  Write("a/opt_pass_3_cse_0005.ir", "Add");
  Write("b/00_bootstrap_0000.ir", "Add");
  Write("b/02_event_method_0002.ir", "Add");
  Write("b/03_auto_monad_0006.ir", "Add Load");
  Write("b/opt_pass_4_cse_0008.ir", "Add");
  EXPECT_THAT(Rows(), ElementsAre("00_bootstrap_0000.ir 00_bootstrap_0000.ir equal",
                                  "- 02_event_method_0002.ir",
                                  "02_auto_monad_0004.ir 03_auto_monad_0006.ir equal",
                                  "opt_pass_3_cse_0005.ir opt_pass_4_cse_0008.ir equal"));
}

TEST_F(FolderDiffTest, NamesTheFirstPassThatDiffers) {
  for (const std::string folder : {"a/", "b/"}) {
    Write(folder + "00_bootstrap_0000.ir", "Add");
    Write(folder + "01_x_0001.ir", folder == "a/" ? "Add ReLU" : "Add Neg");
    Write(folder + "02_y_0002.ir", folder == "a/" ? "Add ReLU" : "Add Neg");
    Write(folder + "03_z_0003.ir", "Add");
  }
  EXPECT_THAT(Rows(), ElementsAre("00_bootstrap_0000.ir 00_bootstrap_0000.ir equal",
                                  "01_x_0001.ir 01_x_0001.ir different <-",
                                  "02_y_0002.ir 02_y_0002.ir different",
                                  "03_z_0003.ir 03_z_0003.ir equal"));
}

TEST_F(FolderDiffTest, PassesOfAnotherOrderStayAloneAsFewAsPossible) {
  for (const char* name : {"a/00_a_0000.ir", "a/01_b_0001.ir", "a/02_c_0002.ir", "b/00_b_0000.ir",
                           "b/01_c_0001.ir", "b/02_a_0002.ir"})
    Write(name, "Add");
  EXPECT_THAT(Rows(), ElementsAre("00_a_0000.ir -", "01_b_0001.ir 00_b_0000.ir equal",
                                  "02_c_0002.ir 01_c_0001.ir equal", "- 02_a_0002.ir"));
}

TEST_F(FolderDiffTest, CompilationsAndKernelGraphsAreGraphsOfTheirOwn) {
  for (const std::string folder : {"a/", "b/"}) {
    Write(folder + "00_bootstrap_0000.ir", "Add");
    Write(folder + "hwopt_common_final_graph_0_0001.ir", "Add");
    if (folder == "a/") Write(folder + "00_bootstrap_0002.ir", "Neg");
  }
  EXPECT_THAT(
      Rows(),
      ElementsAre("00_bootstrap_0000.ir 00_bootstrap_0000.ir equal",
                  "hwopt_common_final_graph_0_0001.ir hwopt_common_final_graph_0_0001.ir equal",
                  "00_bootstrap_0002.ir -"));
  const auto graphs = Compare(files_);
  ASSERT_EQ(graphs.size(), 3);
  EXPECT_EQ(graphs[1].kernel_graph, 0);
  EXPECT_EQ(graphs[2].compilation, 1);
}

TEST_F(FolderDiffTest, RunsArePairedByRankOrElseInOrder) {
  Write("a/rank_0/00_a_0000.ir", "Add");
  Write("a/rank_1/00_a_0000.ir", "Neg");
  Write("b/rank_1/00_a_0000.ir", "Neg");
  EXPECT_THAT(Rows(), ElementsAre("rank_0/00_a_0000.ir -",
                                  "rank_1/00_a_0000.ir rank_1/00_a_0000.ir equal"));
}

TEST_F(FolderDiffTest, ARankIsComparedWithAnother) {
  Write("a/rank_0/00_a_0000.ir", "Add");
  Write("b/rank_1/00_a_0000.ir", "Neg");
  EXPECT_THAT(Rows(), ElementsAre("rank_0/00_a_0000.ir rank_1/00_a_0000.ir different <-"));
}

TEST_F(FolderDiffTest, ADumpThatCannotBeReadIsSaid) {
  for (const std::string folder : {"a/", "b/"}) {
    Write(folder + "00_a_0000.ir", "Add");
    Write(folder + "01_b_0001.ir", "Add Neg");
  }
  testing::FaultyFileSystem faulty(files_);
  faulty.FailEvery(testing::FileOperation::kOpenForRead, "b/01_b", StatusCode::kPermissionDenied);
  const auto graphs = Compare(faulty);
  ASSERT_EQ(graphs.size(), 1);
  EXPECT_EQ(graphs[0].dumps[1].outcome, DumpOutcome::kUnread);
  EXPECT_THAT(graphs[0].dumps[1].error, IsStatus(StatusCode::kPermissionDenied, "b/01_b_0001.ir"));
}

TEST_F(FolderDiffTest, EmptyFoldersHoldNoGraphs) {
  EXPECT_THAT(files_.CreateDirectories("a"), IsOk());
  EXPECT_THAT(files_.CreateDirectories("b"), IsOk());
  EXPECT_THAT(Compare(files_), IsEmpty());
}

}  // namespace
}  // namespace sightline::ir
