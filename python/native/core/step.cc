#include "sightline/python/native/core/step.h"

#include <numeric>
#include <utility>

#include "sightline/python/native/core/name.h"
#include "sightline/python/native/core/noting.h"
#include "sightline/python/native/core/number.h"

namespace sightline::python {

Step::~Step() = default;  // Here, so that not each caller has a copy: a step runs it cold.

template <typename TagText, typename Convert>
void Step::Note(const TagText& what, const Convert& convert) {
  Noting(recorder_, "end_step", what, number_, [&] {
    convert();
    return true;
  });
}

void Step::Use(const char* what, nb::handle given, Set set, StepInfo& info) {
  if (!given.is_valid() || given.is_none()) return;
  Note(std::string_view(what), [&] {
    if (PyCallable_Check(given.ptr()) == 0) return (this->*set)(given, info);
    const nb::object value = given();
    if (!value.is_none()) (this->*set)(value, info);
  });
}

// Calls `add` for each item of a mapping of names to values, or of pairs.
template <typename Add>
void Step::ForEach(nb::handle values, const Add& add) {
  const nb::dict items = nb::cast<nb::dict>(nb::handle(&PyDict_Type)(values));
  kept_.push_back(items);
  for (const auto& [key, value] : items) {
    Note(key, [&, name = key, v = value] { add(ToName(name, names_), v); });
  }
}

// The elements do not move when `arrays_` grows.
TensorView Step::Keep(Array array) { return arrays_.emplace_back(std::move(array)).view(); }
TensorView Step::ArrayOf(nb::handle value) { return Keep(Array(value)); }

void Step::AddEach(nb::handle values, TensorList& list) {
  ForEach(values, [&](std::string_view name, nb::handle value) { list.Add(name, ArrayOf(value)); });
}

void Step::AddTrained(StepInfo& info) {
  for (Parameter& each : *trained_) {
    Note(static_cast<std::string_view>(each.name),
         [&] { info.parameters.Add(each.name, Keep(each.tensor.Fetch())); });
  }
}

void Step::SetLoss(nb::handle value, StepInfo& info) {
  info.loss = NumberUnlessArray(value);
  if (!info.loss) info.losses.Set(ArrayOf(value));
}

void Step::SetLearningRate(nb::handle value, StepInfo& info) {
  info.learning_rate = ToNumber(value);
}

void Step::SetBatchSize(nb::handle value, StepInfo& info) { info.batch_size = ToInteger(value); }

void Step::SetInput(nb::handle value, StepInfo& info) { info.input.Set(ArrayOf(value)); }

void Step::SetScalars(nb::handle values, StepInfo& info) {
  ForEach(values, [&](std::string_view name, nb::handle value) {
    info.scalars.push_back({name, ToNumber(value)});
  });
}

void Step::SetParameters(nb::handle values, StepInfo& info) { AddEach(values, info.parameters); }
void Step::SetHistograms(nb::handle values, StepInfo& info) { AddEach(values, info.histograms); }
void Step::SetImages(nb::handle values, StepInfo& info) { AddEach(values, info.images); }
void Step::SetTensors(nb::handle values, StepInfo& info) { AddEach(values, info.tensors); }

void Step::Fill(StepInfo& info) {
  if (info.wants_scalars) {
    Use("loss", loss, &Step::SetLoss, info);
    Use("learning_rate", learning_rate, &Step::SetLearningRate, info);
    Use("batch_size", batch_size, &Step::SetBatchSize, info);
    Use("scalars", scalars, &Step::SetScalars, info);
  }
  if (info.wants_input) Use("input", input, &Step::SetInput, info);
  if (info.wants_images) Use("images", images, &Step::SetImages, info);
  if (info.wants_histograms) {
    const bool given = parameters.is_valid() && !parameters.is_none();
    if (given) Use("parameters", parameters, &Step::SetParameters, info);
    if (!given && !trained_->empty()) AddTrained(info);
    Use("histograms", histograms, &Step::SetHistograms, info);
  }
  if (info.wants_tensors) Use("tensors", tensors, &Step::SetTensors, info);
}

std::size_t Step::bytes() const {
  const auto add = [](std::size_t sum, const Array& array) { return sum + array.bytes(); };
  return std::accumulate(arrays_.begin(), arrays_.end(), std::size_t{0}, add);
}

}  // namespace sightline::python
