// sightline profile steps: where each step's time goes.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/profiler/analysis/steps.h"
#include "sightline/tools/cmd_profile.h"
#include "sightline/tools/commands.h"

namespace sightline {
namespace {

using profile::Step;
using profile::StepMean;
using profile::StepTable;

struct StepsOptions : ProfileOptions {
  profile::StepOptions points;
};

constexpr char kHelp[] = R"(Splits each step into gap, work and tail.

The gap is from the end of the step before to the first operator of forward, work is forward and
backward, the tail is what follows: the optimizer. Steps that a profile does not mark are inferred
from its operators, and said to be.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile steps ./data
  FP_POINT=Default/conv1-Conv2d/Conv2D-op77 sightline profile steps ./data

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

nlohmann::ordered_json ToJson(const Step& step) {
  return {{"step", step.number},
          {"start_ns", step.start},
          {"end_ns", step.end},
          {"total_us", Microseconds(step.total())},
          {"gap_us", Microseconds(step.gap)},
          {"work_us", Microseconds(step.work)},
          {"tail_us", Microseconds(step.tail)},
          {"communication_us", Microseconds(step.communication)}};
}

nlohmann::ordered_json ToJson(const StepMean& mean) {
  return {{"total_us", mean.total / 1000},
          {"gap_us", mean.gap / 1000},
          {"work_us", mean.work / 1000},
          {"tail_us", mean.tail / 1000},
          {"communication_us", mean.communication / 1000}};
}

std::vector<std::string> Cells(std::string name, const StepMean& mean) {
  const auto part = [&](double time) {
    const double share = mean.total > 0 ? time / mean.total : 0;
    return fmt::format("{} ({})", FormatDuration(static_cast<std::int64_t>(time)),
                       FormatShare(share));
  };
  return {std::move(name), FormatDuration(static_cast<std::int64_t>(mean.total)), part(mean.gap),
          part(mean.work), part(mean.tail)};
}

void Print(const StepTable& table) {
  using enum Table::Align;
  if (table.steps.empty()) {
    std::puts("No steps: the profile marks none, and has no operators to infer them from.");
    return;
  }
  std::string text =
      fmt::format("{}, {}\n", Count(table.steps.size(), "step"), StepSourceName(table.source));
  if (!table.forward_operator.empty())
    text += "Forward begins with " + Printable(table.forward_operator) + "\n";
  if (!table.backward_operator.empty())
    text += "Backward ends with " + Printable(table.backward_operator) + "\n";
  Table rows(
      {{"step", kRight}, {"total", kRight}, {"gap", kRight}, {"work", kRight}, {"tail", kRight}},
      0);
  for (const Step& step : table.steps) {
    const StepMean mean{static_cast<double>(step.total()), static_cast<double>(step.gap),
                        static_cast<double>(step.work), static_cast<double>(step.tail), 0};
    rows.AddRow(Cells(fmt::to_string(step.number), mean));
  }
  rows.AddRow(Cells("mean", MeanOf(table.steps, false)));
  rows.AddRow(Cells("without the first", MeanOf(table.steps, true)));
  std::fputs((text + rows.ToString(Style(stdout))).c_str(), stdout);
}

int Run(const StepsOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const StepTable table = profile::StepsOf(*profile, options.points);
  if (options.json) {
    nlohmann::ordered_json json = {{"source", StepSourceName(table.source)},
                                   {"inferred", table.source == profile::StepSource::kInferred},
                                   {"forward_operator", table.forward_operator},
                                   {"backward_operator", table.backward_operator},
                                   {"mean", ToJson(MeanOf(table.steps, false))},
                                   {"mean_without_first", ToJson(MeanOf(table.steps, true))},
                                   {"steps", nlohmann::ordered_json::array()}};
    for (const Step& step : table.steps) json["steps"].push_back(ToJson(step));
    std::puts(JsonLine(json).c_str());
  } else {
    Print(table);
  }
  return std::fflush(stdout) == 0 ? exit_code : kExitError;
}

}  // namespace

void AddProfileStepsCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<StepsOptions>();
  CLI::App* command = profile.add_subcommand("steps", kHelp);
  command->footer(kExamples);
  options->AddTo(*command,
                 "One JSON object: source, inferred, mean, mean_without_first, steps [{step, "
                 "start_ns, end_ns, total_us, gap_us, work_us, tail_us, communication_us}]");
  command
      ->add_option("--fp-point", options->points.forward_operator,
                   "Full name of the operator where forward begins")
      ->envname("FP_POINT");
  command
      ->add_option("--bp-point", options->points.backward_operator,
                   "Full name of the operator where backward ends")
      ->envname("BP_POINT");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
