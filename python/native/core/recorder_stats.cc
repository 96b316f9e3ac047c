#include "sightline/python/native/core/recorder_stats.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>

#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;

struct Count {
  const char* name;
  std::uint64_t RecorderStats::*count;
  const char* doc;
};

constexpr Count kCounts[] = {
    {"accepted_events", &RecorderStats::accepted_events, "Events that recording calls made."},
    {"accepted_values", &RecorderStats::accepted_values, "Values that recording calls took."},
    {"accepted_bytes", &RecorderStats::accepted_bytes,
     "Bytes of the values as they were given, including tags."},
    {"written_events", &RecorderStats::written_events,
     "Events that are in all files to which they belong."},
    {"written_bytes", &RecorderStats::written_bytes, "Bytes in all files."},
    {"dropped_values", &RecorderStats::dropped_values,
     "Values left out for lack of room: on_buffer_full=\"drop\", or a full disk."},
    {"left_out_values", &RecorderStats::left_out_values,
     "Values that came after max_file_size, with on_file_full=\"stop\"."},
    {"invalid_values", &RecorderStats::invalid_values,
     "Values that cannot be recorded; first_error has the first error."},
    {"lost_values", &RecorderStats::lost_values,
     "Values that were accepted, but a file could not take them."},
    {"duplicate_tags", &RecorderStats::duplicate_tags,
     "Values replaced by newer ones with the same tag, kind and step."},
    {"unprotected_bytes", &RecorderStats::unprotected_bytes,
     "Bytes not yet written of values that are too large for the buffer."},
    {"errors", &RecorderStats::errors, "The number of errors; first_error is the first one."},
};

nb::object FirstError(const RecorderStats& stats) {
  if (stats.first_error.ok()) return nb::none();
  return FromUtf8(stats.first_error.message());
}

nb::list Files(const RecorderStats& stats) {
  nb::list files;
  for (const std::string& file : stats.files) files.append(FromPath(file));
  return files;
}

// Shows the counts that are not zero, anything unusual, and the first error. Times are left out,
// since they differ each time.
nb::object Repr(const RecorderStats& stats) {
  nb::list fields;
  for (const auto& [name, count, doc] : kCounts) {
    if (stats.*count != 0) fields.append(nb::str("{}={}").format(name, stats.*count));
  }
  if (stats.paused) fields.append("paused=True");
  if (!stats.kill_safe) fields.append("kill_safe=False");
  fields.append(nb::str("first_error={!r}").format(FirstError(stats)));
  return nb::str("RecorderStats({})").format(nb::str(", ").attr("join")(fields));
}

}  // namespace

void BindRecorderStats(nb::module_& module) {
  auto type = nb::class_<RecorderStats>(module, "RecorderStats",
                                        "What a Recorder has done since it was opened.");
  for (const auto& [name, count, doc] : kCounts) type.def_ro(name, count, doc);
  type.def_prop_ro("first_error", &FirstError,
                   "The message of the first error; None if there was none.")
      .def_ro("paused", &RecorderStats::paused, "Whether recording waits for disk space.")
      .def_ro("kill_safe", &RecorderStats::kill_safe,
              "False if no journal could be mapped; SIGKILL may then lose accepted values.")
      .def_ro("caller_seconds", &RecorderStats::caller_seconds,
              "The time that callers waited for room.")
      .def_ro("worker_seconds", &RecorderStats::worker_seconds,
              "The CPU time of the recorder's threads.")
      .def_prop_ro("files", &Files, "The event files, in the order of their creation.")
      .def("__repr__", &Repr);
}

}  // namespace sightline::python
