// A configuration of arbitrary bytes: there is an answer, and what is accepted is sound.
#include <string_view>

#include "sightline/collectors/config/summary_config.h"
#include "sightline/collectors/rules/collection_plan.h"
#include "sightline/tests/fuzz/repair.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using sightline::fuzz::Check;
  const auto config = sightline::ParseSummaryConfig({reinterpret_cast<const char*>(data), size});
  if (!config) {
    Check(!config.error().message().empty(), "a fault has a message");
    return 0;
  }
  Check(config->options.Check().ok(), "what is accepted is sound");
  const auto plan = sightline::PlanCollection(
      config->options, {.epochs = 2, .steps_per_epoch = 50, .sink_mode = false, .ranks = 1}, {});
  for (const auto& kind : plan.kinds) {
    Check(static_cast<std::int64_t>(kind.Steps(plan.total, plan.from).size()) == kind.count,
          "as many steps as are counted");
  }
  return 0;
}
