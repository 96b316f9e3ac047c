// sightline profile summary: up to three things that cost most, in words.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/finding_json.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/profile/use_text.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::Finding;

struct SummaryOptions {
  ProfileOptions profile;
  std::string before;
};

constexpr char kHelp[] =
    R"(Shows in words what costs most: up to three things, each with its evidence and what to try.

Looks for steps that wait for data or for other processes, a slow first step, operators that are
slower than similar ones or become slower, and memory that grows. Of a device, also for idle time
and communication that nothing hides; what it did, and why it was idle, stands below. With a profile
of the same training when it was fast (--before), also for operators that are slower now. If nothing
is wrong, it says so.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile summary ./data
  sightline profile summary --before ./fast ./slow
  sightline profile summary --json ./data | jq -r .rule

Exit codes: 0 done, 1 done but something of a profile is damaged, 2 not done.)";

bool IsEmpty(const profiler::Profile& profile) {
  return profile.model.spans.size() == 0 && profile.model.counters.empty() &&
         profile.operators.empty() && profile.steps.empty() && profile.device_steps.empty() &&
         profile.communication.empty() && profile.allocations.empty() &&
         profile.data.operators.empty() && profile.data.batches.empty();
}

std::string SummaryText(const profiler::Profile& profile, const std::vector<Finding>& findings) {
  if (IsEmpty(profile)) return "The profile is empty: it has no span, operator, step or counter.\n";
  return findings.empty() ? "Nothing stands out.\n" : FindingsText(findings, Style(stdout));
}

int Run(const SummaryOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options.profile, exit_code);
  if (!profile) return exit_code;
  std::optional<profiler::Profile> before;
  if (!options.before.empty()) {
    int before_code = kExitOk;
    ProfileOptions before_options;
    before_options.path = options.before;
    before = OpenProfile(before_options, before_code);
    if (!before) return kExitError;
    exit_code = std::max(exit_code, before_code);
  }
  const auto findings = profiler::Summarize(*profile, before ? &*before : nullptr);
  if (options.profile.json) {
    for (const Finding& one : findings) std::puts(JsonLine(FindingToJson(one)).c_str());
    return exit_code;
  }
  std::string text = SummaryText(*profile, findings);
  const auto uses = MeasureDeviceUse(*profile, AnalyzeSteps(*profile));
  // What the host's operators or a table say is in `profile steps`.
  if (uses.by_tasks) {
    text += "\n" + DeviceUseText(uses) +
            HostWorkText(profiler::HostWhileIdle(profile->model, uses.devices));
  }
  std::fputs(text.c_str(), stdout);
  return exit_code;
}

}  // namespace

std::string FindingsText(const std::vector<Finding>& findings, const Style& style) {
  std::string text;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const Finding& one = findings[i];
    text += fmt::format("{}. {}{}\n   {}.\n   Try: {}.\n", i + 1, style.Bold(Printable(one.what)),
                        one.share > 0 ? " " + FormatShare(one.share) : "", Printable(one.evidence),
                        Printable(one.change));
  }
  return text;
}

void AddProfileSummaryCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<SummaryOptions>();
  CLI::App* command = profile.add_subcommand("summary", kHelp);
  command->footer(kExamples);
  options->profile.AddTo(
      *command,
      "One line of JSON for each finding: rule, subject, what, evidence, change, share (0..1)");
  command->add_option("--before", options->before,
                      "A profile of the same training when it was fast");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
