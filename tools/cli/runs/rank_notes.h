// What the tables of `ls` say of the ranks of a run. Plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "sightline/runs/model/rank_series.h"
#include "sightline/runs/query/rank_values.h"

namespace sightline {

// "rank 4", or "3 of 16 ranks". REQUIRES: `ranks` is not empty.
std::string WhichRanks(std::span<const std::int32_t> ranks, std::size_t of);

// What the ranks of a run have besides the value that stands for all of them; empty if that is the
// value of all. "0.2143 to 0.2513 over 16 ranks, worst 11", "0.2143 to 0.2301 over 15 ranks, NaN in
// rank 4". `number`: how numbers are written.
std::string NoteOnRanks(const RankValues& values, std::string (*number)(double));

// The tags whose values are not all finite, and in which ranks if a tag has several: "loss",
// "accuracy in rank 4, loss in 3 of 16 ranks and 2 more".
std::string TagsWithNonFinite(const Run& run);
// Those of one rank: "accuracy, loss and 2 more".
std::string TagsWithNonFinite(const RankSeries& rank);

}  // namespace sightline
