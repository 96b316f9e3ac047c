// Adds lines to a module, one by one, as a reader understands them. Private to this folder.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/module.h"

namespace sightline::ir {

class LineAdder {
 public:
  explicit LineAdder(Module& module) : module_(module) {}

  // Each returns true if it added a line, so that a reading function can return that.
  bool Add(LineKind kind, std::uint32_t index) {
    module_.lines.push_back({kind, index});
    return true;
  }
  bool AddText(LineKind kind, std::string_view text) {
    return Add(kind, static_cast<std::uint32_t>(module_.texts.Intern(text)));
  }
  // False if `text` is not a number. Otherwise sets `total` to the number, unless it is null.
  bool AddNumber(LineKind kind, std::string_view text,
                 std::optional<std::uint32_t>* total = nullptr) {
    const auto number = ParseNumber(text);
    if (!number) return false;
    if (total != nullptr) *total = number;
    return Add(kind, *number);
  }
  // The blank lines that the cursor is at.
  void AddBlankLines(Cursor& cursor) {
    std::uint32_t count = 0;
    for (std::string_view rest = cursor.Rest(); Consume(rest, "\n"); ++count) cursor.Skip(0);
    Add(LineKind::kBlank, count);
  }

 private:
  Module& module_;
};

// Adds an element to a range. Leaves it out if it does not follow the others, as in a file that was
// joined from parts.
inline void Extend(Range& range, std::uint32_t index) {
  if (range.size == 0) range.begin = index;
  if (range.end() == index) ++range.size;
}

}  // namespace sightline::ir
