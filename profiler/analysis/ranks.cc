#include "sightline/profiler/analysis/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/base/process_rank.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/step_use.h"

namespace sightline::profiler {
namespace {

constexpr double kSlower = 1.2;
constexpr double kLess = 0.8;
constexpr double kMuchCommunication = 0.1;

template <typename Use, typename Part>
double MedianAfterFirst(const std::vector<Use>& use, Part part) {
  std::vector<double> values;
  for (std::size_t i = use.size() > 1 ? 1 : 0; i < use.size(); ++i)
    values.push_back(static_cast<double>(part(use[i])));
  return Median(std::move(values));
}

// For steps that are not marked: the figures of the step trace.
std::vector<StepUse> UseFromTotals(const std::vector<Step>& steps) {
  std::vector<StepUse> use;
  use.reserve(steps.size());
  for (const Step& step : steps) {
    use.push_back({.number = step.number,
                   .period = step.total(),
                   .data_wait = step.gap,
                   .communication = std::min(step.communication, step.total() - step.gap)});
  }
  return use;
}

// A device's communication counts only while nothing is computed. A table of the source knows its
// steps better than the marks of the host's thread. Where nothing marks steps, its figures of the
// whole profile are those of one.
void AddDeviceUse(DeviceUseTable uses, RankUse& out) {
  if (uses.listed && uses.steps.empty() && !out.has_data()) uses.steps.push_back(uses.all);
  if (!uses.of_device || uses.steps.empty()) return;
  out.computing = MedianAfterFirst(uses.steps, [](const DeviceUse& one) { return one.computing; });
  const double alone =
      MedianAfterFirst(uses.steps, [](const DeviceUse& one) { return one.communication_alone; });
  if (uses.listed) {
    out.steps = uses.steps.size();
    out.step = MedianAfterFirst(uses.steps, [](const DeviceUse& one) { return one.total; });
    out.preparing =
        MedianAfterFirst(uses.steps, [](const DeviceUse& one) { return one.preparing; });
    out.communication = std::min(alone, out.step);
  } else if (uses.all.communication > 0) {
    out.communication = std::min(alone, out.step);
  }
}

// The operators' own links are the same again, without the devices at their ends.
std::vector<LinkUse> LinksOf(const Profile& profile) {
  if (!profile.links.empty()) return SumLinks(profile.links);
  std::vector<LinkUse> all;
  for (const CommunicationUse& use : profile.communication)
    all.insert(all.end(), use.links.begin(), use.links.end());
  return SumLinks(all);
}

std::string Sentence(std::string text) {
  text[0] = text[0] == 'r' ? 'R' : 'T';  // Of NameOf.
  return text;
}

std::vector<RankUse> WithData(const std::vector<RankUse>& all) {
  std::vector<RankUse> ranks;
  std::copy_if(all.begin(), all.end(), std::back_inserter(ranks),
               [](const RankUse& one) { return one.has_data(); });
  return ranks;
}

// What the devices of the stage compute, beside those of the others; empty if it is unknown.
std::string ComputingOfStage(const std::vector<RankUse>& ranks, std::int64_t stage) {
  std::vector<double> its;
  std::vector<double> others;
  for (const RankUse& one : ranks) (one.stage == stage ? its : others).push_back(one.computing);
  const double own = Median(std::move(its));
  if (own <= 0) return "";
  return fmt::format("; its devices compute for {:.2f} ms, those of the others for {:.2f} ms",
                     own / 1e6, Median(std::move(others)) / 1e6);
}

std::optional<Finding> FindSlowStage(const std::vector<RankUse>& ranks) {
  std::map<std::int64_t, std::pair<double, double>> stages;  // Sum of own times, and ranks.
  double step = 0;
  for (const RankUse& one : ranks) {
    if (!one.stage) return std::nullopt;
    stages[*one.stage].first += one.own();
    stages[*one.stage].second += 1;
    step = std::max(step, one.step);
  }
  if (stages.size() < 2 || step <= 0) return std::nullopt;
  const auto mean = [](const auto& stage) { return stage.second.first / stage.second.second; };
  const auto slowest =
      std::max_element(stages.begin(), stages.end(),
                       [&](const auto& a, const auto& b) { return mean(a) < mean(b); });
  double others = 0;
  for (const auto& stage : stages) {
    if (stage.first != slowest->first) others += mean(stage);
  }
  others /= static_cast<double>(stages.size() - 1);
  const double excess = mean(*slowest) - others;
  if (mean(*slowest) <= kSlower * others) return std::nullopt;
  return Finding{.rule = "slow-stage",
                 .subject = fmt::format("stage {}", slowest->first),
                 .what = fmt::format("Stage {} of the pipeline has more to do than the others.",
                                     slowest->first),
                 .evidence = fmt::format(
                     "its own part of a step takes {:.2f} ms, that of the others "
                     "{:.2f} ms{}",
                     mean(*slowest) / 1e6, others / 1e6, ComputingOfStage(ranks, slowest->first)),
                 .change = "move layers from this stage to the others",
                 .share = std::min(excess / step, 1.0)};
}

std::optional<Finding> FindSlowLink(const std::vector<RankUse>& ranks) {
  std::map<std::string, std::pair<double, double>> kinds;  // Sum of bandwidths, and links.
  const auto for_each = [&](auto use) {
    for (const RankUse& rank : ranks) {
      for (const LinkUse& link : rank.links) {
        if (IsJudged(link)) use(rank, link);
      }
    }
  };
  for_each([&](const RankUse& /*rank*/, const LinkUse& link) {
    kinds[link.transport].first += link.bytes_per_second();
    kinds[link.transport].second += 1;
  });
  const RankUse* of = nullptr;
  const LinkUse* worst = nullptr;
  double least = kLess;
  double typical = 0;
  for_each([&](const RankUse& rank, const LinkUse& link) {
    const auto& [sum, count] = kinds[link.transport];
    const double ratio = sum > 0 ? link.bytes_per_second() * count / sum : 1;
    if (ratio >= least) return;
    least = ratio;
    of = &rank;
    worst = &link;
    typical = sum / count;
  });
  if (worst == nullptr) return std::nullopt;
  return Finding{
      .rule = "slow-link",
      .subject = fmt::format("{}, link {}", NameOf(*of), worst->link),
      .what = fmt::format("The link {} of {} is slow.", worst->link, NameOf(*of)),
      .evidence = fmt::format("it carries {:.2f} GB/s by {}, the mean is {:.2f} GB/s",
                              worst->bytes_per_second() / 1e9, worst->transport, typical / 1e9),
      .change = "look at the cable and the port; small messages use a link badly: merge them"};
}

std::optional<Finding> FindSlowDevice(const std::vector<RankUse>& ranks) {
  std::map<std::int64_t, std::pair<double, double>> stages;  // Sum of FLOPs a second, and ranks.
  for (const RankUse& one : ranks) {
    if (one.flops <= 0) continue;
    stages[one.stage.value_or(0)].first += one.flops;
    stages[one.stage.value_or(0)].second += 1;
  }
  const RankUse* worst = nullptr;
  double least = kLess;
  for (const RankUse& one : ranks) {
    if (one.flops <= 0) continue;
    const auto& [sum, count] = stages[one.stage.value_or(0)];
    const double ratio = one.flops * count / sum;
    if (ratio >= least) continue;
    least = ratio;
    worst = &one;
  }
  if (worst == nullptr) return std::nullopt;
  return Finding{.rule = "slow-device",
                 .subject = NameOf(*worst),
                 .what = fmt::format("The device of {} is slow.", NameOf(*worst)),
                 .evidence = fmt::format("it does {:.0f} % of the FLOPs per second that are the "
                                         "mean of its stage",
                                         least * 100),
                 .change = "look at its clock and temperature, and at its part of the data"};
}

std::optional<Finding> FindMuchCommunication(const std::vector<RankUse>& ranks) {
  const auto most =
      std::max_element(ranks.begin(), ranks.end(), [](const RankUse& a, const RankUse& b) {
        return a.communication_share() < b.communication_share();
      });
  if (most == ranks.end() || most->communication_share() <= kMuchCommunication) return std::nullopt;
  return Finding{
      .rule = "communication",
      .subject = NameOf(*most),
      .what = Sentence(NameOf(*most) + " spends much of its steps in communication."),
      .evidence = fmt::format("{:.2f} ms of a step's {:.2f} ms ({:.0f} %, more than {:.0f} %)",
                              most->communication / 1e6, most->step / 1e6,
                              most->communication_share() * 100, kMuchCommunication * 100),
      .change =
          "waiting for a slow rank or stage looks the same, so check that first; otherwise fewer "
          "and larger messages, or communication during the backward pass"};
}

}  // namespace

std::vector<LinkUse> SumLinks(const std::vector<LinkUse>& links) {
  std::map<std::pair<std::string, std::string>, LinkUse> sums;
  for (const LinkUse& one : links) {
    LinkUse& sum = sums[{one.link, one.transport}];
    sum.link = one.link;
    sum.transport = one.transport;
    sum.bytes += one.bytes;
    sum.time = AddTimes(sum.time, one.time);
  }
  std::vector<LinkUse> out;
  out.reserve(sums.size());
  for (auto& [key, sum] : sums) out.push_back(std::move(sum));
  return out;
}

bool IsJudged(const LinkUse& link) {
  const auto sides = SidesOfLink(link.link);
  const bool is_within = sides && sides->first == sides->second;
  return !link.link.empty() && !is_within && link.time > 0 && link.bytes >= kLeastOfLink;
}

RankUse MeasureRank(const Profile& profile) {
  const StepTable steps = AnalyzeSteps(profile);
  return MeasureRank(profile, steps, MeasureDeviceUse(profile, steps));
}

RankUse MeasureRank(const Profile& profile, const StepTable& steps, const DeviceUseTable& uses) {
  std::vector<StepUse> use = MeasureStepUse(profile.model, steps);
  if (use.empty()) use = UseFromTotals(steps.steps);
  RankUse out;
  out.rank = profile.rank ? profile.rank : RankInPath(profile.path);
  out.is_named_rank = !profile.rank && out.rank;
  out.path = profile.path;
  out.steps = use.size();
  out.step = MedianAfterFirst(use, [](const StepUse& one) { return one.period; });
  out.knows_data_wait = !use.empty();
  out.data_wait = MedianAfterFirst(use, [](const StepUse& one) { return one.data_wait; });
  out.communication = MedianAfterFirst(use, [](const StepUse& one) { return one.communication; });
  AddDeviceUse(uses, out);
  out.stage = profile.stage;
  for (const auto& [key, text] : profile.model.attributes) {
    if (key == "FLOPS") out.flops = ParseNumber<double>(text).value_or(0);
  }
  out.links = LinksOf(profile);
  return out;
}

std::string NameOf(const RankUse& rank) {
  return rank.rank ? fmt::format("rank {}", *rank.rank) : "the profile " + rank.path;
}

void ForgetSharedNames(const std::vector<RankUse*>& ranks) {
  std::map<std::int64_t, int> named;
  for (const RankUse* one : ranks)
    if (one->is_named_rank) ++named[*one->rank];
  for (RankUse* one : ranks)
    if (one->is_named_rank && named[*one->rank] > 1) one->rank.reset();
}

bool ComesBefore(const RankUse& a, const RankUse& b) {
  if (a.rank && b.rank) return *a.rank < *b.rank;
  return a.rank || b.rank ? a.rank.has_value() : NaturallyLess(a.path, b.path);
}

void SortRanks(std::vector<RankUse>& ranks) {
  std::vector<RankUse*> all;
  all.reserve(ranks.size());
  for (RankUse& one : ranks) all.push_back(&one);
  ForgetSharedNames(all);
  std::stable_sort(ranks.begin(), ranks.end(), ComesBefore);
}

std::optional<Finding> FindStraggler(const std::vector<RankUse>& all) {
  const std::vector<RankUse> ranks = WithData(all);
  if (ranks.size() < 2) return std::nullopt;
  const auto own = [](const RankUse& one) { return one.own() + one.preparing; };
  const auto slowest =
      std::max_element(ranks.begin(), ranks.end(),
                       [&](const RankUse& a, const RankUse& b) { return own(a) < own(b); });
  std::vector<double> others;
  std::vector<double> waits;
  for (const RankUse& one : ranks) {
    if (&one == &*slowest) continue;
    others.push_back(own(one));
    waits.push_back(one.communication);
  }
  const double typical = Median(std::move(others));
  const double waiting = Median(std::move(waits));
  if (own(*slowest) <= kSlower * typical || slowest->step <= 0) return std::nullopt;
  const bool communicate = waiting > 0 || slowest->communication > 0;
  if (communicate && waiting <= slowest->communication) return std::nullopt;
  const auto ms = [](double nanoseconds) { return nanoseconds / 1e6; };
  std::string evidence =
      fmt::format("its own part of a step takes {:.2f} ms, that of the others {:.2f} ms",
                  ms(own(*slowest)), ms(typical));
  if (communicate) {
    evidence += fmt::format("; they communicate for {:.2f} ms of a step, it for {:.2f} ms",
                            ms(waiting), ms(slowest->communication));
  }
  const bool data = slowest->data_wait > (own(*slowest) - typical) / 2;
  return Finding{
      .rule = "straggler",
      .subject = NameOf(*slowest),
      .what = Sentence(NameOf(*slowest) + " keeps the others waiting."),
      .evidence = std::move(evidence),
      .change = data ? "it waits for its data: look at its disk, its shard and its loader first"
                     : "look at its machine (other programs, temperature, memory) and whether it "
                       "has more work than the others; `sightline profile compare` of its "
                       "profile and another rank's names the operators",
      .share = (own(*slowest) - typical) / slowest->step};
}

std::vector<Finding> CompareRanks(const std::vector<RankUse>& all) {
  const std::vector<RankUse> ranks = WithData(all);
  std::vector<Finding> findings;
  const auto add = [&](std::optional<Finding> finding) {
    if (finding) findings.push_back(*std::move(finding));
  };
  std::map<std::int64_t, std::vector<RankUse>> stages;
  for (const RankUse& one : ranks) stages[one.stage.value_or(0)].push_back(one);
  for (const auto& [stage, its_ranks] : stages) add(FindStraggler(its_ranks));
  add(FindSlowStage(ranks));
  add(FindSlowLink(ranks));
  add(FindSlowDevice(ranks));
  add(FindMuchCommunication(ranks));
  return findings;
}

}  // namespace sightline::profiler
