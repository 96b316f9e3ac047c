#include "sightline/profiler/cluster/slow_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kSlowStage = 0.12;
constexpr double kSlowComputing = 0.06;
constexpr double kDeviations = 2.5;
constexpr double kSlowIdleOfHost = 0.15;
constexpr double kSlowIdleOfStage = 0.25;   // Of a host that is a stage: stages differ anyway.
constexpr double kLeastIdleOfHost = 0.008;  // Of a step.
constexpr double kLatePreparing = 2e6;
constexpr double kSlowIdleOfRank = 0.25;
constexpr double kLeastIdleOfRank = 0.03;
constexpr std::size_t kFewPeers = 4;
constexpr double kMost = 0.75;

using Places = std::vector<std::size_t>;  // In Cluster::ranks.

double Computing(const ClusterRank& rank) { return rank.means.computing; }
double Preparing(const ClusterRank& rank) { return rank.means.preparing; }
// What the device waits for its host.
double Waiting(const ClusterRank& rank) { return rank.means.idle + rank.means.preparing; }
using Part = double (*)(const ClusterRank&);

double Ms(double nanoseconds) { return nanoseconds / 1e6; }

std::string Capital(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
  return text;
}

// What each rank is compared by, and with whom.
class Comparison {
 public:
  explicit Comparison(const Cluster& cluster) : cluster_(cluster) {
    std::vector<double> steps;
    for (std::size_t i = 0; i < cluster.ranks.size(); ++i) {
      if (cluster.ranks[i].part.steps.empty()) continue;
      ranks_.push_back(i);
      steps.push_back(cluster.ranks[i].means.step);
    }
    step_ = Median(std::move(steps));
  }

  const Places& ranks() const { return ranks_; }
  double step() const { return step_; }
  const ClusterRank& at(std::size_t place) const { return cluster_.ranks[place]; }

  double MedianOf(const Places& places, Part part) const {
    std::vector<double> values;
    values.reserve(places.size());
    for (const std::size_t one : places) values.push_back(part(at(one)));
    return Median(std::move(values));
  }

  // The ranks that `is` chooses.
  template <typename Is>
  Places Where(Is is) const {
    Places found;
    std::copy_if(ranks_.begin(), ranks_.end(), std::back_inserter(found),
                 [&](std::size_t one) { return is(at(one)); });
    return found;
  }

  // The other ranks of the rank's stage; without stages, all others.
  Places Peers(std::size_t of) const {
    Places found = Where([&](const ClusterRank& one) {
      return one.part.use.stage == at(of).part.use.stage && &one != &at(of);
    });
    return found;
  }

  Places Others(std::size_t of) const {
    return Where([&](const ClusterRank& one) { return &one != &at(of); });
  }

  // How much the rank exceeds its peers: the lesser excess, if they are so few that a stage's own
  // weight and a slow rank look the same.
  double Excess(std::size_t of, Part part) const {
    const Places peers = Peers(of);
    const double over_all = part(at(of)) - MedianOf(Others(of), part);
    if (peers.empty()) return 0;
    const double over_peers = part(at(of)) - MedianOf(peers, part);
    return peers.size() < kFewPeers ? std::min(over_peers, over_all) : over_peers;
  }

  // How these ranks scatter around the medians of their stages: their median absolute deviation,
  // scaled to a standard deviation.
  double Deviation(const Places& ranks, Part part) const {
    std::map<std::optional<std::int64_t>, Places> stages;
    for (const std::size_t one : ranks) stages[at(one).part.use.stage].push_back(one);
    std::vector<double> distances;
    for (const auto& [stage, its] : stages) {
      const double median = MedianOf(its, part);
      for (const std::size_t one : its) distances.push_back(std::abs(part(at(one)) - median));
    }
    return kScaleOfDeviation * Median(std::move(distances));
  }

 private:
  const Cluster& cluster_;
  Places ranks_;
  double step_ = 0;
};

// "; it came last to 34 of 36 collectives" where collectives were judged.
std::string VotesText(const ClusterRank& rank) {
  if (rank.votes.judged == 0) return "";
  return fmt::format("; it came last to {} of {} collectives", rank.votes.last, rank.votes.judged);
}

// By how much the rank came later at collectives than its peers; no value if too few were judged.
std::optional<double> LateBeside(const Comparison& all, std::size_t of) {
  if (all.at(of).votes.judged == 0) return std::nullopt;
  std::vector<double> others;
  for (const std::size_t one : all.Peers(of))
    if (all.at(one).votes.judged > 0) others.push_back(all.at(one).votes.late);
  if (others.empty()) return std::nullopt;
  return all.at(of).votes.late - Median(std::move(others));
}

// Whether the rank computed longer than its peers in most of its steps, by half of the limit.
bool IsSlowInMostSteps(const Comparison& all, std::size_t of, double typical) {
  std::vector<double> steps;
  for (const DeviceUse& step : all.at(of).part.steps)
    steps.push_back(static_cast<double>(step.computing));
  return Median(std::move(steps)) > typical * (1 + kSlowComputing / 2);
}

// Of all ranks.
struct Deviations {
  double computing = 0;
  double waiting = 0;
};

std::optional<Finding> SlowComputing(const Comparison& all, std::size_t of,
                                     const Deviations& deviations) {
  const double excess = all.Excess(of, Computing);
  const double typical = Computing(all.at(of)) - excess;
  const double limit = std::max(kSlowComputing * typical, kDeviations * deviations.computing);
  if (typical <= 0 || excess <= limit || !IsSlowInMostSteps(all, of, typical)) return std::nullopt;
  const std::string name = NameOf(all.at(of));
  return Finding{
      .rule = "slow-rank",
      .subject = name,
      .what =
          fmt::format("{} keeps the others waiting: its device computes longer.", Capital(name)),
      .evidence = fmt::format(
          "it computes for {:.2f} ms of a step, its peers for {:.2f} ms ({:+.0f} %){}",
          Ms(Computing(all.at(of))), Ms(typical), excess / typical * 100, VotesText(all.at(of))),
      .change =
          "look at its clock, its temperature and its part of the data; `sightline profile "
          "compare` of its profile and another rank's names the operators that take longer",
      .share = std::min(excess / all.step(), 1.0)};
}

std::optional<Finding> SlowLaunches(const Comparison& all, std::size_t of,
                                    const Deviations& deviations) {
  const double excess = all.Excess(of, Waiting);
  const double typical = Waiting(all.at(of)) - excess;
  const double limit = std::max({kSlowIdleOfRank * typical, kLeastIdleOfRank * all.step(),
                                 2 * kDeviations * deviations.waiting});
  if (excess <= limit) return std::nullopt;
  const std::string name = NameOf(all.at(of));
  return Finding{
      .rule = "slow-rank",
      .subject = name,
      .what =
          fmt::format("{} keeps the others waiting: its device waits for its host.", Capital(name)),
      .evidence = fmt::format(
          "its device is idle for {:.2f} ms of a step, those of its peers for {:.2f} ms{}",
          Ms(Waiting(all.at(of))), Ms(typical), VotesText(all.at(of))),
      .change =
          "look at what its process does between launches (`sightline profile summary` of "
          "its profile), at its data and at other programs on its cores",
      .share = std::min(excess / all.step(), 1.0)};
}

// `known`: ranks that a slow host explains.
std::vector<Finding> SlowRanks(const Comparison& all, const std::set<std::size_t>& known) {
  std::vector<Finding> findings;
  if (all.ranks().size() < 2) return findings;
  const Deviations deviations{all.Deviation(all.ranks(), Computing),
                              all.Deviation(all.ranks(), Waiting)};
  for (const std::size_t one : all.ranks()) {
    if (known.contains(one)) continue;
    const auto late = LateBeside(all, one);
    if (late && *late < 0) continue;
    auto found = SlowComputing(all, one, deviations);
    if (!found) found = SlowLaunches(all, one, deviations);
    if (found) findings.push_back(*std::move(found));
  }
  return findings;
}

// The lower of the two values in the middle.
double LowerMedian(const Comparison& all, const Places& places, Part part) {
  std::vector<double> values;
  for (const std::size_t one : places)
    if (!all.at(one).part.steps.empty()) values.push_back(part(all.at(one)));
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  return values[(values.size() - 1) / 2];
}

Finding StageFinding(const Comparison& all, const RankSet& stage, double excess) {
  const Places others = all.Where([&](const ClusterRank& one) {
    return one.part.use.stage && std::to_string(*one.part.use.stage) != stage.name;
  });
  const double waiting =
      all.MedianOf(others, [](const ClusterRank& one) { return one.means.bubble; });
  const double own = stage.means.computing;
  const double theirs = all.MedianOf(others, Computing);
  std::string evidence = fmt::format(
      "its devices compute for {:.2f} ms of a step, those of the others for {:.2f} ms ({:+.0f} %)",
      Ms(own), Ms(theirs), (own / theirs - 1) * 100);
  if (waiting > 0 || stage.means.bubble > 0) {
    evidence += fmt::format("; it waits for other stages for {:.2f} ms, they for {:.2f} ms",
                            Ms(stage.means.bubble), Ms(waiting));
  }
  return {
      .rule = "slow-stage",
      .subject = "stage " + stage.name,
      .what = fmt::format("Stage {} of the pipeline has more to do than the others.", stage.name),
      .evidence = std::move(evidence),
      .change =
          "move layers from this stage to the others; a vocabulary head or a loss counts "
          "as layers too",
      .share = std::min(excess / all.step(), 1.0)};
}

std::optional<Finding> SlowStage(const Comparison& all, const Cluster& cluster) {
  std::vector<std::pair<double, const RankSet*>> stages;
  for (const RankSet& stage : cluster.stages) {
    const double computing = LowerMedian(all, stage.ranks, Computing);
    if (computing > 0) stages.emplace_back(computing, &stage);
  }
  if (stages.size() < 2) return std::nullopt;
  const auto slowest = *std::max_element(
      stages.begin(), stages.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<double> others;
  for (const auto& [computing, stage] : stages)
    if (stage != slowest.second) others.push_back(computing);
  const double typical = Median(std::move(others));
  const double excess = slowest.first - typical;
  if (excess <= kSlowStage * typical) return std::nullopt;
  return StageFinding(all, *slowest.second, excess);
}

// A host beside the others, by one part of a step.
struct HostExcess {
  double own = 0;         // Medians of its ranks,
  double typical = 0;     // and of the others',
  double excess = 0;      // and of what its ranks exceed these by.
  bool is_stage = false;  // No other host has ranks of its stages.
  bool most = false;      // Most of its ranks exceed the others.
};

HostExcess Beside(const Comparison& all, const RankSet& host, Part part) {
  const std::set<std::size_t> own(host.ranks.begin(), host.ranks.end());
  HostExcess out;
  std::vector<double> excesses;
  std::vector<double> typicals;
  Places with_steps;
  Places outside;
  for (const std::size_t one : all.ranks())
    if (!own.contains(one)) outside.push_back(one);
  if (outside.empty()) return out;
  for (const std::size_t rank : host.ranks) {
    if (all.at(rank).part.steps.empty()) continue;
    with_steps.push_back(rank);
    Places peers;
    for (const std::size_t one : outside)
      if (all.at(one).part.use.stage == all.at(rank).part.use.stage) peers.push_back(one);
    out.is_stage = out.is_stage || peers.empty();
    typicals.push_back(all.MedianOf(peers.empty() ? outside : peers, part));
    excesses.push_back(part(all.at(rank)) - typicals.back());
  }
  if (excesses.size() < 2) return out;
  out.own = all.MedianOf(with_steps, part);
  out.excess = Median(excesses);
  out.typical = Median(std::move(typicals));
  const auto exceeding = std::count_if(excesses.begin(), excesses.end(),
                                       [&](double one) { return one > out.excess / 2; });
  out.most = static_cast<double>(exceeding) >= kMost * static_cast<double>(excesses.size());
  return out;
}

Finding HostFinding(const RankSet& host, const HostExcess& by, const char* cause,
                    const char* evidence, const char* change, double step) {
  return {
      .rule = "slow-host",
      .subject = "host " + host.name,
      .what = fmt::format("Host {} keeps the others waiting: {}.", host.name, cause),
      .evidence = fmt::format("the devices of its {} ranks {} for {:.2f} ms of a step, those of "
                              "the other hosts for {:.2f} ms",
                              host.ranks.size(), evidence, Ms(by.own), Ms(by.typical)),
      .change = change,
      .share = std::min(by.excess / step, 1.0)};
}

std::optional<Finding> SlowHost(const Comparison& all, const RankSet& host) {
  Places outside;
  const std::set<std::size_t> own(host.ranks.begin(), host.ranks.end());
  for (const std::size_t one : all.ranks())
    if (!own.contains(one)) outside.push_back(one);
  if (outside.empty()) return std::nullopt;
  const double root = std::sqrt(static_cast<double>(host.ranks.size()));

  const HostExcess late = Beside(all, host, Preparing);
  if (late.most && late.excess > std::max(kLatePreparing, late.typical / 2)) {
    return HostFinding(host, late, "it begins its steps late", "wait for their first task",
                       "look at what its processes do before the first launch of a step: loading "
                       "of data, the disk, other programs on its cores",
                       all.step());
  }
  const HostExcess waiting = Beside(all, host, Waiting);
  const double limit = std::max(
      {(waiting.is_stage ? kSlowIdleOfStage : kSlowIdleOfHost) * waiting.typical,
       kLeastIdleOfHost * all.step(), 2 * kDeviations * all.Deviation(outside, Waiting) / root});
  if (waiting.most && waiting.excess > limit) {
    return HostFinding(host, waiting, "its devices wait for it", "are idle",
                       "look at its cores (other programs, clock, which of them its processes may "
                       "use) and at what its processes do between launches (`sightline profile "
                       "summary` of one of its ranks)",
                       all.step());
  }
  const HostExcess computing = Beside(all, host, Computing);
  const double slow = std::max(kSlowComputing * computing.typical,
                               2 * kDeviations * all.Deviation(outside, Computing) / root);
  // Where the host is a stage, that explains it.
  if (computing.most && !computing.is_stage && computing.excess > slow) {
    return HostFinding(host, computing, "its devices compute longer", "compute",
                       "look at the clock, the temperature and the power of its devices",
                       all.step());
  }
  return std::nullopt;
}

}  // namespace

std::vector<Finding> FindSlow(const Cluster& cluster) {
  const Comparison all(cluster);
  std::vector<Finding> findings;
  if (auto found = SlowStage(all, cluster)) findings.push_back(*std::move(found));
  std::set<std::size_t> known;
  for (const RankSet& host : cluster.hosts) {
    auto found = SlowHost(all, host);
    if (!found) continue;
    known.insert(host.ranks.begin(), host.ranks.end());
    findings.push_back(*std::move(found));
  }
  std::vector<Finding> ranks = SlowRanks(all, known);
  std::move(ranks.begin(), ranks.end(), std::back_inserter(findings));
  std::stable_sort(findings.begin(), findings.end(),
                   [](const Finding& a, const Finding& b) { return a.share > b.share; });
  return findings;
}

}  // namespace sightline::profiler
