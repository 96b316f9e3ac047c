// LsRow: a row of `ls`, a run or one of its ranks, as a table and as JSON show it. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "sightline/runs/model/rank_series.h"
#include "sightline/runs/query/query.h"
#include "sightline/tools/cli/terminal/json_writer.h"

namespace sightline {

// Borrows the run and the rank.
struct LsRow {
  const Run* run = nullptr;
  const RankSeries* rank = nullptr;  // Of the run; null for a row of all ranks.

  QueryValue ValueOf(const Query& query) const {
    return query.Evaluate(*run, Clock::System(), rank);
  }
  // The value of the query that `column` spells. In a row of all ranks, what the ranks have follows
  // if they differ.
  std::string Cell(const std::string& column, const Query& query) const;
  // The tags with NaN or infinite values, for a table.
  std::string TagsWithNonFinite() const;
  bool damaged() const { return rank == nullptr ? run->damaged() : rank->damaged(); }
  // The records that were not read whole (RunFile::unchecked).
  std::uint64_t unchecked() const;
  // The members of a JSON object, which is open.
  void Write(JsonWriter& json) const;

 private:
  std::vector<const RunFile*> Files() const;
};

}  // namespace sightline
