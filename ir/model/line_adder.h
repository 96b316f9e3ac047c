// Adds lines to a module, one after the other, as readers explain them. Private to this folder.
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

  // Each is true when it added a line, so that it can end a reading function.
  bool Add(LineKind kind, std::uint32_t index) {
    module_.lines.push_back({kind, index});
    return true;
  }
  bool AddText(LineKind kind, std::string_view text) {
    return Add(kind, static_cast<std::uint32_t>(module_.texts.Intern(text)));
  }
  // Nothing for what is no number; one goes to `total` too where there is one.
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

// Adds an element to a range. One that does not follow the others, as in a file that is put
// together of parts, is left out.
inline void Extend(Range& range, std::uint32_t index) {
  if (range.size == 0) range.begin = index;
  if (range.end() == index) ++range.size;
}

}  // namespace sightline::ir
