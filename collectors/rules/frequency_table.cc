#include "sightline/collectors/rules/frequency_table.h"

namespace sightline {

FrequencyTable::FrequencyTable(const std::vector<Frequency>& frequencies) {
  for (const Frequency& frequency : frequencies) {
    Row& row = rows_.emplace_back(Row{frequency.kind, std::nullopt});
    if (!frequency.tag.empty()) row.tag = NamePattern::Make("tag", frequency.tag).value();
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
