// Step: what end_step got, Python's objects, as the StepInfo of a step that is recorded.
//
// A function in the place of a value is called then. What cannot be converted is noted, and the
// rest recorded. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <deque>
#include <string>
#include <vector>

#include "sightline/collectors/step_info.h"
#include "sightline/python/array.h"
#include "sightline/python/failures.h"

namespace sightline::python {

class Step {
 public:
  // `number` names the step in what is noted. All must outlive the Step.
  Step(BadValues& bad, const Recorder* recorder, nb::handle number)
      : bad_(bad), recorder_(recorder), number_(number) {}

  // None, or what the step has.
  nb::handle loss, learning_rate, batch_size, input, parameters, tensors, scalars, histograms,
      images;

  // What `info` wants, valid as long as the Step. Throws what no except Exception would catch.
  void Fill(StepInfo& info);

  // Of the arrays that Fill has found.
  std::size_t bytes() const;

 private:
  template <typename Set>
  void Note(nb::handle what, const Set& set);
  template <typename Set>
  void Use(const char* what, nb::handle given, const Set& set);
  template <typename Set>
  void UseEach(const char* what, nb::handle given, const Set& set);
  void UseTensors(const char* what, nb::handle given, TensorList& list);

  BadValues& bad_;
  const Recorder* recorder_;
  nb::handle number_;
  std::deque<Array> arrays_;
  std::deque<std::string> names_;
  std::vector<nb::object> kept_;
};

}  // namespace sightline::python
