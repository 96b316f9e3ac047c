// A folder of dumps in order with everything that `ir timeline` shows, from files in the page
// cache, on two cores. The bar, for a level-3 folder of 1,773 files and 200 MB: 1 s.
//
// SIGHTLINE_DUMP_FOLDER names the folder (dumps.py makes one); without it a small one is read.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <string>

#include "sightline/ir/folder/folder.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

std::string FolderPath() {
  const char* given = std::getenv("SIGHTLINE_DUMP_FOLDER");
  return given == nullptr ? testing::CorpusPath("ir/mlp_level1") : given;
}

void ReadDumpFolder(benchmark::State& state) {
  const std::string path = FolderPath();
  for (auto _ : state) {
    const auto folder = ReadFolder(FileSystem::Local(), path, {});
    if (!folder || folder->dumps.empty()) state.SkipWithError("the folder was not read");
    benchmark::DoNotOptimize(folder);
  }
}

BENCHMARK(ReadDumpFolder)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sightline::ir
