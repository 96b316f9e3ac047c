// Writes a module as the text that it was read from, byte for byte, from the module's tables.
#pragma once

#include <string>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// Lines in the order of the file.
std::string PrintIr(const Module& module);

}  // namespace sightline::ir
