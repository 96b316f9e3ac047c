// The file meta.yaml of an experiment or a run in MLflow's folder of runs: names and values, a line
// each. A plain function; any thread. Private to this folder.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// The values that are not lists or maps, by their names; null is the empty text. kDataLoss if it is
// no map of YAML.
Result<std::map<std::string, std::string>> ParseMeta(std::string_view yaml);

}  // namespace sightline
