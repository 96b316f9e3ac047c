#include "sightline/sdk/monitor_options.h"

#include <fmt/format.h>

#include <string>

#include "sightline/sdk/recorder_handle.h"
#include "sightline/sdk/sized_struct.h"
#include "sightline/sdk/value.h"

namespace sightline::sdk {
namespace {

Error Wrong(std::string words) { return {StatusCode::kInvalidArgument, std::move(words)}; }

Status SetWriting(const sightline_recorder_options* given, SummaryOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const RecorderOptions recorder, RecorderOptionsOf(given));
  options.formats = recorder.formats;
  options.max_file_size = recorder.max_file_size;
  options.on_file_full = recorder.on_file_full;
  options.resume_from_step = recorder.resume_from_step;
  if (recorder.export_npy) options.export_options.tensor_format = TensorFormat::kNpy;
  options.writing = recorder.writing;
  return {};
}

Status SetCollected(std::uint32_t without, CollectSpecifiedData& collected) {
  constexpr std::uint32_t kAll = 2 * SIGHTLINE_WITHOUT_HISTOGRAMS - 1;
  if ((without & ~kAll) != 0) {
    return Wrong(
        fmt::format("without is {}, which has bits that are no SIGHTLINE_WITHOUT_*", without));
  }
  const auto wanted = [without](std::uint32_t bit) { return (without & bit) == 0; };
  collected.collect_metric = wanted(SIGHTLINE_WITHOUT_METRICS);
  collected.collect_graph = wanted(SIGHTLINE_WITHOUT_GRAPH);
  collected.collect_train_lineage = wanted(SIGHTLINE_WITHOUT_TRAIN_LINEAGE);
  collected.collect_eval_lineage = wanted(SIGHTLINE_WITHOUT_EVALUATION_LINEAGE);
  collected.collect_input_data = wanted(SIGHTLINE_WITHOUT_INPUT);
  collected.collect_dataset_graph = wanted(SIGHTLINE_WITHOUT_DATASET_GRAPH);
  collected.collect_throughput = wanted(SIGHTLINE_WITHOUT_THROUGHPUT);
  collected.collect_system = wanted(SIGHTLINE_WITHOUT_SYSTEM);
  collected.collect_histograms = wanted(SIGHTLINE_WITHOUT_HISTOGRAMS);
  return {};
}

Status AddFrequency(const sightline_frequency& given, SummaryOptions& options) {
  Frequency frequency;
  if (given.tag != nullptr) frequency.tag = given.tag;
  if (given.kind != 0) {
    SIGHTLINE_ASSIGN_OR_RETURN(frequency.kind, RecordedKind(given.kind));
  }
  if (given.every_steps != 0) frequency.every_steps = given.every_steps;
  if (given.first_steps != 0) frequency.first_steps = given.first_steps;
  if (given.every_seconds != 0) frequency.every_seconds = given.every_seconds;
  options.frequencies.push_back(std::move(frequency));
  return {};
}

Status AddSetting(const sightline_setting& given, SummaryOptions& options) {
  if (given.name == nullptr) return Wrong("sightline_setting: name is a null pointer");
  LineageValue& value = options.custom_lineage_data[given.name];
  switch (given.type) {
    case SIGHTLINE_INTEGER:
      value = given.integer;
      return {};
    case SIGHTLINE_NUMBER:
      value = given.number;
      return {};
    case SIGHTLINE_STRING:
      if (given.string == nullptr)
        return Wrong(fmt::format("setting {}: string is a null pointer", given.name));
      value = given.string;
      return {};
    default:
      return Wrong(fmt::format("setting {}: type is {}, which is no sightline_setting_type",
                               given.name, given.type));
  }
}

void SetCalls(const sightline_monitor_options& given, SummaryOptions& options) {
  if (given.say != nullptr) {
    options.say = [call = given.say, context = given.context](std::string_view line) {
      call(context, std::string(line).c_str());
    };
  }
  if (given.on_nonfinite != nullptr) {
    options.on_nonfinite = [call = given.on_nonfinite,
                            context = given.context](const NonFinite& found) {
      call(context, found.tag.c_str(), found.step, found.value);
    };
  }
}

}  // namespace

Result<SummaryOptions> SummaryOptionsOf(const sightline_monitor_options* given) {
  SummaryOptions options;
  if (given == nullptr) return options;
  sightline_monitor_options taken{};
  SIGHTLINE_RETURN_IF_ERROR(TakeStruct(given, "sightline_monitor_options", taken));
  SIGHTLINE_RETURN_IF_ERROR(SetWriting(taken.recorder, options));
  SIGHTLINE_RETURN_IF_ERROR(SetCollected(taken.without, options.collect_specified_data));
  if (taken.histogram_regular != nullptr)
    options.collect_specified_data.histogram_regular = taken.histogram_regular;
  if (taken.collect_freq != 0) options.collect_freq = taken.collect_freq;
  if (taken.collect_tensor_freq != 0) options.collect_tensor_freq = taken.collect_tensor_freq;
  if (taken.max_overhead != 0) options.max_overhead = taken.max_overhead;
  SIGHTLINE_RETURN_IF_ERROR(TakeStructs(
      taken.frequencies, taken.frequency_count, "sightline_frequency",
      [&](const sightline_frequency& frequency) { return AddFrequency(frequency, options); }));
  SIGHTLINE_RETURN_IF_ERROR(
      TakeStructs(taken.settings, taken.setting_count, "sightline_setting",
                  [&](const sightline_setting& setting) { return AddSetting(setting, options); }));
  if (taken.ranks != nullptr) options.ranks.emplace(taken.ranks, taken.ranks + taken.rank_count);
  SetCalls(taken, options);
  return options;
}

}  // namespace sightline::sdk
