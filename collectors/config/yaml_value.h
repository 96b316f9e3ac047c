// Reads the values of a YAML document like PyYAML, which MindFormers uses for its configurations: a
// plain word may be a number or a truth value, a quoted word is a string. As in MindFormers, the
// plain word None is not a value.
#pragma once

#include <yaml-cpp/yaml.h>

#include "sightline/base/status.h"
#include "sightline/collectors/config/option_value.h"
#include "sightline/collectors/config/yaml_map.h"

namespace sightline {

// The value of `node`. `maps` reads its maps; only its errors are returned.
Result<OptionValue> ValueOfYaml(const YAML::Node& node, YamlMaps& maps);

}  // namespace sightline
