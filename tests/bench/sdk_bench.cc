// What a scalar costs its caller by the C interface, in libsightline.so, beside the C++ interface
// of the same recorder. Both take turns, so that the ratio does not depend on how busy the machine
// is.
#include <benchmark/benchmark.h>
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp is not the C++ library's.

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "sightline/recorder/recorder.h"
#include "sightline/sdk/sightline.h"

namespace sightline {
namespace {

constexpr int kRounds = 100;
constexpr int kCalls = 10'000;  // A round; the buffer holds all of them.
constexpr std::size_t kBufferBytes = std::size_t{512} << 20U;

std::string NewDirectory() {
  const bool tmpfs = std::filesystem::is_directory("/dev/shm");
  std::string pattern = std::string(tmpfs ? "/dev/shm" : "/tmp") + "/sightline_bench_XXXXXX";
  if (mkdtemp(pattern.data()) == nullptr) std::abort();
  return pattern;
}

template <typename Call>
double NanosPerCall(const Call& call) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < kCalls; ++i) call(i);
  const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
  return taken.count() / kCalls;
}

double Median(std::vector<double>& values) {
  std::nth_element(values.begin(), values.begin() + kRounds / 2, values.end());
  return values[kRounds / 2];
}

void CallerCostByC(benchmark::State& state) {
  for (auto _ : state) {
    const std::string in_c = NewDirectory();
    const std::string in_cpp = NewDirectory();
    sightline_recorder_options options{};
    options.struct_size = sizeof(options);
    options.buffer_bytes = kBufferBytes;
    sightline_recorder* c = nullptr;
    const sightline_tag* tag = nullptr;
    RecorderOptions cpp_options;
    cpp_options.writing.buffer_bytes = kBufferBytes;
    const auto cpp = Recorder::Open(in_cpp, cpp_options);
    if (sightline_recorder_open(in_c.c_str(), &options, &c) != SIGHTLINE_OK || !cpp ||
        sightline_recorder_tag(c, "loss/auto", &tag) != SIGHTLINE_OK) {
      std::abort();
    }
    const TagId id = (*cpp)->Intern("loss/auto");
    std::vector<double> c_nanos;
    std::vector<double> cpp_nanos;
    for (int round = 0; round < kRounds; ++round) {
      c_nanos.push_back(
          NanosPerCall([&](int step) { (void)sightline_recorder_add_tagged(c, tag, step, 0.25); }));
      cpp_nanos.push_back(NanosPerCall([&](int step) { (void)(*cpp)->AddScalar(id, step, 0.25); }));
    }
    state.counters["c_ns"] = Median(c_nanos);
    state.counters["cpp_ns"] = Median(cpp_nanos);
    if (sightline_recorder_close(c) != SIGHTLINE_OK || !(*cpp)->Close().ok())
      state.SkipWithError("not every value was written");
    sightline_recorder_free(c);
    for (const std::string& directory : {in_c, in_cpp}) std::filesystem::remove_all(directory);
  }
}
BENCHMARK(CallerCostByC)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace sightline
