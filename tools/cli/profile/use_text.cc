#include "sightline/tools/cli/profile/use_text.h"

#include <fmt/format.h>

#include "sightline/tools/cli/profile/cmd_profile.h"

namespace sightline {
namespace {

// "832.15 ms, the sum of 8 devices".
std::string WholeText(const profiler::DeviceUseTable& uses) {
  const std::string time = FormatDuration(uses.all.total);
  const std::size_t devices = uses.devices.size();
  return devices > 1 ? fmt::format("{}, the sum of {} devices", time, devices) : time;
}

}  // namespace

std::string PartText(double time, double total) {
  return fmt::format("{} ({})", FormatDuration(static_cast<std::int64_t>(time)),
                     FormatShare(total > 0 ? time / total : 0));
}

std::string DeviceUseText(const profiler::DeviceUseTable& uses) {
  const profiler::DeviceUse& use = uses.all;
  if (use.total <= 0) return "";
  const auto part = [&](std::int64_t time) {
    return PartText(static_cast<double>(time), static_cast<double>(use.total));
  };
  std::string text =
      fmt::format("In all ({}): computing {}, communication {} (alone {})",
                  uses.listed ? "by the profiler's table" : WholeText(uses), part(use.computing),
                  part(use.communication), part(use.communication_alone));
  if (use.copy_alone > 0) text += ", copies alone " + part(use.copy_alone);
  text += ", idle " + part(use.idle);
  if (uses.has_launches) {
    text += fmt::format(": for the host {}, between kernels {}, other {}", part(use.idle_for_host),
                        part(use.idle_between), part(use.idle_other()));
  }
  return text + "\n";
}

std::string HostWorkText(const std::vector<profiler::HostActivity>& activities) {
  std::string text;
  for (const profiler::HostActivity& one : activities) {
    text += text.empty() ? "While a device waited for the host: " : ", ";
    text += fmt::format("{} {}", HostDoingName(one.doing), FormatDuration(one.time));
    if (!one.call.empty())
      text += fmt::format(" (most: {} {})", Printable(one.call), FormatDuration(one.call_time));
  }
  return text.empty() ? text : text + "\n";
}

}  // namespace sightline
