#include "sightline/python/native/core/end_step.h"

#include <cstdint>
#include <exception>
#include <iterator>
#include <mutex>
#include <optional>

#include "sightline/python/native/common/fast_call.h"
#include "sightline/python/native/core/number.h"
#include "sightline/python/native/core/step.h"
#include "sightline/python/native/core/summary_monitor.h"
#include "sightline/recorder/recorder_access.h"

namespace sightline::python {
namespace {

// If a step has more bytes, the copy into the journal lets other threads run. If it has fewer,
// letting them run would delay the training by more than it helps them.
constexpr std::size_t kLongCopyBytes = std::size_t{1} << 20;
// The most bytes that the numbers of a step take.
constexpr std::size_t kNumbersBytes = std::size_t{1} << 14;

// Called once for each step.
PyObject* EndStepCall(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* keywords) noexcept {
  static constexpr const char* kNames[] = {
      "step",       "loss",    "learning_rate", "batch_size", "input",
      "parameters", "tensors", "scalars",       "histograms", "images"};
  constexpr FastSignature kSignature = {
      kNames, 1, 5,
      "end_step() takes step, loss, learning_rate, batch_size and input, and by keyword "
      "parameters, tensors, scalars, histograms and images"};
  PyObject* values[std::size(kNames)] = {};
  if (!MatchArguments(kSignature, arguments, count, keywords, values)) return nullptr;
  auto* const found = SelfOf<PyMonitor>(self);
  if (found == nullptr) return nullptr;
  PyMonitor& monitor = *found;
  return Raising([&] {
    Recording(monitor, "end_step", values[0], [&] {
      Step given(monitor.core->recorder(), values[0], monitor.parameters);
      given.loss = values[1];
      given.learning_rate = values[2];
      given.batch_size = values[3];
      given.input = values[4];
      given.parameters = values[5];
      given.tensors = values[6];
      given.scalars = values[7];
      given.histograms = values[8];
      given.images = values[9];
      EndStep(monitor, values[0], given);
    });
    return Py_NewRef(Py_None);
  });
}

PyMethodDef end_step_method = FastMethod(
    "end_step", EndStepCall,
    "end_step($self, step, loss=None, learning_rate=None, batch_size=None, input=None, *,\n"
    "         parameters=None, tensors=None, scalars=None, histograms=None, images=None)\n--\n\n"
    "Call this at the end of a step. Any value may be a function without\n"
    "arguments that returns it; it is called only if the step is recorded.\n"
    "parameters, tensors, scalars, histograms and images are mappings of names to\n"
    "values, or pairs. Without parameters, those of set_parameters are recorded.\n"
    "Never raises for a bad value, but counts it in stats.");

}  // namespace

void EndStep(PyMonitor& self, nb::handle number, Step& given) {
  const std::int64_t step = ToInteger(number);
  if (!self.core->IsDue(step)) {
    // The first NaN is noticed at any step, if the check costs nothing.
    if (!given.loss.is_valid() || !PyFloat_Check(given.loss.ptr())) return;
    const double loss = PyFloat_AsDouble(given.loss.ptr());
    if (loss - loss == 0) return;
    WithMonitor(self, [&](SummaryMonitor& core) {
      StepInfo info;
      info.step = step;
      info.loss = loss;
      core.EndStep(info);
    });
    return;
  }
  std::exception_ptr interrupt;
  std::optional<nb::gil_scoped_release> released;
  std::unique_lock lock(*self.mutex, std::try_to_lock);
  if (!lock.owns_lock()) {  // The thread that has it may need the GIL.
    const nb::gil_scoped_release waiting;
    lock.lock();
  }
  self.core->EndStep(step, [&](StepInfo& info) {
    try {
      given.Fill(info);
    } catch (...) {
      interrupt = std::current_exception();  // KeyboardInterrupt and the like.
    }
    const std::size_t bytes = given.bytes() + kNumbersBytes;
    if (bytes > kLongCopyBytes || !RecorderAccess::HasRoom(*self.core->recorder(), bytes))
      released.emplace();
  });
  released.reset();
  if (interrupt) std::rethrow_exception(interrupt);
}

void AddEndStep(nb::handle type) { AddMethod(type, end_step_method); }

}  // namespace sightline::python
