// Reading large profiles: a trace_view.json of SIGHTLINE_TRACE_MB, a kernel_details.csv of
// SIGHTLINE_KERNELS rows, both in the shapes that MindSpore writes; time and memory. And the first
// picture of SIGHTLINE_SPANS spans, of our recorder's trace and of one that another writer makes.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/timeline.h"
#include "sightline/profiler/import/import_profile.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/profiler/trace/trace_writer.h"

namespace sightline::profiler {
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
    const auto profile = ImportProfile(file.path());
    if (!profile) return state.SkipWithError("the profile could not be read");
    if (table) benchmark::DoNotOptimize(AnalyzeOperators(*profile, OperatorGrouping::kByName));
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

std::int64_t SpansWanted() { return Setting("SIGHTLINE_SPANS", 10'000'000); }

// What a thread of a training records, slowly enough that nothing is dropped.
void RecordSpans(std::int64_t spans, const std::vector<profiler::EventName>& names) {
  constexpr std::int64_t kBurst = 20'000;
  for (std::int64_t i = 0; i < spans; ++i) {
    const profiler::Span span(names[static_cast<std::size_t>(i) % names.size()]);
    if (i % kBurst == kBurst - 1) std::this_thread::sleep_for(std::chrono::milliseconds(8));
  }
}

// Goes when the program ends, except with SIGHTLINE_KEEP_TRACE: a peer reads it after us.
class RecordedFile {
 public:
  RecordedFile() = default;
  RecordedFile(const RecordedFile&) = delete;
  RecordedFile& operator=(const RecordedFile&) = delete;
  ~RecordedFile() {
    if (std::getenv("SIGHTLINE_KEEP_TRACE") == nullptr) std::remove(path.c_str());
  }
  std::string path;
};

// A trace of our recorder's.
const std::string& OwnTrace() {
  static RecordedFile file;
  if (!file.path.empty()) return file.path;
  const char* folder = std::getenv("TMPDIR");
  auto profile = profiler::ProfileRecorder::Start(
      {.directory = folder == nullptr ? "/tmp" : folder, .ring_bytes = std::size_t{64} << 20U});
  if (!profile) std::abort();
  std::vector<profiler::EventName> names;
  for (int i = 0; i < kNames; ++i)
    names.push_back(profiler::InternName("Default/network/layer" + std::to_string(i)));
  std::vector<std::thread> threads;
  for (int i = 0; i < 2; ++i) threads.emplace_back(RecordSpans, SpansWanted() / 2, names);
  for (std::thread& thread : threads) thread.join();
  const auto stats = (*profile)->Stop();
  if (!stats || stats->dropped != 0) std::abort();
  file.path = stats->path;
  return file.path;
}

const std::string& ForeignTrace() {
  static LargeFile file("foreign.perfetto-trace");
  if (file.bytes() > 0) return file.path();
  file.Write(" ");
  file.Close();
  profiler::TraceWriter trace(file.path());
  std::vector<profiler::TraceWriter::Track> tracks;
  for (int i = 0; i < 64; ++i) tracks.push_back(trace.AddTrack("stream " + std::to_string(i)));
  for (std::int64_t i = 0; i < SpansWanted(); ++i) {
    const auto at = static_cast<std::size_t>(i);
    trace.Span(tracks[at % tracks.size()], "Default/network/layer" + std::to_string(i % kNames),
               i * 100, i * 100 + 5000);
  }
  if (!trace.Close()) std::abort();
  return file.path();
}

// Reading, the index of the timeline, and the whole of every lane at 2,000 columns.
void FirstPicture(benchmark::State& state, const std::string& path) {
  for (auto _ : state) {
    const auto profile = ImportProfile(path);
    if (!profile) return state.SkipWithError("the profile could not be read");
    const Model& model = profile->model;
    const TimelineIndex index(model);
    const TimeRange whole = Extent(model);
    for (std::uint32_t lane = 0; lane < model.lanes.size(); ++lane)
      benchmark::DoNotOptimize(index.Look(LaneId{lane}, whole, 2000));
    state.counters["spans"] = static_cast<double>(model.spans.size());
  }
}

void BM_FirstPictureOfOurs(benchmark::State& state) { FirstPicture(state, OwnTrace()); }
BENCHMARK(BM_FirstPictureOfOurs)->Iterations(1)->UseRealTime()->Unit(benchmark::kMillisecond);

void BM_FirstPictureOfAForeignTrace(benchmark::State& state) {
  FirstPicture(state, ForeignTrace());
}
BENCHMARK(BM_FirstPictureOfAForeignTrace)
    ->Iterations(1)
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sightline::profiler
