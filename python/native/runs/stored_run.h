// Runs for Python (sightline._runs); python/sightline/runs.py is built on them.
//
// A StoredRun and a StoredSeries share their run, which never changes: any thread may read them.
// Calls that open or read files release the GIL meanwhile. Texts from files are converted by
// FromUtf8, paths by FromPath.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>
#include <string_view>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/run_changes.h"

namespace sightline::python {

namespace nb = nanobind;

struct StoredRun {
  std::shared_ptr<const Run> run;
};

struct StoredSeries {
  std::shared_ptr<const Run> run;
  std::shared_ptr<const Series> series;
};

nb::list ToList(const std::shared_ptr<const Run>& run,
                std::span<const std::shared_ptr<const Series>> series);

// A list of (kind, plugin, tag, rank, appended_from, void_from).
nb::list ToList(const std::vector<SeriesChange>& changes);

void BindStoredRun(nb::module_& module);
void BindStoredSeries(nb::module_& module);
void BindStoredRuns(nb::module_& module);  // Groups of runs, and opening several.

}  // namespace sightline::python
