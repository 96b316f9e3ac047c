// What another program prints, such as git. Any thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace sightline {

struct ProgramLimits {
  std::size_t bytes = std::size_t{1} << 20U;
  std::chrono::milliseconds time{10'000};
};

// Runs `arguments`, whose first one is looked up in PATH, with `variables` ("NAME=value") added to
// the environment, and without an input. Returns its standard output; its errors go nowhere. None
// if it cannot be started, ends with anything but 0, prints more than the limit, or has not ended
// in time, which kills it.
std::optional<std::string> OutputOfProgram(const std::vector<std::string>& arguments,
                                           const std::vector<std::string>& variables = {},
                                           const ProgramLimits& limits = {});

}  // namespace sightline
