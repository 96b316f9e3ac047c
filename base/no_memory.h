// The error for when memory runs out. A Status takes memory, so this one is made when the program
// starts.
#pragma once

#include <exception>
#include <utility>

#include "sightline/base/status.h"

namespace sightline {

inline constexpr char kNoMemory[] = "there is no memory left";

// kResourceExhausted, with that text.
const Status& NoMemory();

// What `call` returns, or NoMemory() if it throws.
template <typename Call>
Status OrNoMemory(Call&& call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (const std::exception&) {
    return NoMemory();
  }
}

}  // namespace sightline
