#include "sightline/runs/compare/run_comparison.h"

#include <re2/re2.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

#include "sightline/base/text/natural_order.h"
#include "sightline/runs/compare/run_noise.h"

namespace sightline {
namespace {

// "lmloss" of "lm loss", "LM-Loss" and "lm_loss".
std::string PlainName(std::string_view tag) {
  std::string plain;
  for (const char c : tag) {
    if (c == ' ' || c == '-' || c == '_' || c == '.') continue;
    plain += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return plain;
}

// Megatron's lm loss is the loss of MindFormers and of Hugging Face.
std::string LossName(std::string_view tag) {
  std::string plain = PlainName(tag);
  return plain == "lmloss" ? "loss" : plain;
}

using Tags = std::vector<const ComparandTag*>;
using Opened = std::vector<std::shared_ptr<const Series>>;

// Takes out of `a` and `b` those whose names are the same, and joins them.
template <typename NameOf>
void JoinBy(const NameOf& name_of, Tags& a, Tags& b,
            std::vector<std::pair<const ComparandTag*, const ComparandTag*>>& joined) {
  std::map<std::string, const ComparandTag*> by_name;
  for (const ComparandTag* tag : b) by_name.emplace(name_of(tag->tag), tag);
  Tags left_in_a;
  for (const ComparandTag* tag : a) {
    const auto found = by_name.find(name_of(tag->tag));
    if (found == by_name.end()) {
      left_in_a.push_back(tag);
      continue;
    }
    joined.emplace_back(tag, found->second);
    std::erase(b, found->second);
    by_name.erase(found);
  }
  a = std::move(left_in_a);
}

Tags Chosen(const Comparand& side, const TagFilter& filter, std::set<std::string>& left_out) {
  Tags tags;
  for (const ComparandTag& tag : side.tags) {
    if (IsCompared(tag.tag, filter)) {
      tags.push_back(&tag);
    } else if (!filter) {
      left_out.insert(tag.tag);
    }
  }
  return tags;
}

const Series* RankIn(const ComparandTag& tag, std::int32_t rank) {
  const auto found = std::lower_bound(
      tag.ranks.begin(), tag.ranks.end(), rank,
      [](const Series* series, std::int32_t wanted) { return series->key().rank < wanted; });
  return found == tag.ranks.end() || (*found)->key().rank != rank ? nullptr : *found;
}

// The one rank of `single`, and the one of `other` that is compared with it.
const Series* PartnerOf(const ComparandTag& single, const ComparandTag& other) {
  const Series* same = RankIn(other, single.ranks.front()->key().rank);
  return same == nullptr ? other.ranks.front() : same;
}

// The newest values at a step that both have.
StepPair PairAtStep(const Series& a, const Series& b, std::int64_t step) {
  const auto value_in = [step](const Series& series) {
    std::size_t at = series.LowerBound(step);
    while (at + 1 < series.size() && series.steps()[at + 1] == step) ++at;
    return series.values()[at];
  };
  return {step, value_in(a), value_in(b)};
}

// The series of the same tag and rank in the runs like the reference.
Opened OfLike(const SeriesKey& key, std::span<const Comparand> like) {
  Opened found;
  for (const Comparand& side : like) {
    const auto tag = std::find_if(side.tags.begin(), side.tags.end(),
                                  [&](const auto& one) { return one.tag == key.tag; });
    const Series* series = tag == side.tags.end() ? nullptr : RankIn(*tag, key.rank);
    if (series != nullptr) found.push_back(side.Open(*series));
  }
  return found;
}

SeriesComparison CompareWithNoise(const Series& of_a, const Series& of_b,
                                  const RunComparisonOptions& options, double chance) {
  SeriesComparison found = CompareSeries(of_a, of_b, options.tolerance);
  if (options.like.empty() || found.verdict != SeriesVerdict::kLeaves) return found;
  const Opened like = OfLike(of_a.key(), options.like);
  std::vector<const Series*> kind = {&of_a};
  for (const auto& one : like) kind.push_back(one.get());
  const NoiseFinding noise = LeavesNoise(of_b, kind, chance);
  if (!noise.known) return found;
  found.verdict = noise.leaves ? SeriesVerdict::kLeaves : SeriesVerdict::kWithinNoise;
  found.alike_if_shifted.reset();
  if (noise.leaves) found.leaves = PairAtStep(of_a, of_b, *noise.leaves);
  return found;
}

// The series that are compared with each other, by rank of the reference.
std::vector<std::pair<const Series*, const Series*>> Pairs(const ComparandTag& a,
                                                           const ComparandTag& b) {
  if (a.ranks.size() == 1) return {{a.ranks.front(), PartnerOf(a, b)}};
  if (b.ranks.size() == 1) return {{PartnerOf(b, a), b.ranks.front()}};
  std::vector<std::pair<const Series*, const Series*>> pairs;
  for (const Series* series : a.ranks) {
    const Series* other = RankIn(b, series->key().rank);
    if (other != nullptr) pairs.emplace_back(series, other);
  }
  return pairs;
}

std::vector<std::int32_t> RanksBeside(const ComparandTag& tag,
                                      const std::set<std::int32_t>& compared) {
  std::vector<std::int32_t> ranks;
  for (const Series* series : tag.ranks)
    if (!compared.contains(series->key().rank)) ranks.push_back(series->key().rank);
  return ranks;
}

using Sides = std::pair<const Comparand&, const Comparand&>;

ComparedTag CompareTag(const Sides& sides, const ComparandTag& a, const ComparandTag& b,
                       const RunComparisonOptions& options, double chance) {
  ComparedTag tag{a.tag, b.tag, {}, {}, {}};
  std::set<std::int32_t> in_a;
  std::set<std::int32_t> in_b;
  for (const auto& [of_a, of_b] : Pairs(a, b)) {
    const auto series_a = sides.first.Open(*of_a);
    const auto series_b = sides.second.Open(*of_b);
    tag.ranks.push_back({of_a->key().rank, of_b->key().rank,
                         CompareWithNoise(*series_a, *series_b, options, chance)});
    in_a.insert(of_a->key().rank);
    in_b.insert(of_b->key().rank);
  }
  tag.only_in_a = RanksBeside(a, in_a);
  tag.only_in_b = RanksBeside(b, in_b);
  return tag;
}

// The step at which a tag leaves; the greatest number if it does not.
std::int64_t LeavingStep(const ComparedRank& rank) {
  const auto& leaves = rank.found.leaves;
  return rank.found.verdict == SeriesVerdict::kLeaves && leaves
             ? leaves->step
             : std::numeric_limits<std::int64_t>::max();
}

bool IsShownBefore(const ComparedTag& a, const ComparedTag& b) {
  if (a.verdict() != b.verdict()) return a.verdict() > b.verdict();
  if (a.alike() != b.alike()) return b.alike();
  if (a.verdict() == SeriesVerdict::kLeaves) {
    const auto step_a = LeavingStep(a.first());
    const auto step_b = LeavingStep(b.first());
    if (step_a != step_b) return step_a < step_b;
  }
  return NaturallyLess(a.tag, b.tag);
}

RunVerdict VerdictOf(const RunComparison& found) {
  const auto is_joined = [](const ComparedTag& tag) {
    return std::any_of(tag.ranks.begin(), tag.ranks.end(), [](const ComparedRank& rank) {
      return rank.found.verdict != SeriesVerdict::kTooFewSteps;
    });
  };
  if (std::none_of(found.tags.begin(), found.tags.end(), is_joined))
    return RunVerdict::kNothingToCompare;
  const bool alike = std::all_of(found.tags.begin(), found.tags.end(),
                                 [](const ComparedTag& tag) { return tag.alike(); });
  return alike && found.only_in_a.empty() ? RunVerdict::kAlike : RunVerdict::kDiffers;
}

}  // namespace

bool IsCompared(std::string_view tag, const TagFilter& filter) {
  return filter ? filter(tag) : !MeasuresSpeed(tag);
}

bool MeasuresSpeed(std::string_view tag) {
  static const RE2 names(
      "(?i)^(system|phase|command|machine)/|(step|iteration)[ _-]?time|elapsed "
      "time|throughput|per[ "
      "_-](second|day)|"
      "_runtime$");
  return RE2::PartialMatch(re2::StringPiece(tag.data(), tag.size()), names);
}

SeriesVerdict ComparedTag::verdict() const {
  auto worst = SeriesVerdict::kAlike;
  for (const ComparedRank& rank : ranks) worst = std::max(worst, rank.found.verdict);
  return ranks.empty() ? SeriesVerdict::kTooFewSteps : worst;
}

const ComparedRank& ComparedTag::first() const {
  return *std::min_element(ranks.begin(), ranks.end(),
                           [](const ComparedRank& a, const ComparedRank& b) {
                             if (a.found.verdict != b.found.verdict)
                               return a.found.verdict > b.found.verdict;
                             return LeavingStep(a) < LeavingStep(b);
                           });
}

RunComparison CompareRuns(const Comparand& a, const Comparand& b,
                          const RunComparisonOptions& options) {
  RunComparison found;
  std::set<std::string> left_out;
  Tags in_a = Chosen(a, options.tags, left_out);
  Tags in_b = Chosen(b, options.tags, left_out);
  found.left_out.assign(left_out.begin(), left_out.end());
  std::vector<std::pair<const ComparandTag*, const ComparandTag*>> joined;
  JoinBy([](const std::string& tag) { return tag; }, in_a, in_b, joined);
  JoinBy(PlainName, in_a, in_b, joined);
  JoinBy(LossName, in_a, in_b, joined);
  if (joined.empty() && in_a.size() == 1 && in_b.size() == 1) {
    joined.emplace_back(in_a.front(), in_b.front());
    in_a.clear();
    in_b.clear();
  }
  found.tags.reserve(joined.size());
  std::size_t pairs = 0;
  for (const auto& [tag, tag_b] : joined) pairs += std::min(tag->ranks.size(), tag_b->ranks.size());
  const double chance = kNoiseChance / static_cast<double>(pairs);
  for (const auto& [tag, tag_b] : joined)
    found.tags.push_back(CompareTag({a, b}, *tag, *tag_b, options, chance));
  std::stable_sort(found.tags.begin(), found.tags.end(), IsShownBefore);
  for (const ComparandTag* tag : in_a) found.only_in_a.push_back(tag->tag);
  for (const ComparandTag* tag : in_b) found.only_in_b.push_back(tag->tag);
  found.differences = DifferencesOf(a.lineage, b.lineage);
  found.verdict = VerdictOf(found);
  return found;
}

}  // namespace sightline
