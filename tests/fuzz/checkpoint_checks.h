// What every fuzz target of a checkpoint format checks.
#pragma once

#include <string_view>

#include "sightline/landscape/checkpoints/checkpoint_formats.h"

namespace sightline::fuzz {

// What `parse` made of `input` must hold together: every tensor has its bytes, inside of the input,
// and all can be read; and parsing took memory in proportion to the input only.
void CheckCheckpoint(std::string_view input,
                     Result<landscape::ParsedTensors> (*parse)(std::string_view));

}  // namespace sightline::fuzz
