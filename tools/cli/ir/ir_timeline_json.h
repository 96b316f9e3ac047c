// A folder of dumps as JSON, one object a dump: for `sightline ir timeline --json` and the
// dashboard.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "sightline/ir/folder/folder.h"

namespace sightline {

// In the order of the folder, which has figures. `path`: what "folder" says.
std::vector<nlohmann::ordered_json> TimelineJson(const std::string& path, const ir::Folder& folder);

}  // namespace sightline
