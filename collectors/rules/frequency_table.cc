#include "sightline/collectors/rules/frequency_table.h"

#include <fmt/format.h>

namespace sightline {

FrequencyTable::FrequencyTable(const std::vector<Frequency>& frequencies,
                               const WarnOfPattern& warn) {
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const Frequency& frequency = frequencies[i];
    Row& row = rows_.emplace_back(Row{frequency.kind, std::nullopt});
    if (frequency.tag.empty()) continue;
    row.tag.emplace(NamePattern::Make(fmt::format("frequencies[{}].tag", i), frequency.tag).value(),
                    warn);
  }
}

int FrequencyTable::Find(ValueKind kind, std::string_view tag) const {
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    const Row& row = rows_[i];
    if ((!row.kind || *row.kind == kind) && (!row.tag || row.tag->Matches(tag)))
      return static_cast<int>(i);
  }
  return kNone;
}

}  // namespace sightline
