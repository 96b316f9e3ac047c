// The text of sitecustomize.py, which is compiled in.
#pragma once

#include <string_view>

namespace sightline {

extern const std::string_view kSitecustomize;

}  // namespace sightline
