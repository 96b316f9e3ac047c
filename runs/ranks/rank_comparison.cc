#include "sightline/runs/ranks/rank_comparison.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "sightline/runs/model/step_cursor.h"

namespace sightline {
namespace {

constexpr std::size_t kLeastRanks = 4;
constexpr std::size_t kLeastWindow = 20;
constexpr std::size_t kWindowsOfRun = 50;  // A window is 2 % of the run.
constexpr double kShare = 0.05;            // Of the median.
constexpr double kDeviations = 6;

// Positions of steps, both included.
struct Span {
  std::size_t begin = 0;
  std::optional<std::size_t> end;
};

// Finds the spans in which a rank is out, from its steps in their order.
class OutSpans {
 public:
  explicit OutSpans(std::size_t window) : window_(window), ring_(window) {}

  void See(std::size_t position, bool out) {
    Seen& oldest = ring_[seen_ % window_];
    if (seen_ >= window_ && oldest.out) --out_;
    oldest = {position, out};
    out_ += out ? 1U : 0U;
    ++seen_;
    if (seen_ < window_) return;
    const bool open = !spans_.empty() && !spans_.back().end;
    if (!open && out_ * 5 >= window_ * 4) spans_.push_back({Edge(true), std::nullopt});
    if (open && out_ * 5 <= window_) spans_.back().end = std::max(spans_.back().begin, Edge(false));
  }

  const std::vector<Span>& spans() const { return spans_; }

 private:
  struct Seen {
    std::size_t position = 0;
    bool out = false;
  };

  // Where in the window the rank left (from the newest step back) or came back (from the oldest
  // on): the end of the longest part in which it is out mostly. A single step that is out does not
  // count if there are more steps beside it that are not.
  std::size_t Edge(bool leaving) const {
    std::ptrdiff_t sum = 0;
    std::ptrdiff_t most = 0;
    std::size_t edge = ring_[(leaving ? seen_ - 1 : seen_) % window_].position;
    for (std::size_t i = 0; i < window_; ++i) {
      const Seen& seen = ring_[(leaving ? seen_ - 1 - i : seen_ + i) % window_];
      sum += seen.out ? 1 : -2;
      if (!seen.out || sum < most) continue;
      most = sum;
      edge = seen.position;
    }
    return edge;
  }

  std::size_t window_;
  std::vector<Seen> ring_;
  std::size_t seen_ = 0;
  std::size_t out_ = 0;  // Of the ring.
  std::vector<Span> spans_;
};

// Compares ranks that do the same work.
class StageComparison {
 public:
  StageComparison(std::span<const Series* const> ranks, const RankSteps& steps)
      : ranks_(ranks),
        steps_(steps),
        window_(std::max(kLeastWindow, steps.size() / kWindowsOfRun)) {}

  void Find(RankComparison& found) const {
    const auto [begin, end] = UsualEnds();
    for (const Series* rank : ranks_) {
      FindLeaving(*rank, found.leaving);
      FindNonFinite(*rank, found.nonfinite);
      FindMissing(*rank, begin, end, found.missing);
    }
  }

 private:
  // Calls see(position of the step, value) for the steps of a rank.
  template <typename See>
  void ForEach(const Series& rank, See see) const {
    std::size_t position = 0;
    for (StepCursor cursor(rank); !cursor.done(); cursor.Next(), ++position) {
      while (steps_.steps[position] != cursor.step()) ++position;
      see(position, cursor.value());
    }
  }

  bool Comparable(std::size_t position, double value) const {
    return std::isfinite(value) && FiniteAt(position) >= kLeastRanks;
  }

  bool IsOut(std::size_t position, double value) const {
    const double median = steps_.median[position];
    const double limit =
        std::max(kShare * std::abs(median), kDeviations * steps_.deviation[position]);
    return std::abs(value - median) > limit;
  }

  void FindLeaving(const Series& rank, std::vector<LeavingRank>& leaving) const {
    OutSpans out(window_);
    ForEach(rank, [&](std::size_t position, double value) {
      if (Comparable(position, value)) out.See(position, IsOut(position, value));
    });
    for (const Span& span : out.spans()) leaving.push_back(Describe(rank, span));
  }

  LeavingRank Describe(const Series& rank, const Span& span) const {
    std::vector<double> excesses;
    std::ptrdiff_t above = 0;
    ForEach(rank, [&](std::size_t position, double value) {
      if (position < span.begin || position > span.end.value_or(steps_.size())) return;
      if (!Comparable(position, value) || !IsOut(position, value)) return;
      const double median = steps_.median[position];
      above += value > median ? 1 : -1;
      if (median != 0) excesses.push_back((value - median) / std::abs(median));
    });
    LeavingRank leaving;
    leaving.rank = rank.key().rank;
    leaving.above = above > 0;
    leaving.since = steps_.steps[span.begin];
    if (span.end) leaving.until = steps_.steps[*span.end];
    if (excesses.empty()) return leaving;
    const auto middle = excesses.begin() + static_cast<std::ptrdiff_t>(excesses.size() / 2);
    std::nth_element(excesses.begin(), middle, excesses.end());
    leaving.excess = *middle;
    return leaving;
  }

  void FindNonFinite(const Series& rank, std::vector<NonFiniteRank>& nonfinite) const {
    std::optional<NonFiniteRank> last;
    std::int64_t bad = 0;    // The newest step without a finite value.
    bool inside = false;     // Whether the step before is not finite, either.
    bool last_open = false;  // Whether `last` goes on.
    ForEach(rank, [&](std::size_t position, double value) {
      const std::int64_t step = steps_.steps[position];
      if (std::isfinite(value)) {
        if (last_open) last->until = bad;
        inside = last_open = false;
        return;
      }
      if (!inside && FiniteAt(position) * 2 > RanksAt(position)) {
        last = NonFiniteRank{rank.key().rank, step, std::nullopt};
        last_open = true;
      }
      inside = true;
      bad = step;
    });
    if (last) nonfinite.push_back(*last);
  }

  std::size_t FiniteAt(std::size_t position) const { return steps_.finite[position]; }
  std::size_t RanksAt(std::size_t position) const {
    return FiniteAt(position) + steps_.nan[position] + steps_.pos_inf[position] +
           steps_.neg_inf[position];
  }

  // The positions at which half of the ranks have begun, and at which half have ended.
  std::pair<std::size_t, std::size_t> UsualEnds() const {
    std::vector<std::int64_t> first;
    std::vector<std::int64_t> last;
    for (const Series* rank : ranks_) {
      first.push_back(rank->first_step());
      last.push_back(rank->last_step());
    }
    std::sort(first.begin(), first.end());
    std::sort(last.begin(), last.end());
    return {PositionOf(first[first.size() / 2]), PositionOf(last[(last.size() - 1) / 2])};
  }

  std::size_t PositionOf(std::int64_t step) const {
    const auto at = std::lower_bound(steps_.steps.begin(), steps_.steps.end(), step);
    return static_cast<std::size_t>(at - steps_.steps.begin());
  }

  void FindMissing(const Series& rank, std::size_t begin, std::size_t end,
                   std::vector<MissingSteps>& missing) const {
    MissingSteps one{rank.key().rank, rank.first_step(), rank.last_step()};
    one.late = PositionOf(one.first) > begin + window_;
    one.early = PositionOf(one.last) + window_ < end;
    if (one.late || one.early) missing.push_back(one);
  }

  std::span<const Series* const> ranks_;
  const RankSteps& steps_;
  std::size_t window_;
};

void Sort(RankComparison& found) {
  const auto leaving = [](const LeavingRank& one) {
    const double size = std::abs(one.excess.value_or(std::numeric_limits<double>::infinity()));
    return std::tuple(one.until.has_value(), -size, one.rank, one.since);
  };
  std::sort(found.leaving.begin(), found.leaving.end(),
            [&](const auto& a, const auto& b) { return leaving(a) < leaving(b); });
  std::sort(found.nonfinite.begin(), found.nonfinite.end(), [](const auto& a, const auto& b) {
    return std::tuple(a.since, a.rank) < std::tuple(b.since, b.rank);
  });
  std::sort(found.missing.begin(), found.missing.end(),
            [](const auto& a, const auto& b) { return a.rank < b.rank; });
}

void FindIn(std::span<const Series* const> ranks, const RankSteps& steps, RankComparison& found) {
  if (ranks.size() < kLeastRanks) return;
  ++found.stages;
  StageComparison(ranks, steps).Find(found);
}

}  // namespace

RankComparison CompareRanks(std::span<const std::vector<const Series*>> stages,
                            const RankSteps& steps) {
  RankComparison found;
  for (const auto& stage : stages) {
    if (stages.size() == 1) {
      FindIn(stage, steps, found);
    } else {
      FindIn(stage, RankStepsOf(stage), found);
    }
  }
  Sort(found);
  return found;
}

}  // namespace sightline
