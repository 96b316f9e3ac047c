#include "sightline/base/json/number_json.h"

#include <cmath>

#include "sightline/base/text/number_text.h"

namespace sightline {

nlohmann::ordered_json NumberJson(double number) {
  return std::isfinite(number) ? nlohmann::ordered_json(number)
                               : nlohmann::ordered_json(NumberText(number));
}

}  // namespace sightline
