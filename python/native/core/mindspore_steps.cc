#include "sightline/python/native/core/mindspore_steps.h"

#include <nanobind/stl/pair.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/fast_call.h"
#include "sightline/python/native/core/end_step.h"
#include "sightline/python/native/core/noting.h"
#include "sightline/python/native/core/number.h"
#include "sightline/python/native/core/step.h"
#include "sightline/python/native/core/summary_monitor.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

nb::object Interned(const char* text) {
  nb::object made = nb::steal(PyUnicode_InternFromString(text));
  if (!made.is_valid()) throw nb::python_error();
  return made;
}

// The value of a key; an invalid object if the dict has no such key.
nb::object Find(nb::handle dict, nb::handle key) {
  PyObject* const found = PyDict_GetItemWithError(dict.ptr(), key.ptr());
  if (found == nullptr && PyErr_Occurred() != nullptr) throw nb::python_error();
  return nb::borrow(found);
}

// The first of several objects, an invalid object if there are none; any other object as it is.
nb::object FirstOf(nb::object thing) {
  if (!thing.is_valid()) return thing;
  PyObject* const all = thing.ptr();
  if (PyTuple_Check(all))
    return nb::borrow(PyTuple_Size(all) == 0 ? nullptr : PyTuple_GetItem(all, 0));
  if (PyList_Check(all))
    return nb::borrow(PyList_Size(all) == 0 ? nullptr : PyList_GetItem(all, 0));
  return thing;
}

bool IsTrue(nb::handle value) {
  const int is_true = PyObject_IsTrue(value.ptr());
  if (is_true < 0) throw nb::python_error();
  return is_true != 0;
}

class MindSporeSteps {
 public:
  // The arguments of Python's constructor; _core.pyi describes them.
  struct Source {
    nb::object monitor, number, learning_rate, input, take, tensor;
    std::vector<std::pair<nb::dict, nb::str>> places;
    std::int64_t before = 0;
    bool loss = false;
  };

  explicit MindSporeSteps(Source source)
      : monitor_(nb::cast<PyMonitor&>(source.monitor)),
        source_(std::move(source)),
        item_(nb::getattr(source_.tensor, "_item", nb::none())) {}
  MindSporeSteps(const MindSporeSteps&) = delete;
  MindSporeSteps& operator=(const MindSporeSteps&) = delete;
  ~MindSporeSteps() = default;

  std::int64_t last() const { return last_; }

  void End(nb::handle parameters) {
    if (!source_.take.is_valid()) return;  // Cleared: garbage records nothing.
    if (!PyDict_Check(parameters.ptr())) {
      PyErr_SetString(PyExc_TypeError, "end() takes a dict");
      throw nb::python_error();
    }
    nb::object number = Find(parameters, source_.number);
    if (!number.is_valid()) {
      PyErr_SetObject(PyExc_KeyError, source_.number.ptr());
      throw nb::python_error();
    }
    last_ = ToInteger(number) + source_.before;
    if (source_.before != 0) number = nb::int_(last_);
    const bool due = monitor_.core->IsDue(last_);
    nb::object operators;
    if (OperatorsWait()) operators = source_.take(due);
    Recording(monitor_, "end_step", number, [&] { Record(number, due, parameters, operators); });
  }

  template <typename Visit>
  int Traverse(const Visit& visit) const {
    for (const nb::object Source::*each : kObjects) {
      if (const int stop = visit((source_.*each).ptr())) return stop;
    }
    for (const auto& [dict, key] : source_.places) {
      if (const int stop = visit(dict.ptr())) return stop;
    }
    return visit(item_.ptr());
  }

  void Clear() {
    for (nb::object Source::*each : kObjects) (source_.*each).reset();
    source_.places.clear();
    item_.reset();
  }

 private:
  // The objects that may be part of a cycle.
  static constexpr nb::object Source::*kObjects[] = {&Source::learning_rate, &Source::input,
                                                     &Source::take, &Source::tensor};

  // Whether an operator left a value, or the place for its values is gone.
  bool OperatorsWait() const {
    const auto& places = source_.places;
    return std::any_of(places.begin(), places.end(), [](const auto& place) {
      const nb::object values = Find(place.first, place.second);
      return !values.is_valid() || IsTrue(values);
    });
  }

  // The number in a tensor with one element; anything else as it is. This is what float() of
  // MindSpore's tensors calls (Tensor.__float__ in mindspore/common/tensor.py), without the Python
  // functions around it, in which float() spends a quarter of its time.
  nb::object NumberIn(nb::object value) {
    if (item_.is_none() || !value.is_valid()) return value;
    auto* const tensor = reinterpret_cast<PyTypeObject*>(source_.tensor.ptr());
    if (PyObject_TypeCheck(value.ptr(), tensor) == 0) return value;
    nb::object item = nb::steal(PyObject_CallFunctionObjArgs(item_.ptr(), value.ptr(), nullptr));
    if (item.is_valid()) return item;
    if (PyErr_ExceptionMatches(PyExc_Exception) == 0) throw nb::python_error();
    PyErr_Clear();
    // It has several elements. So will those of the next steps, and an error each time takes
    // longer.
    item_ = nb::none();
    return value;
  }

  void Record(nb::handle number, bool due, nb::handle parameters, nb::handle operators) {
    Step given(monitor_.core->recorder(), number, monitor_.parameters);
    nb::object loss;
    nb::object learning_rate;
    if (source_.loss) {
      loss = FirstOf(Find(parameters, net_outputs_));
      learning_rate = source_.learning_rate;
      if (due) {
        loss = NumberIn(std::move(loss));
        learning_rate = NumberIn(std::move(learning_rate));
      }
      given.loss = loss;
      given.learning_rate = learning_rate;
    }
    if (due && !source_.input.is_none()) GiveInput(given, number, parameters);
    if (operators.is_valid()) GiveOperators(given, operators);
    EndStep(monitor_, number, given);
  }

  // Separate functions, so that they are not part of the code that every step runs.
  [[gnu::noinline]] void GiveInput(Step& given, nb::handle number, nb::handle parameters) {
    Noting(monitor_.core->recorder(), "end_step", std::string_view("input"), number, [&] {
      given.input = given.Keep(source_.input(parameters));
      return true;
    });
    // A training that has no input at one step has none at any step.
    if (given.input.is_valid() && given.input.is_none()) source_.input = nb::none();
  }
  [[gnu::noinline]] static void GiveOperators(Step& given, nb::handle operators) {
    given.scalars = given.Keep(Find(operators, nb::str("scalars")));
    given.tensors = given.Keep(Find(operators, nb::str("tensors")));
    given.histograms = given.Keep(Find(operators, nb::str("histograms")));
    given.images = given.Keep(Find(operators, nb::str("images")));
  }

  PyMonitor& monitor_;  // The one in source_.monitor.
  Source source_;
  nb::object item_;  // The method _item of source_.tensor; None if it has none.
  const nb::object net_outputs_ = Interned("net_outputs");
  std::int64_t last_ = 0;
};

int Traverse(PyObject* self, visitproc visit, void* arg) {  // Py_VISIT needs these names.
  Py_VISIT(Py_TYPE(self));
  if (!nb::inst_ready(self)) return 0;
  return nb::inst_ptr<MindSporeSteps>(self)->Traverse(
      [&](PyObject* object) { return object == nullptr ? 0 : visit(object, arg); });
}

int Clear(PyObject* self) {
  if (nb::inst_ready(self)) nb::inst_ptr<MindSporeSteps>(self)->Clear();
  return 0;
}

// Called once for each step.
PyObject* EndCall(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                  PyObject* keywords) noexcept {
  static constexpr const char* kNames[] = {"parameters"};
  constexpr FastSignature kSignature = {kNames, 1, 1, "end() takes the parameters of a RunContext"};
  PyObject* values[std::size(kNames)] = {};
  if (!MatchArguments(kSignature, arguments, count, keywords, values)) return nullptr;
  auto* const steps = SelfOf<MindSporeSteps>(self);
  if (steps == nullptr) return nullptr;
  return Raising([&] {
    steps->End(values[0]);
    return Py_NewRef(Py_None);
  });
}

PyMethodDef end_method =
    FastMethod("end", EndCall,
               "end($self, parameters)\n--\n\n"
               "Ends a step; `parameters` is RunContext.original_args(). Raises for parameters "
               "without a number, and what `take` raises.");

}  // namespace

void BindMindSporeSteps(nb::module_& module) {
  static PyType_Slot slots[] = {{Py_tp_traverse, reinterpret_cast<void*>(&Traverse)},
                                {Py_tp_clear, reinterpret_cast<void*>(&Clear)},
                                {0, nullptr}};
  auto type = nb::class_<MindSporeSteps>(
      module, "MindSporeSteps", nb::type_slots(slots),
      "Ends the steps of a training, for the callback of sightline.mindspore: calls\n"
      "end_step() with the values of a RunContext.\n\n"
      "number: the key of the step's number, to which `before` is added. loss:\n"
      "whether to pass loss and learning rate; the latter is an object that stays\n"
      "the same. input: a function that gets the parameters of each recorded step,\n"
      "until it returns None. places: dicts, each with the key under which an\n"
      "operator leaves values. If one has values, or no such key, `take` is called\n"
      "with whether the step is recorded; it returns further arguments of\n"
      "end_step(). tensor: the class of MindSpore's tensors; its `_item()`, if it\n"
      "has one, returns the number of a tensor with one element. One thread at a\n"
      "time.");
  type.def(
          "__init__",
          [](MindSporeSteps* self, nb::handle_t<PyMonitor> monitor, const nb::str& number,
             std::int64_t before, bool loss, const nb::object& learning_rate,
             const nb::object& input, std::vector<std::pair<nb::dict, nb::str>> places,
             const nb::object& take, const nb::type_object& tensor) {
            new (self) MindSporeSteps({nb::borrow(monitor), number, learning_rate, input, take,
                                       tensor, std::move(places), before, loss});
          },
          "monitor"_a, nb::kw_only(), "number"_a, "before"_a, "loss"_a, "learning_rate"_a.none(),
          "input"_a.none(), "places"_a, "take"_a, "tensor"_a)
      .def_prop_ro("last", &MindSporeSteps::last,
                   "The newest step that ended; 0 before the first.");
  AddMethod(type, end_method);
}

}  // namespace sightline::python
