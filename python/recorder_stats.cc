#include "sightline/python/recorder_stats.h"

#include <nanobind/stl/string.h>

#include <cstdint>
#include <string>
#include <utility>

#include "sightline/python/failures.h"
#include "sightline/python/path.h"
#include "sightline/recorder/recorder.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;

constexpr std::pair<const char*, std::uint64_t RecorderStats::*> kCounts[] = {
    {"accepted_events", &RecorderStats::accepted_events},
    {"accepted_values", &RecorderStats::accepted_values},
    {"accepted_bytes", &RecorderStats::accepted_bytes},
    {"written_events", &RecorderStats::written_events},
    {"written_bytes", &RecorderStats::written_bytes},
    {"dropped_values", &RecorderStats::dropped_values},
    {"left_out_values", &RecorderStats::left_out_values},
    {"invalid_values", &RecorderStats::invalid_values},
    {"lost_values", &RecorderStats::lost_values},
    {"duplicate_tags", &RecorderStats::duplicate_tags},
    {"unprotected_bytes", &RecorderStats::unprotected_bytes},
    {"errors", &RecorderStats::errors},
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

// The counts that are not zero, what is unusual, and the first error. Times are left out: they
// differ each time somebody looks.
nb::object Repr(const RecorderStats& stats) {
  nb::list fields;
  for (const auto& [name, count] : kCounts) {
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
                                        "What a Recorder did so far: counts since it was opened.");
  for (const auto& [name, count] : kCounts) type.def_ro(name, count);
  type.def_prop_ro("first_error", &FirstError)
      .def_ro("paused", &RecorderStats::paused)
      .def_ro("kill_safe", &RecorderStats::kill_safe)
      .def_ro("caller_seconds", &RecorderStats::caller_seconds)
      .def_ro("worker_seconds", &RecorderStats::worker_seconds)
      .def_prop_ro("files", &Files)
      .def("__repr__", &Repr);
}

}  // namespace sightline::python
