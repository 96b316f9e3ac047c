// TrainMetadata: the contents of ckpt_dir/train_metadata.json, which a training leaves for its loss
// landscapes (MindSpore's SummaryCollector and our SummaryMonitor write it), and the checkpoints
// that it names.
//
// Plain values; ReadTrainMetadata may run on any thread.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/checkpoint.h"

namespace sightline::landscape {

struct TrainMetadata {
  std::string run_directory;  // Where the landscape and its journal are written.
  std::string directory;      // Where the metadata is.
  // Has the metadata, the checkpoints and the run; it must outlive all that is made of them.
  FileSystem* file_system = &FileSystem::Local();
  // The steps or epochs of each interval, in the order of the file.
  std::vector<std::vector<std::int64_t>> intervals;
  // A checkpoint's path by its step or epoch.
  std::map<std::int64_t, std::string> files;
  std::int64_t step_per_epoch = 0;
  std::string unit = "step";         // Or "epoch".
  std::int64_t num_samples = 128;    // A point's loss is the mean over these.
  std::int64_t landscape_size = 40;  // Points along each axis: 3 to 256.
  bool create_train = true;          // A landscape for each interval,
  bool create_result = true;         // and one around the last checkpoint.
};

// `path`: a run's directory, its ckpt_dir, or the file itself. kNotFound, naming the file, if it
// does not exist; kDataLoss, naming the field, if a field is missing or wrong.
//
// `changes` may be a JSON object whose fields replace those of the file (the file itself stays
// unchanged); kInvalidArgument, naming the field, for a bad value.
Result<TrainMetadata> ReadTrainMetadata(const std::string& path, std::string_view changes = {},
                                        FileSystem* file_system = &FileSystem::Local());

// The checkpoint of one step or epoch: at the path in the metadata, or, if that does not exist,
// under the same name beside the metadata. kNotFound names both.
Result<Checkpoint> OpenCheckpoint(const TrainMetadata& metadata, std::int64_t number);

// "landscape_[1, 3]": first and last of an interval; "landscape_[3]" for one number. MindSpore's
// tags.
std::string LandscapeTag(const std::vector<std::int64_t>& numbers);

}  // namespace sightline::landscape
