// What W&B writes about a run, as facts: the settings "run.id", "run.command" and so on, under the
// names that docs/runs.md gives to the same facts of our runs. Secrets in a command and an address
// are hidden.
//
// Private to this folder. Plain functions; one thread.
#pragma once

#include <string_view>

#include "sightline/recorder/translation/translation.h"

namespace sightline {

// Of a RunRecord and of an EnvironmentRecord. Facts that the message does not have are left out.
void AddRunFacts(std::string_view run, Translation& translation);
void AddEnvironmentFacts(std::string_view environment, Translation& translation);

}  // namespace sightline
