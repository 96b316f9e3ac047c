// The option --memory-limit of verbs that hold runs or profiles.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <memory>
#include <string_view>

#include "sightline/base/memory/column_memory.h"
#include "sightline/base/status.h"

namespace sightline {

// `bytes` stays 0 where the option is not given.
// `least`: what it says in the help.
void AddMemoryLimitOption(CLI::App& command, std::uint64_t& bytes, std::string_view least = "64MB");

// Holds while the result lives; null where `bytes` is 0. Large columns go to the folder of the
// index, or where there is none to the system's for temporary files.
Result<std::unique_ptr<MemoryLimit>> LimitMemory(std::uint64_t bytes);

}  // namespace sightline
