// sightline._core, which python/sightline/__init__.py re-exports. Its types are in
// python/sightline/_core.pyi; tests/python/package/stubs_test.py compares the two.
#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>

#include "sightline/base/file_system.h"
#include "sightline/base/process_rank.h"
#include "sightline/base/version.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/core/loss_landscape.h"
#include "sightline/python/native/core/mindspore_steps.h"
#include "sightline/python/native/core/process.h"
#include "sightline/python/native/core/recorder.h"
#include "sightline/python/native/core/run_facts.h"
#include "sightline/python/native/core/summary_monitor.h"
#include "sightline/python/native/core/tensorboard_values.h"

NB_MODULE(_core, module) {
  module.doc() = "The extension module of sightline, which re-exports it.";
  namespace python = sightline::python;
  // An object may live until the interpreter ends, so nothing is printed.
  nanobind::set_leak_warnings(false);
  module.attr("__version__") =
      nanobind::str(sightline::Version().data(), sightline::Version().size());
  python::BindRecorder(module);
  python::BindSummaryMonitor(module);
  python::BindMindSporeSteps(module);
  python::BindLossLandscape(module);
  python::BindTensorBoardValues(module);
  python::BindRunFacts(module);
  module.def(
      "check_local_path",
      [](const char* name, nanobind::handle path) {
        python::RaiseIfError(sightline::CheckLocalPath(name, python::ToPath(path)));
      },
      nanobind::arg("name"), nanobind::arg("path"),
      "Raises ValueError, with the name of the option, for a URL and for a NUL byte.");
  module.def("rank_of_environment", &sightline::RankOfEnvironment,
             "The rank that the launcher gave to this process; None if there is none.");
  module.def("world_size_of_environment", &sightline::WorldSizeOfEnvironment,
             "The number of processes that the launcher started; None if it is unknown.");
  nanobind::module_::import_("atexit").attr("register")(
      nanobind::cpp_function([] { python::CloseAll(); }));
}
