// CommandLoss: the loss as a program of the user's, in any language.
//
// The program is started by the shell, once a worker, and runs for all of that worker's points. For
// each it reads a line `x y PATH` from its standard input and answers one line of numbers on its
// standard output: the loss, then whatever else was measured. PATH is a safetensors file of all
// tensors of the last checkpoint under their names, those that move as float32 with the point's
// values. Until the answer it stays as it is; then the values become the next point's, and PATH is
// the same as long as the other tensors are. Standard error is passed through. At the end of its
// input the program ends.
#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/surface.h"

namespace sightline::landscape {

class CommandLoss {
 public:
  explicit CommandLoss(std::string command);
  // Closes the programs' input and waits some seconds for them; then they are killed.
  ~CommandLoss();
  CommandLoss(const CommandLoss&) = delete;
  CommandLoss& operator=(const CommandLoss&) = delete;

  // What the worker's program answers. Errors say what is wrong: the program ended (with its exit
  // code), or its answer is no line of numbers.
  Result<std::vector<double>> operator()(const PointParameters& point);

  // SurfaceOptions::buffer: the values in the worker's file, so that no point is copied there.
  // Empty where the file cannot be made; the loss then says why.
  std::span<float> Buffer(const ParameterSet& parameters, int worker);

 private:
  class Worker;
  Worker& Get(int worker);

  const std::string command_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<Worker>> workers_;
};

}  // namespace sightline::landscape
