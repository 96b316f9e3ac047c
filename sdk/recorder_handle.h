// What a sightline_recorder is. One of sightline_recorder_open owns its Recorder; that of a monitor
// borrows the monitor's.
#pragma once

#include <unistd.h>

#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/base/tag.h"
#include "sightline/recorder/recorder.h"
#include "sightline/sdk/sightline.h"

struct sightline_tag {
  sightline::TagId id;
};

struct sightline_recorder {
  sightline_recorder(sightline::Recorder& borrowed, bool tensorboard)
      : recorder(borrowed), writes_tensorboard(tensorboard) {}
  sightline_recorder(std::unique_ptr<sightline::Recorder> opened, bool tensorboard)
      : owned(std::move(opened)), recorder(*owned), writes_tensorboard(tensorboard) {}

  std::unique_ptr<sightline::Recorder> owned;  // Null: it is a monitor's.
  sightline::Recorder& recorder;
  bool writes_tensorboard;
  pid_t process = getpid();  // In a forked child, the mutex may be held for ever.
  std::mutex tags_mutex;
  std::unordered_map<std::string, sightline_tag> tags;  // Their places do not move.
};

namespace sightline::sdk {

// The recorder's options from those of the interface, which may be null. Errors: a wrong
// struct_size, or an enumerator that is none; Recorder::Open checks the rest.
Result<RecorderOptions> RecorderOptionsOf(const sightline_recorder_options* given);

// SIGHTLINE_FORMAT_* as formats; MindSpore's for 0.
Result<std::vector<Format>> FormatsOf(std::uint32_t bits);

}  // namespace sightline::sdk
