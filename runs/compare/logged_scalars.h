// LoggedScalars: the scalars that a training printed, for trainings whose console or text log is
// all that is left.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(LoggedScalars scalars, LoggedScalars::Make(""));
//   scalars.Read("iteration 10/ 1000 | lm loss: 1.2E+00 |\n");
//   const Comparand side = scalars.Finish("train.log");
//
// These lines are read, wherever they begin in a line:
//   { Epoch:[  1/  2], step:[   10/  100], loss: 1.2, ..., lr: 1e-05, ... }   MindFormers, graph
//   mode { step:[   10/  100], loss: 1.2, ..., grad_norm: 0.5, ... }               MindFormers,
//   PyNative iteration       10/    1000 | ... | lm loss: 1.2E+00 | ...                Megatron
// (MFLossMonitor and LossCallback of MindFormers 2.1; training_log of Megatron-LM.) In graph mode,
// step counts within an epoch, and the step of a value is that of the whole training. MindFormers'
// lr, global_norm and per_step_time get the tags that it records into TensorBoard's files:
// learning-rate, grad-norm, iteration-time. What is no number, such as N/A, is left out.
//
// One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/runs/compare/comparand.h"
#include "sightline/runs/model/series_points.h"

namespace sightline {

class LoggedScalars {
 public:
  // Longer lines, and values with longer names, are left out.
  static constexpr std::size_t kLongestLine = std::size_t{64} << 10U;
  static constexpr std::size_t kLongestTag = 100;

  // `pattern`: empty, or a regular expression of RE2 that finds the user's own lines. It has the
  // named group step, and each other named group is a tag: "it=(?P<step>\d+) l=(?P<loss>\S+)".
  // kInvalidArgument if it is no expression or has no such groups.
  static Result<LoggedScalars> Make(std::string_view pattern);
  ~LoggedScalars();
  LoggedScalars(LoggedScalars&& other) noexcept;
  LoggedScalars& operator=(LoggedScalars&& other) noexcept;
  LoggedScalars(const LoggedScalars&) = delete;
  LoggedScalars& operator=(const LoggedScalars&) = delete;

  // The next bytes, in pieces that may end anywhere. A line ends with \n or \r; colours of a
  // terminal are ignored.
  void Read(std::string_view bytes);
  // Call this after the last bytes. A later line of the same step takes its place.
  Comparand Finish(std::string name);

 private:
  struct Pattern;
  LoggedScalars();
  void TakeLine(std::string_view line);
  bool TakeByPattern(std::string_view line);
  void TakePairs(std::int64_t step, std::string_view pairs, char separator);
  void Add(std::string_view tag, std::int64_t step, double value);

  std::unique_ptr<Pattern> pattern_;  // Null if there is none.
  std::string line_;                  // The beginning of one.
  bool too_long_ = false;             // It is, so that its end is left out.
  std::map<std::string, SeriesPoints, std::less<>> tags_;
};

// The scalars of a trainer_state.json of Hugging Face's Trainer: the numbers of each entry of
// log_history that has a step, except the epoch. kInvalidArgument if `text` is another file.
Result<Comparand> ReadTrainerState(std::string_view text, std::string name);

}  // namespace sightline
