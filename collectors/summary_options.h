// SummaryOptions: what SummaryMonitor collects, when, and how it is written. The names are
// MindSpore's SummaryCollector's; docs/summary_monitor.md has the rules and the differences.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/collectors/frequency.h"
#include "sightline/collectors/landscape_options.h"
#include "sightline/collectors/nan_watch.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/writing/recorder_options.h"

namespace sightline {

// Which data is collected; what StepInfo has under own names and Log are recorded whenever they are
// given.
struct CollectSpecifiedData {
  bool collect_metric = true;         // Loss, learning rate and evaluation metrics as scalars.
  bool collect_graph = true;          // The training graph, once.
  bool collect_train_lineage = true;  // When training begins, and at its end.
  bool collect_eval_lineage = true;   // At the end of each evaluation.
  bool collect_input_data = true;     // The batch as image; switched off when it is none.
  bool collect_dataset_graph = true;  // The training data's pipeline, once.
  bool collect_throughput = true;     // Step time and samples per second. Not in MindSpore.
  bool collect_system = true;         // Memory, CPU, disk, network every 10 s. Not in MindSpore.
  bool collect_histograms = true;     // Of parameters. MindSpore can only turn off everything.

  // The parameters whose histograms are collected: an ECMAScript regular expression that matches at
  // the start of the name, of at most 1,000 bytes; ".*" for all. Empty: the first five parameters.
  std::string histogram_regular = {};

  // Checkpoints for a loss landscape; none unless given, where MindSpore saves 19.
  std::optional<LandscapeOptions> collect_landscape = std::nullopt;

  // Every switch off.
  static CollectSpecifiedData Nothing();
};

enum class TensorFormat {
  kNone,
  kNpy,  // Each tensor also as export_<seconds>/tensor/<tag>_<step>.npy.
};

struct ExportOptions {
  TensorFormat tensor_format = TensorFormat::kNone;
};

struct SummaryOptions {
  // Steps between two that are collected; step 1 always is. At least 1. Smaller costs more.
  std::int64_t collect_freq = 10;
  // The same for tensors; none: about 20 steps of the run. At least 1.
  std::optional<std::int64_t> collect_tensor_freq = std::nullopt;
  CollectSpecifiedData collect_specified_data = {};

  // How often values of some kind, or under some tags, are recorded in place of that: the first
  // entry that fits a value counts. At most 64.
  std::vector<Frequency> frequencies = {};

  // What recording may take of the training's time on the training's thread, as a share: more than
  // 0, less than 1. Where it takes more, histograms, images and tensors are recorded at fewer of
  // their steps, and at more again when there is room. None: as much as it takes.
  std::optional<double> max_overhead = std::nullopt;

  // Pairs that appear with the run in the lineage views.
  CustomLineage custom_lineage_data = {};

  // Bytes that a file may reach, then the next one goes on; none: no limit. At least 1. Exports do
  // not count.
  std::optional<std::int64_t> max_file_size = std::nullopt;
  ExportOptions export_options = {};
  std::vector<Format> formats = {Format::kMindSpore};

  // The ranks that record; none: all. The others create nothing and do nothing, see RankOf().
  std::optional<std::vector<std::int64_t>> ranks = std::nullopt;

  // A training that goes on from a checkpoint in a directory that holds its run: the first step
  // that is trained anew. At least 0. Nothing is deleted; what this rank recorded there of that
  // step and later ones does not count for readers any more. None: a run of its own, after what is
  // there.
  std::optional<std::int64_t> resume_from_step = std::nullopt;

  // Called at the first NaN or infinity of each tag, on the training thread. May be empty. What it
  // throws is swallowed.
  std::function<void(const NonFinite&)> on_nonfinite = {};

  // Writes the parameters to the path it is given, on the training thread, for collect_landscape.
  std::function<Status(const std::string& path)> save_checkpoint = {};

  // Gets the line of the start, the line of the end and warnings, without line end. Empty: standard
  // error.
  std::function<void(std::string_view)> say = {};

  // Buffering, durability, rank, seams for tests. Its formats, export_npy, max_file_size and
  // resume_from_step are not used.
  RecorderOptions recorder = {};

  // OK, or kInvalidArgument with every fault: the parameter, its value and what is allowed.
  Status Check() const;

  // `recorder` with what the options above say; where it says nothing of ranks (world_size is 1),
  // what the environment says.
  RecorderOptions ForRecorder() const;
};

// The first number among the variables RANK_ID, OMPI_COMM_WORLD_RANK, RANK and SLURM_PROCID, else
// 0.
std::int64_t RankOfEnvironment();

// The first number, at least 1, among the variables RANK_SIZE, OMPI_COMM_WORLD_SIZE, WORLD_SIZE and
// SLURM_NTASKS, else 1.
std::int64_t WorldSizeOfEnvironment();

// The rank of this process: that of `options` where its world_size is more than 1, else that of the
// environment.
std::int64_t RankOf(const RecorderOptions& options);

// MindSpore's default, ./output/summary/rank_<id> with the environment's rank.
std::string DefaultSummaryDir();

}  // namespace sightline
