// A folder of dumps in order with everything that `ir timeline` shows, from files in the page
// cache, on two cores. The bars, for a level-3 folder of 1,773 files and 200 MB: 1 s when every
// dump is read, 50 ms with a stored index.
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

void Read(benchmark::State& state, const FolderOptions& options) {
  const std::string path = FolderPath();
  for (auto _ : state) {
    const auto folder = ReadFolder(FileSystem::Local(), path, options);
    if (!folder || folder->dumps.empty()) state.SkipWithError("the folder was not read");
    benchmark::DoNotOptimize(folder);
  }
}

void ReadFolder(benchmark::State& state) { Read(state, {}); }
BENCHMARK(ReadFolder)->Unit(benchmark::kMillisecond)->UseRealTime();

void ReadFolderByIndex(benchmark::State& state) {
  const testing::TempDir dir;
  const FolderOptions options{.index_file = dir.File("index")};
  (void)ReadFolder(FileSystem::Local(), FolderPath(), options);
  Read(state, options);
}
BENCHMARK(ReadFolderByIndex)->Unit(benchmark::kMillisecond)->UseRealTime();

}  // namespace
}  // namespace sightline::ir
