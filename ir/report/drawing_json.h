// A drawing as JSON, for viewers that lay graphs out themselves:
//
//   {"title": "20_validate_0074.ir", "subtitle": "main", "nodes": 699, "hidden": 0,
//    "clusters": [{"parent": null, "title": "", "subgraph": false, "copies": 1}, ...],
//    "boxes": [{"kind": "node", "operator_kind": "matrix", "title": "MatMul",
//               "rows": ["fc.weight"], "cluster": 3, "nodes": 1, "copies": 1, "tooltip": "..."},
//              ...],
//    "edges": [{"from": 0, "to": 1, "kind": "data", "values": 1, "type": "Float32 (2, 4)"}, ...]}
//
// "cluster" and "parent" are positions in "clusters", "from" and "to" positions in "boxes", from 0.
// Bytes that are not UTF-8 become U+FFFD.
#pragma once

#include <string>

#include "sightline/ir/draw/drawing.h"

namespace sightline::ir {

// One line without a newline. Pure function: any thread.
std::string DrawingToJson(const Drawing& drawing);

}  // namespace sightline::ir
