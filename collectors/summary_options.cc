#include "sightline/collectors/summary_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "sightline/collectors/faults.h"
#include "sightline/collectors/parameter_selection.h"
#include "sightline/recorder/tag.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;  // Of a bad value in a message.

void CheckFormats(const std::vector<Format>& formats, Faults& faults) {
  constexpr std::string_view kAllowed = "must name mindspore, tensorboard or both, each once";
  if (formats.empty()) faults.Add("formats is empty, but {}", kAllowed);
  const auto count = [&](Format format) {
    return std::count(formats.begin(), formats.end(), format);
  };
  const auto mindspore = count(Format::kMindSpore);
  const auto tensorboard = count(Format::kTensorBoard);
  if (mindspore > 1) faults.Add("formats names mindspore {} times, but {}", mindspore, kAllowed);
  if (tensorboard > 1)
    faults.Add("formats names tensorboard {} times, but {}", tensorboard, kAllowed);
}

void CheckCustomLineage(const CustomLineage& pairs, Faults& faults) {
  for (const auto& [key, value] : pairs) {
    if (key.empty())
      faults.Add("custom_lineage_data has an empty key, but every pair needs a name");
    if (!IsCleanTag(key)) {
      faults.Add("custom_lineage_data has the key '{}', but keys must be UTF-8 of at most {} bytes",
                 CleanTag(key).substr(0, kMaxQuotedBytes), kMaxTagBytes);
    }
  }
}

std::optional<std::int64_t> NumberOf(const char* variable) {
  const char* const text = std::getenv(variable);
  if (text == nullptr) return std::nullopt;
  const std::string_view digits = text;
  std::int64_t number = 0;
  const auto [behind, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc() || behind != digits.data() + digits.size() || number < 0)
    return std::nullopt;
  return number;
}

}  // namespace

CollectSpecifiedData CollectSpecifiedData::Nothing() {
  return {.collect_metric = false,
          .collect_graph = false,
          .collect_train_lineage = false,
          .collect_eval_lineage = false,
          .collect_input_data = false,
          .collect_dataset_graph = false,
          .collect_throughput = false,
          .collect_histograms = false};
}

Status SummaryOptions::Check() const {
  Faults faults;
  faults.AtLeastOne("collect_freq", collect_freq, "step");
  if (collect_tensor_freq) faults.AtLeastOne("collect_tensor_freq", *collect_tensor_freq, "step");
  if (max_file_size) faults.AtLeastOne("max_file_size", *max_file_size, "byte");
  CheckFormats(formats, faults);
  if (const auto selection = ParameterSelection::Make(collect_specified_data.histogram_regular);
      !selection) {
    faults.Add(selection.error());
  }
  CheckCustomLineage(custom_lineage_data, faults);
  RecorderOptions the_rest = recorder;
  the_rest.formats = {Format::kMindSpore};  // Not used, and looked at above.
  faults.Add(the_rest.Check());
  return faults.ToStatus();
}

RecorderOptions SummaryOptions::ForRecorder() const {
  RecorderOptions options = recorder;
  options.formats = formats;
  options.export_npy = export_options.tensor_format == TensorFormat::kNpy;
  options.max_file_size = static_cast<std::uint64_t>(max_file_size.value_or(0));
  return options;
}

std::string DefaultSummaryDir() {
  std::int64_t rank = 0;
  for (const char* variable : {"RANK_ID", "OMPI_COMM_WORLD_RANK", "RANK", "SLURM_PROCID"}) {
    if (const auto number = NumberOf(variable)) {
      rank = *number;
      break;
    }
  }
  return fmt::format("./output/summary/rank_{}", rank);
}

}  // namespace sightline
