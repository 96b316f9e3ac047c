// Records the runs that dashboard.py measures on: dashboard_runs DIR KIND [SCALE].
//
//   long   one run: tag "loss" with 1,000,000 steps (11 spikes of 100 at places that the last line
//          of the output lists) and four tags with 1,000 each
//   huge   one run: tag "loss" with 10,000,000 steps
//   many   1,000 runs of 20 tags with 200 steps each
//   large  1,000 runs of 20 tags with 5,500 steps each, 5 GB together
//   tags   one run of 10,000 tags with 20 steps each
//
// SCALE divides these numbers, for a short try. All is in TensorBoard's dialect, so that its own
// server reads the same files.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/recorder/recorder.h"

namespace {

using sightline::Recorder;

class Runs {
 public:
  Runs(std::string folder, std::int64_t scale) : folder_(std::move(folder)), scale_(scale) {}

  std::int64_t Scaled(std::int64_t count) const {
    return std::max<std::int64_t>(1, count / scale_);
  }

  std::unique_ptr<Recorder> Open(const std::string& name) const {
    sightline::RecorderOptions options;
    options.formats = {sightline::Format::kTensorBoard};
    auto recorder = Recorder::Open(folder_ + "/" + name, options);
    if (recorder) return *std::move(recorder);
    std::fprintf(stderr, "%s\n", std::string(recorder.error().message()).c_str());
    std::exit(1);  // NOLINT(concurrency-mt-unsafe): one thread.
  }

  void Long() {
    constexpr int kSpikes = 11;
    const auto recorder = Open("one");
    const std::int64_t steps = Scaled(1'000'000);
    std::vector<std::int64_t> spikes;
    for (int i = 0; i < kSpikes; ++i) {
      const auto within = static_cast<std::int64_t>(
          random_() % static_cast<std::uint64_t>(std::max<std::int64_t>(1, steps / kSpikes)));
      spikes.push_back(steps * i / kSpikes + within + 1);
    }
    std::size_t next = 0;
    for (std::int64_t step = 1; step <= steps; ++step) {
      const bool spike = next < spikes.size() && spikes[next] == step;
      if (spike) ++next;
      recorder->AddScalar("loss", step, spike ? 100 : Loss(step, steps));
    }
    for (const char* tag : {"accuracy", "rate", "norm", "time"}) {
      for (std::int64_t step = 1; step <= Scaled(1000); ++step)
        recorder->AddScalar(tag, step, Loss(step, 1000));
    }
    Close(*recorder);
    for (const std::int64_t spike : spikes) std::printf("%lld ", static_cast<long long>(spike));
  }

  void Huge() {
    const auto recorder = Open("one");
    const std::int64_t steps = Scaled(10'000'000);
    for (std::int64_t step = 1; step <= steps; ++step)
      recorder->AddScalar("loss", step, Loss(step, steps));
    Close(*recorder);
  }

  void Many(std::int64_t steps) {
    for (std::int64_t run = 0; run < Scaled(1000); ++run) {
      const auto recorder = Open("run" + std::to_string(run));
      for (std::int64_t step = 1; step <= steps; ++step) {
        for (int tag = 0; tag < 20; ++tag) {
          const std::string name = tag == 0 ? "loss" : "metric" + std::to_string(tag);
          recorder->AddScalar(name, step, Loss(step + run, 1200));
        }
      }
      Close(*recorder);
    }
  }

  void Tags() {
    const auto recorder = Open("one");
    for (std::int64_t tag = 0; tag < Scaled(10'000); ++tag) {
      const std::string name =
          "group" + std::to_string(tag % 100) + "/metric" + std::to_string(tag);
      for (std::int64_t step = 1; step <= 20; ++step)
        recorder->AddScalar(name, step, Loss(step * (tag + 1) % 97, 97));
    }
    Close(*recorder);
  }

 private:
  double Loss(std::int64_t step, std::int64_t steps) {
    const double noise = static_cast<double>(random_() % 1000) / 5000;
    return 2.5 * std::exp(-4.0 * static_cast<double>(step) / static_cast<double>(steps)) + noise;
  }
  static void Close(Recorder& recorder) {
    if (recorder.Close().ok()) return;
    std::fputs("a run could not be written\n", stderr);
    std::exit(1);  // NOLINT(concurrency-mt-unsafe)
  }

  std::string folder_;
  std::int64_t scale_;
  std::mt19937_64 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3 && argc != 4) {
    std::fputs("usage: dashboard_runs DIR long|huge|many|large|tags [SCALE]\n", stderr);
    return 2;
  }
  Runs runs(argv[1], argc == 4 ? std::max(1L, std::strtol(argv[3], nullptr, 10)) : 1);
  const std::string_view kind = argv[2];
  if (kind == "long") {
    runs.Long();
  } else if (kind == "huge") {
    runs.Huge();
  } else if (kind == "many") {
    runs.Many(200);
  } else if (kind == "large") {
    runs.Many(5500);
  } else if (kind == "tags") {
    runs.Tags();
  } else {
    std::fprintf(stderr, "'%s' is no kind of runs\n", argv[2]);
    return 2;
  }
  return 0;
}
