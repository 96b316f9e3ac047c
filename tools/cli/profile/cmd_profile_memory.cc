// sightline profile memory: how much was allocated, and when most.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/profiler/analysis/memory.h"
#include "sightline/tools/cli/profile/cmd_profile.h"
#include "sightline/tools/cli/terminal/exit_code.h"

namespace sightline {
namespace {

using profiler::MemoryCurve;
using profiler::MemoryPeak;

constexpr std::size_t kShownHolders = 10;

constexpr char kHelp[] =
    R"(Shows memory over time, as the profile recorded it, and who held it at its peak.

Who held it is known only if the profile lists allocations (operator_memory.csv).
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile memory ./data
  sightline profile memory --json ./data > curves.json

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

std::string Bytes(double value) {
  return value < 0 || value > 1e18 ? fmt::format("{:g}", value)
                                   : FormatByteSize(static_cast<std::uint64_t>(value));
}

void Print(const std::vector<MemoryCurve>& curves) {
  using enum Table::Align;
  if (curves.empty()) {
    std::puts("The profile has no records of memory (profile_memory=True records them).");
    return;
  }
  Table table({{"counter", kLeft},
               {"samples", kRight},
               {"first", kRight},
               {"last", kRight},
               {"peak", kRight},
               {"peak at", kRight}},
              0);
  for (const MemoryCurve& curve : curves) {
    table.AddRow({Printable(curve.name), fmt::to_string(curve.samples->time.size()),
                  Bytes(curve.first), Bytes(curve.last), Bytes(curve.peak),
                  FormatDuration(curve.peak_time - curve.samples->time.front())});
  }
  std::fputs(table.ToString(Style(stdout)).c_str(), stdout);
}

void Print(const MemoryPeak& peak) {
  using enum Table::Align;
  Table table({{"held at the peak by", kLeft}, {"bytes", kRight}, {"allocations", kRight}}, 0);
  for (std::size_t i = 0; i < std::min(kShownHolders, peak.holders.size()); ++i) {
    const MemoryPeak::Holder& holder = peak.holders[i];
    table.AddRow({Printable(holder.name), Bytes(holder.bytes), fmt::to_string(holder.allocations)});
  }
  std::fputs(fmt::format("\nAt most {} of the listed allocations at once, held by {}:\n{}",
                         Bytes(peak.bytes), Count(peak.holders.size(), "operator"),
                         table.ToString(Style(stdout)))
                 .c_str(),
             stdout);
}

void PrintJson(const MemoryPeak& peak) {
  nlohmann::ordered_json json = {{"name", "allocations"},
                                 {"peak", peak.bytes},
                                 {"peak_ns", peak.time},
                                 {"holders", nlohmann::ordered_json::array()}};
  for (const MemoryPeak::Holder& holder : peak.holders) {
    json["holders"].push_back(
        {{"name", holder.name}, {"bytes", holder.bytes}, {"allocations", holder.allocations}});
  }
  std::puts(JsonLine(json).c_str());
}

int Run(const ProfileOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const std::vector<MemoryCurve> curves = profiler::FindMemoryCurves(*profile);
  const std::optional<MemoryPeak> peak = FindMemoryPeak(*profile);
  if (!options.json && (!curves.empty() || !peak)) Print(curves);
  if (!options.json && peak) Print(*peak);
  for (const MemoryCurve& curve : curves) {
    if (!options.json) break;
    std::puts(JsonLine({{"name", curve.name},
                        {"peak", curve.peak},
                        {"peak_ns", curve.peak_time},
                        {"time_ns", curve.samples->time},
                        {"value", curve.samples->value}})
                  .c_str());
  }
  if (options.json && peak) PrintJson(*peak);
  return exit_code;
}

}  // namespace

void AddProfileMemoryCommand(CLI::App& profile, int& exit_code) {
  auto options = std::make_shared<ProfileOptions>();
  CLI::App* command = profile.add_subcommand("memory", kHelp);
  command->footer(kExamples);
  options->AddTo(
      *command,
      "One line of JSON for each counter: name, peak, peak_ns, time_ns, value; after them "
      "the listed allocations: name, peak, peak_ns, holders");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
