#include "sightline/base/version.h"

namespace sightline {

std::string_view Version() { return SIGHTLINE_VERSION; }

}  // namespace sightline
