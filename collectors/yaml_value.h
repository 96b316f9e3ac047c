// A YAML document's values as PyYAML, with which MindFormers reads its configurations, understands
// them: a plain word may be a number or a truth value, a quoted one is a string. Of MindFormers'
// own: the plain word None is no value.
#pragma once

#include <yaml-cpp/yaml.h>

#include "sightline/base/status.h"
#include "sightline/collectors/option_value.h"
#include "sightline/collectors/yaml_map.h"

namespace sightline {

// Its maps are read by `maps`, whose errors are the only ones.
Result<OptionValue> ValueOfYaml(const YAML::Node& node, YamlMaps& maps);

}  // namespace sightline
