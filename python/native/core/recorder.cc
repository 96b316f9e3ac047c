#include "sightline/python/native/core/recorder.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <deque>
#include <iterator>
#include <list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/collectors/config/recorder_config.h"
#include "sightline/python/native/common/fast_call.h"
#include "sightline/python/native/common/objects.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/core/array.h"
#include "sightline/python/native/core/name.h"
#include "sightline/python/native/core/noting.h"
#include "sightline/python/native/core/number.h"
#include "sightline/python/native/core/options.h"
#include "sightline/python/native/core/process.h"
#include "sightline/python/native/core/recorder_stats.h"
#include "sightline/recorder/message/graph.h"
#include "sightline/recorder/message/message.h"
#include "sightline/recorder/message/tensorboard_event.h"
#include "sightline/recorder/recorder_access.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

// If an event has more bytes, the copy into the journal lets other threads run.
constexpr std::size_t kLongCopyBytes = std::size_t{1} << 16;
// The bytes of a scalar besides its tag.
constexpr std::size_t kScalarBytes = 128;

// A tag that a recorder knows, so that recording with it reads no text.
struct PyTag {
  TagId id;
  std::string text;
  nb::object recorder;  // It owns the text of `id`.
};

PyTypeObject* tag_type = nullptr;

// Converts a PyTag or a str to the Tag that a call takes. For `storage` see ToName. Throws for
// anything else.
Tag ToTag(nb::handle tag, std::list<std::string>& storage) {
  if (Py_TYPE(tag.ptr()) == tag_type && nb::inst_ready(tag)) return nb::inst_ptr<PyTag>(tag)->id;
  if (!PyUnicode_Check(tag.ptr())) throw std::invalid_argument("a tag is a str or a Tag");
  return ToName(tag, storage);
}

// Nothing for None, which means now.
std::optional<double> ToWallTime(nb::handle wall_time) {
  if (!wall_time.is_valid() || wall_time.is_none()) return std::nullopt;
  return ToNumber(wall_time);
}

// Records one event with one value.
Outcome RecordOne(Recorder& core, Tag tag, std::int64_t step, std::optional<double> wall_time,
                  const Value& value) {
  if (!wall_time) return core.Add(tag, step, value);
  const TaggedValue one{tag, value};
  return core.Record(step, *wall_time, std::span(&one, 1));
}

// Runs `call`; without the GIL if it copies much or must wait for room.
template <typename Call>
bool Recorded(const Recorder& recorder, std::size_t bytes, const Call& call) {
  if (bytes < kLongCopyBytes && RecorderAccess::HasRoom(recorder, bytes)) [[likely]]
    return call() == Outcome::kAccepted;
  const nb::gil_scoped_release released;
  return call() == Outcome::kAccepted;
}

// Says the order of the arguments if the step is a number that is not an integer: programs that
// come from TensorBoard give the value there.
std::int64_t ToStep(nb::handle step) {
  try {
    return ToInteger(step);
  } catch (const nb::python_error& error) {
    if (!error.matches(PyExc_TypeError) || PyNumber_Check(step.ptr()) == 0) throw;
    throw std::invalid_argument(
        Describe(error) + "; the order is tag, step, value, not TensorBoard's tag, value, step");
  }
}

bool AddScalar(PyRecorder& self, nb::handle tag, nb::handle step, nb::handle value,
               nb::handle wall_time) {
  std::list<std::string> storage;
  const Tag core_tag = ToTag(tag, storage);
  const std::int64_t core_step = ToStep(step);
  const double number = ToNumber(value);
  const std::optional<double> time = ToWallTime(wall_time);
  return Recorded(*self.core, core_tag.text().size() + kScalarBytes, [&] {
    if (!time) return self.core->AddScalar(core_tag, core_step, number);
    return RecordOne(*self.core, core_tag, core_step, time, Value::Scalar(number));
  });
}

// Called once for each step and tag.
PyObject* AddScalarCall(PyObject* self, PyObject* const* arguments, Py_ssize_t count,
                        PyObject* keywords) noexcept {
  static constexpr const char* kNames[] = {"tag", "step", "value", "wall_time"};
  constexpr FastSignature kSignature = {
      kNames, 3, 3, "add_scalar() takes tag, step and value, and wall_time by keyword"};
  PyObject* values[std::size(kNames)] = {};
  if (!MatchArguments(kSignature, arguments, count, keywords, values)) return nullptr;
  auto* const found = SelfOf<PyRecorder>(self);
  if (found == nullptr) return nullptr;
  PyRecorder& recorder = *found;
  return Raising([&] {
    const bool accepted =
        Noting(recorder.core.get(), "add_scalar", nb::handle(values[0]), values[1],
               [&] { return AddScalar(recorder, values[0], values[1], values[2], values[3]); });
    return Py_NewRef(accepted ? Py_True : Py_False);
  });
}

PyMethodDef add_scalar_method =
    FastMethod("add_scalar", AddScalarCall,
               "add_scalar($self, tag, step, value, *, wall_time=None)\n--\n\n"
               "Records a number under a tag (a Tag of intern, or a str) at a step.\n\n"
               "value: anything with __float__, such as a float, an int, a NumPy scalar, or\n"
               "an array or tensor with one element. wall_time: the time of the event in\n"
               "Unix seconds; None: now. The files hold float32. Returns whether the value\n"
               "was accepted. Never raises for a bad value, but counts it in\n"
               "stats.invalid_values, and names the first in stats.first_error.\n"
               "The order is not that of TensorBoard's add_scalar(tag, value, step), for\n"
               "which there is sightline.torch.SummaryWriter.");

bool AddArray(PyRecorder& self, ValueKind kind, const char* call, nb::handle tag, nb::handle step,
              nb::handle values, nb::handle wall_time) {
  return Noting(self.core.get(), call, tag, step, [&] {
    std::list<std::string> storage;
    const Tag core_tag = ToTag(tag, storage);
    const std::int64_t core_step = ToInteger(step);
    const std::optional<double> time = ToWallTime(wall_time);
    const Array array(values);
    Value value;
    value.kind = kind;
    value.tensor = array.view();
    const std::size_t bytes = core_tag.text().size() + array.bytes();
    return Recorded(*self.core, bytes,
                    [&] { return RecordOne(*self.core, core_tag, core_step, time, value); });
  });
}

// Records an event that only TensorBoard's dialect has. Notes a message that is not such an event.
bool AddTensorBoardEvent(PyRecorder& self, nb::handle step, nb::handle event,
                         nb::handle wall_time) {
  return Noting(self.core.get(), "add_tensorboard_event", nb::handle(), step, [&] {
    const std::int64_t core_step = ToInteger(step);
    const std::optional<double> time = ToWallTime(wall_time);
    if (!PyBytes_Check(event.ptr())) throw std::invalid_argument("an event is bytes");
    const std::string_view bytes = BytesView(event);
    RaiseIfError(CheckMessage(ValueKind::kTensorBoardEvent, bytes));
    const Value value = Value::Message(ValueKind::kTensorBoardEvent, bytes);
    return Recorded(*self.core, bytes.size(), [&] {
      return RecordOne(*self.core, std::string_view(), core_step, time, value);
    });
  });
}

// Records what a writer of TensorBoard's gave: an event with its time and step. With a key, the tag
// of a scalar becomes <tag>/<key>.
bool AddSerializedEvent(PyRecorder& self, const nb::bytes& serialized, const std::string& key) {
  const std::string_view bytes(serialized.c_str(), serialized.size());
  return Noting(self.core.get(), "add_event", nb::handle(), nb::handle(), [&] {
    const Result<TensorBoardEvent> parsed = TakeApartTensorBoardEvent(bytes);
    if (!parsed) RaiseIfError(parsed.error());
    const TensorBoardEvent& event = *parsed;
    if (event.is_version) return true;
    if (event.scalar) {
      std::string tag(event.scalar->tag);
      if (!key.empty()) tag += "/" + key;
      return Recorded(*self.core, tag.size() + kScalarBytes, [&] {
        return RecordOne(*self.core, tag, event.step, event.wall_time,
                         Value::Scalar(event.scalar->value));
      });
    }
    RaiseIfError(CheckMessage(ValueKind::kTensorBoardEvent, event.content));
    const Value value = Value::Message(ValueKind::kTensorBoardEvent, event.content);
    return Recorded(*self.core, event.content.size(), [&] {
      return RecordOne(*self.core, std::string_view(), event.step, event.wall_time, value);
    });
  });
}

// Records all values in one event. A bad value is left out and noted.
bool Record(PyRecorder& self, nb::handle step, nb::handle values, nb::handle wall_time) {
  std::deque<Array> arrays;
  std::list<std::string> storage;
  std::vector<TaggedValue> tagged;
  std::size_t bytes = 0;
  bool all = true;
  const auto add = [&](nb::handle tag, nb::handle value) {
    const Tag core_tag = ToTag(tag, storage);
    Value core_value;
    if (PyFloat_Check(value.ptr()) || PyLong_Check(value.ptr())) {
      core_value = Value::Scalar(ToNumber(value));
    } else {
      const Array& array = arrays.emplace_back(value);
      const TensorView view = array.view();
      core_value = view.ElementCount() == 1 && view.shape.empty() ? Value::Scalar(ToNumber(value))
                                                                  : Value::Tensor(view);
      bytes += array.bytes();
    }
    bytes += core_tag.text().size() + kScalarBytes;
    tagged.push_back({core_tag, core_value});
    return true;
  };
  return Noting(self.core.get(), "record", nb::handle(), step, [&] {
    const std::int64_t core_step = ToInteger(step);
    const std::optional<double> time = ToWallTime(wall_time);
    // A copy of the dict, since converting a value may run code that changes the caller's dict.
    const nb::dict items = nb::cast<nb::dict>(nb::handle(&PyDict_Type)(values));
    for (const auto& [tag, value] : items) {
      all &= Noting(self.core.get(), "record", tag, step,
                    [&, t = tag, v = value] { return add(t, v); });
    }
    return Recorded(*self.core, bytes,
                    [&] {
                      return time ? self.core->Record(core_step, *time, tagged)
                                  : self.core->Record(core_step, tagged);
                    }) &&
           all;
  });
}

// The kind's name in MindSpore's SummaryRecord.add_value; empty if MindSpore does not have it.
std::string_view MindSporeName(ValueKind kind) {
  switch (kind) {
    case ValueKind::kScalar:
    case ValueKind::kHistogram:
    case ValueKind::kTensor:
    case ValueKind::kImage:
    case ValueKind::kGraph:
    case ValueKind::kLandscape:
      return ValueKindName(kind);
    case ValueKind::kTrainLineage:
      return "train_lineage";
    case ValueKind::kEvaluationLineage:
      return "eval_lineage";
    case ValueKind::kDatasetGraph:
      return "dataset_graph";
    case ValueKind::kCustomLineage:
      return "custom_lineage_data";
    case ValueKind::kTensorBoardEvent:
      return "";
  }
  return "";
}

ValueKind KindOfMindSpore(std::string_view name) {
  for (const ValueKind kind : kValueKinds)
    if (!name.empty() && MindSporeName(kind) == name) return kind;
  throw std::invalid_argument("unknown kind of value '" + std::string(name) + "'");
}

// Records one event with (kind, tag, value) for each value: an array or, for kinds that are
// messages, its bytes. A bad value is left out and noted.
bool RecordKinds(PyRecorder& self, nb::handle step, const nb::list& items) {
  std::deque<Array> arrays;
  std::list<std::string> storage;
  std::vector<TaggedValue> tagged;
  std::size_t bytes = 0;
  const auto add = [&](nb::handle kind_name, nb::handle tag, nb::handle value) {
    const ValueKind kind = KindOfMindSpore(nb::cast<std::string>(kind_name));
    Value core_value;
    if (kind == ValueKind::kScalar) {
      core_value = Value::Scalar(ToNumber(value));
    } else if (PyBytes_Check(value.ptr())) {
      std::string_view message = BytesView(value);
      if (kind == ValueKind::kGraph) {
        const Result<std::string_view> graph = GraphOfModel(message);
        if (!graph) RaiseIfError(graph.error());
        message = *graph;
      }
      RaiseIfError(CheckMessage(kind, message));
      core_value = Value::Message(kind, message);
      bytes += message.size();
    } else {
      const Array& array = arrays.emplace_back(value);
      core_value.kind = kind;
      core_value.tensor = array.view();
      bytes += array.bytes();
    }
    const Tag core_tag = ToTag(tag, storage);
    bytes += core_tag.text().size() + kScalarBytes;
    tagged.push_back({core_tag, core_value});
    return true;
  };
  return Noting(self.core.get(), "record", nb::handle(), step, [&] {
    const std::int64_t core_step = ToInteger(step);
    bool all = true;
    for (const nb::handle item : items) {
      const auto [kind, tag, value] =
          nb::cast<std::tuple<nb::object, nb::object, nb::object>>(item);
      all &= Noting(self.core.get(), "record", tag, step,
                    [&, k = kind, t = tag, v = value] { return add(k, t, v); });
    }
    return Recorded(*self.core, bytes, [&] { return self.core->Record(core_step, tagged); }) && all;
  });
}

std::shared_ptr<Recorder> Open(nb::handle directory, nb::handle keywords) {
  const std::string path = ToPath(directory);
  if (path.empty()) throw std::invalid_argument("directory is empty; the current one is '.'");
  RecorderOptions options = ToRecorderOptions(path, keywords);
  (void)CloseRecordersOnDefaultSigterm().ok();
  options.writing.on_refused = [path](std::string_view line) {
    Warn(path + ": " + std::string(line));
  };
  Result<std::unique_ptr<Recorder>> opened = [&] {
    const nb::gil_scoped_release released;
    return Recorder::Open(path, options);
  }();
  if (!opened) RaiseOsError(opened.error());
  if (const std::string warning = WarningOfSmallFiles(options.max_file_size); !warning.empty())
    Warn(path + ": " + warning);
  std::shared_ptr<Recorder> recorder = *std::move(opened);
  CloseAtExit(recorder, [core = recorder.get()] { (void)core->Close().ok(); });
  return recorder;
}

template <typename Call>
void Finish(const PyRecorder& self, const Call& call) {
  Status status;
  {
    const nb::gil_scoped_release released;
    status = call(*self.core);
  }
  // A closed recorder, and one in a forked child, records nothing, so nothing can be missing.
  if (status.code() != StatusCode::kFailedPrecondition) RaiseIfError(status);
}

// Warns of values that were refused or dropped; a training must not fail by it.
Status CloseFiles(const PyRecorder& self) {
  Status refusals;
  Finish(self, [&](Recorder& core) {
    const Status closed = core.Close();
    refusals = RecorderAccess::Refusals(core);
    return closed.message() == refusals.message() ? Status() : closed;
  });
  return refusals;
}

void BindTag(nb::module_& module) {
  const nb::object type =
      nb::class_<PyTag>(module, "Tag", "A tag that a Recorder knows; made by Recorder.intern.")
          .def("__str__", [](const PyTag& tag) { return tag.text; })
          .def("__repr__",
               [](const PyTag& tag) { return "Tag(" + Quote(nb::cast(tag.text)) + ")"; });
  tag_type = reinterpret_cast<PyTypeObject*>(type.ptr());
}

PyTag Intern(nb::handle self, const std::string& text) {
  return {nb::inst_ptr<PyRecorder>(self)->core->Intern(text), text, nb::borrow(self)};
}

// "Recorder('run', accepted_values=128)", and the errors if there are any.
nb::object Repr(const PyRecorder& self) {
  const RecorderStats stats = self.core->Stats();
  const nb::object errors =
      stats.errors == 0 ? nb::str("") : nb::str(", errors={}").format(stats.errors);
  return nb::str("Recorder({!r}, accepted_values={}{})")
      .format(nb::steal(PyUnicode_DecodeFSDefault(self.core->directory().c_str())),
              stats.accepted_values, errors);
}

constexpr char kRecorderDoc[] =
    "Recorder(directory, **options)\n\n"
    "Records values under tags into event files of a directory.\n\n"
    "Every method may be called from any thread. A recording call copies its value into a\n"
    "memory-mapped journal and returns; the recorder's threads encode and write it.\n"
    "Accepted values survive SIGKILL. The options and their defaults are in docs/python.md.\n\n"
    "Raises ValueError with every fault of the options, and OSError for errors of the directory.";

}  // namespace

void BindRecorder(nb::module_& module) {
  BindRecorderStats(module);
  BindTag(module);
  auto type = nb::class_<PyRecorder>(module, "Recorder", kRecorderDoc);
  type.def(
          "__init__",
          [](PyRecorder* self, nb::handle directory, const nb::kwargs& options) {
            auto core = Open(directory, options);
            new (self) PyRecorder{std::move(core)};
          },
          "directory"_a.none(), "options"_a)
      .def("intern", &Intern, "text"_a,
           "Makes a tag of a text. Recording with a tag is faster than with a text.")
      .def(
          "add_histogram",
          [](PyRecorder& self, nb::handle tag, nb::handle step, nb::handle values,
             nb::handle wall_time) {
            return AddArray(self, ValueKind::kHistogram, "add_histogram", tag, step, values,
                            wall_time);
          },
          "tag"_a.none(), "step"_a.none(), "values"_a.none(), nb::kw_only(),
          "wall_time"_a = nb::none(), "Records the histogram of an array's elements.")
      .def(
          "add_tensor",
          [](PyRecorder& self, nb::handle tag, nb::handle step, nb::handle values,
             nb::handle wall_time) {
            return AddArray(self, ValueKind::kTensor, "add_tensor", tag, step, values, wall_time);
          },
          "tag"_a.none(), "step"_a.none(), "values"_a.none(), nb::kw_only(),
          "wall_time"_a = nb::none(), "Records a whole array.")
      .def(
          "add_image",
          [](PyRecorder& self, nb::handle tag, nb::handle step, nb::handle nchw,
             nb::handle wall_time) {
            return AddArray(self, ValueKind::kImage, "add_image", tag, step, nchw, wall_time);
          },
          "tag"_a.none(), "step"_a.none(), "nchw"_a.none(), nb::kw_only(),
          "wall_time"_a = nb::none(),
          "Records an array (batch, 1 or 3 channels, height, width) as one picture. uint8 is kept\n"
          "exactly, other dtypes are stretched from their minimum to their maximum.")
      .def("record", &Record, "step"_a.none(), "values"_a.none(), nb::kw_only(),
           "wall_time"_a = nb::none(),
           "Records a dict of tags to numbers and arrays as one event: numbers and arrays without\n"
           "dimensions as scalars, other arrays as tensors.")
      .def("add_tensorboard_event", &AddTensorBoardEvent, "step"_a.none(), "event"_a.none(),
           nb::kw_only(), "wall_time"_a = nb::none(),
           "Records a serialized Event of TensorBoard's schema, without wall_time and\n"
           "step, for data that only this dialect has. A recorder that writes no\n"
           "TensorBoard files counts it as invalid; files in MindSpore's dialect do not\n"
           "get it.")
      .def("_add_event", &AddSerializedEvent, "event"_a, "key"_a = "")
      .def("_record_kinds", &RecordKinds, "step"_a, "values"_a)
      .def(
          "_note_invalid",
          [](PyRecorder& self, const std::string& why, const std::string& cause) {
            RecorderAccess::Refuse(*self.core, Status(StatusCode::kInvalidArgument, why), cause);
          },
          "why"_a, "cause"_a)
      .def(
          "flush",
          [](PyRecorder& self, bool to_disk) {
            const FlushTo to = to_disk ? FlushTo::kDisk : FlushTo::kKernel;
            Finish(self, [&](Recorder& core) { return core.Flush(to); });
          },
          "to_disk"_a = false,
          "Waits until everything that was accepted is in the files; with to_disk, on the disk. "
          "Raises OSError.")
      .def(
          "close",
          [](PyRecorder& self) {
            const Status refusals = CloseFiles(self);
            if (refusals.ok() || std::exchange(self.refusals_told, true)) return;
            Warn(self.core->directory() + ": " + std::string(refusals.message()));
          },
          "Writes everything, closes the files and removes the journal. Later calls do\n"
          "nothing. Raises OSError if something that was accepted did not get into the\n"
          "files. Gives a RuntimeWarning if values were refused or dropped.")
      .def_prop_ro(
          "stats", [](const PyRecorder& self) { return self.core->Stats(); },
          "What the recorder has done so far, and what was refused, dropped or failed.")
      .def_prop_ro(
          "directory", [](const PyRecorder& self) { return FromPath(self.core->directory()); },
          "The absolute path of the directory of the event files.")
      .def_prop_ro(
          "session_id", [](const PyRecorder& self) { return self.core->session_id(); },
          "Identifies the files of this recorder: 32 hexadecimal digits.")
      .def_prop_ro(
          "continues_session",
          [](const PyRecorder& self) -> nb::object {
            const std::string& session = self.core->continues_session();
            return session.empty() ? nb::none() : nb::cast(session);
          },
          "The session that resume_from_step continues; None if there is none.")
      .def("__repr__", &Repr)
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](nb::handle self, const nb::args&) { self.attr("close")(); });
  AddMethod(type, add_scalar_method);
}

}  // namespace sightline::python
