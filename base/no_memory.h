// What is left to say when memory runs out: a Status takes memory to make, so this one is made when
// the program starts.
#pragma once

#include <exception>
#include <utility>

#include "sightline/base/status.h"

namespace sightline {

inline constexpr char kNoMemory[] = "there is no memory left";

// kResourceExhausted, with that text.
const Status& NoMemory();

// What `call` returns, or NoMemory() where it throws.
template <typename Call>
Status OrNoMemory(Call&& call) noexcept {
  try {
    return std::forward<Call>(call)();
  } catch (const std::exception&) {
    return NoMemory();
  }
}

}  // namespace sightline
