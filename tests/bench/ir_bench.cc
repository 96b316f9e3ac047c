// Parsing .ir text from memory into the full model, both checks on, one core. The bars: 600 MB/s
// for a transformer's dump, 150 MB/s for one without source locations.
//
// Other dumps: SIGHTLINE_IR_BENCH=FILE ir_bench.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"
#include "sightline/tests/ir/small_net.h"
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

// Two graphs of 5,000 statements with other ids, of which every 50th is another. The bar: 100 ms.
testing::SmallNet LargeNet(const std::string& attribute) {
  testing::SmallNet net{{{"main", {"x", "w"}, {}, "s4999"}}};
  const std::vector<std::string> operators = {"MatMul", "Add", "ReLU", "Cast", "Reshape"};
  const auto name = [](int i) { return i < 0 ? std::string("x") : "s" + std::to_string(i); };
  for (int i = 0; i < 5000; ++i) {
    net.entry().statements.push_back({name(i),
                                      operators[static_cast<std::size_t>(i) % operators.size()],
                                      {name(i - 1), name(i - 7 * (1 + i % 3))}});
    if (i % 50 == 0) net.entry().statements.back().attribute = attribute;
  }
  return net;
}

void DiffLarge(benchmark::State& state) {
  const Result<Module> a = ParseIr(LargeNet("I64(1)").Print(1));
  const Result<Module> b = ParseIr(LargeNet("I64(2)").Print(2));
  for (auto _ : state) {
    const Result<Diff> diff = Compare(*a, *b);
    if (!diff || diff->changes.size() != 100) state.SkipWithError("not 100 changes");
    benchmark::DoNotOptimize(diff);
  }
}
BENCHMARK(DiffLarge)->Unit(benchmark::kMillisecond);

// Nothing in common: the most that there is to look for.
void DiffStrangers(benchmark::State& state) {
  const Result<Module> a = ParseIr(testing::ReadFileOrDie(testing::CorpusPath(kTransformer)));
  const Result<Module> b = ParseIr(LargeNet("I64(2)").Print(2));
  for (auto _ : state) benchmark::DoNotOptimize(Compare(*a, *b));
}
BENCHMARK(DiffStrangers)->Unit(benchmark::kMillisecond);

void PrintTransformer(benchmark::State& state) {
  const std::string text = testing::ReadFileOrDie(testing::CorpusPath(kTransformer));
  const Result<Module> module = ParseIr(text);
  for (auto _ : state) benchmark::DoNotOptimize(PrintIr(*module));
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}
BENCHMARK(PrintTransformer)->Unit(benchmark::kMicrosecond);

}  // namespace
}  // namespace sightline::ir
