#include "sightline/python/options.h"

#include <nanobind/stl/string.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <initializer_list>
#include <optional>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "sightline/python/failures.h"

namespace sightline::python {
namespace {

using std::chrono::milliseconds;

// The faults found so far, as one text.
class Faults {
 public:
  void Add(std::string_view name, nb::handle value, std::string_view allowed) {
    Add(std::string(name) + " is " + Quote(value) + ", but must be " + std::string(allowed));
  }
  void Add(const std::string& fault) { text_ += (text_.empty() ? "" : "; ") + fault; }
  void Add(const Status& status) {
    if (!status.ok()) Add(std::string(status.message()));
  }

  void RaiseIfAny() const {
    if (!text_.empty()) RaiseIfError(Status(StatusCode::kInvalidArgument, text_));
  }

 private:
  std::string text_;
};

// One keyword: its name, and how its value gets into Options.
template <typename Options>
struct Keyword {
  std::string_view name;
  void (*set)(std::string_view name, nb::handle value, Options& options, Faults& faults);
};

std::optional<std::int64_t> Integer(std::string_view name, nb::handle value, Faults& faults) {
  if (PyIndex_Check(value.ptr()) != 0 && !PyBool_Check(value.ptr())) {
    const long long number = PyLong_AsLongLong(value.ptr());
    if (number != -1 || PyErr_Occurred() == nullptr) return number;
    PyErr_Clear();
  }
  faults.Add(name, value, "an integer of 64 bits");
  return std::nullopt;
}

std::optional<std::int64_t> AtLeast(std::int64_t least, std::string_view name, nb::handle value,
                                    Faults& faults) {
  const auto number = Integer(name, value, faults);
  if (!number || *number >= least) return number;
  faults.Add(name, value, "at least " + std::to_string(least));
  return std::nullopt;
}

template <typename Number>
void SetAtLeast(std::int64_t least, std::string_view name, nb::handle value, Number& target,
                Faults& faults) {
  const auto number = AtLeast(least, name, value, faults);
  if (!number) return;
  if (!std::in_range<Number>(*number)) return faults.Add(name, value, "an integer of 32 bits");
  target = static_cast<Number>(*number);
}

void SetNumber(std::string_view name, nb::handle value, std::optional<double>& target,
               Faults& faults) {
  if (value.is_none()) return;
  const double number = PyFloat_AsDouble(value.ptr());
  if (number == -1 && PyErr_Occurred() != nullptr) {
    PyErr_Clear();
    return faults.Add(name, value, "a number");
  }
  target = number;
}

void SetBool(std::string_view name, nb::handle value, bool& target, Faults& faults) {
  if (!PyBool_Check(value.ptr())) return faults.Add(name, value, "True or False");
  target = value.ptr() == Py_True;
}

void SetText(std::string_view name, nb::handle value, std::string& target, Faults& faults) {
  if (value.is_none()) return;
  if (!nb::isinstance<nb::str>(value) || !nb::try_cast(value, target))
    faults.Add(name, value, "a text");
}

void SetSeconds(std::string_view name, nb::handle value, milliseconds& target, Faults& faults) {
  constexpr double kLongest = 1e9;
  std::optional<double> seconds;
  SetNumber(name, value, seconds, faults);
  if (!seconds) return;
  if (!(*seconds >= 0.001 && *seconds <= kLongest))
    return faults.Add(name, value, "a number of seconds, at least 0.001");
  target = milliseconds(std::llround(*seconds * 1000));
}

template <typename Choice>
void SetChoice(std::string_view name, nb::handle value, Choice& target, Faults& faults,
               std::initializer_list<std::pair<std::string_view, Choice>> choices) {
  std::string text;
  std::string allowed;
  const bool is_text = nb::isinstance<nb::str>(value) && nb::try_cast(value, text);
  for (const auto& [word, choice] : choices) {
    if (is_text && text == word) {
      target = choice;
      return;
    }
    allowed += (allowed.empty() ? "'" : " or '") + std::string(word) + "'";
  }
  faults.Add(name, value, allowed);
}

void SetFormats(std::string_view name, nb::handle value, std::vector<Format>& target,
                Faults& faults) {
  constexpr std::string_view kAllowed = "'mindspore', 'tensorboard' or a list of them, each once";
  nb::list words;
  if (nb::isinstance<nb::str>(value)) {
    words.append(value);
  } else if (nb::isinstance<nb::list>(value) || nb::isinstance<nb::tuple>(value)) {
    words.extend(value);
  }
  std::vector<Format> formats;
  for (const nb::handle word : words) {
    std::optional<Format> format;
    if (word.equal(nb::str("mindspore"))) format = Format::kMindSpore;
    if (word.equal(nb::str("tensorboard"))) format = Format::kTensorBoard;
    if (!format || std::find(formats.begin(), formats.end(), *format) != formats.end())
      return faults.Add(name, value, kAllowed);
    formats.push_back(*format);
  }
  if (formats.empty()) return faults.Add(name, value, kAllowed);
  target = formats;
}

template <typename Options>
std::string NamesOf(std::span<const Keyword<Options>> keywords) {
  std::string names;
  for (const Keyword<Options>& keyword : keywords)
    names += (names.empty() ? "" : ", ") + std::string(keyword.name);
  return names;
}

template <typename Options>
const Keyword<Options>* Find(nb::handle key, std::span<const Keyword<Options>> keywords) {
  std::string name;
  if (!nb::isinstance<nb::str>(key) || !nb::try_cast(key, name)) return nullptr;
  for (const Keyword<Options>& keyword : keywords)
    if (keyword.name == name) return &keyword;
  return nullptr;
}

// Sets what the dict `given` holds. `known`: names for the message about a key that is none.
template <typename Options>
void SetAll(std::string_view what, nb::handle given, std::span<const Keyword<Options>> keywords,
            const std::string& known, Options& options, Faults& faults) {
  for (const auto& [key, value] : nb::cast<nb::dict>(given)) {
    if (const Keyword<Options>* const keyword = Find(key, keywords)) {
      keyword->set(keyword->name, value, options, faults);
    } else {
      faults.Add(std::string(what) + " has no " + Quote(key) + "; known are " + known);
    }
  }
}

// The keywords of a Recorder but formats, max_file_size and export_npy, which SummaryMonitor has
// under options of its own.
constexpr Keyword<RecorderOptions> kWriting[] = {
    {"buffer_bytes",
     [](auto name, auto value, auto& options, auto& faults) {
       SetAtLeast(0, name, value, options.buffer_bytes, faults);
     }},
    {"on_buffer_full",
     [](auto name, auto value, auto& options, auto& faults) {
       SetChoice(name, value, options.on_buffer_full, faults,
                 {{"block", OnBufferFull::kBlock}, {"drop", OnBufferFull::kDrop}});
     }},
    {"on_full",
     [](auto name, auto value, auto& options, auto& faults) {
       SetChoice(name, value, options.on_file_full, faults,
                 {{"rotate", OnFileFull::kRotate}, {"stop", OnFileFull::kStop}});
     }},
    {"flush_interval",
     [](auto name, auto value, auto& options, auto& faults) {
       SetSeconds(name, value, options.flush_interval, faults);
     }},
    {"sync",
     [](auto name, auto value, auto& options, auto& faults) {
       SetChoice(name, value, options.sync, faults,
                 {{"never", SyncPolicy::kNever},
                  {"interval", SyncPolicy::kInterval},
                  {"record", SyncPolicy::kEveryRecord}});
     }},
    {"sync_interval", [](auto name, auto value, auto& options,
                         auto& faults) { SetSeconds(name, value, options.sync_interval, faults); }},
    {"min_free_disk_bytes",
     [](auto name, auto value, auto& options, auto& faults) {
       SetAtLeast(0, name, value, options.min_free_disk_bytes, faults);
     }},
    {"journal_dir",
     [](auto name, auto value, auto& options, auto& faults) {
       try {
         if (!value.is_none()) options.journal_dir = ToPath(value);
       } catch (const nb::python_error&) {
         faults.Add(name, value, "a path");
       }
     }},
    {"workers", [](auto name, auto value, auto& options,
                   auto& faults) { SetAtLeast(0, name, value, options.workers, faults); }},
    {"rank", [](auto name, auto value, auto& options,
                auto& faults) { SetAtLeast(0, name, value, options.rank, faults); }},
    {"world_size", [](auto name, auto value, auto& options,
                      auto& faults) { SetAtLeast(1, name, value, options.world_size, faults); }},
    {"device_id", [](auto name, auto value, auto& options,
                     auto& faults) { SetAtLeast(0, name, value, options.device_id, faults); }},
    {"hostname", [](auto name, auto value, auto& options,
                    auto& faults) { SetText(name, value, options.hostname, faults); }},
};

constexpr Keyword<RecorderOptions> kFiles[] = {
    {"formats", [](auto name, auto value, auto& options,
                   auto& faults) { SetFormats(name, value, options.formats, faults); }},
    {"max_file_size",
     [](auto name, auto value, auto& options, auto& faults) {
       if (!value.is_none()) SetAtLeast(1, name, value, options.max_file_size, faults);
     }},
    {"export_npy", [](auto name, auto value, auto& options,
                      auto& faults) { SetBool(name, value, options.export_npy, faults); }},
};

#define SIGHTLINE_BOOL_KEYWORD_(field)                                        \
  Keyword<CollectSpecifiedData> {                                             \
#field, [](auto name, auto value, auto& options,                          \
               auto& faults) { SetBool(name, value, options.field, faults); } \
  }
constexpr Keyword<CollectSpecifiedData> kCollected[] = {
    SIGHTLINE_BOOL_KEYWORD_(collect_metric),
    SIGHTLINE_BOOL_KEYWORD_(collect_graph),
    SIGHTLINE_BOOL_KEYWORD_(collect_train_lineage),
    SIGHTLINE_BOOL_KEYWORD_(collect_eval_lineage),
    SIGHTLINE_BOOL_KEYWORD_(collect_input_data),
    SIGHTLINE_BOOL_KEYWORD_(collect_dataset_graph),
    SIGHTLINE_BOOL_KEYWORD_(collect_throughput),
    SIGHTLINE_BOOL_KEYWORD_(collect_histograms),
    {"histogram_regular",
     [](auto name, auto value, auto& options, auto& faults) {
       SetText(name, value, options.histogram_regular, faults);
     }},
};
#undef SIGHTLINE_BOOL_KEYWORD_

constexpr Keyword<ExportOptions> kExport[] = {
    {"tensor_format", [](auto name, auto value, auto& options, auto& faults) {
       if (!value.is_none())
         SetChoice(name, value, options.tensor_format, faults, {{"npy", TensorFormat::kNpy}});
     }}};

void SetLineage(std::string_view name, nb::handle value, CustomLineage& target, Faults& faults) {
  constexpr std::string_view kAllowed = "a dict of names to integers, numbers or texts";
  if (value.is_none()) return;
  if (!nb::isinstance<nb::dict>(value)) return faults.Add(name, value, kAllowed);
  for (const auto& [key, item] : nb::cast<nb::dict>(value)) {
    std::string text;
    if (!nb::isinstance<nb::str>(key) || !nb::try_cast(key, text)) {
      faults.Add(name, value, kAllowed);
      continue;
    }
    const std::string path = std::string(name) + "[" + Quote(key) + "]";
    if (nb::isinstance<nb::str>(item)) {
      std::string word;
      SetText(path, item, word, faults);
      target[text] = word;
    } else if (PyIndex_Check(item.ptr()) != 0) {
      const long long number = PyLong_AsLongLong(item.ptr());
      if (number == -1 && PyErr_Occurred() != nullptr) {
        PyErr_Clear();
        faults.Add(path, item, "an integer of 64 bits");
      } else {
        target[text] = std::int64_t{number};
      }
    } else {
      std::optional<double> number;
      if (item.is_none()) {
        faults.Add(path, item, "an integer, a number or a text");
      } else {
        SetNumber(path, item, number, faults);
      }
      if (number) target[text] = *number;
    }
  }
}

// A function of Python's that C++ calls from a thread without the GIL.
template <typename Call>
void CallPython(const Call& call) {
  const nb::gil_scoped_acquire gil;
  try {
    call();
  } catch (nb::python_error& error) {
    error.discard_as_unraisable("a function given to sightline.SummaryMonitor");
  }
}

bool IsFunction(std::string_view name, nb::handle value, Faults& faults) {
  if (value.is_none()) return false;
  if (PyCallable_Check(value.ptr()) != 0) return true;
  faults.Add(name, value, "a function");
  return false;
}

constexpr Keyword<SummaryOptions> kSummary[] = {
    {"collect_freq",
     [](auto name, auto value, auto& options, auto& faults) {
       SetAtLeast(1, name, value, options.collect_freq, faults);
     }},
    {"collect_tensor_freq",
     [](auto name, auto value, auto& options, auto& faults) {
       if (!value.is_none()) options.collect_tensor_freq = AtLeast(1, name, value, faults);
     }},
    // Its effect is where collect_specified_data starts from: ToSummaryOptions.
    {"keep_default_action",
     [](auto name, auto value, auto&, auto& faults) {
       bool keep = true;
       SetBool(name, value, keep, faults);
     }},
    {"collect_specified_data",
     [](auto name, auto value, auto& options, auto& faults) {
       if (value.is_none()) return;
       if (!nb::isinstance<nb::dict>(value)) return faults.Add(name, value, "a dict");
       SetAll<CollectSpecifiedData>(name, value, kCollected,
                                    NamesOf<CollectSpecifiedData>(kCollected),
                                    options.collect_specified_data, faults);
     }},
    {"custom_lineage_data",
     [](auto name, auto value, auto& options, auto& faults) {
       SetLineage(name, value, options.custom_lineage_data, faults);
     }},
    {"max_file_size",
     [](auto name, auto value, auto& options, auto& faults) {
       if (!value.is_none()) options.max_file_size = AtLeast(1, name, value, faults);
     }},
    {"export_options",
     [](auto name, auto value, auto& options, auto& faults) {
       if (value.is_none()) return;
       if (!nb::isinstance<nb::dict>(value)) return faults.Add(name, value, "a dict");
       SetAll<ExportOptions>(name, value, kExport, NamesOf<ExportOptions>(kExport),
                             options.export_options, faults);
     }},
    {"formats", [](auto name, auto value, auto& options,
                   auto& faults) { SetFormats(name, value, options.formats, faults); }},
    {"on_nonfinite",
     [](auto name, auto value, auto& options, auto& faults) {
       if (!IsFunction(name, value, faults)) return;
       options.on_nonfinite = [call = nb::borrow(value)](const NonFinite& found) {
         CallPython([&] { call(found.tag, found.step, found.value); });
       };
     }},
    {"say",
     [](auto name, auto value, auto& options, auto& faults) {
       if (!IsFunction(name, value, faults)) return;
       options.say = [call = nb::borrow(value)](std::string_view line) {
         CallPython([&] { call(nb::str(line.data(), line.size())); });
       };
     }},
};

#define SIGHTLINE_TRAIN_KEYWORD_(field, Set, ...)                                                 \
  Keyword<TrainInfo> {                                                                            \
#field, [](auto name, auto value, auto& info,                                                 \
               auto& faults) { Set(__VA_ARGS__ __VA_OPT__(, ) name, value, info.field, faults); } \
  }
constexpr Keyword<TrainInfo> kTrain[] = {
    SIGHTLINE_TRAIN_KEYWORD_(epochs, SetAtLeast, 0),
    SIGHTLINE_TRAIN_KEYWORD_(steps_per_epoch, SetAtLeast, 0),
    SIGHTLINE_TRAIN_KEYWORD_(sink_mode, SetBool),
    SIGHTLINE_TRAIN_KEYWORD_(network, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(loss_function, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(optimizer, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(learning_rate, SetNumber),
    SIGHTLINE_TRAIN_KEYWORD_(batch_size, SetAtLeast, 0),
    SIGHTLINE_TRAIN_KEYWORD_(device_num, SetAtLeast, 0),
    SIGHTLINE_TRAIN_KEYWORD_(parallel_mode, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(dataset_path, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(dataset_size, SetAtLeast, 0),
    SIGHTLINE_TRAIN_KEYWORD_(model_path, SetText),
    SIGHTLINE_TRAIN_KEYWORD_(model_bytes, SetAtLeast, 0),
};
#undef SIGHTLINE_TRAIN_KEYWORD_

// Splits the dict `all` by whether its keys are keywords for a Recorder that a monitor has too.
std::pair<nb::dict, nb::dict> Split(nb::handle all) {
  std::pair<nb::dict, nb::dict> writing_and_rest;
  for (const auto& [key, value] : nb::cast<nb::dict>(all)) {
    const bool writing = Find<RecorderOptions>(key, kWriting) != nullptr;
    (writing ? writing_and_rest.first : writing_and_rest.second)[key] = value;
  }
  return writing_and_rest;
}

}  // namespace

std::string ToPath(nb::handle path) {
  PyObject* bytes = nullptr;
  if (PyUnicode_FSConverter(path.ptr(), &bytes) == 0) throw nb::python_error();
  const nb::object owner = nb::steal(bytes);
  return {PyBytes_AS_STRING(bytes), static_cast<std::size_t>(PyBytes_GET_SIZE(bytes))};
}

RecorderOptions ToRecorderOptions(nb::handle keywords) {
  RecorderOptions options;
  Faults faults;
  const std::string known =
      NamesOf<RecorderOptions>(kFiles) + ", " + NamesOf<RecorderOptions>(kWriting);
  const auto [writing, files] = Split(keywords);
  SetAll<RecorderOptions>("Recorder", files, kFiles, known, options, faults);
  SetAll<RecorderOptions>("Recorder", writing, kWriting, known, options, faults);
  faults.Add(options.Check());
  faults.RaiseIfAny();
  return options;
}

SummaryOptions ToSummaryOptions(nb::handle keywords) {
  SummaryOptions options;
  Faults faults;
  const std::string known =
      NamesOf<SummaryOptions>(kSummary) + ", " + NamesOf<RecorderOptions>(kWriting);
  const auto [writing, summary] = Split(keywords);
  if (summary.contains("keep_default_action") &&
      summary["keep_default_action"].is(nb::bool_(false)))
    options.collect_specified_data = CollectSpecifiedData::Nothing();  // As in MindSpore.
  SetAll<SummaryOptions>("SummaryMonitor", summary, kSummary, known, options, faults);
  SetAll<RecorderOptions>("SummaryMonitor", writing, kWriting, known, options.recorder, faults);
  faults.Add(options.Check());
  faults.RaiseIfAny();
  return options;
}

TrainInfo ToTrainInfo(nb::handle keywords) {
  TrainInfo info;
  Faults faults;
  SetAll<TrainInfo>("begin", keywords, kTrain, NamesOf<TrainInfo>(kTrain), info, faults);
  faults.RaiseIfAny();
  return info;
}

}  // namespace sightline::python
