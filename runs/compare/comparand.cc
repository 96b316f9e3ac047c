#include "sightline/runs/compare/comparand.h"

#include <utility>

#include "sightline/runs/ranks/rank_stages.h"

namespace sightline {

std::shared_ptr<const Series> Comparand::Open(const Series& series) const {
  return open ? open(&series) : std::shared_ptr<const Series>(owner, &series);
}

Comparand ComparandOf(const std::shared_ptr<const Run>& run, std::string name) {
  Comparand side{std::move(name)};
  side.lineage = run->lineage();
  side.owner = run;
  for (const auto& series : run->series()) {
    if (!series->is_scalar()) continue;
    const std::string& tag = series->key().tag;
    if (side.tags.empty() || side.tags.back().tag != tag) side.tags.push_back({tag, {}});
    side.tags.back().ranks.push_back(series.get());
  }
  for (ComparandTag& tag : side.tags) {
    const auto valid = OnlyValidRank(*run, tag.tag);
    const Series* series = valid ? run->Find(ContentKind::kScalar, tag.tag, *valid) : nullptr;
    if (series != nullptr) tag.ranks = {series};
  }
  return side;
}

}  // namespace sightline
