// rank: a rank leaves the others, or is not finite while they are (docs/ranks.md).
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/watch/rules/rule.h"

namespace sightline::watch {

// Each rank is a cause of its own. Comparing takes time in proportion to all points of the tag, so
// the ranks are compared again only after ten times as long as it took.
class RankRule final : public Rule {
 public:
  RankRule(const std::string& text, std::string tag) : Rule(text), tag_(std::move(tag)) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  std::string_view tag() const override { return tag_; }

 private:
  std::string tag_;
};

}  // namespace sightline::watch
