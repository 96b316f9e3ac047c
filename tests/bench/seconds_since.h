// Time that a benchmark takes itself.
#pragma once

#include <chrono>

namespace sightline::bench {

inline double SecondsSince(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace sightline::bench
