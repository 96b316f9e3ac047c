// Loss landscapes: directions of large checkpoints, forming a point beside STREAM's triad, and what
// evaluating a surface costs beyond the bare loss.
//
// SIGHTLINE_LANDSCAPE_PARAMETERS says how many parameters the large checkpoints have (default: few,
// so that the program can be run by hand). They lie in TMPDIR, ten of them, which is best a tmpfs.
#include <benchmark/benchmark.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/crc32c.h"
#include "sightline/landscape/directions/vector_kernels.h"
#include "sightline/landscape/generate.h"
#include "sightline/landscape/surface/command_loss.h"
#include "sightline/landscape/surface/surface.h"

namespace sightline::landscape {
namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// CPU time of the process: what other programs of the machine do counts less.
double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

constexpr std::size_t kLargeCheckpoints = 10;
constexpr std::size_t kTensors = 10;
constexpr std::size_t kSmallParameters = 1'000'000;
// MindSpore's takes eleven times the checkpoints' memory: it gets a part of the parameters.
constexpr std::size_t kMindSporePart = 50;

std::size_t LargeParameters() {
  const char* given = std::getenv("SIGHTLINE_LANDSCAPE_PARAMETERS");
  return given == nullptr ? 1'000'000 : std::strtoull(given, nullptr, 10);
}

// Points along each axis of a surface: few where the checkpoints are small.
int Side() { return LargeParameters() < 10'000'000 ? 8 : 40; }

// A folder in TMPDIR with a training's checkpoints (safetensors) and metadata.
class Training {
 public:
  Training(std::size_t checkpoints, std::size_t parameters) : parameters_(parameters) {
    directory_ = (std::filesystem::temp_directory_path() / "sightline_bench_XXXXXX").string();
    if (mkdtemp(directory_.data()) == nullptr) std::abort();
    std::filesystem::create_directory(directory_ + "/ckpt_dir");
    std::string group;
    std::string files;
    for (std::size_t i = 1; i <= checkpoints; ++i) {
      const std::string path = directory_ + "/ckpt_dir/" + std::to_string(i) + ".ckpt";
      Write(path, i);
      const char* comma = i == 1 ? "" : ", ";
      group += comma + std::to_string(i);
      files += comma + ("\"" + std::to_string(i)) + "\": \"" + path + "\"";
    }
    std::ofstream(directory_ + "/ckpt_dir/train_metadata.json")
        << R"({"epoch_group": {"0": [)" << group << R"(]}, "model_params_file_map": {)" << files
        << R"(}, "landscape_size": )" << Side()
        << R"(, "create_landscape": {"train": true, "result": false}})";
  }
  ~Training() { std::filesystem::remove_all(directory_); }
  Training(const Training&) = delete;
  Training& operator=(const Training&) = delete;

  TrainMetadata Metadata() const {
    auto metadata = ReadTrainMetadata(directory_);
    if (!metadata) std::abort();
    return *metadata;
  }

 private:
  // Tensors of one size; their numbers differ from checkpoint to checkpoint in several directions.
  void Write(const std::string& path, std::size_t number) const {
    const std::size_t count = parameters_ / kTensors;
    std::string header = "{";
    for (std::size_t i = 0; i < kTensors; ++i) {
      const std::string size = std::to_string(count);
      header += (i == 0 ? "\"w" : ", \"w") + std::to_string(i) +
                R"(.weight": {"dtype": "F32", "shape": [)" + size + R"(], "data_offsets": [)" +
                std::to_string(i * count * 4) + ", " + std::to_string((i + 1) * count * 4) + "]}";
    }
    header += "}";
    const std::uint64_t size = header.size();
    std::ofstream out(path, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&size), sizeof(size))
        .write(header.data(), static_cast<std::streamsize>(size));
    std::vector<float> values(count);
    const auto bytes = static_cast<std::streamsize>(count * sizeof(float));
    std::uint32_t state = static_cast<std::uint32_t>(number) * 2654435761U;
    for (std::size_t i = 0; i < kTensors; ++i) {
      for (std::size_t j = 0; j < count; ++j) {
        state = state * 1664525U + 1013904223U;
        values[j] = static_cast<float>(j % 1000) * 1e-3F + static_cast<float>(state >> 8U) * 1e-9F;
      }
      out.write(reinterpret_cast<const char*>(values.data()), bytes);
    }
    if (!out) std::abort();
  }

  std::size_t parameters_;
  std::string directory_;
};

Result<Directions> MakeDirections(const TrainMetadata& metadata) {
  std::vector<Checkpoint> checkpoints;
  for (const std::int64_t number : metadata.intervals.front()) {
    SIGHTLINE_ASSIGN_OR_RETURN(Checkpoint checkpoint, OpenCheckpoint(metadata, number));
    checkpoints.push_back(std::move(checkpoint));
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const ParameterSet set,
                             ParameterSet::Make(std::move(checkpoints), {}));
  return PcaDirections(set, {.threads = 2});
}

std::uint32_t ChecksumOf(const Directions& directions) {
  const auto bytes = [](const std::vector<float>& v) {
    return std::string_view(reinterpret_cast<const char*>(v.data()), v.size() * sizeof(float));
  };
  return crc32c::Extend(crc32c::Value(bytes(directions.first)), bytes(directions.second));
}

// Whether a process of so much data memory finds the same directions.
bool FindsTheSame(const TrainMetadata& metadata, std::uint32_t checksum, std::size_t limit) {
  const pid_t child = fork();
  if (child == 0) {
    const rlimit data{limit, limit};
    if (setrlimit(RLIMIT_DATA, &data) != 0) _exit(2);
    const auto directions = MakeDirections(metadata);
    _exit(directions && ChecksumOf(*directions) == checksum ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status == 0;
}

// Bars: 5 s for 10 x 100 M parameters on 2 cores; memory of the two directions plus 64 MB.
void PcaOfLargeCheckpoints(benchmark::State& state) {
  static const Training training(kLargeCheckpoints, LargeParameters());
  const TrainMetadata metadata = training.Metadata();
  std::uint32_t checksum = 0;
  for (auto _ : state) {
    const auto directions = MakeDirections(metadata);
    if (!directions) {
      state.SkipWithError(std::string(directions.error().message()).c_str());
      return;
    }
    state.PauseTiming();
    checksum = ChecksumOf(*directions);
    state.ResumeTiming();
  }
  const std::size_t allowed = 2 * LargeParameters() * sizeof(float) + (std::size_t{64} << 20U);
  state.counters["same_bits_in_little_memory"] = FindsTheSame(metadata, checksum, allowed) ? 1 : 0;
}

// Beside the time that MindSpore takes for as many, which peers/mindspore_pca.py says.
void PcaBesideMindSpore(benchmark::State& state) {
  static const Training training(kLargeCheckpoints, LargeParameters() / kMindSporePart);
  const TrainMetadata metadata = training.Metadata();
  for (auto _ : state)
    if (!MakeDirections(metadata)) std::abort();
}

// STREAM's triad, of float64 (www.cs.virginia.edu/stream).
void Triad(benchmark::State& state) {
  const std::size_t n = LargeParameters();
  std::vector<double> a(n, 0.0);
  const std::vector<double> b(n, 1.0);
  const std::vector<double> c(n, 2.0);
  for (auto _ : state) {
    for (std::size_t i = 0; i < n; ++i) a[i] = b[i] + 3.0 * c[i];
    benchmark::DoNotOptimize(a.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(n * 3 * sizeof(double)));
}

void FormLargePoint(benchmark::State& state) {
  const std::size_t n = LargeParameters();
  std::vector<float> out(n, 0.0F);
  const std::vector<float> base(n, 1.0F);
  const std::vector<float> first(n, 2.0F);
  const std::vector<float> second(n, 3.0F);
  for (auto _ : state) {
    FormPoint(base.data(), first.data(), second.data(), 0.5, -0.25, out.data(), n);
    benchmark::DoNotOptimize(out.data());
    benchmark::ClobberMemory();
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(n * 4 * sizeof(float)));
}

// The surface of 1,600 points and its path, journal on, with a loss that takes 5 ms of wall time:
// CPU time beyond that of its calls, of the plane and of forming so many points in a bare loop, as
// share of the loss. Bar: 2 %.
void OverheadOfAnEvaluation(benchmark::State& state) {
  static const Training training(3, kSmallParameters);
  const TrainMetadata metadata = training.Metadata();
  const auto busy = std::chrono::milliseconds(5);
  double overhead = 0;
  for (auto _ : state) {
    double in_loss = 0;
    std::size_t points = 0;
    const LossFunction loss = [&](const PointParameters&) -> Result<std::vector<double>> {
      const double before = CpuSeconds();
      const auto start = Clock::now();
      while (Clock::now() - start < busy) {
      }
      ++points;
      in_loss += CpuSeconds() - before;
      return std::vector<double>{1};
    };
    double start = CpuSeconds();
    const auto plane = PlaneOfInterval(metadata, 0, {});
    const double planes = CpuSeconds() - start;
    start = CpuSeconds();
    const auto made = GenerateLandscapes(metadata, loss, {.restart = true});
    const double whole = CpuSeconds() - start;
    if (!plane || !made) std::abort();
    const double around_loss = whole - planes - in_loss;
    in_loss = 0;
    start = CpuSeconds();
    const std::vector<float> base(kSmallParameters, 1.0F);
    std::vector<float> out(kSmallParameters);
    const std::size_t count = points;
    for (std::size_t i = 0; i < count; ++i) {
      FormPoint(base.data(), plane->directions.first.data(), plane->directions.second.data(), 0.5,
                0.25, out.data(), out.size());
      benchmark::DoNotOptimize(loss({0, 0, out, plane->parameters, 0}));
    }
    const double forming = CpuSeconds() - start - in_loss;
    overhead = (around_loss - forming) / (Seconds(busy).count() * static_cast<double>(count));
  }
  state.counters["percent"] = 100 * overhead;
}

// A single-threaded loss of some milliseconds that does as much work wherever it runs.
double Work(std::span<const float> values) {
  double sum = 0;
  for (int pass = 0; pass < 8; ++pass)
    sum = std::accumulate(values.begin(), values.end(), 0.5 * sum);
  return sum;
}

// The program that computes the loss, as `sightline landscape run --loss` starts it. It maps the
// file once, since a landscape's path stays the same.
int AnswerPoints() {
  double x = 0;
  double y = 0;
  std::string path;
  std::string mapped;
  Result<Checkpoint> checkpoint = Error(StatusCode::kUnavailable, "none yet");
  while (std::cin >> x >> y >> path) {
    if (mapped != path) checkpoint = Checkpoint::Open(mapped = path);
    if (!checkpoint) return 1;
    double sum = 0;
    for (const CheckpointTensor& tensor : checkpoint->tensors()) {
      sum += Work(
          {reinterpret_cast<const float*>(tensor.pieces.front().data()), tensor.ElementCount()});
    }
    std::cout << sum << std::endl;
  }
  return 0;
}

// Forms and evaluates half of the points, with nothing around it.
void ComputeHalf(const Plane& plane) {
  std::vector<float> last(kSmallParameters);
  plane.parameters.Read(plane.parameters.checkpoint_count() - 1, 0, std::span<float>(last));
  std::vector<float> out(kSmallParameters);
  for (std::size_t i = 0; i < PointCount(plane) / 2; ++i) {
    FormPoint(plane, last, PointAt(plane, i), out);
    benchmark::DoNotOptimize(Work(out));
  }
}

// Points a second of two processes that compute the loss, as share of what two processes reach that
// do nothing else.
void ScalingOverTwoProcesses(benchmark::State& state) {
  static const Training training(3, kSmallParameters);
  const TrainMetadata metadata = training.Metadata();
  PlaneOptions options;
  options.x_size = options.y_size = 20;
  const auto plane = PlaneOfInterval(metadata, 0, options);
  if (!plane) std::abort();
  CommandLoss loss("exec " + std::filesystem::read_symlink("/proc/self/exe").string() +
                   " --answer-points");
  double share = 0;
  for (auto _ : state) {
    PointValues values;
    auto begin = Clock::now();
    const auto buffer = [&](const ParameterSet& set, int worker) {
      return loss.Buffer(set, worker);
    };
    const Status status =
        EvaluateSurface(*plane, std::ref(loss), {.workers = 2, .buffer = buffer}, values);
    const Seconds ours = Clock::now() - begin;
    if (!status.ok()) {
      state.SkipWithError(std::string(status.message()).c_str());
      return;
    }
    begin = Clock::now();
    const pid_t other = fork();
    ComputeHalf(*plane);
    if (other == 0) _exit(0);
    waitpid(other, nullptr, 0);
    share = Seconds(Clock::now() - begin) / ours;
  }
  state.counters["percent"] = 100 * share;
}

BENCHMARK(PcaOfLargeCheckpoints)
    ->Unit(benchmark::kSecond)
    ->MeasureProcessCPUTime()
    ->UseRealTime()
    ->Iterations(1)
    ->Repetitions(3);
BENCHMARK(PcaBesideMindSpore)->Unit(benchmark::kSecond)->UseRealTime()->Iterations(1);
BENCHMARK(Triad)->UseRealTime();
BENCHMARK(FormLargePoint)->UseRealTime();
BENCHMARK(OverheadOfAnEvaluation)->UseRealTime()->Iterations(1)->Repetitions(2);
BENCHMARK(ScalingOverTwoProcesses)->UseRealTime()->Iterations(1);

}  // namespace
}  // namespace sightline::landscape

int main(int argc, char** argv) {
  if (argc == 2 && std::string_view(argv[1]) == "--answer-points")
    return sightline::landscape::AnswerPoints();
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
