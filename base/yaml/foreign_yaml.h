// Reads YAML that anybody may have written. Any thread.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>

#include "sightline/base/status.h"

namespace sightline {

// The document's first value. kDataLoss if `text` is not YAML, or has more than 10,000 opening
// brackets. The nodes of an alias are shared: whoever walks through them has to bound the walk.
Result<YAML::Node> LoadForeignYaml(const std::string& text);

}  // namespace sightline
