#include "sightline/collectors/collect/step_phases.h"

#include <algorithm>

namespace sightline {
namespace {

constexpr std::string_view kPrefix = "phase/";

}  // namespace

StepPhases::Phase& StepPhases::Find(std::string_view name) {
  for (Phase& phase : phases_) {
    if (phase.tag.compare(kPrefix.size(), std::string::npos, name) == 0) return phase;
  }
  Phase& added = phases_.emplace_back();
  added.tag = kPrefix;
  added.tag += name;
  return added;
}

void StepPhases::AddTo(StepInfo& info) {
  // At least 1: if the training went back to a checkpoint, only the last step counts.
  const std::int64_t steps = std::max<std::int64_t>(info.step - last_step_, 1);
  last_step_ = info.step;
  for (Phase& phase : phases_) {
    const double seconds = static_cast<double>(phase.nanos) * 1e-9;
    info.scalars.push_back({phase.tag, seconds / static_cast<double>(steps)});
    phase.nanos = 0;
  }
}

}  // namespace sightline
