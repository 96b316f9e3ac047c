#include "sightline/python/failures.h"

#include "sightline/base/utf8.h"

namespace sightline::python {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;

PyObject* ExceptionFor(StatusCode code) {
  switch (code) {
    case StatusCode::kOk:
    case StatusCode::kInvalidArgument:
      return PyExc_ValueError;
    case StatusCode::kNotFound:
      return PyExc_FileNotFoundError;
    case StatusCode::kAlreadyExists:
      return PyExc_FileExistsError;
    case StatusCode::kPermissionDenied:
      return PyExc_PermissionError;
    case StatusCode::kFailedPrecondition:
      return PyExc_RuntimeError;
    case StatusCode::kUnimplemented:
      return PyExc_NotImplementedError;
    case StatusCode::kResourceExhausted:
    case StatusCode::kDataLoss:
    case StatusCode::kUnavailable:
    case StatusCode::kIoError:
      return PyExc_OSError;
  }
  return PyExc_RuntimeError;
}

// The text of a str object with whatever UTF-8 cannot hold replaced; never raises.
std::string Utf8(nb::handle text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return {PyBytes_AS_STRING(bytes.ptr()), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes.ptr()))};
}

[[noreturn]] void Raise(PyObject* exception, const Status& status) {
  PyErr_SetObject(exception, FromUtf8(status.message()).ptr());
  throw nb::python_error();
}

}  // namespace

nb::object FromUtf8(std::string_view text) {
  PyObject* const decoded =
      PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "backslashreplace");
  if (decoded == nullptr) throw nb::python_error();
  return nb::steal(decoded);
}

void RaiseIfError(const Status& status) {
  if (!status.ok()) Raise(ExceptionFor(status.code()), status);
}

void RaiseOsError(const Status& status) {
  const bool about_path = status.code() == StatusCode::kInvalidArgument;  // No directory: ENOTDIR.
  Raise(about_path ? PyExc_NotADirectoryError : ExceptionFor(status.code()), status);
}

std::string Describe(const nb::python_error& error) {
  const nb::object text = nb::steal(PyObject_Str(error.value().ptr()));
  if (!text.is_valid()) PyErr_Clear();
  return std::string(reinterpret_cast<PyTypeObject*>(error.type().ptr())->tp_name) + ": " +
         (text.is_valid() ? Utf8(text) : "?");
}

std::string Quote(nb::handle object) {
  if (!object.is_valid()) return "nothing";
  const nb::object text = nb::steal(PyObject_Repr(object.ptr()));
  if (!text.is_valid()) {
    PyErr_Clear();
    return std::string("a ") + Py_TYPE(object.ptr())->tp_name;
  }
  const std::string quoted = Utf8(text);
  return quoted.size() <= kMaxQuotedBytes ? quoted : ToUtf8(quoted, kMaxQuotedBytes) + "...";
}

std::string CallText(std::string_view call, nb::handle tag, nb::handle step) {
  std::string text(call);
  text += '(';
  if (tag.is_valid()) text += Quote(tag) + ", ";
  return text + "step " + Quote(step) + ")";
}

std::string CallText(std::string_view call, std::string_view tag, nb::handle step) {
  std::string text(call);
  text.append("('").append(tag).append("', ");
  return text + "step " + Quote(step) + ")";
}

void BadValues::Note(const Recorder* recorder, std::string message) {
  if (count_++ != 0) return;
  first_of_all_ = recorder == nullptr || recorder->Stats().first_error.ok();
  first_ = Status(StatusCode::kInvalidArgument, std::move(message));
}

RecorderStats BadValues::AddTo(RecorderStats stats) const {
  stats.invalid_values += count_;
  stats.errors += count_;
  if (first_of_all_ || stats.first_error.ok()) {
    if (!first_.ok()) stats.first_error = first_;
  }
  return stats;
}

}  // namespace sightline::python
