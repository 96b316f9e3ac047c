#include "sightline/tools/cli/runs/name_check.h"

#include <fmt/format.h>

#include <algorithm>

#include "sightline/base/ascii.h"
#include "sightline/base/text/spelling.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

NameCheck::NameCheck(const std::vector<Query>& queries) {
  for (const Query& query : queries) {
    for (const Query::Asked& asked : query.Names()) {
      const auto is_it = [&](const Query::Asked& other) {
        return other.text == asked.text && other.is_tag == asked.is_tag;
      };
      if (std::none_of(asked_.begin(), asked_.end(), is_it)) asked_.push_back(asked);
    }
  }
}

void NameCheck::Add(const Run& run, const RankSeries* rank) {
  any_ = true;
  if (asked_.empty()) return;
  std::erase_if(asked_, [&](const Query::Asked& asked) { return Query::Has(run, asked, rank); });
  for (const auto& [key, value] : run.lineage()) keys_.insert(key);
  const auto add = [this](const auto& all) {
    for (const auto& series : all)
      if (series->is_scalar()) tags_.insert(series->key().tag);
  };
  if (rank == nullptr) {
    add(run.series());
  } else {
    add(rank->series);
  }
}

std::string NameCheck::NoteOn(const Query::Asked& asked) const {
  const std::string note = fmt::format("no run has {}", Printable(asked.text));
  if (!asked.is_tag && LowerCase(std::string_view{asked.text}) == "nan")
    return note + "; isnan(last(\"loss\")) is true where the last value is NaN";
  if (!asked.is_tag && asked.text == "rank") return note + "; --ranks lists a row a rank";
  std::vector<std::string> known(asked.is_tag ? tags_.begin() : keys_.begin(),
                                 asked.is_tag ? tags_.end() : keys_.end());
  if (!asked.is_tag) {
    if (tags_.contains(asked.text))
      return fmt::format("{0}; did you mean last(\"{1}\")?", note, Printable(asked.text));
    known.insert(known.end(), QueryNames().begin(), QueryNames().end());
  }
  const std::string_view meant = NearestName(asked.text, known);
  return meant.empty() ? note : fmt::format("{}; did you mean {}?", note, Printable(meant));
}

std::string NameCheck::Notes() const {
  std::string notes;
  if (!any_) return notes;
  const auto is_known = [](const Query::Asked& asked) {
    const auto names = QueryNames();
    return !asked.is_tag && std::find(names.begin(), names.end(), asked.text) != names.end();
  };
  for (const Query::Asked& asked : asked_)
    if (!is_known(asked)) notes += NoteOn(asked) + "\n";
  return notes;
}

}  // namespace sightline
