// NameCheck: finds the names in queries that no run has, which are often misspelled.
//
//   NameCheck check({where, sort});
//   for (const auto& run : runs) check.Add(*run);
//   std::fputs(check.Notes().c_str(), stdout);   // "no run has learning_rat; did you mean ..."
//
// One thread.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "sightline/runs/query/query.h"

namespace sightline {

class NameCheck {
 public:
  NameCheck() = default;
  explicit NameCheck(const std::vector<Query>& queries);

  // `rank`: one of the run's, if its values are asked for (Query::Evaluate).
  void Add(const Run& run, const RankSeries* rank = nullptr);
  // A line for each name that no run has, with the name that is most similar to it; empty if there
  // is none, or no run.
  std::string Notes() const;

 private:
  std::string NoteOn(const Query::Asked& asked) const;

  std::vector<Query::Asked> asked_;  // Those that no run has had so far.
  std::set<std::string> keys_;       // Of the runs' lineage,
  std::set<std::string> tags_;       // and of their scalars.
  bool any_ = false;
};

}  // namespace sightline
