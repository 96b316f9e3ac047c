// Delivers one message to one target.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "sightline/base/clock.h"
#include "sightline/watch/notify/target.h"

namespace sightline::watch {

struct Delivery {
  std::string failure = {};  // Why it was not delivered; empty: it was.
  double retry_after = 0;    // Seconds for which the target asks; 0: it does not say.
};

// Tries once, and waits for the answer: 10 s at most, a command 30 s. Any thread.
Delivery Deliver(const Target& target, const nlohmann::json& event, const Clock& clock);

}  // namespace sightline::watch
