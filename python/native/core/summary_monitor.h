// PyMonitor: Python's SummaryMonitor. Everything here needs the GIL.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "sightline/collectors/summary_monitor.h"
#include "sightline/python/native/core/noting.h"
#include "sightline/python/native/core/process.h"
#include "sightline/python/native/core/step.h"

namespace sightline::python {

struct PyMonitor {
  PyMonitor(std::shared_ptr<SummaryMonitor> monitor, SummaryOptions its_options)
      : core(std::move(monitor)), options(std::move(its_options)) {}

  std::shared_ptr<SummaryMonitor> core;
  SummaryOptions options;  // The options that it was made with.
  HomeProcess home;
  // For steps without parameters of their own. A step keeps those that it began with.
  std::shared_ptr<Parameters> parameters = std::make_shared<Parameters>();
  // The monitor is for one thread at a time. Wait for this only without the GIL. It is recursive,
  // since a function that on_nonfinite calls may record.
  std::unique_ptr<std::recursive_mutex> mutex = std::make_unique<std::recursive_mutex>();
};

// Calls the monitor without the GIL.
template <typename Call>
void WithMonitor(PyMonitor& self, const Call& call) {
  const nb::gil_scoped_release released;
  const std::lock_guard lock(*self.mutex);
  call(*self.core);
}

// Calls `run`, which converts and records, unless this is a forked child, whose calls do nothing.
template <typename Call>
void Recording(PyMonitor& self, std::string_view call, nb::handle step, const Call& run) {
  if (!self.home.here()) return;
  Noting(self.core->recorder(), call, nb::handle(), step, [&] {
    run();
    return true;
  });
}

// REQUIRES: BindRecorder(module) was called before.
void BindSummaryMonitor(nb::module_& module);

}  // namespace sightline::python
