// A YAML document's values as PyYAML, with which MindFormers reads its configurations, understands
// them: a plain word may be a number or a truth value, a quoted one is a string. Of MindFormers'
// own: the plain word None is no value.
#pragma once

#include <yaml-cpp/yaml.h>

#include "sightline/collectors/option_value.h"
#include "sightline/recorder/status.h"

namespace sightline {

// kInvalidArgument for a value that nests deeper than 16, or is larger than 1 MiB with its aliases
// written out: an alias may stand in itself, and twice in what another one names.
Result<OptionValue> ValueOfYaml(const YAML::Node& node);

}  // namespace sightline
