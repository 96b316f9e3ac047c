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
using profiler::Profile;

constexpr std::size_t kShownHolders = 10;
constexpr std::size_t kShownStacks = 3;
constexpr std::size_t kShownFrames = 12;

constexpr char kHelp[] =
    R"(Shows memory over time, as the profile recorded it, and who held it at its peak.

Who held it is known only if the profile lists allocations (operator_memory.csv, or a
memory snapshot of PyTorch or torch_npu, which has the stacks too).
)";

constexpr char kExamples[] = R"(Examples:
  sightline profile memory ./data
  sightline profile memory snapshot.pickle
  sightline profile memory --json ./data > curves.json

Exit codes: 0 done, 1 done but something of the profile is damaged, 2 not done.)";

std::string Bytes(double value) {
  return value < 0 || value > 1e18 ? fmt::format("{:g}", value)
                                   : FormatByteSize(static_cast<std::uint64_t>(value));
}

// "1.5 ms", or "event 120" if the source has no times.
std::string TimeText(const Profile& profile, std::int64_t time) {
  return profile.has_clock ? FormatDuration(time) : fmt::format("event {}", time);
}

void Print(const Profile& profile, const std::vector<MemoryCurve>& curves) {
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
                  TimeText(profile, curve.peak_time - curve.samples->time.front())});
  }
  std::fputs(table.ToString(Style(stdout)).c_str(), stdout);
}

// "train_one_step demo.py:12"; with the whole path of the file, or its last part.
std::string FrameText(const Profile& profile, std::uint32_t frame_index, bool whole_path) {
  const profiler::StackFrame& frame = profile.stacks.frames[frame_index];
  std::string_view file = profile.model.names[frame.file];
  if (!whole_path) file.remove_prefix(file.rfind('/') + 1);
  return Printable(fmt::format("{} {}:{}", profile.model.names[frame.function], file, frame.line));
}

std::string HolderName(const Profile& profile, const MemoryPeak::Holder& holder) {
  if (holder.stack == 0) return Printable(holder.name);
  return FrameText(profile, profile.stacks[holder.stack].front(), false);
}

void PrintStack(const Profile& profile, const MemoryPeak::Holder& holder) {
  const auto stack = profile.stacks[holder.stack];
  fmt::print("\n{} at\n", Bytes(holder.bytes));
  for (std::size_t i = 0; i < std::min(kShownFrames, stack.size()); ++i)
    fmt::print("  {}\n", FrameText(profile, stack[i], true));
  if (stack.size() > kShownFrames)
    fmt::print("  and {} (--json lists them)\n", Count(stack.size() - kShownFrames, "frame"));
}

void Print(const Profile& profile, const MemoryPeak& peak) {
  using enum Table::Align;
  Table table({{"held at the peak by", kLeft}, {"bytes", kRight}, {"allocations", kRight}}, 0);
  for (std::size_t i = 0; i < std::min(kShownHolders, peak.holders.size()); ++i) {
    const MemoryPeak::Holder& holder = peak.holders[i];
    table.AddRow(
        {HolderName(profile, holder), Bytes(holder.bytes), fmt::to_string(holder.allocations)});
  }
  const bool has_stacks = !profile.stacks.frames.empty();
  fmt::print("\nAt most {} of the listed allocations at once{}, held by {}:\n{}", Bytes(peak.bytes),
             peak.device.empty() ? "" : " on " + peak.device,
             Count(peak.holders.size(), has_stacks ? "call stack" : "operator"),
             table.ToString(Style(stdout)));
  for (std::size_t i = 0; i < std::min(kShownStacks, peak.holders.size()); ++i)
    if (peak.holders[i].stack != 0) PrintStack(profile, peak.holders[i]);
}

// A time is in nanoseconds; of a source without times it is the number of an event.
std::string TimeKey(const Profile& profile, std::string_view name) {
  return fmt::format("{}_{}", name, profile.has_clock ? "ns" : "event");
}

void PrintJson(const Profile& profile, const MemoryPeak& peak) {
  nlohmann::ordered_json json = {{"name", "allocations"},
                                 {"peak", peak.bytes},
                                 {TimeKey(profile, "peak"), peak.time},
                                 {"holders", nlohmann::ordered_json::array()}};
  if (!peak.device.empty()) json["device"] = peak.device;
  for (const MemoryPeak::Holder& holder : peak.holders) {
    nlohmann::ordered_json one = {
        {"name", holder.name}, {"bytes", holder.bytes}, {"allocations", holder.allocations}};
    for (const std::uint32_t frame : profile.stacks[holder.stack])
      one["stack"].push_back(FrameText(profile, frame, true));
    json["holders"].push_back(std::move(one));
  }
  std::puts(JsonLine(json).c_str());
}

int Run(const ProfileOptions& options) {
  int exit_code = kExitOk;
  const auto profile = OpenProfile(options, exit_code);
  if (!profile) return exit_code;
  const std::vector<MemoryCurve> curves = profiler::FindMemoryCurves(*profile);
  const std::vector<MemoryPeak> peaks = FindMemoryPeaks(*profile);
  if (!options.json) {
    if (!curves.empty() || peaks.empty()) Print(*profile, curves);
    for (const MemoryPeak& peak : peaks) Print(*profile, peak);
    return exit_code;
  }
  for (const MemoryCurve& curve : curves) {
    std::puts(JsonLine({{"name", curve.name},
                        {"peak", curve.peak},
                        {TimeKey(*profile, "peak"), curve.peak_time},
                        {TimeKey(*profile, "time"), curve.samples->time},
                        {"value", curve.samples->value}})
                  .c_str());
  }
  for (const MemoryPeak& peak : peaks) PrintJson(*profile, peak);
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
      "the listed allocations of each device: name, peak, peak_ns, holders with their stacks. Of "
      "a snapshot without times, peak_event and time_event number its events");
  command->callback([options, &exit_code] { exit_code = Run(*options); });
}

}  // namespace sightline
