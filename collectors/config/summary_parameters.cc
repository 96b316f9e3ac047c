#include "sightline/collectors/config/summary_parameters.h"

#include "sightline/collectors/config/recorder_config.h"

namespace sightline {
namespace {

struct Switch {
  const char* key;
  bool CollectSpecifiedData::*member;
};

constexpr Switch kSwitches[] = {
    {"collect_metric", &CollectSpecifiedData::collect_metric},
    {"collect_graph", &CollectSpecifiedData::collect_graph},
    {"collect_train_lineage", &CollectSpecifiedData::collect_train_lineage},
    {"collect_eval_lineage", &CollectSpecifiedData::collect_eval_lineage},
    {"collect_input_data", &CollectSpecifiedData::collect_input_data},
    {"collect_dataset_graph", &CollectSpecifiedData::collect_dataset_graph},
    {"collect_throughput", &CollectSpecifiedData::collect_throughput},
    {"collect_system", &CollectSpecifiedData::collect_system},
    {"collect_run_facts", &CollectSpecifiedData::collect_run_facts},
    {"collect_histograms", &CollectSpecifiedData::collect_histograms},
};

std::optional<std::vector<std::vector<std::int64_t>>> AsIntervals(const OptionValue& value) {
  const auto* const list = value.As<OptionList>();
  if (list == nullptr) return std::nullopt;
  std::vector<std::vector<std::int64_t>> intervals;
  for (const OptionValue& each : *list) {
    const auto* const numbers = each.As<OptionList>();
    if (numbers == nullptr) return std::nullopt;
    std::vector<std::int64_t>& interval = intervals.emplace_back();
    for (const OptionValue& number : *numbers) {
      const auto* const whole = number.As<std::int64_t>();
      if (whole == nullptr) return std::nullopt;
      interval.push_back(*whole);
    }
  }
  return intervals;
}

void ReadLandscape(OptionReader& named, std::optional<LandscapeOptions>& target) {
  auto options = named.Map("collect_landscape");
  if (!options) return;
  LandscapeOptions& landscape = target.emplace();
  options->Integer("landscape_size", landscape.landscape_size);
  options->Choice("unit", landscape.unit,
                  {{"step", LandscapeUnit::kStep}, {"epoch", LandscapeUnit::kEpoch}});
  if (auto create = options->Map("create_landscape")) {
    create->Bool("train", landscape.create_landscape.train);
    create->Bool("result", landscape.create_landscape.result);
    create->ReportUnknown();
  }
  options->Integer("num_samples", landscape.num_samples);
  options->Read("intervals", landscape.intervals, &AsIntervals,
                "must be a list of lists of whole numbers of 64 bits");
  options->ReportUnknown();
}

// Reads collect_specified_data and keep_default_action. If the latter is false, only named data is
// collected.
void ReadSpecifiedData(OptionReader& parameters, CollectSpecifiedData& data) {
  bool keep_default = true;
  parameters.Bool("keep_default_action", keep_default);
  auto named = parameters.Map("collect_specified_data");
  if (!keep_default) {
    for (const Switch& each : kSwitches) data.*each.member = false;  // Also if it is None.
    // Histograms are named by their regular expression, as in MindSpore.
    if (named && named->Has("histogram_regular")) data.collect_histograms = true;
  }
  if (!named) return;
  for (const Switch& each : kSwitches) named->Bool(each.key, data.*each.member);
  named->String("histogram_regular", data.histogram_regular);
  ReadLandscape(*named, data.collect_landscape);
  named->ReportUnknown();
}

std::optional<ValueKind> AsStepKind(const OptionValue& value) {
  const auto* const name = value.As<std::string>();
  for (const ValueKind kind : kStepKinds)
    if (name != nullptr && *name == ValueKindName(kind)) return kind;
  return std::nullopt;
}

// A value that is wrong is one fault: it is not reported as missing, too.
Frequency ReadFrequency(OptionReader& options) {
  Frequency frequency;
  std::size_t faults = options.faults().count();
  options.Read("kind", frequency.kind, &AsStepKind,
               "must be scalar or histogram or image or tensor");
  options.String("tag", frequency.tag);
  if (options.faults().count() != faults) frequency.kind = ValueKind::kScalar;
  faults = options.faults().count();
  options.Integer("every_steps", frequency.every_steps);
  options.Number("every_seconds", frequency.every_seconds);
  options.Integer("first_steps", frequency.first_steps);
  if (options.faults().count() != faults) frequency.first_steps = 1;
  options.ReportUnknown();
  return frequency;
}

void ReadFrequencies(OptionReader& parameters, std::vector<Frequency>& target) {
  if (!parameters.Has("frequencies")) return parameters.Know("frequencies");
  const Frequency no_fault = {.kind = ValueKind::kScalar, .first_steps = 1};
  std::vector<Frequency> frequencies;
  for (std::optional<OptionReader>& options : parameters.MapList("frequencies"))
    frequencies.push_back(options ? ReadFrequency(*options) : no_fault);
  target = std::move(frequencies);
}

// "all", a rank, or a list of ranks. The outer optional is empty if the value is none of these.
std::optional<std::optional<std::vector<std::int64_t>>> AsRanks(const OptionValue& value) {
  if (const auto* const word = value.As<std::string>(); word != nullptr && *word == "all")
    return std::optional<std::vector<std::int64_t>>();
  std::vector<std::int64_t> ranks;
  if (const auto* const rank = value.As<std::int64_t>()) {
    ranks.push_back(*rank);
    return ranks;
  }
  const auto* const list = value.As<OptionList>();
  if (list == nullptr) return std::nullopt;
  for (const OptionValue& each : *list) {
    const auto* const rank = each.As<std::int64_t>();
    if (rank == nullptr) return std::nullopt;
    ranks.push_back(*rank);
  }
  return ranks;
}

void ReadExportOptions(OptionReader& parameters, ExportOptions& target) {
  auto options = parameters.Map("export_options");
  if (!options) return;
  options->Choice("tensor_format", target.tensor_format,
                  {{"npy", TensorFormat::kNpy}, {"none", TensorFormat::kNone}});
  options->ReportUnknown();
}

// Lineage holds numbers and texts; other values are recorded as a text: "True", "[64, 0.5, a]".
// Nothing for a value that has no such text.
std::optional<std::string> LineageText(const OptionValue& value) {
  if (const auto* const text = value.As<std::string>()) return *text;
  const auto* const list = value.As<OptionList>();
  if (list == nullptr) {
    const bool plain = value.As<bool>() != nullptr || value.As<std::int64_t>() != nullptr ||
                       value.As<double>() != nullptr;
    return plain ? std::optional(value.text) : std::nullopt;
  }
  std::string items;
  for (const OptionValue& each : *list) {
    const std::optional<std::string> item = LineageText(each);
    if (!item) return std::nullopt;
    items += (items.empty() ? "" : ", ") + *item;
  }
  return "[" + items + "]";
}

}  // namespace

std::optional<bool> IsCollected(const CollectSpecifiedData& data, std::string_view name) {
  for (const Switch& each : kSwitches) {
    if (each.key == name) return data.*each.member;
  }
  return std::nullopt;
}

void ReadCustomLineage(OptionReader& parameters, CustomLineage& pairs) {
  auto named = parameters.Map("custom_lineage_data");
  if (!named) return;
  for (const auto& [key, value] : named->map()) {
    if (const auto* const whole = value.As<std::int64_t>()) {
      pairs[key] = *whole;
    } else if (const auto* const number = value.As<double>()) {
      pairs[key] = *number;
    } else if (value.As<OptionValue::None>() != nullptr) {
      pairs.erase(key);
    } else if (auto text = LineageText(value)) {
      pairs[key] = *std::move(text);
    } else {
      named->Refuse(key, value,
                    "must be a text, a number (whole ones of 64 bits), true or false, or a list of "
                    "these");
    }
  }
}

SummaryConfig ReadSummaryConfig(OptionReader& parameters, SummaryOptions base) {
  SummaryConfig config{.options = std::move(base)};
  SummaryOptions& options = config.options;
  parameters.String("summary_dir", config.summary_dir);
  parameters.faults().Add(CheckLocalPath("summary_dir", config.summary_dir));
  parameters.Integer("collect_freq", options.collect_freq);
  ReadSpecifiedData(parameters, options.collect_specified_data);
  ReadFrequencies(parameters, options.frequencies);
  parameters.Share("max_overhead", options.max_overhead);
  ReadCustomLineage(parameters, options.custom_lineage_data);
  parameters.Integer("collect_tensor_freq", options.collect_tensor_freq);
  ReadFileSize(parameters, options.max_file_size, options.on_file_full);
  ReadExportOptions(parameters, options.export_options);
  ReadFormats(parameters, options.formats);
  parameters.Read("ranks", options.ranks, &AsRanks,
                  "must be all, a rank or a list of ranks, each of 64 bits");
  parameters.Integer("resume_from_step", options.resume_from_step);
  ReadWritingOptions(parameters, options.writing);
  parameters.ReportUnknown();
  parameters.AddChecked(options.Check());
  return config;
}

}  // namespace sightline
