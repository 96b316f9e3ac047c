// Reading large profiles: a trace_view.json of SIGHTLINE_TRACE_MB, a kernel_details.csv of
// SIGHTLINE_KERNELS rows, both in the shapes that MindSpore writes; time and memory.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/import/import_profile.h"

namespace sightline::profile {
namespace {

constexpr int kNames = 2000;

std::int64_t Setting(const char* name, std::int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

// A file that goes when the program ends.
class LargeFile {
 public:
  explicit LargeFile(const std::string& name) {
    const char* folder = std::getenv("TMPDIR");
    path_ = std::string(folder == nullptr ? "/tmp" : folder) + "/" + name;
    file_ = std::fopen(path_.c_str(), "wb");
    if (file_ == nullptr) std::abort();
  }
  ~LargeFile() { std::remove(path_.c_str()); }
  LargeFile(const LargeFile&) = delete;
  LargeFile& operator=(const LargeFile&) = delete;

  void Write(const std::string& text) {
    bytes_ += static_cast<std::int64_t>(std::fwrite(text.data(), 1, text.size(), file_));
  }
  void Close() { std::fclose(file_); }
  std::int64_t bytes() const { return bytes_; }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
  std::FILE* file_ = nullptr;
  std::int64_t bytes_ = 0;
};

const LargeFile& Trace() {
  static LargeFile file("large.trace.json");
  if (file.bytes() > 0) return file;
  file.Write(R"([{"ph":"M","name":"process_name","pid":2,"tid":0,"args":{"name":"CPU OP"}})");
  const std::int64_t wanted = Setting("SIGHTLINE_TRACE_MB", 500) * 1'000'000;
  for (std::int64_t i = 0; file.bytes() < wanted; ++i) {
    const std::int64_t time = 1'795'189'731'943'100'648 + i * 21'303;
    file.Write(fmt::format(
        R"(,{{"ph":"X","name":"Gradients/Default/network/layers.{}/attention/MatMul-op{}",)"
        R"("pid":2,"tid":{},"ts":"{}.{:03}","dur":"14.982","cat":"",)"
        R"("args":{{"type":"HostCpuOps"}}}})",
        i % 40, i % kNames, i % 4, time / 1000, time % 1000));
  }
  file.Write("]");
  file.Close();
  return file;
}

const LargeFile& Kernels() {
  static LargeFile file("kernel_details.csv");
  if (file.bytes() > 0) return file;
  file.Write(
      "Step ID,Model ID,Task ID,Stream ID,Name,Type,OP State,Accelerator Core,Start Time(us),"
      "Duration(us),Wait Time(us),Block Dim,Mix Block Dim,HF32 Eligible,Input Shapes\n");
  const std::int64_t rows = Setting("SIGHTLINE_KERNELS", 1'000'000);
  for (std::int64_t i = 0; i < rows; ++i) {
    file.Write(fmt::format(
        "{},4294967295,{},{},Default/network/layers.{}/MatMulV2-op{},MatMulV2,static,AI_CORE,"
        "1795189731{:06}.648\t,14.982,1.5,24,0,NO,\"1024,4096;4096,4096\"\n",
        i / 10'000, i % 65'536, i % 8, i % 40, i % kNames, i % 1'000'000));
  }
  file.Close();
  return file;
}

// Of this process, in bytes: "VmRSS", "VmHWM".
double Memory(const std::string& name) {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with(name + ":")) return std::atof(line.c_str() + name.size() + 1) * 1024;
  }
  return 0;
}

void Import(benchmark::State& state, const LargeFile& file, bool table) {
  double grown = 0;
  for (auto _ : state) {
    std::ofstream("/proc/self/clear_refs") << "5";  // The high-water mark begins anew.
    const double before = Memory("VmRSS");
    const auto profile = ImportProfile(FileSystem::Local(), file.path());
    if (!profile) return state.SkipWithError("the profile could not be read");
    if (table) benchmark::DoNotOptimize(OperatorsOf(*profile, OperatorGrouping::kByName));
    grown = Memory("VmHWM") - before;
    state.counters["spans"] = static_cast<double>(profile->model.spans.size());
  }
  state.counters["file_mb"] = static_cast<double>(file.bytes()) / 1e6;
  state.counters["memory_mb"] = grown / 1e6;
}

void BM_ImportTrace(benchmark::State& state) { Import(state, Trace(), false); }
BENCHMARK(BM_ImportTrace)->Iterations(1)->Unit(benchmark::kMillisecond);

void BM_KernelTable(benchmark::State& state) { Import(state, Kernels(), true); }
BENCHMARK(BM_KernelTable)->Iterations(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline::profile
