// Compares the ranks of a training: which one keeps the others waiting.
//
// If a rank is slow, the others wait for it when they communicate. Their steps become as long as
// its own; what differs is the rest of the step, its own time. Rules:
//
//   straggler      A rank's own time is more than 1.2 times the median of the others in its stage
//                  (MindInsight's limit of 20 %), and these communicate longer than it does, or the
//                  profiles have no communication. Cost: the difference, as a share of its step.
//   slow-stage     In a pipeline-parallel training, a stage's mean own time is more than 1.2 times
//                  the mean of the other stages. Cost: the difference, as a share of the longest
//                  step.
//   slow-link      A link carries over 20 % less in a second than the mean of its kind. Only links
//                  that carried 1 MB or more count: for less, a message's latency decides.
//   slow-device    A rank does over 20 % fewer FLOPs in a second than the mean of its stage.
//   communication  A rank spends more than 10 % of its step in communication alone.
// (MindInsight, profiler/proposer: cluster.) The last three have no cost of their own: they explain
// the others. A rank without steps has no data: no rule judges it, nor others by it.
//
// Of an NPU whose profiler lists the steps (step_trace_time.csv), a step is what the device spent
// on it: computing, communication alone and idle. The time before its first task (preparing) is
// apart, and counts as a rank's own where stragglers are looked for.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"

namespace sightline::profiler {

// A rank's steps without the first one. Times are medians in nanoseconds.
struct RankUse {
  // From the profile, or from the name of its file or folder (RankInPath). None: neither has it.
  std::optional<std::int64_t> rank = std::nullopt;
  bool is_named_rank = false;  // `rank` is from the name.
  std::string path;
  std::size_t steps = 0;
  double step = 0;  // Its period (step_use.h); if the steps are not marked, its total (steps.h).
  double data_wait = 0;
  bool knows_data_wait = false;  // The small files of an NPU do not tell it.
  double communication = 0;
  double computing = 0;  // Of a device; 0: unknown, like `preparing`.
  double preparing = 0;

  std::optional<std::int64_t> stage;
  double flops = 0;            // In a second, from the source; 0: unknown.
  std::vector<LinkUse> links;  // Sums of all steps, by link and transport.

  bool has_data() const { return step > 0; }
  double own() const { return step - communication; }
  double communication_share() const { return step == 0 ? 0 : communication / step; }
};

RankUse MeasureRank(const Profile& profile);
// The same, of what is computed of the profile already.
RankUse MeasureRank(const Profile& profile, const StepTable& steps, const DeviceUseTable& uses);

// The sums of links with the same name and transport, ordered by these.
std::vector<LinkUse> SumLinks(const std::vector<LinkUse>& links);
// Whether a link's speed can be judged: it leads to another device ("3-3" does not), and carried so
// much that its speed is not that of single messages.
bool IsJudged(const LinkUse& link);
inline constexpr double kLeastOfLink = 1e6;  // Bytes.

// "rank 11"; "the profile a/b" if the rank is unknown.
std::string NameOf(const RankUse& rank);

// Prepares the ranks of one training for the functions below, and sorts them by rank, those of
// unknown rank last, by their paths. If several profiles have the same rank by a name, the name is
// that of a folder that they share, and their ranks are unknown.
void SortRanks(std::vector<RankUse>& ranks);
// Its two parts, for what holds the uses of ranks.
void ForgetSharedNames(const std::vector<RankUse*>& ranks);
bool ComesBefore(const RankUse& a, const RankUse& b);

// The rule straggler for these ranks, which are taken as one stage; no value if it does not hold.
std::optional<Finding> FindStraggler(const std::vector<RankUse>& all);

// All findings of all rules, in the order of the rules. Of stages, links, devices and
// communication, only the worst one.
std::vector<Finding> CompareRanks(const std::vector<RankUse>& all);

}  // namespace sightline::profiler
