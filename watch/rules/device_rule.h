// device: a GPU or an NPU whose recorded counters say that something is wrong with it.
#pragma once

#include <memory>

#include "sightline/watch/rules/rule.h"

namespace sightline::watch {

// A device is "system/<device>/" of a SummaryMonitor or "machine/<device>/" of `sightline run`,
// where <device> is gpu or npu with a number. The rule holds
// - if the last value of its `health` is not 0 (the codes of its driver), or
// - if it does not answer any more: none of its counters has a value since three samples of the
//   same rank's system/memory_bytes or machine/memory_available_bytes, which is sampled together
//   with them.
// Each device of each rank is a cause of its own.
class DeviceRule final : public Rule {
 public:
  using Rule::Rule;
  std::unique_ptr<RuleInRun> InRun() const override;
};

}  // namespace sightline::watch
