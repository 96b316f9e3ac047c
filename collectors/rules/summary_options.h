// SummaryOptions: what SummaryMonitor collects and when, and how it is written. The names are those
// of MindSpore's SummaryCollector; docs/summary_monitor.md has the rules and the differences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/collectors/rules/frequency.h"
#include "sightline/collectors/rules/landscape_options.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// Selects the data that is collected. Values that StepInfo has under their own names, and those of
// Log, are recorded whenever they are given.
struct CollectSpecifiedData {
  bool collect_metric = true;         // Loss, learning rate and evaluation metrics as scalars.
  bool collect_graph = true;          // The training graph, once.
  bool collect_train_lineage = true;  // When training begins, and at its end.
  bool collect_eval_lineage = true;   // At the end of each evaluation.
  bool collect_input_data = true;     // The batch as an image; stops if it is none.
  bool collect_dataset_graph = true;  // The training data's pipeline, once.
  bool collect_throughput = true;     // Step time and samples per second. Not in MindSpore.
  bool collect_system = true;         // Memory, CPU, disk, network every 10 s. Not in MindSpore.
  bool collect_run_facts = true;      // Command, commit, machine, devices, once. Not in MindSpore.
  bool collect_histograms = true;     // Of parameters. MindSpore can only turn off everything.

  // The parameters whose histograms are collected: a regular expression as of Python's `re` that
  // matches at the start of the name, of at most 1,000 bytes; ".*" for all. Empty: the first five
  // parameters.
  std::string histogram_regular = {};

  // Checkpoints for a loss landscape. None unless this is given; MindSpore's default is 19
  // checkpoints.
  std::optional<LandscapeOptions> collect_landscape = std::nullopt;

  // All switches off.
  static CollectSpecifiedData Nothing();
};

enum class TensorFormat {
  kNone,
  kNpy,  // Each tensor is also written as export_<seconds>/tensor/<tag>_<step>.npy.
};

struct ExportOptions {
  TensorFormat tensor_format = TensorFormat::kNone;
};

// A value that is not a finite number.
struct NonFinite {
  std::string tag;
  std::int64_t step = 0;  // The first step at which it was seen.
  double value = 0;       // NaN, or infinity with its sign; for a tensor, its first such element.

  std::string ToString() const;  // "loss/auto is nan at step 17"
};

struct SummaryOptions {
  // The distance between two collected steps; step 1 is always collected. At least 1. A smaller
  // number costs more.
  std::int64_t collect_freq = 10;
  // The same for tensors. At least 1. None: about 20 steps of the run.
  std::optional<std::int64_t> collect_tensor_freq = std::nullopt;
  CollectSpecifiedData collect_specified_data = {};

  // How often values of some kind, or with certain tags, are recorded, in place of these two
  // options. The first entry that matches a value counts. At most 64.
  std::vector<Frequency> frequencies = {};

  // The share of the training's time that recording may take on the training's thread: more than 0,
  // less than 1. If it takes more, histograms, images and tensors are recorded at fewer of their
  // steps, and at more again when there is room. None: no limit.
  std::optional<double> max_overhead = std::nullopt;

  // Pairs that are shown with the run in lineage views.
  CustomLineage custom_lineage_data = {};

  // The largest size of an event file, in bytes. At least 1. None: no limit. Exports do not count.
  std::optional<std::uint64_t> max_file_size = std::nullopt;
  OnFileFull on_file_full = OnFileFull::kRotate;
  ExportOptions export_options = {};
  std::vector<Format> formats = {Format::kMindSpore};

  // The ranks that record; none: all. Other ranks create nothing and do nothing, see RankOf().
  std::optional<std::vector<std::int64_t>> ranks = std::nullopt;

  // For a training that continues from a checkpoint, in a directory that holds its run: the first
  // step that is trained again. At least 0. Nothing is deleted; readers ignore what this rank
  // recorded there for that step and later ones. None: this is a run of its own, after whatever is
  // there.
  std::optional<std::int64_t> resume_from_step = std::nullopt;

  // Called on the training thread at the first NaN or infinity of each tag. May be empty. Its
  // exceptions are ignored.
  std::function<void(const NonFinite&)> on_nonfinite = {};

  // For collect_landscape: writes the parameters to the given path. Called on the training thread.
  std::function<Status(const std::string& path)> save_checkpoint = {};

  // Gets the first line, the last line and warnings, without line ends. Empty: they go to standard
  // error.
  std::function<void(std::string_view)> say = {};

  // Buffering, durability, rank, and replacements for tests.
  WritingOptions writing = {};

  // OK, or kInvalidArgument with every fault: the parameter, its value and what is allowed.
  Status Check() const;

  // The recorder's options.
  RecorderOptions ForRecorder() const;
};

// MindSpore's default: ./output/summary/rank_<id>, with the environment's rank.
std::string DefaultSummaryDir();

}  // namespace sightline
