// Escapes texts of a dump for graphviz, so that they cannot break the file. Each becomes
// well-formed UTF-8 of characters that XML allows, with control characters written as in C. Private
// to this folder.
#pragma once

#include <string>
#include <string_view>

namespace sightline::ir {

// For graphviz's HTML-like labels: "a&lt;b".
std::string DotHtml(std::string_view text);

// A quoted string: "\"a<b\"".
std::string DotQuoted(std::string_view text);

// A tooltip of several lines.
std::string DotTooltip(std::string_view text);

}  // namespace sightline::ir
