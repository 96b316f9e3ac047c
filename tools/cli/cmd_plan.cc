// sightline plan: what will be recorded, before a long run?
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/parse_number.h"
#include "sightline/collectors/config/summary_config.h"
#include "sightline/collectors/rules/collection_plan.h"
#include "sightline/tools/cli/commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/help_formatter.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct PlanOptions {
  std::string config;
  TrainingLength length;
  std::optional<std::int64_t> collect_freq;
  std::optional<std::int64_t> collect_tensor_freq;
  std::vector<std::string> tensors;
  std::vector<std::string> images;
  std::int64_t histograms = 5;
  bool json = false;
};

constexpr char kHelp[] = R"(Shows what a training will record, before it runs.

Shows for each kind of value at how many steps SummaryMonitor records it, by a configuration file in
MindFormers' form or by the frequencies that you give, and, if you give shapes, how much disk space
that takes. Reads only the configuration.
)";

constexpr char kExamples[] = R"(Examples:
  sightline plan --epochs 1 --steps 600
  sightline plan finetune.yaml --epochs 10 --steps 5000 --tensor 64x1024 --image 32x3x224x224
  sightline plan --epochs 90 --steps 5004 --sink --collect-freq 1
  sightline plan --epochs 1 --steps 600 --json | jq .kinds.tensor.steps

Shapes are dimensions joined by x; --tensor takes a type before them: float16:64x1024.

Exit codes: 0 done, 2 the configuration or the command line is wrong.)";

// Of the JSON form; more do not help anybody.
constexpr std::int64_t kMaxListedSteps = 10'000'000;

constexpr DType kDTypes[] = {DType::kBool,   DType::kInt8,    DType::kInt16,    DType::kInt32,
                             DType::kInt64,  DType::kUint8,   DType::kUint16,   DType::kUint32,
                             DType::kUint64, DType::kFloat16, DType::kBfloat16, DType::kFloat32,
                             DType::kFloat64};

// "64x1024", or "float16:64x1024".
std::optional<PlannedSizes::Tensor> ParseTensor(std::string_view text) {
  PlannedSizes::Tensor tensor;
  if (const std::size_t colon = text.find(':'); colon != std::string_view::npos) {
    const std::string_view name = text.substr(0, colon);
    const auto* const dtype = std::find_if(std::begin(kDTypes), std::end(kDTypes),
                                           [&](DType each) { return DTypeName(each) == name; });
    if (dtype == std::end(kDTypes)) return std::nullopt;
    tensor.dtype = *dtype;
    text.remove_prefix(colon + 1);
  }
  for (;;) {
    const auto size = TakeNumber<std::int64_t>(text);
    if (!size || *size < 0) return std::nullopt;
    tensor.shape.push_back(*size);
    if (text.empty()) return tensor;
    if (!text.starts_with('x')) return std::nullopt;
    text.remove_prefix(1);
  }
}

bool ParseTensors(const std::vector<std::string>& texts, const char* option,
                  std::vector<PlannedSizes::Tensor>& tensors) {
  for (const std::string& text : texts) {
    const auto tensor = ParseTensor(text);
    if (!tensor) {
      fmt::print(stderr, "sightline plan: {} {}: not a shape such as 64x1024\n", option, text);
      return false;
    }
    tensors.push_back(*tensor);
  }
  return true;
}

// Count and steps of what is recorded at `series`.
nlohmann::ordered_json StepsToJson(const StepSeries& series, std::int64_t count,
                                   const CollectionPlan& plan,
                                   const std::optional<double>& every_seconds) {
  nlohmann::ordered_json entry = {{"count", count}, {"steps", nullptr}};
  if (count == 0) {
    entry["steps"] = nlohmann::ordered_json::array();
  } else if (count <= kMaxListedSteps) {
    entry["steps"] = series.StepsTo(plan.total, plan.from);
  }
  if (every_seconds) entry["every_seconds"] = *every_seconds;
  return entry;
}

nlohmann::ordered_json ToJson(const CollectionPlan& plan, const PlanOptions& options,
                              const std::optional<double>& max_overhead) {
  nlohmann::ordered_json json;
  json["total"] = plan.total;
  if (plan.from > 1) json["resume_from_step"] = plan.from;
  json["unit"] = options.length.sink_mode ? "epoch" : "step";
  double bytes = 0;
  for (const PlannedKind& kind : plan.kinds) {
    auto entry = StepsToJson(kind.series, kind.count, plan, kind.every_seconds);
    entry["bytes"] = kind.bytes();
    json["kinds"][std::string(kind.name)] = std::move(entry);
    bytes += kind.bytes();
  }
  for (const PlannedTags& tags : plan.tags) {
    nlohmann::ordered_json entry = {{"tag", tags.frequency.tag}, {"kind", nullptr}};
    if (tags.frequency.kind) entry["kind"] = ValueKindName(*tags.frequency.kind);
    entry.update(StepsToJson(tags.series, tags.count, plan, tags.frequency.every_seconds));
    json["tags"].push_back(std::move(entry));
  }
  json["bytes"] = bytes;
  if (max_overhead) json["max_overhead"] = *max_overhead;
  return json;
}

// "1, 10, 20, 30, ...", "1, and every 30 s".
std::string FirstSteps(const StepSeries& series, std::int64_t from, std::int64_t count,
                       const std::optional<double>& every_seconds) {
  std::string first;
  std::int64_t step = from - 1;
  for (int i = 0; i < 4 && count > i; ++i) {
    step = series.NextAfter(step);
    first += fmt::format("{}{}", i == 0 ? "" : ", ", step);
  }
  if (count > 4) first += ", ...";
  if (every_seconds && count > 0) first += fmt::format(", and every {} s", *every_seconds);
  return first;
}

// An estimate, which may be of shapes that no disk holds.
std::string Disk(double bytes) {
  constexpr double kMost = 1e18;
  return FormatByteSize(static_cast<std::uint64_t>(std::min(bytes, kMost))) +
         (bytes > kMost ? " or more" : "");
}

void PrintTable(const CollectionPlan& plan, const PlanOptions& options,
                const std::optional<double>& max_overhead) {
  const char* unit = options.length.sink_mode ? "epoch" : "step";
  const Style style(stdout);
  fmt::print("{} in all{}\n", Count(static_cast<std::uint64_t>(plan.total), unit),
             plan.from > 1 ? fmt::format(", recorded from {} {} on", unit, plan.from) : "");
  Table table({{"kind", Table::Align::kLeft},
               {"recorded", Table::Align::kRight},
               {"first", Table::Align::kLeft},
               {"disk, about", Table::Align::kRight}},
              2);
  double bytes = 0;
  bool all_known = true;
  for (const PlannedKind& kind : plan.kinds) {
    const bool known = kind.step_bytes > 0 || kind.count == 0;
    all_known = all_known && known;
    table.AddRow({std::string(kind.name), fmt::format("{}", kind.count),
                  FirstSteps(kind.series, plan.from, kind.count, kind.every_seconds),
                  known ? Disk(kind.bytes()) : "?"});
    bytes += kind.bytes();
  }
  for (const PlannedTags& tags : plan.tags) {
    const auto& [frequency, series, count] = tags;
    table.AddRow({fmt::format("{} {}", frequency.kind ? ValueKindName(*frequency.kind) : "tag",
                              frequency.tag),
                  fmt::format("{}", count),
                  FirstSteps(series, plan.from, count, frequency.every_seconds), "in its kind"});
  }
  fmt::print("{}", table.ToString(style));
  fmt::print("Disk: about {}{}.\n", Disk(bytes),
             all_known ? "" : ", and what is marked with ? (give --tensor and --image)");
  if (max_overhead) {
    fmt::print(
        "Histograms, images and tensors may be fewer, to keep max_overhead = {:.2g} %: that cannot "
        "be "
        "known before the run.\n",
        *max_overhead * 100);
  }
}

int Run(const PlanOptions& options) {
  SummaryConfig config;
  if (!options.config.empty()) {
    auto loaded = LoadSummaryConfig(options.config);
    if (!loaded) {
      fmt::print(stderr, "sightline plan: {}\n", loaded.error().message());
      return kExitError;
    }
    config = *std::move(loaded);
  }
  if (options.collect_freq) config.options.collect_freq = *options.collect_freq;
  if (options.collect_tensor_freq) config.options.collect_tensor_freq = options.collect_tensor_freq;
  if (const Status status = config.options.Check(); !status.ok()) {
    fmt::print(stderr, "sightline plan: {}\n", status.message());
    return kExitError;
  }
  PlannedSizes sizes{.histograms = options.histograms};
  if (!ParseTensors(options.tensors, "--tensor", sizes.tensors) ||
      !ParseTensors(options.images, "--image", sizes.images)) {
    return kExitError;
  }
  const CollectionPlan plan = PlanCollection(config.options, options.length, sizes);
  if (options.json) {
    fmt::print("{}\n", JsonLine(ToJson(plan, options, config.options.max_overhead)));
  } else {
    PrintTable(plan, options, config.options.max_overhead);
  }
  return kExitOk;
}

}  // namespace

void AddPlanCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App* command = app.add_subcommand("plan", kHelp);
  command->footer(kExamples);
  command->add_option("CONFIG", options->config, "A configuration with a SummaryMonitor callback");
  command->add_option("--epochs", options->length.epochs, "Epochs of the training")
      ->required()
      ->check(AtLeast(1));
  command->add_option("--steps", options->length.steps_per_epoch, "Steps of an epoch")
      ->required()
      ->check(AtLeast(1));
  command->add_option("--collect-freq", options->collect_freq, "In place of the configuration's");
  command->add_option("--collect-tensor-freq", options->collect_tensor_freq,
                      "In place of the configuration's");
  command->add_flag("--sink", options->length.sink_mode,
                    "Data sink mode: the rules count epochs, not steps");
  command->add_option("--ranks", options->length.ranks, "Processes that train together")
      ->check(AtLeast(1));
  command->add_option("--tensor", options->tensors, "Shape of a tensor that is recorded")
      ->take_all();
  command->add_option("--image", options->images, "Shape of the input images")->take_all();
  command->add_option("--histograms", options->histograms, "Parameters with a histogram")
      ->check(AtLeast(0));
  command->add_flag(
      "--json", options->json,
      "One JSON object: total, unit, kinds {name: {count, steps, bytes}}, tags, bytes");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
