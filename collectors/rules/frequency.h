// Frequency: how often values of a kind, or values with certain tags, are recorded. It replaces
// collect_freq and collect_tensor_freq for them.
//
//   {.kind = ValueKind::kHistogram, .every_steps = 100}
//   {.tag = "grad/.*", .every_seconds = 30, .first_steps = 10}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/recorder/message/kinds.h"

namespace sightline {

// The kinds of values that SummaryMonitor takes at the end of a step: "scalar", "histogram",
// "image", "tensor".
inline constexpr ValueKind kStepKinds[] = {ValueKind::kScalar, ValueKind::kHistogram,
                                           ValueKind::kImage, ValueKind::kTensor};
// Whether a value of this kind, one of kStepKinds, is more than one number.
constexpr bool IsHeavy(ValueKind kind) { return kind != ValueKind::kScalar; }

// A value is recorded at step 1, and whenever one of every_steps, every_seconds and first_steps
// applies. At least one of these three is given, and at least one of kind and tag.
struct Frequency {
  std::optional<ValueKind> kind = std::nullopt;  // One of kStepKinds; none: all of them.
  std::string tag = {};                          // A pattern like histogram_regular; empty: all.

  std::optional<std::int64_t> every_steps = std::nullopt;  // At multiples of this. At least 1.
  // When this much time has passed since this frequency last recorded: 0.001 to 1e9. The clock is
  // read at least every 64 steps, so the recording of short steps may be late by that many.
  std::optional<double> every_seconds = std::nullopt;
  std::optional<std::int64_t> first_steps = std::nullopt;  // At steps 1 to this. At least 1.

  // Whether it applies to every value of this kind.
  bool Covers(ValueKind of) const { return tag.empty() && (!kind || *kind == of); }
};

inline constexpr std::size_t kMaxFrequencies = 64;

// OK, or kInvalidArgument with every fault.
Status CheckFrequencies(const std::vector<Frequency>& frequencies);

}  // namespace sightline
