// Rules about the state of a run: that it ended, was killed, hangs, or fits a query.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "sightline/runs/query/query.h"
#include "sightline/watch/rules/rule.h"

namespace sightline::watch {

// killed, finished: the run has this state. For runs of ours: other programs do not record it.
class StateRule final : public Rule {
 public:
  StateRule(const std::string& text, RunState state) : Rule(text), state_(state) {}
  std::unique_ptr<RuleInRun> InRun() const override;

 private:
  RunState state_;
};

// stalled: a recorder of ours lives, and recorded nothing for `seconds` while the watch looked.
class StalledRule final : public Rule {
 public:
  StalledRule(const std::string& text, double seconds) : Rule(text), seconds_(seconds) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  double patience() const override { return seconds_; }

 private:
  double seconds_;
};

// ended: the files of another program's run did not grow for `seconds` while the watch looked. The
// program may have ended or hang: its files do not say.
class EndedRule final : public Rule {
 public:
  EndedRule(const std::string& text, double seconds) : Rule(text), seconds_(seconds) {}
  std::unique_ptr<RuleInRun> InRun() const override;
  double patience() const override { return seconds_; }

 private:
  double seconds_;
};

// A query: it is true of the run.
class QueryRule final : public Rule {
 public:
  QueryRule(const std::string& text, Query query) : Rule(text), query_(std::move(query)) {}
  std::unique_ptr<RuleInRun> InRun() const override;

 private:
  Query query_;
};

}  // namespace sightline::watch
