#include "sightline/profiler/analysis/kernel_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::profiler {
namespace {

constexpr double kShare = 0.05;    // Less, of what the kernels take,
constexpr double kWorth = 0.02;    // or of the device's time, is not worth a finding.
constexpr double kBound = 0.8;     // A unit that is busy for this share of the time is the bound.
constexpr double kFarBelow = 0.5;  // Less than this is far below any bound.
constexpr double kUsualBlocks = 0.3;  // Of a core's time, for its most frequent number of blocks.
constexpr std::size_t kNamed = 3;
constexpr std::size_t kMinFrequencies = 2;

double Millis(double nanoseconds) { return nanoseconds / 1e6; }

// What some kernels of one type lose.
struct Loss {
  double time = 0;  // They took it.
  double lost = 0;
  std::uint64_t count = 0;
  std::string note;  // Of the kernel with the greatest loss.
  double noted = 0;

  void Add(const KernelUse& kernel, double lost_time, std::string about) {
    time += static_cast<double>(kernel.total);
    lost += lost_time;
    count += kernel.count;
    if (lost_time < noted) return;
    noted = lost_time;
    note = std::move(about);
  }
};
using Losses = std::map<NameId, Loss>;

double SumOf(const Losses& losses, double Loss::*part) {
  double sum = 0;
  for (const auto& [type, loss] : losses) sum += loss.*part;
  return sum;
}

// "MatMulV3 36.82 ms in 2 calls (busiest: aic_mte2, 43 %), ...": the types that lose most.
std::string Name(const Model& model, const Losses& losses) {
  std::vector<std::pair<NameId, const Loss*>> ordered;
  for (const auto& [type, loss] : losses) ordered.emplace_back(type, &loss);
  std::stable_sort(ordered.begin(), ordered.end(),
                   [](const auto& a, const auto& b) { return a.second->lost > b.second->lost; });
  std::string text;
  for (std::size_t i = 0; i < std::min(kNamed, ordered.size()); ++i) {
    const auto& [type, loss] = ordered[i];
    text += fmt::format("{}{} {:.2f} ms in {} {}{}", i == 0 ? "" : ", ", model.names[type],
                        Millis(loss->time), loss->count, loss->count == 1 ? "call" : "calls",
                        loss->note.empty() ? "" : " (" + loss->note + ")");
  }
  if (ordered.size() > kNamed) text += fmt::format(", and {} more types", ordered.size() - kNamed);
  return text;
}

class Judge {
 public:
  Judge(const Profile& profile, std::int64_t device_time)
      : profile_(profile), model_(profile.model) {
    for (const KernelUse& kernel : profile.kernels) all_ += static_cast<double>(kernel.total);
    whole_ = std::max(all_, static_cast<double>(device_time));
  }

  std::vector<Finding> Find() {
    if (all_ > 0) {
      FindAiCpu();
      FindFewCores();
      FindFarBelowBound();
    }
    FindFrequency();
    return std::move(found_);
  }

 private:
  std::string_view CoreOf(const KernelUse& kernel) const {
    return kernel.core == kNoName ? std::string_view() : model_.names[kernel.core];
  }
  bool IsWorth(const Losses& losses) const {
    const double lost = SumOf(losses, &Loss::lost);
    return lost > kShare * all_ && lost > kWorth * whole_;
  }
  std::string OfKernels(double time) const {
    return fmt::format("{:.2f} ms of the kernels' {:.2f} ms", Millis(time), Millis(all_));
  }
  double Share(double lost) const { return std::min(1.0, lost / whole_); }

  void FindAiCpu() {
    Losses losses;
    for (const KernelUse& kernel : profile_.kernels) {
      if (CoreOf(kernel) == "AI_CPU")
        losses[kernel.type].Add(kernel, static_cast<double>(kernel.total), "");
    }
    if (!IsWorth(losses)) return;
    const double time = SumOf(losses, &Loss::time);
    found_.push_back(
        {.rule = "ai-cpu",
         .subject = "",
         .what = "Operators run on the AI CPU, which is far slower than the AI cores.",
         .evidence = OfKernels(time) + " are on it: " + Name(model_, losses),
         .change = "other types of data (int32 or float32 in place of int64, float64 or complex), "
                   "or another operator that the AI cores have",
         .share = Share(time)});
  }

  // The number of blocks that most of a kind of core's time has: as a rule, that of its cores.
  std::map<NameId, std::int64_t> UsualBlocks() const {
    std::map<NameId, std::map<std::int64_t, double>> times;
    for (const KernelUse& kernel : profile_.kernels) {
      if (kernel.blocks > 0 && CoreOf(kernel) != "AI_CPU")
        times[kernel.core][kernel.blocks] += static_cast<double>(kernel.total);
    }
    std::map<NameId, std::int64_t> usual;
    for (const auto& [core, by_blocks] : times) {
      double sum = 0;
      for (const auto& [blocks, time] : by_blocks) sum += time;
      const auto most =
          std::max_element(by_blocks.begin(), by_blocks.end(),
                           [](const auto& a, const auto& b) { return a.second < b.second; });
      if (most->second > kUsualBlocks * sum) usual.emplace(core, most->first);
    }
    return usual;
  }

  void FindFewCores() {
    const auto usual = UsualBlocks();
    Losses losses;
    for (const KernelUse& kernel : profile_.kernels) {
      const auto cores = usual.find(kernel.core);
      if (cores == usual.end() || kernel.blocks <= 0 || 2 * kernel.blocks > cores->second) continue;
      const double idle =
          1 - static_cast<double>(kernel.blocks) / static_cast<double>(cores->second);
      losses[kernel.type].Add(kernel, idle * static_cast<double>(kernel.total),
                              fmt::format("{} of {} cores", kernel.blocks, cores->second));
    }
    if (!IsWorth(losses)) return;
    found_.push_back(
        {.rule = "few-cores",
         .subject = "",
         .what = "Operators leave most of the cores idle.",
         .evidence = OfKernels(SumOf(losses, &Loss::time)) +
                     " use half of the cores or fewer (the number of cores is inferred from the "
                     "other kernels' blocks): " +
                     Name(model_, losses),
         .change = "larger batches or shapes that can be cut into as many blocks as there are "
                   "cores; fuse small operators",
         .share = Share(SumOf(losses, &Loss::lost))});
  }

  // The unit that is busy for most of the kernel's time. Scalar units steer the others.
  std::optional<std::pair<std::string_view, double>> Busiest(const KernelUse& kernel) const {
    std::optional<std::pair<std::string_view, double>> busiest;
    for (std::size_t unit = 0; unit < kernel.busy.size(); ++unit) {
      const std::string_view name = profile_.kernel_units[unit];
      if (name.find("scalar") != std::string_view::npos || kernel.busy[unit] <= 0) continue;
      if (!busiest || kernel.busy[unit] > busiest->second) busiest = {name, kernel.busy[unit]};
    }
    return busiest;
  }

  void FindFarBelowBound() {
    Losses losses;
    for (const KernelUse& kernel : profile_.kernels) {
      const auto busiest = Busiest(kernel);
      if (!busiest || busiest->second >= kFarBelow) continue;
      const double lost = (1 - busiest->second / kBound) * static_cast<double>(kernel.total);
      losses[kernel.type].Add(
          kernel, lost,
          fmt::format("its busiest unit, {}: {:.0f} %{}", busiest->first, busiest->second * 100,
                      kernel.shapes == kNoName
                          ? std::string()
                          : "; shapes " + std::string(model_.names[kernel.shapes])));
    }
    if (!IsWorth(losses)) return;
    found_.push_back(
        {.rule = "far-below-bound",
         .subject = "",
         .what = "Operators keep no unit of their cores busy.",
         .evidence = OfKernels(SumOf(losses, &Loss::time)) +
                     fmt::format(" keep each unit busy for less than {:.0f} % of their time: ",
                                 kFarBelow * 100) +
                     Name(model_, losses),
         .change = "shapes that are multiples of 16, contiguous inputs without a transposition, "
                   "larger batches, or a fused operator",
         .share = Share(SumOf(losses, &Loss::lost))});
  }

  void FindFrequency() {
    std::optional<Finding> worst;
    for (const Counter& counter : model_.counters) {
      const std::string_view name = model_.names[counter.name];
      // In traces, and in databases.
      const bool is_of_cores = name.find("AI Core Freq") != std::string_view::npos ||
                               name.find("AICORE_FREQ") != std::string_view::npos;
      if (!is_of_cores) continue;
      const std::size_t samples = counter.value.size();
      if (samples < kMinFrequencies) continue;
      double sum = 0;
      double most = 0;
      double least = counter.value[0];
      for (std::size_t i = 0; i + 1 < samples; ++i) {
        sum += counter.value[i] * static_cast<double>(counter.time[i + 1] - counter.time[i]);
        most = std::max(most, counter.value[i]);
        least = std::min(least, counter.value[i]);
      }
      const auto length = static_cast<double>(counter.time[samples - 1] - counter.time[0]);
      if (length <= 0 || most <= 0) continue;
      const double share = 1 - sum / length / most;
      if (share <= kShare || (worst && worst->share >= share)) continue;
      worst = {.rule = "core-frequency",
               .subject = std::string(name),
               .what = "The device lowers the frequency of its cores.",
               .evidence = fmt::format("{} falls from {:.0f} to {:.0f}; on average it is {:.0f}",
                                       name, most, least, sum / length),
               .change =
                   "look at the device's temperature and power (`npu-smi info`): its cooling, "
                   "a power limit, or other programs on it",
               .share = share};
    }
    if (worst) found_.push_back(*std::move(worst));
  }

  const Profile& profile_;
  const Model& model_;
  double all_ = 0;    // What the kernels took,
  double whole_ = 0;  // and the device.
  std::vector<Finding> found_;
};

}  // namespace

std::vector<Finding> JudgeKernels(const Profile& profile, std::int64_t device_time) {
  return Judge(profile, device_time).Find();
}

}  // namespace sightline::profiler
