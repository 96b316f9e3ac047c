#include "sightline/python/native/common/failures.h"

#include "sightline/base/utf8.h"
#include "sightline/python/native/common/objects.h"

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

// The text of a str object; replaces what UTF-8 cannot hold. Never raises.
std::string Utf8(nb::handle text) {
  const nb::object bytes =
      nb::steal(PyUnicode_AsEncodedString(text.ptr(), "utf-8", "backslashreplace"));
  if (!bytes.is_valid()) {
    PyErr_Clear();
    return "?";
  }
  return std::string(BytesView(bytes));
}

// The stack level of warnings for the line of the user's program that is running: the first frame
// outside of this package.
int UserLevel() {
  int level = 1;
  nb::object frame = nb::borrow(reinterpret_cast<PyObject*>(PyEval_GetFrame()));
  while (frame.is_valid() && !frame.is_none()) {
    const nb::object name = frame.attr("f_globals").attr("get")("__name__", "");
    const nb::object package = nb::str(name).attr("partition")(".")[0];
    if (!package.equal(nb::str("sightline"))) break;
    frame = frame.attr("f_back");
    ++level;
  }
  return level;
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
  return NameOf(error.type()) + ": " + (text.is_valid() ? Utf8(text) : "?");
}

std::string Quote(nb::handle object) {
  if (!object.is_valid()) return "nothing";
  const nb::object text = nb::steal(PyObject_Repr(object.ptr()));
  if (!text.is_valid()) {
    PyErr_Clear();
    return "a " + TypeNameOf(object);
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

void Warn(std::string_view line) {
  const nb::gil_scoped_acquire gil;
  const std::string text = "sightline: " + std::string(line);
  try {
    if (PyErr_WarnEx(PyExc_RuntimeWarning, text.c_str(), UserLevel()) != 0)
      PyErr_WriteUnraisable(nullptr);
  } catch (nb::python_error& error) {
    error.discard_as_unraisable(text.c_str());
  }
}

}  // namespace sightline::python
