// sightline profile steps: where each step's time goes.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/device/host_work.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/profile/use_text.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::DeviceUse;
using profiler::DeviceUseTable;
using profiler::HostActivity;
using profiler::Step;
using profiler::StepMean;
using profiler::StepTable;

struct StepsOptions : ProfileOptions {
  profiler::StepOptions points;
  std::optional<std::int64_t> step;
};

constexpr char kHelp[] = R"(Splits each step into gap, work and tail.

The gap is the time until the first operator of forward, work is forward and backward, and the tail
is what follows: the optimizer. If a profile does not mark its steps, they are inferred from its
operators, and the output tells you so. Also shows how long each step was idle, and how long it
communicated while nothing was computed. If a trace has the launches of a device's kernels, it also
shows how long the device waited for the host, and what the host did meanwhile.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile steps ./data
  sightline profile steps --step 3 ./data      when its stages begin and end, and its communication
  FP_POINT=Default/conv1-Conv2d/Conv2D-op77 sightline profile steps ./data

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

nlohmann::ordered_json ToJson(const Step& step) {
  return {{"step", step.number},
          {"start_ns", step.start},
          {"forward_start_ns", step.forward_start()},
          {"backward_end_ns", step.backward_end()},
          {"end_ns", step.end},
          {"total_us", Microseconds(step.total())},
          {"gap_us", Microseconds(step.gap)},
          {"work_us", Microseconds(step.work)},
          {"tail_us", Microseconds(step.tail)},
          {"communication_us", Microseconds(step.communication)}};
}

nlohmann::ordered_json ToJson(const DeviceUse& use) {
  return {{"total_us", Microseconds(use.total)},
          {"computing_us", Microseconds(use.computing)},
          {"communication_us", Microseconds(use.communication)},
          {"overlapped_us", Microseconds(use.overlapped())},
          {"communication_alone_us", Microseconds(use.communication_alone)},
          {"copy_alone_us", Microseconds(use.copy_alone)},
          {"idle_us", Microseconds(use.idle)},
          {"preparing_us", Microseconds(use.preparing)},
          {"bubble_us", Microseconds(use.bubble)}};
}

// Why it was idle; null if launches are not recorded.
nlohmann::ordered_json IdleToJson(const DeviceUse& use, bool has_launches) {
  if (!has_launches) return nullptr;
  return {{"for_host_us", Microseconds(use.idle_for_host)},
          {"between_kernels_us", Microseconds(use.idle_between)},
          {"other_us", Microseconds(use.idle_other())}};
}

nlohmann::ordered_json ToJson(const DeviceUse& use, bool has_launches) {
  nlohmann::ordered_json json = ToJson(use);
  json["idle_causes"] = IdleToJson(use, has_launches);
  return json;
}

nlohmann::ordered_json ToJson(const std::vector<HostActivity>& activities) {
  nlohmann::ordered_json json = nlohmann::ordered_json::array();
  for (const HostActivity& one : activities) {
    json.push_back({{"doing", HostDoingId(one.doing)},
                    {"time_us", Microseconds(one.time)},
                    {"call", one.call},
                    {"call_us", Microseconds(one.call_time)}});
  }
  return json;
}

nlohmann::ordered_json ToJson(const StepMean& mean) {
  return {{"total_us", mean.total / 1000},
          {"gap_us", mean.gap / 1000},
          {"work_us", mean.work / 1000},
          {"tail_us", mean.tail / 1000},
          {"communication_us", mean.communication / 1000}};
}

std::vector<std::string> Cells(std::string name, const StepMean& mean) {
  return {std::move(name), FormatDuration(static_cast<std::int64_t>(mean.total)),
          PartText(mean.gap, mean.total), PartText(mean.work, mean.total),
          PartText(mean.tail, mean.total)};
}

// Adds the device's use after the parts of the step.
void AddUse(const DeviceUse& use, const DeviceUseTable& uses, std::vector<std::string>& cells) {
  const auto total = static_cast<double>(use.total);
  cells.push_back(PartText(static_cast<double>(use.idle), total));
  if (uses.has_launches) cells.push_back(PartText(static_cast<double>(use.idle_for_host), total));
  if (uses.all.communication > 0)
    cells.push_back(PartText(static_cast<double>(use.communication_alone), total));
}

// The steps that only a table of the profiler lists.
std::string ListedSteps(const DeviceUseTable& uses) {
  using enum Table::Align;
  Table rows({{"step", kRight},
              {"total", kRight},
              {"computing", kRight},
              {"communication alone", kRight},
              {"idle", kRight},
              {"preparing", kRight}},
             0);
  for (const DeviceUse& use : uses.steps) {
    const auto total = static_cast<double>(use.total);
    rows.AddRow({fmt::to_string(use.number.value_or(0)), FormatDuration(use.total),
                 PartText(static_cast<double>(use.computing), total),
                 PartText(static_cast<double>(use.communication_alone), total),
                 PartText(static_cast<double>(use.idle), total), FormatDuration(use.preparing)});
  }
  return rows.ToString(Style(stdout));
}

void Print(const StepTable& table, const DeviceUseTable& uses,
           const std::vector<HostActivity>& activities) {
  using enum Table::Align;
  if (table.steps.empty() && !uses.steps.empty()) {
    std::fputs(fmt::format("{}, {}\n{}{}", Count(uses.steps.size(), "step"),
                           StepSourceName(table.source), ListedSteps(uses), DeviceUseText(uses))
                   .c_str(),
               stdout);
    return;
  }
  if (table.steps.empty()) {
    std::puts(
        "No steps: the profile neither marks steps nor has operators from which they could be "
        "inferred.");
    std::fputs((DeviceUseText(uses) + HostWorkText(activities)).c_str(), stdout);
    return;
  }
  std::string text =
      fmt::format("{}, {}\n", Count(table.steps.size(), "step"), StepSourceName(table.source));
  if (!table.forward_operator.empty())
    text += "Forward begins with " + Printable(table.forward_operator) + "\n";
  if (!table.backward_operator.empty())
    text += "Backward ends with " + Printable(table.backward_operator) + "\n";
  std::vector<std::pair<std::string, Table::Align>> columns = {
      {"step", kRight}, {"total", kRight}, {"gap", kRight}, {"work", kRight}, {"tail", kRight}};
  const bool communicates = uses.all.communication > 0;
  if (!uses.steps.empty()) columns.emplace_back("idle", kRight);
  if (!uses.steps.empty() && uses.has_launches) columns.emplace_back("of it for the host", kRight);
  if (!uses.steps.empty() && communicates) columns.emplace_back("communication alone", kRight);
  Table rows(columns, 0);
  for (std::size_t i = 0; i < table.steps.size(); ++i) {
    const Step& step = table.steps[i];
    const StepMean mean{static_cast<double>(step.total()), static_cast<double>(step.gap),
                        static_cast<double>(step.work), static_cast<double>(step.tail), 0};
    std::vector<std::string> cells = Cells(fmt::to_string(step.number), mean);
    if (i < uses.steps.size()) AddUse(uses.steps[i], uses, cells);
    rows.AddRow(std::move(cells));
  }
  for (const bool without_first : {false, true}) {
    std::vector<std::string> cells =
        Cells(without_first ? "without the first" : "mean", Mean(table.steps, without_first));
    cells.resize(columns.size());
    rows.AddRow(std::move(cells));
  }
  text += rows.ToString(Style(stdout)) + DeviceUseText(uses) + HostWorkText(activities);
  std::fputs(text.c_str(), stdout);
}

nlohmann::ordered_json ToJson(const StepTable& table, const DeviceUseTable& uses,
                              const std::vector<HostActivity>& activities) {
  nlohmann::ordered_json json = {{"source", StepSourceName(table.source)},
                                 {"inferred", table.source == profiler::StepSource::kInferred},
                                 {"forward_operator", table.forward_operator},
                                 {"backward_operator", table.backward_operator},
                                 {"mean", ToJson(Mean(table.steps, false))},
                                 {"mean_without_first", ToJson(Mean(table.steps, true))},
                                 {"use", nullptr},
                                 {"steps", nlohmann::ordered_json::array()}};
  if (uses.known) json["use"] = ToJson(uses.all, uses.has_launches);
  if (uses.has_launches) json["host_while_idle"] = ToJson(activities);
  for (std::size_t i = 0; i < table.steps.size(); ++i) {
    nlohmann::ordered_json one = ToJson(table.steps[i]);
    if (i < uses.steps.size()) one["use"] = ToJson(uses.steps[i], uses.has_launches);
    json["steps"].push_back(std::move(one));
  }
  if (!table.steps.empty()) return json;
  for (const DeviceUse& use : uses.steps)
    json["steps"].push_back({{"step", use.number.value_or(0)}, {"use", ToJson(use)}});
  return json;
}

// One step: when its stages begin and end, and each communication.
int ShowStep(const profiler::Profile& profile, const StepTable& table,
             const StepsOptions& options) {
  const auto step = std::find_if(table.steps.begin(), table.steps.end(),
                                 [&](const Step& one) { return one.number == options.step; });
  if (step == table.steps.end()) {
    std::fprintf(stderr, "sightline profile: step %lld does not exist; there are %zu steps%s\n",
                 static_cast<long long>(*options.step), table.steps.size(),
                 table.steps.empty() ? ""
                                     : fmt::format(", {} to {}", table.steps.front().number,
                                                   table.steps.back().number)
                                           .c_str());
    return kExitError;
  }
  using enum Table::Align;
  Table rows({{"stage", kLeft}, {"begins", kRight}, {"ends", kRight}, {"takes", kRight}}, 0);
  nlohmann::ordered_json stages = nlohmann::ordered_json::array();
  const auto add = [&](std::string name, const std::string& lane, std::int64_t from,
                       std::int64_t to) {
    nlohmann::ordered_json stage = {{"stage", name}, {"start_ns", from}, {"end_ns", to}};
    if (!lane.empty()) stage["lane"] = lane;
    stages.push_back(std::move(stage));
    rows.AddRow({Printable(lane.empty() ? name : name + ", " + lane),
                 FormatDuration(from - step->start), FormatDuration(to - step->start),
                 FormatDuration(to - from)});
  };
  add("gap", "", step->start, step->forward_start());
  add("work", "", step->forward_start(), step->backward_end());
  add("tail", "", step->backward_end(), step->end);
  for (const profiler::StepCommunication& one : FindCommunication(profile, table, *step))
    add(one.name, one.lane, one.start, one.end);
  if (options.json) {
    nlohmann::ordered_json json = ToJson(*step);
    json["stages"] = std::move(stages);
    std::puts(JsonLine(json).c_str());
  } else {
    std::fputs(rows.ToString(Style(stdout)).c_str(), stdout);
  }
  return kExitOk;
}

// A name that does not occur is usually a typing error.
void SayIfIgnored(const StepTable& table, const char* option, const std::string& asked,
                  const std::string& used) {
  if (asked == used || asked.empty()) return;
  const std::string why = table.source == profiler::StepSource::kRecorded
                              ? "the profiler recorded the steps"
                              : "no operator is named " + Printable(asked);
  std::fprintf(stderr, "sightline profile: %s; %s is ignored\n", why.c_str(), option);
}

int Run(const StepsOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const profiler::StepOptions& points = options.points;
  const StepTable table = profiler::AnalyzeSteps(*profile, points);
  SayIfIgnored(table, "--fp-point", points.forward_operator, table.forward_operator);
  SayIfIgnored(table, "--bp-point", points.backward_operator, table.backward_operator);
  if (options.step) {
    return std::max(exit_code, ShowStep(*profile, table, options));
  }
  const DeviceUseTable uses = MeasureDeviceUse(*profile, table);
  const auto activities = profiler::HostWhileIdle(profile->model, uses.devices);
  if (options.json) {
    std::puts(JsonLine(ToJson(table, uses, activities)).c_str());
  } else {
    Print(table, uses, activities);
  }
  return exit_code;
}

// MindSpore 1.0 and later use these names for FP_POINT and BP_POINT.
void UseVariable(const char* variable, std::string& operator_name) {
  const char* value = std::getenv(variable);
  if (operator_name.empty() && value != nullptr) operator_name = value;
}

}  // namespace

void AddProfileStepsCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<StepsOptions>();
  CLI::App* command = profile.add_subcommand("steps", kHelp);
  command->footer(kExamples);
  options->AddTo(
      *command,
      "One JSON object: source, inferred, mean, mean_without_first, use, steps [{step, "
      "start_ns, forward_start_ns, backward_end_ns, end_ns, total_us, gap_us, work_us, "
      "tail_us, communication_us, use}], host_while_idle; with --step that one and its stages");
  command->add_option("--step", options->step,
                      "Only this step: when its stages begin and end, and its communication");
  command
      ->add_option("--fp-point", options->points.forward_operator,
                   "Full name of the operator where forward begins; else of PROFILING_FP_START")
      ->envname("FP_POINT");
  command
      ->add_option("--bp-point", options->points.backward_operator,
                   "Full name of the operator where backward ends; else of PROFILING_BP_END")
      ->envname("BP_POINT");
  command->callback([options, &exit_code] {
    UseVariable("PROFILING_FP_START", options->points.forward_operator);
    UseVariable("PROFILING_BP_END", options->points.backward_operator);
    exit_code = Run(*options);
  });
}

}  // namespace sightline
