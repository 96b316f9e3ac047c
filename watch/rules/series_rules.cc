#include "sightline/watch/rules/series_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <vector>

#include "sightline/base/quantile.h"
#include "sightline/base/text/number_text.h"
#include "sightline/base/text/rank_text.h"
#include "sightline/watch/rules/series_episode.h"

namespace sightline::watch {
namespace {

constexpr std::size_t kQuiet = 20;  // So many values without it, and a spike or NaN is over.
constexpr std::size_t kWindow = 100;
constexpr std::size_t kLeastWindow = 20;
// Of a run that is new to the watch, so many values are searched for spikes.
constexpr std::size_t kMostHistory = 10'000;
constexpr double kLeastShare = 0.01;   // Of the median.
constexpr double kDeviation = 1.4826;  // Of a normal distribution, in median absolute deviations.

// " in ranks 3, 5"; nothing for a run of one rank.
std::string InRanks(const std::vector<std::int32_t>& ranks, std::size_t all) {
  return all > 1 ? " in " + RankText(ranks) : "";
}

class NanInRun final : public RuleInRun {
 public:
  explicit NanInRun(std::string tag) : tag_(std::move(tag)) {}

  std::vector<Cause> Holding(const Look& look) override {
    std::vector<const Series*> bad;
    for (const auto& series : Watched(look.run)) {
      if (!series->is_scalar()) continue;
      SeriesEpisode& episode = episodes_.try_emplace(series->key(), kQuiet).first->second;
      if (look.changed) {
        episode.ReadOn(
            *series, look.history, [] {},
            [&](std::size_t i) { return !std::isfinite(series->values()[i]); });
      }
      if (episode.holds()) bad.push_back(series.get());
    }
    if (bad.empty()) return {};
    return {Describe(look.run, bad)};
  }

 private:
  std::span<const std::shared_ptr<const Series>> Watched(const Run& run) const {
    return tag_.empty() ? run.series() : run.OfTag(ContentKind::kScalar, tag_);
  }

  // Names the tag that was the first, and its ranks.
  Cause Describe(const Run& run, const std::vector<const Series*>& bad) const {
    const auto since = [&](const Series* one) { return episodes_.at(one->key()).since(); };
    const Series* const first =
        *std::min_element(bad.begin(), bad.end(),
                          [&](const Series* a, const Series* b) { return since(a) < since(b); });
    const SeriesKey& key = first->key();
    Cause cause{.id = "", .text = "", .tag = key.tag, .step = since(first)};
    std::size_t others = 0;  // Tags, each in the order of its ranks.
    const std::string* last = &key.tag;
    for (const Series* one : bad) {
      if (one->key().tag == key.tag) {
        cause.ranks.push_back(one->key().rank);
      } else if (one->key().tag != *last) {
        ++others;
      }
      last = &one->key().tag;
    }
    const std::string more =
        others == 0 ? "" : fmt::format(", and {} more tag{}", others, others == 1 ? "" : "s");
    cause.text =
        fmt::format("{} is {} at step {}{}{}", key.tag, NumberText(episodes_.at(key).value()),
                    since(first), InRanks(cause.ranks, run.OfTag(key.kind, key.tag).size()), more);
    return cause;
  }

  std::string tag_;
  std::map<SeriesKey, SeriesEpisode> episodes_;
};

// What a rule about one tag knows of one rank: whether a point is a case of it, and what to say.
class Detector {
 public:
  virtual ~Detector() = default;
  virtual bool IsCase(const Series& series, std::size_t position) = 0;
  // Forgets what it was shown.
  virtual void Restart() {}
  virtual std::string Text(const Series& series, const SeriesEpisode& episode,
                           const std::string& where) const = 0;
};

// The finite values before a position, at most kWindow of the newest.
std::vector<double> ValuesBefore(const Series& series, std::size_t position) {
  std::vector<double> values;
  values.reserve(kWindow);
  const std::size_t first = position - std::min(position, 2 * kWindow);
  while (position > first && values.size() < kWindow) {
    if (const double value = series.values()[--position]; std::isfinite(value))
      values.push_back(value);
  }
  return values;
}

class SpikeDetector final : public Detector {
 public:
  explicit SpikeDetector(double times) : times_(times) {}

  bool IsCase(const Series& series, std::size_t position) override {
    const double value = series.values()[position];
    if (!std::isfinite(value)) return false;
    std::vector<double> before = ValuesBefore(series, position);
    if (before.size() < kLeastWindow) return false;
    const double median = QuantileOf(before, 0.5);
    if (value <= median) return false;
    for (double& one : before) one = std::abs(one - median);
    const double usual =
        std::max(kDeviation * QuantileOf(before, 0.5), kLeastShare * std::abs(median));
    return value > median + times_ * usual;
  }
  std::string Text(const Series& series, const SeriesEpisode& episode,
                   const std::string& where) const override {
    std::vector<double> before = ValuesBefore(series, series.LowerBound(episode.since()));
    return fmt::format("{} is {} at step {}{}; the median of the {} before is {:.6g}",
                       series.key().tag, NumberText(episode.value()), episode.since(), where,
                       before.size(), before.empty() ? 0 : QuantileOf(before, 0.5));
  }

 private:
  double times_;
};

class PlateauDetector final : public Detector {
 public:
  explicit PlateauDetector(std::uint64_t steps) : steps_(steps) {}

  bool IsCase(const Series& series, std::size_t position) override {
    const double value = series.values()[position];
    const bool extreme = std::isfinite(value) && !(value >= min_ && value <= max_);
    if (extreme) {
      min_ = std::min(min_, value);
      max_ = std::max(max_, value);
      without_ = 0;
    } else {
      ++without_;
    }
    return without_ >= steps_;
  }
  void Restart() override { *this = PlateauDetector(steps_); }
  std::string Text(const Series& series, const SeriesEpisode& episode,
                   const std::string& where) const override {
    return fmt::format("{} has no new minimum or maximum in {} recorded steps, up to step {}{}",
                       series.key().tag, steps_, episode.since(), where);
  }

 private:
  std::uint64_t steps_;
  std::uint64_t without_ = 0;
  double min_ = std::numeric_limits<double>::infinity();
  double max_ = -std::numeric_limits<double>::infinity();
};

// Asks a detector for each rank of a tag.
class TagInRun final : public RuleInRun {
 public:
  using Make = std::function<std::unique_ptr<Detector>()>;

  TagInRun(std::string tag, SeriesEpisode fresh, Make make)
      : tag_(std::move(tag)), fresh_(fresh), make_(std::move(make)) {}

  std::vector<Cause> Holding(const Look& look) override {
    Cause cause{.id = "", .text = "", .tag = tag_};
    const auto ranks = look.run.OfTag(ContentKind::kScalar, tag_);
    const Series* first = nullptr;
    for (const auto& series : ranks) {
      Rank& rank = RankOf(*series);
      if (look.changed) {
        rank.episode.ReadOn(
            *series, look.history, [&] { rank.detector->Restart(); },
            [&](std::size_t i) { return rank.detector->IsCase(*series, i); });
      }
      if (!rank.episode.holds()) continue;
      cause.ranks.push_back(series->key().rank);
      if (first == nullptr || rank.episode.since() < RankOf(*first).episode.since())
        first = series.get();
    }
    if (first == nullptr) return {};
    const Rank& rank = RankOf(*first);
    cause.step = rank.episode.since();
    cause.text = rank.detector->Text(*first, rank.episode, InRanks(cause.ranks, ranks.size()));
    return {std::move(cause)};
  }

 private:
  struct Rank {
    SeriesEpisode episode;
    std::unique_ptr<Detector> detector;
  };
  Rank& RankOf(const Series& series) {
    const auto known = ranks_.find(series.key().rank);
    if (known != ranks_.end()) return known->second;
    return ranks_.emplace(series.key().rank, Rank{fresh_, make_()}).first->second;
  }

  std::string tag_;
  SeriesEpisode fresh_;
  Make make_;
  std::map<std::int32_t, Rank> ranks_;
};

}  // namespace

std::unique_ptr<RuleInRun> NanRule::InRun() const { return std::make_unique<NanInRun>(tag_); }

std::unique_ptr<RuleInRun> SpikeRule::InRun() const {
  return std::make_unique<TagInRun>(tag_, SeriesEpisode(kQuiet, kMostHistory), [times = times_] {
    return std::make_unique<SpikeDetector>(times);
  });
}

std::unique_ptr<RuleInRun> PlateauRule::InRun() const {
  return std::make_unique<TagInRun>(tag_, SeriesEpisode(1), [steps = steps_] {
    return std::make_unique<PlateauDetector>(steps);
  });
}

}  // namespace sightline::watch
