// sightline._runs: the base of python/sightline/runs.py. Its types are in
// python/sightline/_runs.pyi.
#include "sightline/python/native/runs/stored_run.h"

NB_MODULE(_runs, module) {
  module.doc() = "The extension module of sightline.runs; use that instead.";
  namespace python = sightline::python;
  nanobind::set_leak_warnings(false);
  python::BindStoredRun(module);
  python::BindStoredSeries(module);
  python::BindStoredRuns(module);
}
