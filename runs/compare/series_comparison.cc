#include "sightline/runs/compare/series_comparison.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "sightline/base/quantile.h"
#include "sightline/runs/model/step_cursor.h"

namespace sightline {
namespace {

// A tenth of the median of |a|: no value counts as smaller than this.
double LeastMagnitude(const Series& a) {
  std::vector<double> magnitudes;
  magnitudes.reserve(a.size());
  for (StepCursor at(a); !at.done(); at.Next()) {
    if (std::isfinite(at.value())) magnitudes.push_back(std::abs(at.value()));
  }
  return magnitudes.empty() ? 0 : QuantileOf(magnitudes, 0.5) / 10;
}

bool AreAlike(double a, double b, double allowed) {
  if (std::isfinite(a) && std::isfinite(b)) return std::abs(b - a) <= allowed;
  return (std::isnan(a) && std::isnan(b)) || a == b;
}

// Counts what is beyond the tolerance, row by row.
class Judge {
 public:
  Judge(const JoinedSteps& joined, double least, double tolerance)
      : joined_(joined), least_(least), tolerance_(tolerance) {
    found_.joined = joined.steps.size();
    found_.only_in_a = joined.only_in_a;
    found_.only_in_b = joined.only_in_b;
    needed_ = std::clamp<std::size_t>(joined.steps.size(), 1, kLeavingSteps);
  }

  SeriesComparison Found() {
    for (std::size_t i = 0; i < joined_.steps.size(); ++i) Add(i);
    EndRow(joined_.steps.size());
    if (measured_ != 0) found_.mean_difference = sum_ / static_cast<double>(measured_);
    if (!joined_.steps.empty()) found_.last = PairAt(joined_.steps.size() - 1);
    const auto fewer = found_.joined + std::min(found_.only_in_a, found_.only_in_b);
    if (found_.joined == 0 || found_.joined * 2 < fewer) {
      found_.verdict = SeriesVerdict::kTooFewSteps;
    } else if (found_.leaves) {
      found_.verdict = SeriesVerdict::kLeaves;
    }
    return found_;
  }

 private:
  StepPair PairAt(std::size_t i) const { return {joined_.steps[i], joined_.a[i], joined_.b[i]}; }

  void Add(std::size_t i) {
    const double a = joined_.a[i];
    const double b = joined_.b[i];
    const double magnitude = std::max(std::abs(a), least_);
    if (std::isfinite(a) && std::isfinite(b) && magnitude != 0) {
      sum_ += std::abs(b - a) / magnitude;
      ++measured_;
    }
    if (AreAlike(a, b, tolerance_ * magnitude)) {
      EndRow(i);
    } else {
      ++row_;
    }
  }

  // The steps in front of position `end` are a row.
  void EndRow(std::size_t end) {
    if (row_ == 0) return;
    found_.beyond += row_;
    const StepPair first = PairAt(end - row_);
    if (row_ < needed_) {
      found_.single += row_;
      if (!found_.first_single) found_.first_single = first;
    } else if (!found_.leaves) {
      found_.leaves = first;
    }
    row_ = 0;
  }

  const JoinedSteps& joined_;
  double least_;
  double tolerance_;
  std::size_t needed_ = kLeavingSteps;
  std::size_t row_ = 0;
  double sum_ = 0;
  std::uint64_t measured_ = 0;
  SeriesComparison found_;
};

}  // namespace

JoinedSteps JoinSteps(const Series& a, const Series& b, std::int64_t shift) {
  JoinedSteps joined;
  StepCursor in_a(a);
  StepCursor in_b(b);
  while (!in_a.done() && !in_b.done()) {
    // Steps are any numbers of a file: the sum may wrap, and is then no step that is looked for.
    const auto wanted = static_cast<std::int64_t>(static_cast<std::uint64_t>(in_a.step()) +
                                                  static_cast<std::uint64_t>(shift));
    if (wanted < in_b.step()) {
      ++joined.only_in_a;
      in_a.Next();
    } else if (in_b.step() < wanted) {
      ++joined.only_in_b;
      in_b.Next();
    } else {
      joined.steps.push_back(in_a.step());
      joined.a.push_back(in_a.value());
      joined.b.push_back(in_b.value());
      in_a.Next();
      in_b.Next();
    }
  }
  for (; !in_a.done(); in_a.Next()) ++joined.only_in_a;
  for (; !in_b.done(); in_b.Next()) ++joined.only_in_b;
  return joined;
}

SeriesComparison CompareSeries(const Series& a, const Series& b, double tolerance) {
  const double least = LeastMagnitude(a);
  SeriesComparison found = Judge(JoinSteps(a, b), least, tolerance).Found();
  if (found.verdict == SeriesVerdict::kAlike) return found;
  for (const std::int64_t shift : {1, -1}) {
    const SeriesComparison shifted = Judge(JoinSteps(a, b, shift), least, tolerance).Found();
    // A single step fits by chance.
    if (shifted.verdict == SeriesVerdict::kAlike && shifted.joined > kLeavingSteps) {
      found.alike_if_shifted = -shift;
      break;
    }
  }
  return found;
}

}  // namespace sightline
