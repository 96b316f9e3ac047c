// Frequency: how often values of some kind, or under some tags, are recorded, in place of
// collect_freq and collect_tensor_freq.
//
//   {.kind = ValueKind::kHistogram, .every_steps = 100}
//   {.tag = "grad/.*", .every_seconds = 30, .first_steps = 10}
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/collectors/name_pattern.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

// The kinds whose values SummaryMonitor takes at the end of a step: "scalar", "histogram", "image",
// "tensor".
inline constexpr ValueKind kStepKinds[] = {ValueKind::kScalar, ValueKind::kHistogram,
                                           ValueKind::kImage, ValueKind::kTensor};
std::string_view StepKindName(ValueKind kind);  // REQUIRES: one of kStepKinds.
// Whether values of one of kStepKinds are many numbers, and not one.
constexpr bool IsHeavy(ValueKind kind) { return kind != ValueKind::kScalar; }

// A value is recorded at step 1, and where any of the three says so. At least one of them, and of
// kind and tag, is given.
struct Frequency {
  std::optional<ValueKind> kind = std::nullopt;  // One of kStepKinds; none: all of them.
  std::string tag = {};                          // As histogram_regular, of tags; empty: all.

  std::optional<std::int64_t> every_steps = std::nullopt;  // The multiples. At least 1.
  // When so much time has passed since this frequency last recorded. 0.001 to 1e9. It is looked at
  // the clock at least every 64 steps, so short steps may be recorded later by that.
  std::optional<double> every_seconds = std::nullopt;
  std::optional<std::int64_t> first_steps = std::nullopt;  // 1 to this. At least 1.

  // Whether it is for every value of `kind`.
  bool Covers(ValueKind of) const { return tag.empty() && (!kind || *kind == of); }
};

inline constexpr std::size_t kMaxFrequencies = 64;

// OK, or kInvalidArgument with every fault.
Status CheckFrequencies(const std::vector<Frequency>& frequencies);

// Which of the frequencies counts for a value: the first that its kind and tag fit. Immutable.
class FrequencyTable {
 public:
  static constexpr int kNone = -1;

  // REQUIRES: CheckFrequencies() is OK.
  explicit FrequencyTable(const std::vector<Frequency>& frequencies);

  // Its index, or kNone where collect_freq and collect_tensor_freq count.
  int Find(ValueKind kind, std::string_view tag) const;

 private:
  struct Row {
    std::optional<ValueKind> kind;
    std::optional<NamePattern> tag;
  };
  std::vector<Row> rows_;
};

}  // namespace sightline
