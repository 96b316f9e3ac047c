#include "sightline/tools/cli/profile/cluster_change_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "sightline/tools/cli/profile/cluster_text.h"
#include "sightline/tools/cli/profile/cmd_profile.h"

namespace sightline {
namespace {

using profiler::ClusterChange;
using profiler::RankChange;
using profiler::StepMeans;
using enum Table::Align;

constexpr std::size_t kFewRanks = 32;  // All are listed.
constexpr std::size_t kMost = 8;       // Of more.

constexpr std::array<std::pair<const char*, double StepMeans::*>, 6> kParts = {
    {{"step", &StepMeans::step},
     {"computing", &StepMeans::computing},
     {"communication", &StepMeans::communication},
     {"idle", &StepMeans::idle},
     {"preparing", &StepMeans::preparing},
     {"bubble", &StepMeans::bubble}}};

std::string Signed(double nanoseconds) {
  return (nanoseconds > 0 ? "+" : "") + FormatDuration(nanoseconds);
}

std::string Percent(double before, double after) {
  return before == 0 ? "" : fmt::format("{:+.1f} %", (after / before - 1) * 100);
}

std::string PartsText(const ClusterChange& change, const Style& style) {
  Table table({{"median of the ranks", kLeft},
               {"before", kRight},
               {"after", kRight},
               {"difference", kRight},
               {"", kRight}},
              0);
  for (const auto& [name, part] : kParts) {
    const double before = change.before.*part;
    const double after = change.after.*part;
    if (before == 0 && after == 0) continue;
    table.AddRow({name, FormatDuration(before), FormatDuration(after), Signed(after - before),
                  Percent(before, after)});
  }
  return table.ToString(style);
}

// The ranks to list: all, or of many those whose own time changed most unlike the others'.
std::vector<RankChange> Listed(const ClusterChange& change) {
  std::vector<RankChange> ranks = change.ranks;
  if (ranks.size() <= kFewRanks) return ranks;
  std::stable_sort(ranks.begin(), ranks.end(), [&](const RankChange& a, const RankChange& b) {
    return change.DistanceOf(a) > change.DistanceOf(b);
  });
  ranks.resize(kMost);
  return ranks;
}

std::string RankTable(const ClusterChange& change, const Style& style) {
  Table table({{"rank", kRight},
               {"step before", kRight},
               {"after", kRight},
               {"computing", kRight},
               {"communication", kRight},
               {"idle", kRight},
               {"preparing", kRight},
               {"", kLeft}},
              0);
  const std::vector<RankChange> listed = Listed(change);
  for (const RankChange& one : listed) {
    const auto signed_part = [&](double StepMeans::*part) {
      return Signed(one.after.*part - one.before.*part);
    };
    table.AddRow({fmt::to_string(one.rank), FormatDuration(one.before.step),
                  FormatDuration(one.after.step), signed_part(&StepMeans::computing),
                  signed_part(&StepMeans::communication), signed_part(&StepMeans::idle),
                  signed_part(&StepMeans::preparing), one.stands_out ? "unlike the others" : ""});
  }
  std::string text = table.ToString(style);
  if (listed.size() < change.ranks.size()) {
    text += fmt::format("{} more ranks changed more like the others; --json lists all.\n",
                        change.ranks.size() - listed.size());
  }
  return text;
}

}  // namespace

std::string ClusterChangeText(const ClusterChange& change, const Style& style) {
  std::string text = fmt::format("{} in both\n\n", Count(change.ranks.size(), "rank"));
  text += PartsText(change, style) + "\n" + RankTable(change, style);
  if (!change.only_before.empty())
    text += fmt::format("Only before: {}.\n", RanksText(change.only_before));
  if (!change.only_after.empty())
    text += fmt::format("Only after: {}.\n", RanksText(change.only_after));
  if (change.unknown > 0)
    text += fmt::format("{} without a number: not compared.\n", Count(change.unknown, "rank"));
  return text;
}

}  // namespace sightline
