// The code that a program runs: what git says of a folder. Private to this folder.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sightline/collectors/facts/run_facts.h"

namespace sightline {

// "commit", "branch", "remote", "differs", "changed", "diff_sha256" (docs/runs.md); null if the
// folder is in no repository, or there is no git. It takes no lock and runs no hook.
nlohmann::ordered_json CodeFacts(const std::string& folder, const RunFactsOptions& options);

}  // namespace sightline
