#include "sightline/collectors/rules/summary_options.h"

#include <fmt/format.h>

#include "sightline/base/faults.h"
#include "sightline/base/process_rank.h"
#include "sightline/base/tag.h"
#include "sightline/base/utf8.h"
#include "sightline/collectors/rules/parameter_selection.h"

namespace sightline {
namespace {

constexpr std::size_t kMaxQuotedBytes = 100;  // Of a bad value in a message.

void CheckCustomLineage(const CustomLineage& pairs, Faults& faults) {
  for (const auto& [key, value] : pairs) {
    if (key.empty())
      faults.Add("custom_lineage_data has an empty key, but every pair needs a name");
    if (!IsCleanTag(key)) {
      faults.Add("custom_lineage_data has the key '{}', but keys must be UTF-8 of at most {} bytes",
                 ToUtf8(key, kMaxQuotedBytes), kMaxTagBytes);
    }
  }
}

void CheckRanks(const std::optional<std::vector<std::int64_t>>& ranks, Faults& faults) {
  if (!ranks) return;
  if (ranks->empty()) {
    faults.Add(
        "ranks is empty, but must name at least one; SIGHTLINE_DISABLE=1 "
        "in the environment switches recording off");
  }
  for (const std::int64_t rank : *ranks)
    if (rank < 0) faults.Add("ranks has {}, but a rank is not negative", rank);
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
          .collect_system = false,
          .collect_run_facts = false,
          .collect_histograms = false};
}

Status SummaryOptions::Check() const {
  Faults faults;
  faults.AtLeastOne("collect_freq", collect_freq, "step");
  if (collect_tensor_freq) faults.AtLeastOne("collect_tensor_freq", *collect_tensor_freq, "step");
  if (const auto selection = ParameterSelection::Make(collect_specified_data.histogram_regular);
      !selection) {
    faults.Add(selection.error());
  }
  faults.Add(CheckFrequencies(frequencies));
  if (max_overhead && !(*max_overhead > 0 && *max_overhead < 1)) {
    faults.Add(
        "max_overhead is {}, but must be more than 0 and less than 1: a share of the "
        "training's time, 0.01 or 1%",
        *max_overhead);
  }
  if (collect_specified_data.collect_landscape)
    faults.Add(collect_specified_data.collect_landscape->Check());
  CheckRanks(ranks, faults);
  CheckCustomLineage(custom_lineage_data, faults);
  faults.Add(ForRecorder().Check());
  return faults.ToStatus();
}

RecorderOptions SummaryOptions::ForRecorder() const {
  return {.formats = formats,
          .export_npy = export_options.tensor_format == TensorFormat::kNpy,
          .max_file_size = max_file_size,
          .on_file_full = on_file_full,
          .resume_from_step = resume_from_step,
          .writing = writing};
}

std::string DefaultSummaryDir() {
  return fmt::format("./output/summary/rank_{}", RankOfEnvironment().value_or(0));
}

}  // namespace sightline
