// A GraphDumper that writes into memory, and what a compilation has it dump.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

// Options of a dumper at this level.
inline ir::DumpOptions At(int level, FileSystem& files, const std::string& path = "graphs") {
  ir::DumpOptions options;
  options.level = level;
  options.path = path;
  options.file_system = &files;
  return options;
}

class GraphDumperTest : public ::testing::Test {
 protected:
  // A compilation with a dump of each kind.
  static void Compile(ir::GraphDumper& dumper) {
    const auto dump = [&](const ir::DumpPoint& point, const std::vector<std::string>& primitives) {
      const auto graph = FrameworkGraph::Small(primitives);
      dumper.Dump(point, graph.Visitor());
    };
    using ir::DumpPoint;
    dumper.StartCompilation();
    dump(DumpPoint::Stage("bootstrap"), {"Add"});
    dump(DumpPoint::Pass("inline"), {"Add", "Mul"});
    dump(DumpPoint::Substep("opt_a", 1, 0, 0, "a_1"), {"Add", "Mul", "Sub"});
    dump(DumpPoint::Substitution("opt_a", 1, "a_1", "cse"), {"Add", "Sub"});
    dump(DumpPoint::KernelGraph("common_final_graph_0"), {"MatMul"});
    dump(DumpPoint::BackEndDetail("expand_Add"), {"Add", "Add"});
  }

  // Names of the files that a compilation writes with options_ at this level.
  std::vector<std::string> Written(int level) {
    options_.level = level;
    for (const std::string& path : memory_.Files("graphs"))
      EXPECT_THAT(memory_.Remove(path), IsOk());
    ir::GraphDumper dumper(options_);
    Compile(dumper);
    EXPECT_THAT(dumper.Close(), IsOk());
    std::vector<std::string> names;
    for (const std::string& path : memory_.Files("graphs"))
      names.push_back(path.substr(std::string("graphs/").size()));
    return names;
  }

  MemoryFileSystem memory_;
  ir::DumpOptions options_ = At(1, memory_);
};

}  // namespace sightline::testing
