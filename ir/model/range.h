// A part of one of a module's tables.
#pragma once

#include <cstdint>

namespace sightline::ir {

// Elements [begin, begin + size) of one of the module's tables.
struct Range {
  std::uint32_t begin = 0;
  std::uint32_t size = 0;
  std::uint32_t end() const { return begin + size; }
};

}  // namespace sightline::ir
