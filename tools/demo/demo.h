// The demo: trains a small network on handwritten digits, records everything that can be recorded,
// and measures the cost of recording.
//
//   const auto say = [](std::string_view line) { std::cout << line << '\n'; };
//   Result<DemoReport> report = RunDemo({.directory = "./run"}, say);
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/ir/dump/graph_dumper.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/recorder/recorder.h"
#include "sightline/tools/demo/overhead.h"

namespace sightline::demo {

struct DemoOptions {
  std::string directory = {};  // Of the run; new or empty.
  int epochs = 12;             // At least 1.
  std::vector<Format> formats = {Format::kMindSpore, Format::kTensorBoard};
  int overhead_pairs = 8;  // 0: the cost of recording is not measured.
  std::uint64_t seed = 1;
  int landscape_size = 0;  // Points along each axis of the loss landscapes, 3 to 256; 0: none.
  bool profile = false;    // Record the phases of the steps into <directory>/profile.
  int save_graphs = 0;     // The level of graph dumps (ir/dump) in <directory>/graphs; 0: none.
};

struct DemoReport {
  int epochs = 0;
  int steps = 0;
  int train_images = 0;
  int test_images = 0;
  double final_loss = 0;
  double test_accuracy = 0;  // 0 to 1.
  double seconds = 0;        // The duration of the recorded training.
  std::string directory = {};
  RecorderStats stats = {};
  std::vector<std::string> landscapes = {};  // Pictures.
  std::optional<profiler::ProfileStats> profile = std::nullopt;
  std::optional<ir::DumperStats> graphs = std::nullopt;
  std::optional<Overhead> overhead = std::nullopt;
};

// `say` gets one line at a time, without its line end.
Result<DemoReport> RunDemo(const DemoOptions& options,
                           const std::function<void(std::string_view)>& say);

}  // namespace sightline::demo
