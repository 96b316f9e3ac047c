// LandscapeCollector: makes a training save the checkpoints that its loss landscape needs, and
// writes ckpt_dir/train_metadata.json. This file names the checkpoints for the program that
// computes the landscape (MindSpore's SummaryLandscape reads it).
//
// One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/collectors/collect/train_info.h"
#include "sightline/collectors/rules/collection_policy.h"
#include "sightline/collectors/rules/landscape_options.h"

namespace sightline {

// The steps after which a checkpoint is saved. Pure: depends only on the arguments.
class LandscapeSchedule {
 public:
  LandscapeSchedule() = default;  // None.

  // A step is what EndStep gets: an epoch in sink mode. A number of the intervals that is not
  // reached at the end of such a step is left out, and so is one that needs `steps_per_epoch` if
  // that is 0.
  LandscapeSchedule(const LandscapeOptions& options, std::int64_t steps_per_epoch, bool sink_mode);

  // The number, in the options' unit, of the checkpoint to save after `step`.
  std::optional<std::int64_t> CheckpointAt(std::int64_t step) const;
  // The smallest such step larger than `step`, or StepSeries::kNever.
  std::int64_t NextAfter(std::int64_t step) const;
  bool empty() const { return numbers_.empty(); }

 private:
  std::map<std::int64_t, std::int64_t> numbers_;  // By step.
};

// Paths of checkpoints by their number, in the options' unit.
using CheckpointFiles = std::map<std::int64_t, std::string>;

// The text of train_metadata.json as MindSpore writes it. The intervals contain only the numbers
// that were saved. `steps_per_epoch` is 0 if unknown.
std::string LandscapeMetadata(const LandscapeOptions& options, std::int64_t steps_per_epoch,
                              const CheckpointFiles& files);

class LandscapeCollector {
 public:
  // Writes the parameters to the path; it must not choose another one. An exception is an error.
  using Save = std::function<Status(const std::string& path)>;

  // `directory` is that of the run. The references must outlive the collector.
  LandscapeCollector(const LandscapeOptions& options, const Save& save, FileSystem& file_system,
                     const std::string& directory);

  void Begin(const TrainInfo& train);
  const LandscapeSchedule& schedule() const { return schedule_; }

  // Saves the checkpoint of `step`, if there is one, as ckpt_dir/<network>_<number>_<unit>.ckpt,
  // and writes the metadata again, including the checkpoints that an earlier process left there.
  // Does not save a step again that was just saved.
  Status EndStep(std::int64_t step);

 private:
  Status WriteMetadata();
  void ReadEarlierFiles();

  const LandscapeOptions& options_;
  const Save& save_;
  FileSystem& file_system_;
  const std::string directory_;  // .../ckpt_dir
  LandscapeSchedule schedule_;
  std::string network_ = "network";
  std::int64_t steps_per_epoch_ = 0;
  std::optional<CheckpointFiles> files_;  // None until the first is saved.
  std::optional<std::int64_t> last_step_;
};

}  // namespace sightline
