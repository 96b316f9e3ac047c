// A node of a dump as JSON:
//
//   {"subgraph": "1_main_1", "number": 3, "name": "CNode_12", "kind": "MatMul", "callee": ...,
//    "scope": "Default/net", "full_name": ..., "statement": "%3(CNode_12) = MatMul(%1, %2)",
//    "calls": ["2_g_5"], "operands": [{"value": "@1_main_1 %1(x)", "type": "Float32 (2, 4)"}],
//    "results": ["Float32 (2, 4)"], "users": [...], "attributes": {"primitive_attrs": {...}},
//    "source": [{"path": "net.py", "line": 12, "last_line": 12, "code": ..., "column": 4,
//                "end_column": 20}]}
//
// "number" is null for a Return; "type" is null if the dump has none; "column" and "end_column" are
// missing if unknown. Texts may hold bytes that are not UTF-8: print with error_handler_t::replace.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>

#include "sightline/ir/report/node_text.h"
#include "sightline/ir/report/path_map.h"

namespace sightline::ir {

// Pure function: any thread.
nlohmann::ordered_json NodeToJson(const NodeText& text, std::uint32_t index, const PathMap& paths);

}  // namespace sightline::ir
