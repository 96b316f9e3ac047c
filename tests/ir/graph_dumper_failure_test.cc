// Failures of a GraphDumper: how it reports them, and that it continues.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <stdexcept>
#include <string>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_dumper_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/no_threads.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::FaultyFileSystem;
using testing::FrameworkGraph;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;
using ::testing::Not;

class GraphDumperFailureTest : public testing::GraphDumperTest {
 protected:
  FaultyFileSystem files_{memory_};
};

TEST_F(GraphDumperFailureTest, AnyCallToTheFileSystemMayFail) {
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

TEST_F(GraphDumperFailureTest, AFullDiskIsReportedAndWhenThereIsRoomAgainItGoesOn) {
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

TEST_F(GraphDumperFailureTest, AnExceptionOfTheFrameworkEndsTheDumpAlone) {
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

TEST_F(GraphDumperFailureTest, AGraphWithoutSubgraphsIsAnError) {
  GraphDumper dumper(At(1, memory_));
  dumper.Dump(DumpPoint::Stage("empty"), [](GraphVisitor&) {});
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kInvalidArgument, "00_empty_0000: no subgraph"));
}

TEST_F(GraphDumperFailureTest, OptionsOutOfRangeDumpNothing) {
  DumpOptions options = At(9, memory_);
  GraphDumper dumper(options);
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kInvalidArgument, "level is 9"));
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperFailureTest, AfterCloseNothingIsDumped) {
  GraphDumper dumper(At(1, memory_));
  EXPECT_THAT(dumper.Close(), IsOk());
  const auto graph = FrameworkGraph::Small({"Add"});
  dumper.Dump(DumpPoint::Stage("late"), graph.Visitor());
  EXPECT_THAT(dumper.Flush(), IsOk());
  EXPECT_THAT(dumper.Close(), IsOk());
  EXPECT_THAT(memory_.Files(), IsEmpty());
}

TEST_F(GraphDumperFailureTest, DumpsNothingAndSaysSoWhereThereIsNoThreadToBeHad) {
  const testing::NoThreads no_threads;
  GraphDumper dumper(At(1, memory_));
  Compile(dumper);
  EXPECT_THAT(dumper.Close(), IsStatus(StatusCode::kResourceExhausted, "nothing is dumped"));
  EXPECT_THAT(memory_.Files("graphs"), IsEmpty());
}

}  // namespace
}  // namespace sightline::ir
