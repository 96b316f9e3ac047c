#include "sightline/watch/rules/device_rule.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "sightline/base/text/number_text.h"

namespace sightline::watch {
namespace {

constexpr std::string_view kSystem = "system/";
constexpr char kTogether[] = "system/memory_bytes";
constexpr std::ptrdiff_t kMissedSamples = 3;

// "gpu0" of "system/gpu0/use_percent"; empty for other tags.
std::string_view DeviceOf(std::string_view tag) {
  if (!tag.starts_with(kSystem)) return {};
  tag.remove_prefix(kSystem.size());
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
    if (look.changed) causes_ = Check(look.run);
    return causes_;
  }

 private:
  static std::vector<Cause> Check(const Run& run) {
    std::map<std::pair<std::int32_t, std::string>, Device> devices;
    for (const auto& series : run.series()) {
      const std::string_view name = DeviceOf(series->key().tag);
      if (!series->is_scalar() || name.empty()) continue;
      Device& device = devices[{series->key().rank, std::string(name)}];
      device.last_time = std::max(device.last_time, series->last_wall_time());
      device.last_step = std::max(device.last_step, series->last_step());
      if (series->key().tag.ends_with("/health")) device.health = series.get();
    }
    std::vector<Cause> causes;
    for (const auto& [key, device] : devices) {
      const std::string wrong = Fault(run, key.first, device);
      if (wrong.empty()) continue;
      causes.push_back({.id = fmt::format("{} of rank {}", key.second, key.first),
                        .text = fmt::format("{} of rank {} {}", key.second, key.first, wrong),
                        .tag = std::string(kSystem) + key.second,
                        .ranks = {key.first},
                        .step = device.last_step});
    }
    return causes;
  }

  static std::string Fault(const Run& run, std::int32_t rank, const Device& device) {
    if (device.health != nullptr && device.health->last_value() != 0) {
      return fmt::format("reports the health {} at step {}",
                         NumberText(device.health->last_value()), device.health->last_step());
    }
    const Series* const together = run.Find(ContentKind::kScalar, kTogether, rank);
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
