// What dumping costs the thread that compiles: a transformer's graph of 700 statements, with all
// its source lines, from a framework's own objects, at level 1. The bar is 1 ms.
//
// Each dump says something new, so that every one is printed and written. What the dumper's own
// thread then does is the second figure.
#include <benchmark/benchmark.h>

#include <chrono>
#include <string>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/bench/seconds_since.h"
#include "sightline/tests/ir/framework_graph.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

using bench::SecondsSince;
using Clock = std::chrono::steady_clock;

testing::FrameworkGraph Transformer() {
  const auto module =
      ReadIr(FileSystem::Local(), testing::CorpusPath("ir/transformer_level1/20_validate_0074.ir"));
  return module ? testing::FrameworkGraph::Of(*module) : testing::FrameworkGraph();
}

// `flush`: whether the time is that until the dump is in its file, or that of the call.
void DumpOne(benchmark::State& state, bool flush) {
  testing::FrameworkGraph graph = Transformer();
  if (graph.subgraphs.empty()) return state.SkipWithError("the graph was not read");
  const testing::TempDir dir;
  DumpOptions options;
  options.level = 1;
  options.path = dir.path();
  GraphDumper dumper(options);
  const auto visitor = graph.Visitor();
  std::uint64_t changes = 0;
  for (auto _ : state) {
    graph.subgraphs[0].ops[0].name = "CNode_" + std::to_string(++changes);
    const auto begin = Clock::now();
    dumper.Dump(DumpPoint::Stage("validate"), visitor);
    const double called = SecondsSince(begin);
    if (!dumper.Flush().ok()) state.SkipWithError("the dump was not written");
    state.SetIterationTime(flush ? SecondsSince(begin) : called);
  }
  state.counters["statements"] = static_cast<double>(graph.subgraphs[0].ops.size());
  state.SetBytesProcessed(static_cast<std::int64_t>(dumper.Stats().bytes));
}

void DumpCall(benchmark::State& state) { DumpOne(state, false); }
BENCHMARK(DumpCall)->Unit(benchmark::kMicrosecond)->UseManualTime();

void DumpWritten(benchmark::State& state) { DumpOne(state, true); }
BENCHMARK(DumpWritten)->Unit(benchmark::kMicrosecond)->UseManualTime();

// Dumps that follow each other faster than they are written, as no compiler's do: what waits has no
// memory from before.
void DumpCallsInARow(benchmark::State& state) {
  constexpr int kDumps = 24;
  testing::FrameworkGraph graph = Transformer();
  if (graph.subgraphs.empty()) return state.SkipWithError("the graph was not read");
  const auto visitor = graph.Visitor();
  for (auto _ : state) {
    const testing::TempDir dir;
    DumpOptions options;
    options.level = 1;
    options.path = dir.path();
    GraphDumper dumper(options);
    const auto begin = Clock::now();
    for (int i = 0; i < kDumps; ++i) dumper.Dump(DumpPoint::Stage("validate"), visitor);
    state.SetIterationTime(SecondsSince(begin) / kDumps);
  }
}
BENCHMARK(DumpCallsInARow)->Unit(benchmark::kMicrosecond)->UseManualTime();

}  // namespace
}  // namespace sightline::ir
