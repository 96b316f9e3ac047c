// What `sightline run` leaves of a command's console in the run's folder: the bytes that it
// printed, and when (docs/console_file.md). Plain functions, callable from any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline {

// "console.log", or "console-rank3.log" of one of several ranks.
std::string ConsoleName(std::optional<std::int64_t> rank);
// The file beside a console of this name that has its times: ".console.log.times".
std::string ConsoleTimesName(std::string_view console);

// The consoles that the entries of a folder name, by rank; that of none is first.
std::vector<std::optional<std::int64_t>> ConsoleRanks(const std::vector<std::string>& entries);

}  // namespace sightline
