// Numbers in JSON, which has no NaN and no infinities: "nan", "inf" and "-inf" in their place. A
// plain function, callable from any thread.
#pragma once

#include <nlohmann/json.hpp>

namespace sightline {

// A number, or the text of NumberText() for one that is not finite.
nlohmann::ordered_json NumberJson(double number);

}  // namespace sightline
