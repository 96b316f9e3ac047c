// Finds the name that somebody meant. Any thread.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sightline {

// The name of `known` that is most similar to `text`: equal but for upper and lower case, or with
// at most two letters inserted, removed or replaced, in a text of six and more; with one in a
// shorter one. Empty if there is none, also for a text of less than three letters.
std::string_view NearestName(std::string_view text, std::span<const std::string> known);

}  // namespace sightline
