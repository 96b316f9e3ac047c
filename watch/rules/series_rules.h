// Rules about the values of scalars: NaN, spikes, plateaus. docs/watch.md has the formulas.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/watch/rules/rule.h"

namespace sightline::watch {

// nan: a value is NaN or infinite. It is over after 20 finite values.
class NanRule final : public Rule {
 public:
  // Without a tag: of any scalar.
  NanRule(const std::string& text, std::string tag) : Rule(text), tag_(std::move(tag)) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  std::string_view tag() const override { return tag_; }

 private:
  std::string tag_;
};

// spike: a value is above the median of the 100 finite values before it by more than `times` their
// usual deviation, which is 1.4826 times their median absolute deviation, or 1 % of |median| if
// that is more. With fewer than 20 values before it, nothing is a spike. It is over after 20 values
// without one.
class SpikeRule final : public Rule {
 public:
  SpikeRule(const std::string& text, std::string tag, double times)
      : Rule(text), tag_(std::move(tag)), times_(times) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  std::string_view tag() const override { return tag_; }

 private:
  std::string tag_;
  double times_;
};

// plateau: `steps` recorded values in sequence were neither below the smallest nor above the
// largest finite one before. It is over with the next value that is.
class PlateauRule final : public Rule {
 public:
  PlateauRule(const std::string& text, std::string tag, std::uint64_t steps)
      : Rule(text), tag_(std::move(tag)), steps_(steps) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  std::string_view tag() const override { return tag_; }

 private:
  std::string tag_;
  std::uint64_t steps_;
};

}  // namespace sightline::watch
