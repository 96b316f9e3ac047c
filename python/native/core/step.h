// Step: the Python objects that end_step got, converted to the StepInfo of a step that is recorded.
//
// If a function is given in place of a value, it is called then. What cannot be converted is noted,
// and the rest is recorded. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/collectors/collect/step_info.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/core/array.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {

// A parameter of the network, which is the same object at every step.
struct Parameter {
  std::string name;
  ArraySource tensor;
};

using Parameters = std::vector<Parameter>;

class Step {
 public:
  // `number` names the step in notes, and must outlive the Step. `trained` are the parameters to
  // record if no others are given.
  Step(Recorder* recorder, nb::handle number, std::shared_ptr<Parameters> trained)
      : recorder_(recorder), number_(number), trained_(std::move(trained)) {}
  Step(const Step&) = delete;
  Step& operator=(const Step&) = delete;
  ~Step();

  // The values of the step; an invalid handle or None if there is none.
  nb::handle loss, learning_rate, batch_size, input, parameters, tensors, scalars, histograms,
      images;

  // Keeps the object alive as long as the Step, and returns it.
  nb::handle Keep(nb::object object) { return kept_.emplace_back(std::move(object)); }

  // Fills in what `info` wants, valid as long as the Step. Throws exceptions that `except
  // Exception` does not catch.
  void Fill(StepInfo& info);

  // The size of the arrays that Fill found.
  std::size_t bytes() const;

 private:
  using Set = void (Step::*)(nb::handle value, StepInfo& info);

  // Runs `convert`, and notes what goes wrong.
  template <typename TagText, typename Convert>
  void Note(const TagText& what, const Convert& convert);
  void Use(const char* what, nb::handle given, Set set, StepInfo& info);

  void SetLoss(nb::handle value, StepInfo& info);
  void SetLearningRate(nb::handle value, StepInfo& info);
  void SetBatchSize(nb::handle value, StepInfo& info);
  void SetInput(nb::handle value, StepInfo& info);
  void SetScalars(nb::handle values, StepInfo& info);
  void SetParameters(nb::handle values, StepInfo& info);
  void SetHistograms(nb::handle values, StepInfo& info);
  void SetImages(nb::handle values, StepInfo& info);
  void SetTensors(nb::handle values, StepInfo& info);
  void AddTrained(StepInfo& info);
  void AddEach(nb::handle values, TensorList& list);
  template <typename Add>
  void ForEach(nb::handle values, const Add& add);
  TensorView ArrayOf(nb::handle value);
  TensorView Keep(Array array);

  Recorder* recorder_;
  nb::handle number_;
  const std::shared_ptr<Parameters> trained_;
  std::vector<Array> arrays_;
  std::vector<nb::object> kept_;  // Also holds texts of names; the others are in `names_`.
  std::list<std::string> names_;
};

}  // namespace sightline::python
