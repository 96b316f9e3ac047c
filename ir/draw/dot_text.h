// Texts of a dump within a text for graphviz: what they hold cannot break it. Each becomes
// well-formed UTF-8 of XML's characters, with control characters as C writes them. Private to this
// folder.
#pragma once

#include <string>
#include <string_view>

namespace sightline::ir {

// Within graphviz' HTML-like labels: "a&lt;b".
std::string DotHtml(std::string_view text);

// A quoted string: "\"a<b\"".
std::string DotQuoted(std::string_view text);

// A tooltip, of lines.
std::string DotTooltip(std::string_view text);

}  // namespace sightline::ir
