// How a training ended, as TensorBoard's HPARAMS page shows it beside the hyper-parameters.
//
// Plain values and a pure function: callable from any thread.
#pragma once

#include <cstdint>
#include <string>

namespace sightline {

// Numbers are those of TensorBoard's hparams.Status.
enum class TrainingEnd : std::uint8_t {
  kUnknown = 0,
  kSuccess = 1,
  kFailure = 2,
};

// A value of ValueKind::kTensorBoardEvent. TensorBoard shows the first end that is in a run's
// files. `wall_time`: in Unix seconds.
std::string SerializeTrainingEnd(TrainingEnd end, double wall_time);

}  // namespace sightline
