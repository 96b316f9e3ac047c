#include "sightline/watch/rules/state_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "sightline/base/text/number_text.h"

namespace sightline::watch {
namespace {

using Causes = std::vector<Cause>;

// A rule that needs no memory of the run.
class Momentary final : public RuleInRun {
 public:
  explicit Momentary(std::function<Causes(const Look&)> holding) : holding_(std::move(holding)) {}
  Causes Holding(const Look& look) override { return holding_(look); }

 private:
  std::function<Causes(const Look&)> holding_;
};

// The largest step of any series; none without a series.
std::optional<std::int64_t> LastStep(const Run& run) {
  std::optional<std::int64_t> last;
  for (const auto& series : run.series())
    last = std::max(last.value_or(series->last_step()), series->last_step());
  return last;
}

std::string AtStep(const std::optional<std::int64_t>& step) {
  return step ? fmt::format("; its last step is {}", *step) : "";
}

Cause AboutRun(const Run& run, std::string_view what) {
  const auto step = LastStep(run);
  return {.id = "", .text = fmt::format("{}{}", what, AtStep(step)), .step = step};
}

// "600 s" as people write it: "10 min".
std::string Seconds(double seconds) {
  if (seconds >= 2 * 3600) return fmt::format("{:.4g} h", seconds / 3600);
  if (seconds >= 2 * 60) return fmt::format("{:.4g} min", seconds / 60);
  return fmt::format("{:.4g} s", seconds);
}

// The newest values of the tags that a query asks for.
std::string NewestValues(const Run& run, const Query& query) {
  std::string values;
  for (const Query::Asked& asked : query.Names()) {
    const auto ranks = asked.is_tag ? run.OfTag(ContentKind::kScalar, asked.text)
                                    : std::span<const std::shared_ptr<const Series>>();
    if (ranks.empty()) continue;
    const Series& series = *ranks.front();
    values += fmt::format("; {} is {} at step {}", asked.text, NumberText(series.last_value()),
                          series.last_step());
  }
  return values;
}

}  // namespace

std::unique_ptr<RuleInRun> StateRule::InRun() const {
  return std::make_unique<Momentary>([state = state_](const Look& look) -> Causes {
    if (look.state != state) return {};
    return {AboutRun(look.run, state == RunState::kKilled
                                   ? "the recorder was killed, or its machine went"
                                     " down"
                                   : "the recorder was closed")};
  });
}

std::unique_ptr<RuleInRun> StalledRule::InRun() const {
  return std::make_unique<Momentary>([seconds = seconds_](const Look& look) -> Causes {
    if (!look.run.signs().journal_held || look.silent < seconds) return {};
    return {AboutRun(look.run, fmt::format("nothing was recorded for {}, and the program lives",
                                           Seconds(seconds)))};
  });
}

std::unique_ptr<RuleInRun> EndedRule::InRun() const {
  return std::make_unique<Momentary>([seconds = seconds_](const Look& look) -> Causes {
    if (look.run.signs().ours || look.silent < seconds) return {};
    return {AboutRun(look.run, fmt::format("its files did not grow for {}: it ended, or hangs",
                                           Seconds(seconds)))};
  });
}

std::unique_ptr<RuleInRun> QueryRule::InRun() const {
  return std::make_unique<Momentary>([query = query_](const Look& look) -> Causes {
    if (!query.Holds(look.run, look.clock)) return {};
    return {{.id = "",
             .text = "it is true" + NewestValues(look.run, query),
             .step = LastStep(look.run)}};
  });
}

}  // namespace sightline::watch
