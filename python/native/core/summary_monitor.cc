#include "sightline/python/native/core/summary_monitor.h"

#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>

#include <algorithm>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core_docstrings.h"
#include "sightline/collectors/config/summary_config.h"
#include "sightline/collectors/config/summary_parameters.h"
#include "sightline/collectors/summary_monitor.h"
#include "sightline/python/native/common/failures.h"
#include "sightline/python/native/common/path.h"
#include "sightline/python/native/core/end_step.h"
#include "sightline/python/native/core/name.h"
#include "sightline/python/native/core/noting.h"
#include "sightline/python/native/core/number.h"
#include "sightline/python/native/core/options.h"
#include "sightline/python/native/core/process.h"
#include "sightline/python/native/core/recorder.h"
#include "sightline/recorder/recorder_access.h"

namespace sightline::python {
namespace {

// clang-tidy 14 does not see where it is used.
using nb::literals::operator""_a;  // NOLINT(misc-unused-using-decls)

std::string_view BytesOf(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

// Records a graph, and notes why if its bytes cannot be recorded.
void RecordGraph(PyMonitor& self, const nb::bytes& model) {
  Recording(self, "record_graph", nb::int_(0), [&] {
    const Result<std::string_view> graph = GraphOfModel(BytesOf(model));
    if (!graph) throw std::invalid_argument(std::string(graph.error().message()));
    WithMonitor(self, [&](SummaryMonitor& core) { core.RecordSerializedGraph(*graph); });
  });
}

// Converts a dict of names and numbers.
class Scalars {
 public:
  Scalars(PyMonitor& self, std::string_view call, nb::handle step, nb::handle values) {
    items_ = nb::cast<nb::dict>(nb::handle(&PyDict_Type)(values));
    for (const auto& [key, value] : items_) {
      Noting(self.core->recorder(), call, key, step, [&, name = key, v = value] {
        list_.push_back({ToName(name, names_), ToNumber(v)});
        return true;
      });
    }
  }
  const std::vector<NamedScalar>& list() const { return list_; }

 private:
  nb::dict items_;
  std::list<std::string> names_;
  std::vector<NamedScalar> list_;
};

// Replaces the earlier parameters.
void SetParameters(PyMonitor& self, nb::handle parameters) {
  const nb::dict items = nb::cast<nb::dict>(nb::handle(&PyDict_Type)(parameters));
  auto made = std::make_shared<Parameters>();
  std::list<std::string> storage;
  for (const auto& [name, tensor] : items)
    made->push_back({std::string(ToName(name, storage)), ArraySource(nb::borrow(tensor))});
  self.parameters = std::move(made);
}

// Keeps what the training runs on, which needs Python to find out. Without it, the training goes
// on.
void KeepFacts(const SummaryMonitor& monitor) {
  const Recorder* const recorder = monitor.recorder();
  if (recorder == nullptr) return;
  try {
    nb::module_::import_("sightline._run_facts")
        .attr("keep_facts")(FromPath(monitor.directory()), recorder->session_id());
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("sightline._run_facts");
  }
}

// For `after` see SummaryMonitor::Create.
PyMonitor Create(const SummaryConfig& config, const SummaryMonitor* after = nullptr) {
  (void)CloseRecordersOnDefaultSigterm().ok();
  SummaryOptions options = config.options;
  options.collect_specified_data.collect_run_facts = false;  // KeepFacts finds more of them.
  Result<std::unique_ptr<SummaryMonitor>> created = [&] {
    const nb::gil_scoped_release released;
    return SummaryMonitor::Create(config.summary_dir, std::move(options), after);
  }();
  if (!created) RaiseOsError(created.error());
  std::shared_ptr<SummaryMonitor> monitor = *std::move(created);
  CloseAtExit(monitor, [core = monitor.get()] { (void)core->End(TrainingEnd::kUnknown).ok(); });
  if (config.options.collect_specified_data.collect_run_facts) KeepFacts(*monitor);
  return {std::move(monitor), config.options};
}

PyMonitor Next(const PyMonitor& ended) {
  SummaryConfig config{.summary_dir = ended.core->directory(), .options = ended.options};
  config.options.resume_from_step.reset();
  return Create(config, ended.core.get());
}

// The word None means None, as in the options.
SummaryConfig ConfigOf(nb::handle summary_dir, nb::handle keywords) {
  std::string directory = summary_dir.is_none() ? std::string() : ToPath(summary_dir);
  if (directory == "None") directory.clear();
  return ToSummaryConfig(directory, keywords);
}

// A text with a line end or a brace is a configuration; any other text, and a path object, names a
// file.
SummaryConfig ConfigOfYaml(nb::handle source, nb::handle keywords) {
  SummaryConfig base = ToSummaryConfig({}, keywords);
  std::string text;
  const bool is_text = nb::isinstance<nb::str>(source) && nb::try_cast(source, text) &&
                       text.find_first_of("\n{") != std::string::npos;
  auto config = is_text ? ParseSummaryConfig(text, std::move(base.options))
                        : LoadSummaryConfig(ToPath(source), std::move(base.options));
  if (!config) RaiseIfError(config.error());
  if (config->summary_dir.empty()) config->summary_dir = std::move(base.summary_dir);
  return *std::move(config);
}

void End(PyMonitor& self, TrainingEnd how) {
  if (!self.home.here()) return;
  Status status;
  WithMonitor(self, [&](SummaryMonitor& core) {
    status = core.End(how);
    // The last line reported what was refused or dropped; a training must not fail by it.
    if (const Recorder* const recorder = core.recorder();
        recorder != nullptr && status.message() == RecorderAccess::Refusals(*recorder).message()) {
      status = Status();
    }
  });
  self.parameters = std::make_shared<Parameters>();
  RaiseIfError(status);
}

// In Python, "" and 0 mean that something is not known.
std::optional<std::string> UnlessEmpty(const std::string& text) {
  return text.empty() ? std::nullopt : std::optional(text);
}
std::optional<std::int64_t> UnlessZero(std::int64_t number) {
  return number == 0 ? std::nullopt : std::optional(number);
}

// How the training ended whose with block this exception leaves. Ctrl-C and sys.exit() do not tell.
TrainingEnd EndOf(nb::handle exception) {
  if (exception.is_none()) return TrainingEnd::kSuccess;
  return PyObject_IsSubclass(exception.ptr(), PyExc_Exception) == 1 ? TrainingEnd::kFailure
                                                                    : TrainingEnd::kUnknown;
}

using Class = nb::class_<PyMonitor>;

void Begin(PyMonitor& self, const nb::kwargs& info) {
  const TrainInfo train = ToTrainInfo(info);
  if (!self.home.here()) return;
  WithMonitor(self, [&](SummaryMonitor& core) { core.Begin(train); });
}

bool Collects(const PyMonitor& self, const std::string& name) {
  const auto collected = IsCollected(self.core->collected(), name);
  if (!collected)
    throw nb::value_error(("collect_specified_data has no switch '" + name + "'").c_str());
  return *collected;
}

bool ShouldRecord(const PyMonitor& self, const std::string& tag, std::int64_t step,
                  const std::string& kind) {
  const auto* const found =
      std::find_if(std::begin(kStepKinds), std::end(kStepKinds),
                   [&](ValueKind each) { return ValueKindName(each) == kind; });
  if (found == std::end(kStepKinds)) {
    throw nb::value_error(
        ("kind is '" + kind + "', but must be scalar, histogram, image or tensor").c_str());
  }
  if (!self.home.here() || !self.core->IsDue(step)) return false;
  const nb::gil_scoped_release released;
  const std::lock_guard lock(*self.mutex);
  return self.core->ShouldRecord(tag, step, *found);
}

void RecordDatasetGraph(PyMonitor& self, const nb::bytes& graph) {
  Recording(self, "record_dataset_graph", nb::int_(0), [&] {
    WithMonitor(self,
                [&](SummaryMonitor& core) { core.RecordSerializedDatasetGraph(BytesOf(graph)); });
  });
}

void Log(PyMonitor& self, nb::handle values, nb::handle step) {
  Recording(self, "log", step, [&] {
    const std::int64_t number = ToInteger(step);
    const Scalars scalars(self, "log", step, values);
    WithMonitor(self, [&](SummaryMonitor& core) { core.Log(number, scalars.list()); });
  });
}

void BeginEvaluation(PyMonitor& self) {
  if (!self.home.here()) return;
  WithMonitor(self, [](SummaryMonitor& core) { core.BeginEvaluation(); });
}

void EndEvaluation(PyMonitor& self, nb::handle metrics, nb::handle step,
                   const std::string& dataset_path, std::int64_t dataset_size) {
  Recording(self, "end_evaluation", step, [&] {
    const std::int64_t number = ToInteger(step);
    const Scalars scalars(self, "end_evaluation", step, metrics);
    WithMonitor(self, [&](SummaryMonitor& core) {
      core.EndEvaluation(number, scalars.list(),
                         {UnlessEmpty(dataset_path), UnlessZero(dataset_size)});
    });
  });
}

void SetModel(PyMonitor& self, nb::handle path, std::int64_t bytes) {
  const std::string text = ToPath(path);
  if (!self.home.here()) return;
  WithMonitor(self, [&](SummaryMonitor& core) { core.SetModel(text, UnlessZero(bytes)); });
}

void SetLastLoss(PyMonitor& self, nb::handle loss) {
  const double number = ToNumber(loss);
  if (!self.home.here()) return;
  WithMonitor(self, [&](SummaryMonitor& core) { core.SetLastLoss(number); });
}

nb::object RecorderOf(const PyMonitor& self) {
  if (!self.core->enabled()) return nb::none();
  // It keeps the monitor alive.
  const std::shared_ptr<Recorder> core(self.core, self.core->recorder());
  return nb::cast(PyRecorder{core});
}

// How a monitor is made, and when its training begins and ends.
void BindLife(Class& type) {
  type.def(
          "__init__",
          [](PyMonitor* self, nb::handle summary_dir, const nb::kwargs& options) {
            new (self) PyMonitor(Create(ConfigOf(summary_dir, options)));
          },
          "summary_dir"_a = nb::none(), "options"_a)
      .def_static(
          "from_yaml",
          [](nb::handle source, const nb::kwargs& options) {
            return Create(ConfigOfYaml(source, options));
          },
          "path_or_text"_a, "options"_a, docstrings::kSummaryMonitorFromYaml)
      .def_static(
          "check", [](const nb::kwargs& options) { ToSummaryConfig({}, options); }, "options"_a,
          docstrings::kSummaryMonitorCheck)
      .def("next", &Next, docstrings::kSummaryMonitorNext)
      .def("begin", &Begin, "info"_a, docstrings::kSummaryMonitorBegin)
      .def(
          "end",
          [](PyMonitor& self, bool failed) {
            End(self, failed ? TrainingEnd::kFailure : TrainingEnd::kSuccess);
          },
          nb::kw_only(), "failed"_a = false, docstrings::kSummaryMonitorEnd)
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](PyMonitor& self, const nb::args& error) {
        End(self, error.empty() ? TrainingEnd::kSuccess : EndOf(error[0]));
      });
}

// What a trainer asks before it computes or fetches something.
void BindQuestions(Class& type) {
  type.def(
          "selects_parameter",
          [](const PyMonitor& self, std::size_t index, const std::string& name) {
            return self.home.here() && self.core->SelectsParameter(index, name);
          },
          "index"_a, "name"_a, docstrings::kSummaryMonitorSelectsParameter)
      .def("collects", &Collects, "name"_a, docstrings::kSummaryMonitorCollects)
      .def(
          "is_due",
          [](const PyMonitor& self, std::int64_t step) {
            return self.home.here() && self.core->IsDue(step);
          },
          "step"_a, docstrings::kSummaryMonitorIsDue)
      .def("should_record", &ShouldRecord, "tag"_a, "step"_a, "kind"_a = "tensor",
           docstrings::kSummaryMonitorShouldRecord)
      .def(
          "is_checkpoint_due",
          [](const PyMonitor& self, std::int64_t step) {
            return self.home.here() && self.core->IsCheckpointDue(step);
          },
          "step"_a, docstrings::kSummaryMonitorIsCheckpointDue);
}

// What a trainer tells, apart from the end of a step.
void BindCalls(Class& type) {
  type.def("record_graph", &RecordGraph, "model"_a, docstrings::kSummaryMonitorRecordGraph)
      .def("record_dataset_graph", &RecordDatasetGraph, "graph"_a,
           docstrings::kSummaryMonitorRecordDatasetGraph)
      .def("set_parameters", &SetParameters, "parameters"_a,
           docstrings::kSummaryMonitorSetParameters)
      .def("log", &Log, "scalars"_a.none(), "step"_a.none(), docstrings::kSummaryMonitorLog)
      .def("begin_evaluation", &BeginEvaluation, docstrings::kSummaryMonitorBeginEvaluation)
      .def("end_evaluation", &EndEvaluation, "metrics"_a.none(), "step"_a.none(), nb::kw_only(),
           "dataset_path"_a = "", "dataset_size"_a = 0, docstrings::kSummaryMonitorEndEvaluation)
      .def("set_model", &SetModel, "path"_a, "bytes"_a, docstrings::kSummaryMonitorSetModel)
      .def("set_last_loss", &SetLastLoss, "loss"_a, docstrings::kSummaryMonitorSetLastLoss);
}

void BindProperties(Class& type) {
  type.def_prop_ro(
          "enabled", [](const PyMonitor& self) { return self.core->enabled(); },
          docstrings::kSummaryMonitorEnabled)
      .def_prop_ro(
          "directory", [](const PyMonitor& self) { return FromPath(self.core->directory()); },
          docstrings::kSummaryMonitorDirectory)
      .def_prop_ro(
          "resume_from_step", [](const PyMonitor& self) { return self.options.resume_from_step; },
          docstrings::kSummaryMonitorResumeFromStep)
      .def_prop_ro(
          "stats", [](const PyMonitor& self) { return self.core->Stats(); },
          docstrings::kSummaryMonitorStats)
      .def_prop_ro(
          "thinned_steps", [](const PyMonitor& self) { return self.core->thinned_steps(); },
          docstrings::kSummaryMonitorThinnedSteps)
      .def_prop_ro("recorder", &RecorderOf, docstrings::kSummaryMonitorRecorder);
}

}  // namespace

void BindSummaryMonitor(nb::module_& module) {
  Class type(module, "SummaryMonitor", docstrings::kSummaryMonitor);
  BindLife(type);
  BindQuestions(type);
  BindCalls(type);
  BindProperties(type);
  AddEndStep(type);
}

}  // namespace sightline::python
