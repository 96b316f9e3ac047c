// Where in the user's source a node comes from, as a dump writes it:
//
//   In file /home/user/net.py:118~120, 8~70/        def construct(self, x):/
//
// The outermost call comes first, the node's own line last.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline::ir {

// Views into the text that was parsed.
struct Location {
  bool inlined = false;          // The text begins with "inlined:".
  std::string_view path = {};    // On the machine that compiled.
  std::uint32_t first_line = 0;  // 1-based.
  std::uint32_t last_line = 0;
  // 0-based, the end exclusive. None if the location is a whole function.
  struct Columns {
    std::uint32_t begin;
    std::uint32_t end;
  };
  std::optional<Columns> columns = std::nullopt;
  std::string_view code = {};  // The first line of the source, with its indentation.
  bool shared = false;         // The dump says that several nodes share this line.
};

// `text` is without the leading "# ". None if it is not a location.
std::optional<Location> ParseLocation(std::string_view text);

// Appends the text that ParseLocation takes; newlines in path and code become blanks.
void AppendLocation(const Location& location, std::string& out);

}  // namespace sightline::ir
