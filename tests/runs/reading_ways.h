// All ways to read a run have to show the same: at once, again and again as it grows, from the
// index as a whole and continued, and as the lines of `sightline cat`.
#pragma once

#include <string>
#include <vector>

#include "sightline/tests/runs/event_grammar.h"

namespace sightline::testing {

// Writes the files bit by bit, as the choices say, and reads them in all these ways after each bit.
// The index is in `index_folder`, which has to be empty. Returns where a way differs from reading
// at once, with both texts; empty if none does.
std::string DifferenceOfWays(const std::vector<GrammarFile>& files, Choices& choices,
                             const std::string& index_folder);

}  // namespace sightline::testing
