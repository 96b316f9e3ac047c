// A GraphDumper and its threads: the writer, full buffers, callers at once, fork.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/ir/graph_dumper_fixture.h"
#include "sightline/tests/support/faulty_file_system.h"
#include "sightline/tests/support/forked_child.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using testing::At;
using ::testing::ElementsAre;
using testing::FaultyFileSystem;
using testing::FrameworkGraph;
using ::testing::HasSubstr;
using testing::InForkedChild;
using testing::IsOk;
using ::testing::SizeIs;
using testing::TempDir;

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

class GraphDumperThreadsTest : public testing::GraphDumperTest {};

TEST_F(GraphDumperThreadsTest, TheGraphMayGoAsSoonAsTheCallReturns) {
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

TEST_F(GraphDumperThreadsTest, WithoutRoomADumpIsDroppedAndItsNumberStaysFree) {
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

TEST_F(GraphDumperThreadsTest, OrWaitsForRoom) {
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

TEST_F(GraphDumperThreadsTest, ManyThreadsGetNumbersOfTheirOwn) {
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

#if SIGHTLINE_CAN_FORK_BESIDE_THREADS
TEST_F(GraphDumperThreadsTest, AForkedChildDumpsNothing) {
  const TempDir dir;
  const auto graph = FrameworkGraph::Small({"Add"});
  {
    GraphDumper dumper(At(1, FileSystem::Local(), dir.path()));
    dumper.Dump(DumpPoint::Stage("parent"), graph.Visitor());
    EXPECT_THAT(dumper.Flush(), IsOk());
    const int status = InForkedChild([&] {
      dumper.Dump(DumpPoint::Stage("child"), graph.Visitor());
      const bool refused = !dumper.Wants(DumpPoint::Stage("x")) && !dumper.Close().ok();
      _exit(refused ? 0 : 1);
    });
    EXPECT_EQ(status, 0);
    dumper.Dump(DumpPoint::Stage("parent"), graph.Visitor());
  }
  EXPECT_TRUE(std::filesystem::exists(dir.File("01_parent_0001.ir")));
  EXPECT_FALSE(std::filesystem::exists(dir.File("01_child_0001.ir")));
}
#endif

}  // namespace
}  // namespace sightline::ir
