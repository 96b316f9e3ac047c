#include "sightline/ir/model/location.h"

#include <algorithm>

#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kShared =
    "<~~This line of code can be shared by multiple nodes, and may be duplicated./";

// ":118~120, 8~70/"; `text` is what follows ':'.
bool ParsePlace(std::string_view& text, Location& location) {
  location.columns.reset();
  const auto first = ConsumeNumber(text);
  if (!first) return false;
  location.first_line = *first;
  location.last_line = *first;
  if (Consume(text, "~")) {
    const auto last = ConsumeNumber(text);
    if (!last) return false;
    location.last_line = *last;
  }
  if (Consume(text, ", ")) {
    const auto begin = ConsumeNumber(text);
    if (!begin || !Consume(text, "~")) return false;
    const auto end = ConsumeNumber(text);
    if (!end) return false;
    location.columns = {*begin, *end};
  }
  return Consume(text, "/");
}

}  // namespace

std::optional<Location> ParseLocation(std::string_view text) {
  Location location;
  location.inlined = Consume(text, "inlined:");
  if (!Consume(text, "In file ")) return std::nullopt;
  location.shared = ConsumeSuffix(text, kShared);
  // The path may hold colons; the place is after the first one that a place follows.
  for (std::size_t colon = text.find(':'); colon != std::string_view::npos;
       colon = text.find(':', colon + 1)) {
    std::string_view rest = text.substr(colon + 1);
    if (!ParsePlace(rest, location)) continue;
    if (!ConsumeSuffix(rest, "/")) return std::nullopt;
    location.path = text.substr(0, colon);
    location.code = rest;
    return location;
  }
  // As error reports have it: "In file net.py(34)/CODE/".
  for (std::size_t open = text.find('('); open != std::string_view::npos;
       open = text.find('(', open + 1)) {
    std::string_view rest = text.substr(open + 1);
    const auto line = ConsumeNumber(rest);
    if (!line || !Consume(rest, ")/") || !ConsumeSuffix(rest, "/")) continue;
    location.first_line = *line;
    location.last_line = *line;
    location.columns.reset();
    location.path = text.substr(0, open);
    location.code = rest;
    return location;
  }
  return std::nullopt;
}

void AppendLocation(const Location& location, std::string& out) {
  const std::size_t begin = out.size();
  const auto number = [&out](std::string_view before, std::uint32_t value) {
    out.append(before).append(std::to_string(value));
  };
  out.append(location.inlined ? "inlined:In file " : "In file ").append(location.path);
  number(":", location.first_line);
  if (location.last_line > location.first_line) number("~", location.last_line);
  if (location.columns) {
    number(", ", location.columns->begin);
    number("~", location.columns->end);
  }
  out.append("/").append(location.code).append("/");
  if (location.shared) out.append(kShared);
  std::replace(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), '\n', ' ');
}

}  // namespace sightline::ir
