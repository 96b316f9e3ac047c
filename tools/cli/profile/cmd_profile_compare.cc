// sightline profile compare: what got slower between two profiles.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/comparison.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"

namespace sightline {
namespace {

using profiler::ComparedPart;
using profiler::Comparison;

struct CompareOptions {
  ProfileOptions before, after;
  std::size_t top = 20;
  bool json = false;
};

constexpr char kHelp[] = R"(Compares two profiles of a training: what got slower, and what faster.

Times are means of a step, so that profiles of different lengths can be compared. The share of a
part is its share of everything that got slower, or of everything that got faster.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile compare ./before ./after
  sightline profile compare --json ./before ./after

Exit codes: 0 done, 1 done but something of a profile is damaged, 2 not done.)";

nlohmann::ordered_json ToJson(const std::vector<ComparedPart>& parts) {
  auto json = nlohmann::ordered_json::array();
  for (const ComparedPart& part : parts) {
    json.push_back({{"name", part.name},
                    {"before_us", part.before / 1000},
                    {"after_us", part.after / 1000},
                    {"difference_us", part.difference() / 1000},
                    {"share", part.share}});
  }
  return json;
}

void AddRows(const std::vector<ComparedPart>& parts, std::size_t limit, Table& table) {
  for (std::size_t i = 0; i < std::min(limit, parts.size()); ++i) {
    const ComparedPart& part = parts[i];
    table.AddRow({Printable(part.name), FormatDuration(part.before), FormatDuration(part.after),
                  FormatDuration(part.difference()),
                  part.difference() == 0
                      ? ""
                      : fmt::format("{} of what got {}", FormatShare(part.share),
                                    part.difference() > 0 ? "slower" : "faster")});
  }
}

void Print(const Comparison& comparison, std::size_t top) {
  using enum Table::Align;
  const std::vector<std::pair<std::string, Table::Align>> columns = {{"a step's", kLeft},
                                                                     {"before", kRight},
                                                                     {"after", kRight},
                                                                     {"difference", kRight},
                                                                     {"share", kLeft}};
  const Style style(stdout);
  Table phases(columns, 0);
  phases.AddRow({"total", FormatDuration(comparison.step_before),
                 FormatDuration(comparison.step_after),
                 FormatDuration(comparison.step_after - comparison.step_before), ""});
  AddRows(comparison.phases, comparison.phases.size(), phases);
  Table operators(columns, 0);
  AddRows(comparison.operators, top, operators);
  std::fputs(fmt::format("{} before, {} after\n\n{}\n{}", Count(comparison.steps_before, "step"),
                         Count(comparison.steps_after, "step"), phases.ToString(style),
                         operators.ToString(style))
                 .c_str(),
             stdout);
}

int Run(const CompareOptions& options) {
  int before_code = kExitOk;
  int after_code = kExitOk;
  const auto before = OpenProfile(options.before, before_code);
  const auto after = OpenProfile(options.after, after_code);
  if (!before || !after) return kExitError;
  const Comparison comparison = profiler::Compare(*before, *after);
  if (options.json) {
    std::puts(JsonLine({{"steps_before", comparison.steps_before},
                        {"steps_after", comparison.steps_after},
                        {"step_before_us", comparison.step_before / 1000},
                        {"step_after_us", comparison.step_after / 1000},
                        {"phases", ToJson(comparison.phases)},
                        {"operators", ToJson(comparison.operators)}})
                  .c_str());
  } else {
    Print(comparison, options.top);
  }
  return std::max(before_code, after_code);
}

}  // namespace

void AddProfileCompareCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command = profile.add_subcommand("compare", kHelp);
  command->footer(kExamples);
  command->add_option("BEFORE", options->before.path, "A profile")->required();
  command->add_option("AFTER", options->after.path, "Another one of the same training")->required();
  command->add_option("--top", options->top, "Operators in the table")->capture_default_str();
  AddMemoryLimitOption(*command, options->before.memory_limit);
  command->add_flag("--json", options->json,
                    "One JSON object: step_before_us, step_after_us, phases, operators [{name, "
                    "before_us, after_us, difference_us, share}]");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
