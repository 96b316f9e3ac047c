// Records the runs that dashboard.py measures on: dashboard_runs DIR KIND [SCALE].
//
//   long   one run: tag "loss" with 1,000,000 steps (11 spikes of 100 at places that the last line
//          of the output lists) and four tags with 1,000 each
//   huge   one run: tag "loss" with 10,000,000 steps
//   many   1,000 runs of 20 tags with 200 steps each
//   large  1,000 runs of 20 tags with 5,500 steps each, 5 GB together
//   tags   one run of 10,000 tags with 20 steps each
//   views  four runs: graphs of 100,000 nodes, "nested" (200 scopes of 500) and "flat" (one scope),
//          "surface", a landscape of 256 x 256 points, and "pictures", 100 images of 256 x 256
//   ranks  one training by tensorboardX: 1,024 folders rank_<n> of 40 tags with 2,000 steps each,
//   and
//          below them 20,000 folders of add_scalars. Rank 11 takes a quarter longer from step 301
//          on.
//
// SCALE divides these numbers, for a short try. All but views is in TensorBoard's dialect, so
// that its own server reads the same files.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/recorder.h"
#include "sightline/recorder/tensor/tensor_view.h"
#include "sightline/tests/bench/scalar_record.h"

namespace {

using sightline::Recorder;

class Runs {
 public:
  Runs(std::string folder, std::int64_t scale) : folder_(std::move(folder)), scale_(scale) {}

  std::int64_t Scaled(std::int64_t count) const {
    return std::max<std::int64_t>(1, count / scale_);
  }

  std::unique_ptr<Recorder> Open(const std::string& name,
                                 sightline::Format format = sightline::Format::kTensorBoard) const {
    sightline::RecorderOptions options;
    options.formats = {format};
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

  void Ranks() {
    constexpr int kTags = 40;
    constexpr int kSteps = 2000;
    const std::int64_t ranks = Scaled(1024);
    const std::int64_t curves = Scaled(20'000);
    for (std::int64_t rank = 0; rank < ranks; ++rank) {
      const std::string folder = "rank_" + std::to_string(rank);
      std::string records;
      for (int step = 1; step <= kSteps; ++step) {
        const double slower = rank == 11 && step > 300 ? 1.25 : 1;
        records +=
            sightline::bench::ScalarRecord("loss", step, static_cast<float>(Loss(step, kSteps)));
        records += sightline::bench::ScalarRecord(
            "iteration-time", step, static_cast<float>(slower * (100 + Loss(step, kSteps))));
        for (int tag = 2; tag < kTags; ++tag) {
          records += sightline::bench::ScalarRecord("local_norm/layer" + std::to_string(tag), step,
                                                    static_cast<float>(Loss(step, kSteps)));
        }
      }
      Write(folder, records);
      for (std::int64_t key = rank; key < curves; key += ranks) {
        records.clear();
        for (int step = 1; step <= 20; ++step)
          records += sightline::bench::ScalarRecord("expert_load", step, 1);
        Write(folder + "/expert_load/ep_" + std::to_string(key / ranks), records);
      }
    }
  }

  void Views() {
    constexpr std::int64_t kInScope = 500;
    RecordGraph("nested", [](std::int64_t node) {
      // By letters: blocks that differ in numbers alone would stand as one.
      const std::int64_t scope = node / kInScope;
      return "Default/part_" + Letters(scope / 20) + "/block_" + Letters(scope % 20);
    });
    RecordGraph("flat", [](std::int64_t) { return std::string("Default"); });
    RecordSurface();
    RecordPictures();
  }

 private:
  // As tensorboardX names its files.
  void Write(const std::string& folder, const std::string& records) const {
    const std::filesystem::path path = std::filesystem::path(folder_) / folder;
    std::filesystem::create_directories(path);
    std::ofstream(path / "events.out.tfevents.1700000000.node0", std::ios::binary) << records;
  }

  static std::string Letters(std::int64_t number) {
    return {static_cast<char>('a' + number / 26), static_cast<char>('a' + number % 26)};
  }

  template <typename ScopeOf>
  void RecordGraph(const std::string& run, ScopeOf scope_of) const {
    sightline::Graph graph;
    graph.name = run;
    for (std::int64_t i = 0; i < std::max<std::int64_t>(1000, Scaled(100'000)); ++i) {
      sightline::GraphNode node{.name = "op" + std::to_string(i),
                                .op_type = i % 3 == 0 ? "MatMul" : "ReLU",
                                .scope = scope_of(i)};
      if (i > 0) node.inputs.push_back("op" + std::to_string(i - 1));
      if (i % 10 == 9) node.inputs.push_back("op" + std::to_string(i - 9));
      graph.nodes.push_back(std::move(node));
    }
    RecordMessage(run, sightline::ValueKind::kGraph, "", sightline::SerializeGraph(graph));
  }

  void RecordSurface() const {
    constexpr int kPoints = 256;
    sightline::LossLandscape landscape;
    for (int i = 0; i < kPoints; ++i) landscape.x.push_back(2.0 * i / (kPoints - 1) - 1);
    landscape.y = landscape.x;
    for (const double y : landscape.y) {
      for (const double x : landscape.x)
        landscape.z.push_back(x * x + 2 * y * y + 0.1 * std::sin(20 * x) * std::cos(14 * y));
    }
    RecordMessage("surface", sightline::ValueKind::kLandscape, "landscape_[1]",
                  sightline::SerializeLandscape(landscape));
  }

  void RecordPictures() {
    constexpr std::int64_t kEdge = 256;
    const auto recorder = Open("pictures");
    constexpr std::array<std::int64_t, 4> kShape = {1, 1, kEdge, kEdge};
    std::vector<std::uint8_t> pixels(static_cast<std::size_t>(kEdge * kEdge));
    for (std::int64_t step = 1; step <= 100; ++step) {
      for (std::uint8_t& pixel : pixels) pixel = static_cast<std::uint8_t>(random_());
      recorder->AddImage("image", step, sightline::View(pixels.data(), kShape));
    }
    Close(*recorder);
  }

  void RecordMessage(const std::string& run, sightline::ValueKind kind, std::string_view tag,
                     const sightline::Result<std::string>& message) const {
    const auto recorder = Open(run, sightline::Format::kMindSpore);
    if (message) recorder->AddMessage(tag, 0, kind, *message);
    Close(*recorder);
  }

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
    std::fputs("usage: dashboard_runs DIR long|huge|many|large|ranks|tags|views [SCALE]\n", stderr);
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
  } else if (kind == "ranks") {
    runs.Ranks();
  } else if (kind == "views") {
    runs.Views();
  } else {
    std::fprintf(stderr, "'%s' is no kind of runs\n", argv[2]);
    return 2;
  }
  return 0;
}
