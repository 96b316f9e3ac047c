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

// For `after` see SummaryMonitor::Create.
PyMonitor Create(const SummaryConfig& config, const SummaryMonitor* after = nullptr) {
  (void)CloseRecordersOnDefaultSigterm().ok();
  Result<std::unique_ptr<SummaryMonitor>> created = [&] {
    const nb::gil_scoped_release released;
    return SummaryMonitor::Create(config.summary_dir, config.options, after);
  }();
  if (!created) RaiseOsError(created.error());
  std::shared_ptr<SummaryMonitor> monitor = *std::move(created);
  CloseAtExit(monitor, [core = monitor.get()] { (void)core->End(TrainingEnd::kUnknown).ok(); });
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
    // The last line reported what was refused or dropped; this is no reason to raise in a training.
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

// Of a with block that this exception leaves. Ctrl-C and sys.exit() tell nothing of the training.
TrainingEnd EndOf(nb::handle exception) {
  if (exception.is_none()) return TrainingEnd::kSuccess;
  return PyObject_IsSubclass(exception.ptr(), PyExc_Exception) == 1 ? TrainingEnd::kFailure
                                                                    : TrainingEnd::kUnknown;
}

constexpr char kMonitorDoc[] =
    "SummaryMonitor(summary_dir=None, **options)\n\n"
    "Records a training run by MindSpore's collection rules.\n\n"
    "The training tells it what happens. It decides which values are recorded, and never\n"
    "disturbs the training. The options and their defaults are in docs/python.md and\n"
    "docs/summary_monitor.md. One thread at a time. With SIGHTLINE_DISABLE=1 in the environment\n"
    "every call does nothing.\n\n"
    "Raises ValueError with every fault of the options, and OSError for errors of the directory.";

}  // namespace

void BindSummaryMonitor(nb::module_& module) {
  auto type = nb::class_<PyMonitor>(module, "SummaryMonitor", kMonitorDoc);
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
          "path_or_text"_a, "options"_a,
          "Makes a monitor from a configuration in MindFormers' form\n"
          "(docs/summary_monitor.md).\n\n"
          "Its parameters take precedence over the options. A str with a line end or a\n"
          "brace is the configuration itself; any other str and a path object name its\n"
          "file. Also raises OSError.")
      .def("next", &Next,
           "Makes a monitor for the training that follows this ended one.\n\n"
           "It has the same directory, and the same options except resume_from_step.\n"
           "Custom lineage is not recorded again. Raises OSError.")
      .def(
          "begin",
          [](PyMonitor& self, const nb::kwargs& info) {
            const TrainInfo train = ToTrainInfo(info);
            if (!self.home.here()) return;
            WithMonitor(self, [&](SummaryMonitor& core) { core.Begin(train); });
          },
          "info"_a,
          "Call this when a training begins.\n\n"
          "The arguments describe the training, and become its lineage: epochs,\n"
          "steps_per_epoch, sink_mode, network, loss_function, optimizer,\n"
          "learning_rate, batch_size, device_num, parallel_mode, dataset_path,\n"
          "dataset_size, model_path and model_bytes. Raises ValueError for a wrong\n"
          "argument.")
      .def_static(
          "check", [](const nb::kwargs& options) { ToSummaryConfig({}, options); }, "options"_a,
          "Raises ValueError with every fault of the options; creates nothing.")
      .def("record_graph", &RecordGraph, "model"_a,
           "Records the training graph, the first time only. `model` is the bytes of a\n"
           "ModelProto, as MindSpore's Cell.get_func_graph_proto returns them.")
      .def(
          "record_dataset_graph",
          [](PyMonitor& self, const nb::bytes& graph) {
            Recording(self, "record_dataset_graph", nb::int_(0), [&] {
              WithMonitor(self, [&](SummaryMonitor& core) {
                core.RecordSerializedDatasetGraph(BytesOf(graph));
              });
            });
          },
          "graph"_a,
          "Records the pipeline of the training data, the first time only. `graph` is the bytes of "
          "a DatasetGraph.")
      .def(
          "selects_parameter",
          [](const PyMonitor& self, std::size_t index, const std::string& name) {
            return self.home.here() && self.core->SelectsParameter(index, name);
          },
          "index"_a, "name"_a,
          "Whether the histogram of this parameter is ever recorded; other parameters\n"
          "need not be passed to end_step. `index` counts the trainable parameters from\n"
          "0.")
      .def(
          "collects",
          [](const PyMonitor& self, const std::string& name) {
            const auto collected = IsCollected(self.core->collected(), name);
            if (!collected) {
              throw nb::value_error(
                  ("collect_specified_data has no switch '" + name + "'").c_str());
            }
            return *collected;
          },
          "name"_a,
          "Whether the data of a switch, such as collect_metric, is collected by the\n"
          "options and their defaults. Raises ValueError for a name that is no switch.")
      .def(
          "is_due",
          [](const PyMonitor& self, std::int64_t step) {
            return self.home.here() && self.core->IsDue(step);
          },
          "step"_a, "Whether something would be recorded or saved at this step.")
      .def(
          "should_record",
          [](const PyMonitor& self, const std::string& tag, std::int64_t step,
             const std::string& kind) {
            const auto* const of =
                std::find_if(std::begin(kStepKinds), std::end(kStepKinds),
                             [&](ValueKind each) { return ValueKindName(each) == kind; });
            if (of == std::end(kStepKinds)) {
              throw nb::value_error(
                  ("kind is '" + kind + "', but must be scalar, histogram, image or tensor")
                      .c_str());
            }
            if (!self.home.here() || !self.core->IsDue(step)) return false;
            const nb::gil_scoped_release released;
            const std::lock_guard lock(*self.mutex);
            return self.core->ShouldRecord(tag, step, *of);
          },
          "tag"_a, "step"_a, "kind"_a = "tensor",
          "Whether a value with this tag would be recorded at the end of the step; ask\n"
          "before you compute or fetch it. Histograms have the tag \"<parameter>/auto\".\n"
          "Raises ValueError for a kind that is not \"scalar\", \"histogram\", \"image\" or\n"
          "\"tensor\".")
      .def(
          "is_checkpoint_due",
          [](const PyMonitor& self, std::int64_t step) {
            return self.home.here() && self.core->IsCheckpointDue(step);
          },
          "step"_a,
          "Whether end_step of this step will call save_checkpoint, for the loss landscape.")
      .def("set_parameters", &SetParameters, "parameters"_a,
           "Sets the trainable parameters: a mapping of names to arrays or tensors, or\n"
           "pairs. Their histograms are recorded if end_step gets no parameters. The\n"
           "objects must stay the same from step to step; properties that do not change,\n"
           "such as shapes, are read once. They are kept until the next call or end().\n"
           "Raises TypeError or ValueError for anything that is no mapping of names.")
      .def(
          "log",
          [](PyMonitor& self, nb::handle values, nb::handle step) {
            Recording(self, "log", step, [&] {
              const std::int64_t number = ToInteger(step);
              const Scalars scalars(self, "log", step, values);
              WithMonitor(self, [&](SummaryMonitor& core) { core.Log(number, scalars.list()); });
            });
          },
          "scalars"_a.none(), "step"_a.none(), "Records a dict of names to numbers, at any step.")
      .def(
          "begin_evaluation",
          [](PyMonitor& self) {
            if (!self.home.here()) return;
            WithMonitor(self, [](SummaryMonitor& core) { core.BeginEvaluation(); });
          },
          "Call this when an evaluation begins: until it ends, time does not count as step time.")
      .def(
          "end_evaluation",
          [](PyMonitor& self, nb::handle metrics, nb::handle step, const std::string& dataset_path,
             std::int64_t dataset_size) {
            Recording(self, "end_evaluation", step, [&] {
              const std::int64_t number = ToInteger(step);
              const Scalars scalars(self, "end_evaluation", step, metrics);
              WithMonitor(self, [&](SummaryMonitor& core) {
                core.EndEvaluation(number, scalars.list(),
                                   {UnlessEmpty(dataset_path), UnlessZero(dataset_size)});
              });
            });
          },
          "metrics"_a.none(), "step"_a.none(), nb::kw_only(), "dataset_path"_a = "",
          "dataset_size"_a = 0,
          "Call this when an evaluation after training step `step` ended. Each metric\n"
          "becomes a scalar \"eval/<name>\", and all of them become one evaluation\n"
          "lineage.")
      .def(
          "set_model",
          [](PyMonitor& self, nb::handle path, std::int64_t bytes) {
            const std::string text = ToPath(path);
            if (!self.home.here()) return;
            WithMonitor(self,
                        [&](SummaryMonitor& core) { core.SetModel(text, UnlessZero(bytes)); });
          },
          "path"_a, "bytes"_a, "Sets the checkpoint that the training left, for its lineage.")
      .def(
          "set_last_loss",
          [](PyMonitor& self, nb::handle loss) {
            const double number = ToNumber(loss);
            if (!self.home.here()) return;
            WithMonitor(self, [&](SummaryMonitor& core) { core.SetLastLoss(number); });
          },
          "loss"_a,
          "Sets the loss of the training's last step, for its lineage, if that step was not "
          "recorded.")
      .def(
          "end",
          [](PyMonitor& self, bool failed) {
            End(self, failed ? TrainingEnd::kFailure : TrainingEnd::kSuccess);
          },
          nb::kw_only(), "failed"_a = false,
          "Records the training's lineage, closes the files and reports the last line.\n"
          "Later calls do nothing. failed: what TensorBoard's HPARAMS page shows as the run's "
          "status.\n"
          "Raises OSError if something that was accepted did not get into the files.")
      .def_prop_ro(
          "enabled", [](const PyMonitor& self) { return self.core->enabled(); },
          "Whether anything is recorded; False with SIGHTLINE_DISABLE=1, and on a rank that "
          "`ranks` leaves out.")
      .def_prop_ro(
          "directory", [](const PyMonitor& self) { return FromPath(self.core->directory()); },
          "The directory of the event files, as it was given.")
      .def_prop_ro(
          "resume_from_step", [](const PyMonitor& self) { return self.options.resume_from_step; },
          "The option of this name; None if it was not given.")
      .def_prop_ro(
          "stats", [](const PyMonitor& self) { return self.core->Stats(); },
          "What was recorded so far, and what was refused, dropped or failed. Any thread.")
      .def_prop_ro(
          "thinned_steps", [](const PyMonitor& self) { return self.core->thinned_steps(); },
          "How many steps had histograms, images or tensors left out because of max_overhead.")
      .def_prop_ro(
          "recorder",
          [](const PyMonitor& self) -> nb::object {
            if (!self.core->enabled()) return nb::none();
            // Keeps the monitor alive.
            const std::shared_ptr<Recorder> core(self.core, self.core->recorder());
            return nb::cast(PyRecorder{core});
          },
          "The Recorder of this run, for values of your own; None if nothing is recorded.")
      .def("__enter__", [](nb::handle self) { return nb::borrow(self); })
      .def("__exit__", [](PyMonitor& self, const nb::args& error) {
        End(self, error.empty() ? TrainingEnd::kSuccess : EndOf(error[0]));
      });
  AddEndStep(type);
}

}  // namespace sightline::python
