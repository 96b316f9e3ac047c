#include "sightline/watch/rules/device_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "sightline/base/text/number_text.h"

namespace sightline::watch {
namespace {

// Who records counters of devices, and a counter that is always recorded together with them:
// SummaryMonitor, and `sightline run`.
struct Source {
  std::string_view prefix;
  const char* together;
};
constexpr Source kSources[] = {{"system/", "system/memory_bytes"},
                               {"machine/", "machine/memory_available_bytes"}};
constexpr std::ptrdiff_t kMissedSamples = 3;

// "gpu0" of "system/gpu0/use_percent"; empty for other tags.
std::string_view DeviceOf(std::string_view tag, const Source& source) {
  if (!tag.starts_with(source.prefix)) return {};
  tag.remove_prefix(source.prefix.size());
  const std::string_view device = tag.substr(0, tag.find('/'));
  if (device.size() == tag.size() || device.size() < 4) return {};
  if (!device.starts_with("gpu") && !device.starts_with("npu")) return {};
  const bool numbered = std::all_of(device.begin() + 3, device.end(),
                                    [](unsigned char c) { return std::isdigit(c) != 0; });
  return numbered ? device : std::string_view();
}

struct Device {
  double last_time = 0;
  std::int64_t last_step = 0;
  const Series* health = nullptr;
};

class DevicesInRun final : public RuleInRun {
 public:
  std::vector<Cause> Holding(const Look& look) override {
    if (!look.changed) return causes_;
    causes_.clear();
    for (const Source& source : kSources) AddCauses(look.run, source);
    return causes_;
  }

 private:
  void AddCauses(const Run& run, const Source& source) {
    std::map<std::pair<std::int32_t, std::string>, Device> devices;
    for (const auto& series : run.series()) {
      const std::string_view name = DeviceOf(series->key().tag, source);
      if (!series->is_scalar() || name.empty()) continue;
      Device& device = devices[{series->key().rank, std::string(name)}];
      device.last_time = std::max(device.last_time, series->last_wall_time());
      device.last_step = std::max(device.last_step, series->last_step());
      if (series->key().tag.ends_with("/health")) device.health = series.get();
    }
    for (const auto& [key, device] : devices) {
      const std::string wrong = Fault(run, key.first, device, source);
      if (wrong.empty()) continue;
      causes_.push_back({.id = fmt::format("{} of rank {}", key.second, key.first),
                         .text = fmt::format("{} of rank {} {}", key.second, key.first, wrong),
                         .tag = std::string(source.prefix) + key.second,
                         .ranks = {key.first},
                         .step = device.last_step});
    }
  }

  static std::string Fault(const Run& run, std::int32_t rank, const Device& device,
                           const Source& source) {
    if (device.health != nullptr && device.health->last_value() != 0) {
      return fmt::format("reports the health {} at step {}",
                         NumberText(device.health->last_value()), device.health->last_step());
    }
    const Series* const together = run.Find(ContentKind::kScalar, source.together, rank);
    if (together == nullptr) return "";
    const auto times = together->wall_times();
    const auto later =
        std::count_if(times.end() - std::min<std::ptrdiff_t>(kMissedSamples, std::ssize(times)),
                      times.end(), [&](double t) { return t > device.last_time; });
    if (later < kMissedSamples) return "";
    return fmt::format("does not answer any more, since step {}", device.last_step);
  }

  std::vector<Cause> causes_;
};

}  // namespace

std::unique_ptr<RuleInRun> DeviceRule::InRun() const { return std::make_unique<DevicesInRun>(); }

}  // namespace sightline::watch
