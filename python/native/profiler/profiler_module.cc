// sightline._profiler: the base of python/sightline/profiler.py. Its types are in
// python/sightline/_profiler.pyi.
#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <string>
#include <utility>

#include "sightline/profiler/record/data_queue.h"
#include "sightline/profiler/record/profile_recorder.h"
#include "sightline/profiler/record/span.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/profiler/profiler_span.h"

namespace sightline::python {
namespace {

namespace nb = nanobind;
// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

constexpr double kMostSeconds = 1e6;

// Converts seconds; NaN and numbers out of range become one that ProfileRecorder refuses.
std::chrono::milliseconds Milliseconds(double seconds) {
  if (!(std::abs(seconds) <= kMostSeconds)) return std::chrono::milliseconds(-1);
  const auto rounded = static_cast<std::int64_t>(std::ceil(seconds * 1000));
  return std::chrono::milliseconds(seconds < 0 ? std::min<std::int64_t>(rounded, -1) : rounded);
}

struct PyStats {
  profiler::ProfileStats stats;
};

class PyProfileRecorder {
 public:
  PyProfileRecorder(nb::handle directory, std::size_t ring_bytes, double flush_interval,
                    double sample_interval) {
    profiler::ProfileOptions options;
    options.directory = ToPath(directory);
    options.ring_bytes = ring_bytes;
    options.flush_interval = Milliseconds(flush_interval);
    options.sample_interval = Milliseconds(sample_interval);
    auto started = profiler::ProfileRecorder::Start(options);
    if (!started) RaiseIfError(started.error());
    profile_ = *std::move(started);
  }

  PyStats Stop() {
    const auto stats = [this] {
      const nb::gil_scoped_release released;  // The last writes may take a while.
      return profile_->Stop();
    }();
    if (!stats) RaiseIfError(stats.error());
    return {*stats};
  }

  PyStats Stats() const { return {profile_->Stats()}; }
  nb::object path() const { return FromPath(profile_->path()); }

 private:
  std::unique_ptr<profiler::ProfileRecorder> profile_;
};

void Operator(const std::string& type, const std::string& full_name, std::int64_t start,
              std::int64_t end, const std::string& shapes, double flops) {
  profiler::RecordOperator({.type = type,
                            .full_name = full_name,
                            .start_nanos = start,
                            .end_nanos = end,
                            .shapes = shapes,
                            .flops = flops});
}

}  // namespace

NB_MODULE(_profiler, m) {
  m.doc() = "The extension module of sightline.profiler; use that instead.";
  nb::set_leak_warnings(false);
  nb::class_<PyStats>(m, "ProfileStats", "The figures of a recording so far.")
      .def_prop_ro(
          "path", [](const PyStats& self) { return FromPath(self.stats.path); }, "The file.")
      .def_prop_ro(
          "events", [](const PyStats& self) { return self.stats.events; }, "Events in the file.")
      .def_prop_ro(
          "dropped", [](const PyStats& self) { return self.stats.dropped; },
          "Events left out because the buffer of their thread was full.")
      .def_prop_ro(
          "bytes", [](const PyStats& self) { return self.stats.bytes; }, "Bytes written.")
      .def_prop_ro(
          "threads", [](const PyStats& self) { return self.stats.threads; },
          "Threads that recorded.");
  nb::class_<PyProfileRecorder>(m, "ProfileRecorder",
                                "A recording; sightline.profiler.profile makes it.")
      .def(nb::init<nb::handle, std::size_t, double, double>(), "directory"_a, "ring_bytes"_a,
           "flush_interval"_a, "sample_interval"_a)
      .def("stop", &PyProfileRecorder::Stop, "Ends the recording and closes the file.")
      .def_prop_ro("stats", &PyProfileRecorder::Stats, "What was recorded so far.")
      .def_prop_ro("path", &PyProfileRecorder::path, "The file.");
  nb::class_<profiler::DataQueue>(m, "DataQueue",
                                  "A queue of a data pipeline whose depth is recorded.")
      .def(
          "__init__",
          [](profiler::DataQueue* self, const std::string& name, std::int64_t capacity,
             std::int64_t workers, const std::string& parent) {
            new (self) profiler::DataQueue(
                name, {.capacity = capacity, .workers = workers, .parent = parent});
          },
          "name"_a, nb::kw_only(), "capacity"_a = 0, "workers"_a = 0, "parent"_a = "")
      .def("set_depth", &profiler::DataQueue::SetDepth, "elements"_a,
           "Sets the number of elements that wait in it now.");
  m.def("begin_step", &profiler::BeginStep, "number"_a,
        "Begins a step of the training, and ends the previous one.");
  m.def("end_step", &profiler::EndStep, "Ends the step.");
  m.def("operator", &Operator, "type"_a, "full_name"_a, "start"_a, "end"_a, nb::kw_only(),
        "shapes"_a = "", "flops"_a = 0.0,
        "Records an operator that ran; start and end are nanoseconds of time.monotonic_ns().");
  m.def(
      "name_thread", [](const std::string& name) { profiler::NameThisThread(name); }, "name"_a,
      "Sets the name of this thread in the recording.");
  m.def(
      "recording", [] { return profiler::Recording() != 0; }, "Whether a recording is running.");
  AddSpans(m);
}

}  // namespace sightline::python
