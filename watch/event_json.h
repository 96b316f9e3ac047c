// A WatchEvent as JSON: what `--json` prints, and what targets receive (docs/watch.md). A plain
// function, callable from any thread.
#pragma once

#include <nlohmann/json.hpp>

#include "sightline/watch/run_watch.h"

namespace sightline::watch {

nlohmann::ordered_json EventJson(const WatchEvent& event);

}  // namespace sightline::watch
