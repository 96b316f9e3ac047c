// Rule: what a watch looks for, in the runs or on the disks below its roots (docs/watch.md).
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto rule, ParseRule("spike(loss)"));
//   const auto in_run = rule->InRun();          // Once for each run that grows.
//   for (;;) {
//     for (const Cause& cause : in_run->Holding(look)) Show(cause);
//   }
//
// A rule says what holds at this moment. Whoever asks compares that with what held before.
// A Rule is immutable, and any thread may use it; a RuleInRun is for one run and one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/run.h"

namespace sightline::watch {

// A run at one moment.
struct Look {
  const Run& run;
  RunState state = RunState::kRunning;
  // Whether the run is another object than at the look before, or this is the first look.
  bool changed = true;
  // Whether the run was recorded before the watch saw it, so that only what holds now counts. False
  // later, and for runs that begin while the watch looks.
  bool history = false;
  double silent = 0;  // Seconds since the watch last saw the run grow, or saw it first.
  const Clock& clock = Clock::System();
};

// One reason for which a rule holds.
struct Cause {
  // Tells the reasons of one rule in one run apart, also after a restart; "" if there can be only
  // one.
  std::string id;
  std::string text;  // "loss is NaN since step 36 in rank 3"
  std::string tag = {};
  std::vector<std::int32_t> ranks = {};  // Ascending. Empty: the run as a whole.
  std::optional<std::int64_t> step = std::nullopt;
};

class RuleInRun {
 public:
  virtual ~RuleInRun() = default;
  // What holds now, or held since the last look. Looks must be those of one run, in their order.
  virtual std::vector<Cause> Holding(const Look& look) = 0;
};

class Rule {
 public:
  explicit Rule(std::string text) : text_(std::move(text)) {}
  virtual ~Rule() = default;
  Rule(const Rule&) = delete;
  Rule& operator=(const Rule&) = delete;

  // As it was given.
  const std::string& text() const { return text_; }
  // Null if the rule is not about runs.
  virtual std::unique_ptr<RuleInRun> InRun() const { return nullptr; }
  // What holds about the disk of `root`; `holds`: whether it held at the look before.
  virtual std::optional<Cause> OfDisk(const std::string& root, bool holds) const;
  // For how many seconds a run must be looked at after it was last seen to grow.
  virtual double patience() const { return 0; }
  // The tag that the rule is about; empty if it is about none.
  virtual std::string_view tag() const { return {}; }

 private:
  std::string text_;
};

// A rule from what --on takes: its name with or without arguments, "stalled(10m)", or a query
// (docs/query.md). kInvalidArgument if it is neither; the message says what the rule takes.
Result<std::shared_ptr<const Rule>> ParseRule(std::string_view text);

}  // namespace sightline::watch
