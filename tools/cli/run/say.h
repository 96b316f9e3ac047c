// The lines that `sightline run` says of itself, between those of the command.
#pragma once

#include <string>

namespace sightline {

// Writes "sightline run: <line>" to standard error, whose terminal may be raw. One thread at a
// time.
void SayOfRun(const std::string& line);

}  // namespace sightline
