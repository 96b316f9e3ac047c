// sightline profile data: does the training wait for its data, and for which operator?
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::Advice;
using profiler::DataReport;
using profiler::QueueUse;

constexpr char kHelp[] =
    R"(Shows the data pipeline: its queues, what the batches waited for, and advice.

A queue's usage is the mean number of its elements divided by its capacity. Each piece of advice
names its rule and its numbers; docs/profiles.md lists the rules.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile data ./data
  sightline profile data --json ./data

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

nlohmann::ordered_json ToJson(const QueueUse& use) {
  nlohmann::ordered_json json = {{"id", use.of->id},
                                 {"type", use.of->type},
                                 {"workers", use.of->workers},
                                 {"parent", nullptr},
                                 {"children", use.of->children},
                                 {"usage", nullptr},
                                 {"capacity", use.of->queue_capacity},
                                 {"average", use.average},
                                 {"empty", use.empty},
                                 {"sizes", use.of->queue_sizes}};
  if (use.of->parent) json["parent"] = *use.of->parent;
  if (use.usage) json["usage"] = *use.usage;
  if (use.of->cpu_percent) json["cpu_percent"] = *use.of->cpu_percent;
  return json;
}

nlohmann::ordered_json ToJson(const profiler::Profile& profile, const DataReport& report) {
  nlohmann::ordered_json json = {{"batches", report.batches},
                                 {"empty_batches", report.empty_batches},
                                 {"full_batches", report.full_batches},
                                 {"get_mean_us", report.get_mean / 1000},
                                 {"push_mean_us", report.push_mean / 1000},
                                 {"total_mean_us", report.total_mean / 1000},
                                 {"get_next", report.get_next},
                                 {"empty_get_next", report.empty_get_next},
                                 {"machine_busy_percent", nullptr},
                                 {"sampling_interval_ms", profile.data.sampling_interval}};
  if (report.machine_busy) json["machine_busy_percent"] = *report.machine_busy;
  json["operators"] = nlohmann::ordered_json::array();
  for (const QueueUse& use : report.queues) json["operators"].push_back(ToJson(use));
  json["advice"] = nlohmann::ordered_json::array();
  for (const Advice& advice : report.advice) {
    json["advice"].push_back({{"rule", advice.rule},
                              {"subject", advice.subject},
                              {"evidence", advice.evidence},
                              {"change", advice.change}});
  }
  return json;
}

std::string QueueTable(const DataReport& report, const Style& style) {
  using enum Table::Align;
  Table table({{"operator", kLeft},
               {"workers", kRight},
               {"queue", kRight},
               {"usage", kRight},
               {"empty", kRight},
               {"processor", kRight}},
              0);
  for (const QueueUse& use : report.queues) {
    const bool has_queue = use.usage.has_value();
    table.AddRow(
        {Printable(fmt::format("{}_{}", use.of->type, use.of->id)), fmt::to_string(use.of->workers),
         has_queue ? fmt::format("{:.1f} of {}", use.average, use.of->queue_capacity) : "-",
         has_queue ? FormatShare(*use.usage) : "-", has_queue ? FormatShare(use.empty) : "-",
         use.of->cpu_percent ? fmt::format("{:.1f} %", *use.of->cpu_percent) : "-"});
  }
  return report.queues.empty() ? "" : table.ToString(style) + "\n";
}

void Print(const DataReport& report) {
  const Style style(stdout);
  std::string text;
  if (report.batches > 0) {
    const std::string batches =
        report.batches == 1 ? "1 batch" : fmt::format("{} batches", report.batches);
    text += fmt::format("{}: {} found the queue empty, {} full; waiting {} on average\n\n", batches,
                        report.empty_batches, report.full_batches,
                        FormatDuration(static_cast<std::int64_t>(report.get_mean)));
  }
  text += QueueTable(report, style);
  if (report.batches == 0 && report.queues.empty())
    text += "The profile has no records of a data pipeline.\n";
  for (const Advice& advice : report.advice) {
    const std::string subject = advice.subject.empty() ? "" : " " + Printable(advice.subject);
    text += fmt::format("{}{}: {}.\n  Try: {}.\n", style.Bold(advice.rule), subject,
                        Printable(advice.evidence), advice.change);
  }
  std::fputs(text.c_str(), stdout);
}

int Run(const ProfileOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const DataReport report = profiler::AnalyzeDataPipeline(*profile);
  if (options.json) {
    std::puts(JsonLine(ToJson(*profile, report)).c_str());
  } else {
    Print(report);
  }
  return exit_code;
}

}  // namespace

void AddProfileDataCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = profile.add_subcommand("data", kHelp);
  command->footer(kExamples);
  options->AddTo(*command, "One JSON object: batches, empty_batches, operators, advice and more");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
