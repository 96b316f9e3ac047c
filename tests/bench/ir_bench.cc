// Parsing .ir text from memory into the full model, both checks on, one core. The bars: 600 MB/s
// for a transformer's dump, 150 MB/s for one without source locations.
//
// Other dumps: SIGHTLINE_IR_BENCH=FILE ir_bench.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "sightline/ir/dataflow.h"
#include "sightline/ir/printer.h"
#include "sightline/ir/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

constexpr char kTransformer[] = "ir/transformer_level1/20_validate_0074.ir";

std::string WithoutLocations(const std::string& text) {
  std::string kept;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = text.find('\n', begin) + 1;
    if (text.compare(begin, 15, "      # In file") != 0) kept.append(text, begin, end - begin);
    begin = end;
  }
  return kept;
}

void Parse(benchmark::State& state, const std::string& text) {
  for (auto _ : state) {
    const Result<Module> module = ParseIr(text);
    if (!module || module->nodes.empty() || module->problem_count > 0)
      state.SkipWithError("the dump was not read without problems");
    benchmark::DoNotOptimize(module);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void ParseTransformer(benchmark::State& state) {
  Parse(state, testing::ReadFileOrDie(testing::CorpusPath(kTransformer)));
}
BENCHMARK(ParseTransformer)->Unit(benchmark::kMicrosecond);

void ParseWithoutLocations(benchmark::State& state) {
  Parse(state, WithoutLocations(testing::ReadFileOrDie(testing::CorpusPath(kTransformer))));
}
BENCHMARK(ParseWithoutLocations)->Unit(benchmark::kMicrosecond);

void ParseFormat1(benchmark::State& state) {
  Parse(state, testing::ReadFileOrDie(
                   testing::CorpusPath("ir/control_flow_grad_format1/20_validate_0077.ir")));
}
BENCHMARK(ParseFormat1)->Unit(benchmark::kMicrosecond);

void ParseFormat0(benchmark::State& state) {
  Parse(state, testing::ReadFileOrDie(
                   testing::CorpusPath("ir/control_flow_grad_format0/01_type_inference_0001.ir")));
}
BENCHMARK(ParseFormat0)->Unit(benchmark::kMicrosecond);

void ParseGiven(benchmark::State& state) {
  const char* path = std::getenv("SIGHTLINE_IR_BENCH");
  Parse(state, testing::ReadFileOrDie(path == nullptr ? testing::CorpusPath(kTransformer) : path));
}
BENCHMARK(ParseGiven)->Unit(benchmark::kMicrosecond);

// What names mean, resolved: per byte of the dump.
void ResolveTransformer(benchmark::State& state) {
  const std::string text = testing::ReadFileOrDie(testing::CorpusPath(kTransformer));
  const Result<Module> module = ParseIr(text);
  for (auto _ : state) {
    const Dataflow flow(*module);
    if (flow.unresolved() > 0) state.SkipWithError("a name was not resolved");
    benchmark::DoNotOptimize(flow);
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(ResolveTransformer)->Unit(benchmark::kMicrosecond);

void PrintTransformer(benchmark::State& state) {
  const std::string text = testing::ReadFileOrDie(testing::CorpusPath(kTransformer));
  const Result<Module> module = ParseIr(text);
  for (auto _ : state) benchmark::DoNotOptimize(PrintIr(*module));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(PrintTransformer)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sightline::ir
