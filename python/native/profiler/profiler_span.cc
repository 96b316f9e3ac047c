#include "sightline/python/native/profiler/profiler_span.h"

#include <array>
#include <string_view>
#include <unordered_map>

#include "sightline/profiler/record/span.h"
#include "sightline/python/native/common/fast_call.h"

namespace sightline::python {
namespace {

using profiler::Category;
using profiler::EventName;
using profiler::Session;

// Finds the number of a name by its str object, for the first few names, since a program names its
// spans by constants. The table keeps the objects alive, so that no new object has the address of
// an old one.
constexpr std::size_t kMostKept = 16'384;

std::unordered_map<PyObject*, EventName>& KeptNames() {
  static auto* names = new std::unordered_map<PyObject*, EventName>();
  return *names;
}

// Sets an exception and returns 0 if the object is not a str.
EventName FindName(PyObject* name) {
  auto& kept = KeptNames();
  if (const auto known = kept.find(name); known != kept.end()) [[likely]]
    return known->second;
  Py_ssize_t size = 0;
  const char* const text = PyUnicode_Check(name) ? PyUnicode_AsUTF8AndSize(name, &size) : nullptr;
  if (text == nullptr) {
    if (PyErr_Occurred() == nullptr) {
      PyErr_Format(PyExc_TypeError, "a name must be a str, not %s", TypeNameOf(name).c_str());
    }
    return 0;
  }
  const EventName id = profiler::InternName({text, static_cast<std::size_t>(size)});
  if (kept.size() < kMostKept) {
    Py_INCREF(name);
    kept.emplace(name, id);
  }
  return id;
}

bool ParseCategory(PyObject* text, Category& category) {
  if (text == nullptr || text == Py_None) return true;
  if (PyUnicode_Check(text)) {
    constexpr std::array<std::pair<const char*, Category>, 3> kCategories = {
        {{"data", Category::kData},
         {"communication", Category::kCommunication},
         {"queue", Category::kQueue}}};
    for (const auto& [known, value] : kCategories) {
      if (PyUnicode_CompareWithASCIIString(text, known) == 0) {
        category = value;
        return true;
      }
    }
  }
  PyErr_Format(PyExc_ValueError,
               "category is %R, but must be None, \"data\", \"communication\" or \"queue\"", text);
  return false;
}

struct SpanObject {
  PyObject ob_base;
  EventName name;
  Category category;
  Session session;
};

PyTypeObject* span_type = nullptr;

PyObject* Enter(PyObject* self, PyObject* /*unused*/) {
  auto* span = reinterpret_cast<SpanObject*>(self);
  span->session = profiler::BeginSpan(span->name, span->category);
  Py_INCREF(self);
  return self;
}

PyObject* Exit(PyObject* self, PyObject* const* /*arguments*/, Py_ssize_t /*count*/) {
  auto* span = reinterpret_cast<SpanObject*>(self);
  profiler::EndSpan(span->session);
  span->session = 0;
  Py_RETURN_NONE;
}

void Free(PyObject* self) {
  PyTypeObject* const type = Py_TYPE(self);
  PyObject_Free(self);
  Py_DECREF(type);
}

PyObject* NewSpan(EventName name, Category category) {
  SpanObject* const span = PyObject_New(SpanObject, span_type);
  if (span == nullptr) return nullptr;
  span->name = name;
  span->category = category;
  span->session = 0;
  return reinterpret_cast<PyObject*>(span);
}

PyObject* SpanCall(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count,
                   PyObject* keywords) noexcept {
  static constexpr const char* kNames[] = {"name", "category"};
  static constexpr FastSignature kSignature = {kNames, 1, 1,
                                               "span(name, *, category=None): wrong arguments"};
  std::array<PyObject*, 2> values{};
  if (!MatchArguments(kSignature, arguments, count, keywords, values.data())) return nullptr;
  Category category = Category::kNone;
  if (!ParseCategory(values[1], category)) return nullptr;
  const EventName name = FindName(values[0]);
  return name == 0 ? nullptr : NewSpan(name, category);
}

PyObject* InstantCall(PyObject* /*module*/, PyObject* name) {
  const EventName id = FindName(name);
  if (id == 0) return nullptr;
  profiler::RecordInstant(id);
  Py_RETURN_NONE;
}

PyObject* CounterCall(PyObject* /*module*/, PyObject* const* arguments, Py_ssize_t count,
                      PyObject* keywords) noexcept {
  static constexpr const char* kNames[] = {"name", "value"};
  static constexpr FastSignature kSignature = {kNames, 2, 2,
                                               "counter(name, value): wrong arguments"};
  std::array<PyObject*, 2> values{};
  if (!MatchArguments(kSignature, arguments, count, keywords, values.data())) return nullptr;
  const EventName id = FindName(values[0]);
  if (id == 0) return nullptr;
  const double value = PyFloat_AsDouble(values[1]);
  if (value == -1.0 && PyErr_Occurred() != nullptr) return nullptr;
  profiler::RecordCounter(id, value);
  Py_RETURN_NONE;
}

PyMethodDef span_methods[] = {
    {"__enter__", Enter, METH_NOARGS, "Begins the span."},
    {"__exit__", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(Exit)), METH_FASTCALL,
     "Ends the span."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot span_slots[] = {
    {Py_tp_dealloc, reinterpret_cast<void*>(Free)},
    {Py_tp_methods, span_methods},
    {Py_tp_doc,
     const_cast<char*>("A span of time; a context manager that sightline.profiler.span makes.")},
    {0, nullptr}};

PyType_Spec span_spec = {"sightline._profiler.Span", sizeof(SpanObject), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION, span_slots};

PyMethodDef functions[] = {
    FastMethod("span", SpanCall,
               "span($module, name, *, category=None)\n--\n\n"
               "A span of this thread, from the beginning of its with block to the end."),
    FastMethod("counter", CounterCall,
               "counter($module, name, value)\n--\n\n"
               "Records a number that changes over time."),
    {"instant", InstantCall, METH_O,
     "instant($module, name, /)\n--\n\n"
     "Records an event without duration."},
    {nullptr, nullptr, 0, nullptr}};

}  // namespace

void AddSpans(nanobind::module_& module) {
  span_type = reinterpret_cast<PyTypeObject*>(PyType_FromSpec(&span_spec));
  if (span_type == nullptr) throw nanobind::python_error();
  module.attr("Span") = nanobind::handle(reinterpret_cast<PyObject*>(span_type));
  if (PyModule_AddFunctions(module.ptr(), functions) != 0) throw nanobind::python_error();
}

}  // namespace sightline::python
