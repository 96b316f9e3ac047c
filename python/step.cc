#include "sightline/python/step.h"

#include <nanobind/stl/string.h>

#include <numeric>
#include <string_view>

#include "sightline/python/number.h"

namespace sightline::python {

template <typename Set>
void Step::Note(nb::handle what, const Set& set) {
  Noting(bad_, recorder_, "end_step", what, number_, [&] {
    set();
    return true;
  });
}

template <typename Set>
void Step::Use(const char* what, nb::handle given, const Set& set) {
  if (given.is_none()) return;
  Note(nb::str(what), [&] {
    const nb::object value = PyCallable_Check(given.ptr()) != 0 ? given() : nb::borrow(given);
    kept_.push_back(value);
    if (!value.is_none()) set(value);
  });
}

// A mapping of names to values, or pairs of them.
template <typename Set>
void Step::UseEach(const char* what, nb::handle given, const Set& set) {
  Use(what, given, [&](nb::handle values) {
    const nb::dict items = nb::cast<nb::dict>(nb::handle(&PyDict_Type)(values));
    kept_.push_back(items);
    for (const auto& [key, value] : items) {
      Note(key, [&, name = key, v = value] {
        set(names_.emplace_back(nb::cast<std::string>(name)), v);
      });
    }
  });
}

void Step::UseTensors(const char* what, nb::handle given, TensorList& list) {
  UseEach(what, given, [&](std::string_view name, nb::handle value) {
    list.Add(name, arrays_.emplace_back(value).view());
  });
}

void Step::Fill(StepInfo& info) {
  if (info.wants_scalars) {
    Use("loss", loss, [&](nb::handle value) {
      info.loss = NumberUnlessArray(value);
      if (!info.loss) info.losses.Set(arrays_.emplace_back(value).view());
    });
    Use("learning_rate", learning_rate,
        [&](nb::handle value) { info.learning_rate = ToNumber(value); });
    Use("batch_size", batch_size, [&](nb::handle value) { info.batch_size = ToInteger(value); });
    UseEach("scalars", scalars, [&](std::string_view name, nb::handle value) {
      info.scalars.push_back({name, ToNumber(value)});
    });
  }
  if (info.wants_input) {
    Use("input", input,
        [&](nb::handle value) { info.input.Set(arrays_.emplace_back(value).view()); });
  }
  if (info.wants_images) UseTensors("images", images, info.images);
  if (info.wants_histograms) {
    UseTensors("parameters", parameters, info.parameters);
    UseTensors("histograms", histograms, info.histograms);
  }
  if (info.wants_tensors) UseTensors("tensors", tensors, info.tensors);
}

std::size_t Step::bytes() const {
  const auto add = [](std::size_t sum, const Array& array) { return sum + array.bytes(); };
  return std::accumulate(arrays_.begin(), arrays_.end(), std::size_t{0}, add);
}

}  // namespace sightline::python
