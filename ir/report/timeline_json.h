// A folder of dumps as JSON, one object for each dump:
//
//   {"folder": "graphs", "file": "01_type_inference_0005.ir", "run": 1, "rank": 0,
//    "compilation": 1, "kind": "stage", "number": 5, "bytes": 12345, "subgraphs": 3, "params": 4,
//    "statements": 20, "changed": true, "before": "00_bootstrap_0000.ir",
//    "delta": {"subgraphs": 1, "params": 0, "statements": 3, "ops": {"Add": 2, "Mul": -1}}}
//
// Members are missing where they mean nothing. "kernel_graph" counts from 1, like "run" and
// "compilation"; "graph" is the entry graph of a dump that is not the compilation's; "error" is in
// place of the counts if the file cannot be read.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/ir/folder/folder.h"

namespace sightline::ir {

// In the order of the folder, which must have its figures (ReadFolder). `name`: the value of
// "folder". Pure function: any thread.
std::vector<nlohmann::ordered_json> TimelineToJson(const std::string& name, const Folder& folder);

}  // namespace sightline::ir
