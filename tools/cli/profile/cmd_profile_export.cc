// sightline profile export: a profile, or a part of its time, as a trace for other viewers.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/export/anonymous.h"
#include "sightline/profiler/export/trace_export.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/memory_limit.h"
#include "sightline/tools/cli/terminal/output_file.h"

namespace sightline {
namespace {

struct ExportOptions : ProfileOptions {
  std::string from;
  std::string to;
  std::string output;
  bool anonymous = false;
};

constexpr char kHelp[] = R"(Writes a profile, or a part of it, as a trace for other viewers.

A part (--from, --to) has the spans that touch it, in full, and its counters, flows and instants.
OUT is a Perfetto trace for ui.perfetto.dev. If its name ends in .json, it is Chrome's JSON.
With --anonymous, paths, hosts, addresses and users are replaced, so that you can give it away.
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile export ./data --from 1.5 --to 1.75 -o part.perfetto-trace
  sightline profile export trace.json.gz --to 300ms -o begin.json
  sightline profile export --anonymous ./data -o to_send.json

T counts from the first span of the profile, in s unless it ends in ms, us or ns.

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

// Nanoseconds of "1.5", "1.5s", "20ms", "3us", "17ns"; nothing for anything else.
std::optional<std::int64_t> ParseTime(std::string_view text) {
  double unit = 1e9;
  for (const auto& [suffix, nanos] :
       {std::pair<std::string_view, double>{"ms", 1e6}, {"us", 1e3}, {"ns", 1}, {"s", 1e9}}) {
    if (!text.ends_with(suffix)) continue;
    text.remove_suffix(suffix.size());
    unit = nanos;
    break;
  }
  const auto number = ParseNumber<double>(text);
  if (!number || !(*number >= 0) || *number * unit > static_cast<double>(profiler::kMaxTime))
    return std::nullopt;
  return std::llround(*number * unit);
}

// A bound of the range; `otherwise` if the option is not given.
std::optional<std::int64_t> Bound(const char* name, const std::string& text, std::int64_t first,
                                  std::int64_t otherwise) {
  if (text.empty()) return otherwise;
  const auto nanos = ParseTime(text);
  if (!nanos) {
    std::fprintf(stderr,
                 "sightline profile export: %s is %s, but must be a time from 0 on, like 1.5, 20ms "
                 "or 300us\n",
                 name, Printable(text).c_str());
    return std::nullopt;
  }
  return profiler::AddTimes(first, *nanos);
}

std::optional<profiler::TimeRange> FindRange(const ExportOptions& options,
                                             const profiler::Model& model) {
  const profiler::TimeRange extent = profiler::Extent(model);
  const auto from = Bound("--from", options.from, extent.from, -profiler::kMaxTime);
  const auto to = Bound("--to", options.to, extent.from, profiler::kMaxTime);
  if (!from || !to) return std::nullopt;
  if (*from > *to) {
    std::fprintf(stderr, "sightline profile export: --from %s is after --to %s\n",
                 options.from.c_str(), options.to.c_str());
    return std::nullopt;
  }
  if (*from > extent.to && model.spans.size() > 0) {
    std::fprintf(stderr, "sightline profile export: --from %s is after the profile's end at %s\n",
                 options.from.c_str(), FormatDuration(extent.to - extent.from).c_str());
    return std::nullopt;
  }
  return profiler::TimeRange{*from, *to};
}

Status Write(const profiler::Model& model, profiler::TimeRange range, const std::string& path) {
  const std::string trace = path.ends_with(".json") ? profiler::ExportChrome(model, range)
                                                    : profiler::ExportPerfetto(model, range);
  return WriteOutput(path, trace);
}

int Run(const ExportOptions& options) {
  int exit_code = kExitOk;
  auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const auto range = FindRange(options, profile->model);
  if (!range) return kExitError;
  const profiler::Model model =
      options.anonymous ? profiler::Anonymize(*std::move(profile)) : std::move(profile->model);
  const Status written = Write(model, *range, options.output);
  if (written.ok()) return exit_code;
  std::fprintf(stderr, "sightline profile export: %s\n", Printable(written.message()).c_str());
  return kExitError;
}

}  // namespace

void AddProfileExportCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = profile.add_subcommand("export", kHelp);
  command->footer(kExamples);
  command
      ->add_option("PATH", options->path,
                   "A trace, a profile's folder, or a folder with one profile in it")
      ->required();
  command->add_option("--rank", options->rank,
                      "Which rank to read, if a folder has several (default: the lowest)");
  AddMemoryLimitOption(*command, options->memory_limit);
  command->add_option("--from", options->from, "From this time of the profile on");
  command->add_option("--to", options->to, "Up to this time of the profile");
  command->add_flag(
      "--anonymous", options->anonymous,
      "Replace paths, hosts, addresses and users: file1.py, host1 (docs/profiles.md)");
  command->add_option("-o,--output", options->output, "The file to write")->required();
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
