// CommandLoss: a program in any language that computes the loss.
//
// The shell starts the program once for each worker, and it runs for all points of that worker. For
// each point it reads a line `x y PATH` from its standard input and writes one line of numbers to
// its standard output: the loss, then whatever else it measured. PATH is a safetensors file with
// all tensors of the last checkpoint; those that move are float32 and have the point's values. The
// file does not change until the answer; then it gets the values of the next point. PATH stays the
// same as long as the other tensors do. Standard error is passed through. When its input ends, the
// program must end.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/surface/loss_function.h"

namespace sightline::landscape {

class CommandLoss {
 public:
  explicit CommandLoss(std::string command);
  // Closes the programs' input, waits some seconds for them, and then kills them.
  ~CommandLoss();
  CommandLoss(const CommandLoss&) = delete;
  CommandLoss& operator=(const CommandLoss&) = delete;

  // Returns the answer of the worker's program. An error if the program ended (with its exit code),
  // or if its answer is not a line of numbers.
  Result<std::vector<double>> operator()(const PointParameters& point);

  // For GenerateOptions::buffer: the values in the worker's file, so that points are formed there
  // and not copied. Empty if the file cannot be made; calling the loss then returns the error.
  std::span<float> Buffer(const ParameterSet& parameters, int worker);

 private:
  class Worker;
  Worker& Get(int worker);

  const std::string command_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace sightline::landscape
