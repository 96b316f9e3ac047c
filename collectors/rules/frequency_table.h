// FrequencyTable: finds the frequency that applies to a value: the first one whose kind and tag
// match. Immutable; any thread may read it.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "sightline/collectors/rules/collection_pattern.h"
#include "sightline/collectors/rules/frequency.h"

namespace sightline {

class FrequencyTable {
 public:
  static constexpr int kNone = -1;

  // `warn`: see CollectionPattern. REQUIRES: CheckFrequencies() is OK.
  explicit FrequencyTable(const std::vector<Frequency>& frequencies,
                          const WarnOfPattern& warn = {});

  // Its index, or kNone if collect_freq and collect_tensor_freq apply.
  int Find(ValueKind kind, std::string_view tag) const;

 private:
  struct Row {
    std::optional<ValueKind> kind;
    std::optional<CollectionPattern> tag;
  };
  std::vector<Row> rows_;
};

}  // namespace sightline
