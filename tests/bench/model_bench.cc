// What the model of a dump takes in memory, once its text is gone, beside the text's distinct
// lines. The bar: twice their bytes.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <set>
#include <sstream>
#include <string>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

constexpr char kDump[] = "ir/transformer_level1/20_validate_0074.ir";  // About 700 nodes.

// Bytes that the allocator has given out, its own headers included.
double AllocatedBytes() {
  const struct mallinfo2 info = mallinfo2();
  return static_cast<double>(info.uordblks + info.hblkhd);
}

double DistinctLineBytes(const std::string& text) {
  std::set<std::string> lines;
  double bytes = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    const auto size = static_cast<double>(line.size() + 1);
    if (lines.insert(std::move(line)).second) bytes += size;
  }
  return bytes;
}

void ModelMemory(benchmark::State& state) {
  const std::string path = testing::CorpusPath(kDump);
  state.counters["distinct_line_bytes"] = DistinctLineBytes(testing::ReadFileOrDie(path));
  double bytes = 0;
  for (auto _ : state) {
    const double before = AllocatedBytes();
    const Result<Module> module = ReadIr(FileSystem::Local(), path);
    if (!module) return state.SkipWithError("the dump was not read");
    bytes = AllocatedBytes() - before;
  }
  state.counters["model_bytes"] = bytes;
}
BENCHMARK(ModelMemory)->Iterations(1);

}  // namespace
}  // namespace sightline::ir
