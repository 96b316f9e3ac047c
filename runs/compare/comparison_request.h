// What a user asks of a comparison, as text, for the verb and for HTTP. `name`: the option or the
// parameter, which an error begins with. Plain functions, callable from any thread.
#pragma once

#include <cstddef>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

// "2%" or "0.02". kInvalidArgument unless it is a finite share of at least 0.
Result<double> ToleranceIn(std::string_view name, std::string_view text);

// kInvalidArgument if there are runs like the reference, but fewer than kLeastLikeRuns.
Status CheckLike(std::string_view name, std::size_t runs);

}  // namespace sightline
