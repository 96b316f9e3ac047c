// Numbers in the JSON that verbs print. A plain function, callable from any thread.
#pragma once

#include <cmath>
#include <nlohmann/json.hpp>

#include "sightline/base/text/number_text.h"

namespace sightline {

// JSON has no NaN and no infinities: they are the texts of NumberText().
inline nlohmann::ordered_json NumberJson(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number)
                               : nlohmann::ordered_json(NumberText(number));
}

}  // namespace sightline
