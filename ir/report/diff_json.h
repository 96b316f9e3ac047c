// A diff as JSON:
//
//   {"equal": false,
//    "counts": {"added": 1, "removed": 0, "changed": 1, "moved": 0, "reordered": 0,
//               "ambiguous": 0},
//    "changes": [{"change": "changed", "element": "node", "name": "@f %3(CNode_2)",
//                 "name_in_b": "@f %4(CNode_9)", "statement": ..., "ambiguous": false,
//                 "properties": [{"property": "input", "position": 1, "before": "I64(1)",
//                                 "after": null}]}, ...]}
//
// An added change has neither "name_in_b" nor "before", a removed one no "properties". What was
// added, moved ("moved": true) or put into another order ("reordered": true) has its "subgraph" and
// in "behind" the element before it, null for none.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sightline/ir/compare/diff.h"
#include "sightline/ir/report/diff_text.h"

namespace sightline::ir {

// Pure functions: any thread.
nlohmann::ordered_json DiffToJson(const DiffText& text);
nlohmann::ordered_json CountsToJson(const DiffCounts& counts);

}  // namespace sightline::ir
