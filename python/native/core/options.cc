#include "sightline/python/native/core/options.h"

#include <nanobind/stl/string.h>

#include <memory>
#include <string_view>
#include <utility>

#include "sightline/collectors/config/option_reader.h"
#include "sightline/collectors/config/recorder_config.h"
#include "sightline/collectors/config/summary_parameters.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"

namespace sightline::python {
namespace {

constexpr int kMaxDepth = 16;
// The most items of an object that computes them, such as range(10**12); no option has as many.
constexpr std::size_t kMaxItems = 1'000'000;

std::optional<std::string> Utf8Of(nb::handle text) {
  Py_ssize_t size = 0;
  const char* const utf8 = PyUnicode_AsUTF8AndSize(text.ptr(), &size);
  if (utf8 != nullptr) return std::string(utf8, static_cast<std::size_t>(size));
  PyErr_Clear();  // It has surrogates.
  return std::nullopt;
}

OptionValue ValueOf(nb::handle object, int depth = 0);

// The map of a dict; an Other if a key is not a str.
OptionValue MapOf(nb::handle dict, std::string text, int depth) {
  OptionMap map;
  for (const auto& [key, value] : nb::cast<nb::dict>(dict)) {
    const auto name = PyUnicode_Check(key.ptr()) != 0 ? Utf8Of(key) : std::nullopt;
    if (!name) return {OptionValue::Other(), text + ", a map with a key that is not a string"};
    map.emplace_back(*name, ValueOf(value, depth + 1));
  }
  return {std::move(map), std::move(text)};
}

OptionValue ListOf(nb::handle sequence, std::string text, int depth) {
  OptionList list;
  for (const nb::handle each : sequence) list.push_back(ValueOf(each, depth + 1));
  return {std::move(list), std::move(text)};
}

bool IsA(nb::handle object, const char* abstract_class) {
  return nb::isinstance(object, nb::module_::import_("collections.abc").attr(abstract_class));
}

// The nearest float; nothing if that is infinite, or if the object is not a number.
std::optional<double> FloatOf(nb::handle object) {
  const double number = PyFloat_AsDouble(object.ptr());
  if (number != -1 || PyErr_Occurred() == nullptr) return number;
  PyErr_Clear();
  return std::nullopt;
}

// A number; nothing if the object is none.
std::optional<OptionValue> NumberOf(nb::handle object, const std::string& text) {
  if (PyIndex_Check(object.ptr()) != 0) {
    int overflow = 0;
    const long long number = PyLong_AsLongLongAndOverflow(object.ptr(), &overflow);
    if (overflow != 0) return OptionValue{OptionValue::Large{FloatOf(object)}, text};
    if (number != -1 || PyErr_Occurred() == nullptr) return OptionValue{std::int64_t{number}, text};
    PyErr_Clear();
  } else if (PyFloat_Check(object.ptr()) != 0 || nb::hasattr(object, "__float__")) {
    if (const auto number = FloatOf(object)) return OptionValue{*number, text};
  }
  return std::nullopt;
}

// Converts an object that is not a str, dict, list or tuple to its value: a truth value or a
// number (NumPy's values), or a dict or list (arrays, mappings, sequences). An Other if it stands
// for none of them, or raises.
OptionValue ValueOfStandIn(nb::handle object, std::string text, int depth) {
  try {
    if (nb::hasattr(object, "tolist")) {
      OptionValue value = ValueOf(object.attr("tolist")(), depth + 1);
      return {std::move(value.is), std::move(text)};
    }
    if (auto number = NumberOf(object, text)) return *std::move(number);
    if (IsA(object, "Mapping"))
      return MapOf(nb::handle(&PyDict_Type)(object), std::move(text), depth);
    const bool list = IsA(object, "Sequence") && PyBytes_Check(object.ptr()) == 0;
    if (list && nb::len(object) <= kMaxItems) return ListOf(object, std::move(text), depth);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_Exception)) throw;
  }
  return {OptionValue::Other(), std::move(text)};
}

OptionValue ValueOf(nb::handle object, int depth) {
  std::string text = Quote(object);
  PyObject* const o = object.ptr();
  if (depth > kMaxDepth) return {OptionValue::Other(), std::move(text)};
  if (object.is_none()) return {OptionValue::None(), std::move(text)};
  if (PyBool_Check(o)) return {o == Py_True, std::move(text)};
  if (PyDict_Check(o)) return MapOf(object, std::move(text), depth);
  if (PyList_Check(o) || PyTuple_Check(o)) return ListOf(object, std::move(text), depth);
  if (PyUnicode_Check(o)) {
    if (auto word = Utf8Of(object)) return {*std::move(word), std::move(text)};
  } else if (nb::hasattr(object, "__fspath__")) {
    return {ToPath(object), std::move(text)};
  } else {
    return ValueOfStandIn(object, std::move(text), depth);
  }
  return {OptionValue::Other(), std::move(text)};
}

// A Python function that C++ calls from a thread without the GIL.
template <typename Call>
void CallPython(const Call& call) {
  const nb::gil_scoped_acquire gil;
  try {
    call();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("a function given to sightline.SummaryMonitor");
  }
}

// A Python function in C++. Any thread may copy and destroy it, with or without the GIL.
using Function = std::shared_ptr<const nb::object>;

// The function among the keywords; null if it is not given, None or no function.
Function FunctionOf(nb::handle keywords, const char* name, Faults& faults) {
  const nb::handle value = PyDict_GetItemString(keywords.ptr(), name);
  if (!value.is_valid() || value.is_none()) return nullptr;
  if (PyCallable_Check(value.ptr()) == 0) {
    faults.Add("{} is {}, but must be a function", name, Quote(value));
    return nullptr;
  }
  return {new nb::object(nb::borrow(value)), [](const nb::object* function) {
            const nb::gil_scoped_acquire gil;
            delete function;
          }};
}

// Functions are not values, so they are read here.
void TakeFunctions(nb::handle keywords, OptionReader& reader, SummaryOptions& options) {
  for (const char* name : {"on_nonfinite", "save_checkpoint", "say"}) reader.Know(name);
  if (const Function function = FunctionOf(keywords, "on_nonfinite", reader.faults())) {
    options.on_nonfinite = [function](const NonFinite& found) {
      CallPython([&] { (*function)(found.tag, found.step, found.value); });
    };
  }
  if (const Function function = FunctionOf(keywords, "save_checkpoint", reader.faults())) {
    options.save_checkpoint = [function](const std::string& path) {
      const nb::gil_scoped_acquire gil;
      try {
        (*function)(FromPath(path));
        return Status();
      } catch (const nb::python_error& error) {
        return Status(StatusCode::kFailedPrecondition, Describe(error));
      }
    };
  }
  if (const Function function = FunctionOf(keywords, "say", reader.faults())) {
    options.say = [function](std::string_view line) {
      CallPython([&] { (*function)(FromUtf8(line)); });
    };
  }
}

// 0 means that the count is not known.
void ReadCount(OptionReader& reader, std::string_view name, std::optional<std::int64_t>& count) {
  reader.Integer(name, count);
  if (count.value_or(0) < 0)
    reader.faults().Add("{} is {}, but must not be negative", name, *count);
  if (count == 0) count.reset();
}

// MindFormers passes on its configurations as PyYAML reads them. Its documentation prints the bare
// word None for the default, but PyYAML reads that as a text. A user's own lineage may contain it.
void TakeWordNoneForDefault(OptionMap& map) {
  for (auto& [name, value] : map) {
    auto* const inner = std::get_if<OptionMap>(&value.is);
    if (inner != nullptr && name != "custom_lineage_data") TakeWordNoneForDefault(*inner);
    if (const auto* const word = value.As<std::string>(); word != nullptr && *word == "None")
      value.is = OptionValue::None();
  }
}

// Reads the keywords by read(reader); raises one ValueError with every fault.
template <typename Read>
auto ReadKeywords(nb::handle keywords, const char* owner, const Read& read) {
  OptionValue value = ValueOf(keywords);
  TakeWordNoneForDefault(std::get<OptionMap>(value.is));
  Faults faults;
  OptionReader reader(*value.As<OptionMap>(), owner, faults);
  auto options = read(reader);
  RaiseIfError(faults.ToStatus());
  return options;
}

}  // namespace

RecorderOptions ToRecorderOptions(const std::string& directory, nb::handle keywords) {
  return ReadKeywords(keywords, "Recorder", [&](OptionReader& reader) {
    reader.faults().Add(CheckLocalPath("directory", directory));
    return ReadRecorderOptions(reader);
  });
}

SummaryConfig ToSummaryConfig(const std::string& summary_dir, nb::handle keywords) {
  return ReadKeywords(keywords, "SummaryMonitor", [&](OptionReader& reader) {
    reader.faults().Add(CheckLocalPath("summary_dir", summary_dir));
    SummaryOptions base;
    TakeFunctions(keywords, reader, base);
    SummaryConfig config = ReadSummaryConfig(reader, std::move(base));
    if (!summary_dir.empty()) config.summary_dir = summary_dir;
    return config;
  });
}

TrainInfo ToTrainInfo(nb::handle keywords) {
  return ReadKeywords(keywords, "begin", [](OptionReader& reader) {
    TrainInfo info;
    ReadCount(reader, "epochs", info.epochs);
    ReadCount(reader, "steps_per_epoch", info.steps_per_epoch);
    reader.Bool("sink_mode", info.sink_mode);
    reader.String("network", info.network);
    reader.String("loss_function", info.loss_function);
    reader.String("optimizer", info.optimizer);
    reader.Number("learning_rate", info.learning_rate);
    ReadCount(reader, "batch_size", info.batch_size);
    ReadCount(reader, "device_num", info.device_num);
    reader.String("parallel_mode", info.parallel_mode);
    reader.String("dataset_path", info.dataset_path);
    ReadCount(reader, "dataset_size", info.dataset_size);
    reader.String("model_path", info.model_path);
    ReadCount(reader, "model_bytes", info.model_bytes);
    reader.ReportUnknown();
    return info;
  });
}

}  // namespace sightline::python
