#include "sightline/watch/rules/rank_rule.h"

#include <fmt/format.h>

#include <cmath>

#include "sightline/runs/ranks/rank_comparison.h"
#include "sightline/runs/ranks/rank_stages.h"
#include "sightline/runs/ranks/rank_steps.h"

namespace sightline::watch {
namespace {

constexpr std::int64_t kPauses = 10;  // Of the time that a comparison takes.

class RankInRun final : public RuleInRun {
 public:
  explicit RankInRun(std::string tag) : tag_(std::move(tag)) {}

  std::vector<Cause> Holding(const Look& look) override {
    changed_ = changed_ || look.changed;
    const std::int64_t begin = look.clock.MonotonicNanos();
    if (!changed_ || begin < next_) return causes_;
    changed_ = false;
    causes_ = Compare(look.run);
    const std::int64_t end = look.clock.MonotonicNanos();
    next_ = end + kPauses * (end - begin);
    return causes_;
  }

 private:
  std::vector<Cause> Compare(const Run& run) const {
    const auto ranks = RanksOf(run, tag_);
    if (ranks.empty()) return {};
    const auto found = CompareRanks(ByStage(run, ranks), RankStepsOf(ranks));
    std::vector<Cause> causes;
    for (const LeavingRank& one : found.leaving)
      if (!one.until) causes.push_back(About(one.rank, one.since, Distance(one)));
    for (const NonFiniteRank& one : found.nonfinite) {
      if (one.until) continue;
      causes.push_back(About(one.rank, one.since, "is not finite while the others are"));
      causes.back().id += " nonfinite";
    }
    return causes;
  }

  Cause About(std::int32_t rank, std::int64_t since, std::string_view what) const {
    return {.id = fmt::format("rank {}", rank),
            .text = fmt::format("{} of rank {} {}, since step {}", tag_, rank, what, since),
            .tag = tag_,
            .ranks = {rank},
            .step = since};
  }

  static std::string Distance(const LeavingRank& one) {
    const std::string_view side = one.above ? "above" : "below";
    if (!one.excess) return fmt::format("is {} the median of the ranks", side);
    return fmt::format("is {:.3g} % {} the median of the ranks", 100 * std::abs(*one.excess), side);
  }

  std::string tag_;
  bool changed_ = false;
  std::int64_t next_ = 0;  // When the ranks may be compared again.
  std::vector<Cause> causes_;
};

}  // namespace

std::unique_ptr<RuleInRun> RankRule::InRun() const { return std::make_unique<RankInRun>(tag_); }

}  // namespace sightline::watch
