// A diff of two dumps for the terminal.
#pragma once

#include <string>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/report/diff_text.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {

// "2 added, 1 changed"; "equal" without changes.
std::string ToText(const ir::DiffCounts& counts);

// A line for each change, with lines below it that say what changed. Unless `all`: a change that
// occurs in the same way at many elements is one line at the top, with their number and the first
// of them; and what an added or removed subgraph contains is only counted.
std::string ListChanges(const ir::DiffText& diff, const Style& style, bool all);

}  // namespace sightline
