#include "sightline/ir/dump/dump_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "sightline/base/faults.h"
#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

constexpr int kHighestLevel = 3;

std::string LowerCase(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower;
}

// Empty when it is not set.
std::string_view Variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<bool> SwitchedOn(const char* name) {
  const std::string value = LowerCase(Variable(name));
  if (value == "1" || value == "true") return true;
  if (value.empty() || value == "0" || value == "false") return false;
  return Error(StatusCode::kInvalidArgument,
               fmt::format("{} is '{}', but must be 0, 1, false or true", name, value));
}

// "validate, inline" without the blanks around its parts, and without empty ones.
std::vector<std::string> PartsOf(std::string_view list) {
  constexpr std::string_view kBlanks = " \t";
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t comma = std::min(list.size(), list.find(','));
    const std::string_view part = list.substr(0, comma);
    list.remove_prefix(std::min(list.size(), comma + 1));
    const std::size_t begin = part.find_first_not_of(kBlanks);
    if (begin == std::string_view::npos) continue;
    parts.emplace_back(part.substr(begin, part.find_last_not_of(kBlanks) + 1 - begin));
  }
  return parts;
}

Result<std::uint32_t> Interval(const char* name) {
  const std::string_view value = Variable(name);
  if (value.empty()) return 1;
  const auto interval = ParseNumber(value);
  if (interval && *interval > 0) return *interval;
  return Error(StatusCode::kInvalidArgument,
               fmt::format("{} is '{}', but must be a number from 1 on", name, value));
}

}  // namespace

Status DumpOptions::Check() const {
  Faults faults;
  if (level < 0 || level > kHighestLevel)
    faults.Add("level is {}, but must be 0 to {}", level, kHighestLevel);
  if (interval == 0) faults.Add("interval is 0, but must be at least 1");
  if (buffer_bytes == 0) faults.Add("buffer_bytes is 0, but must be at least 1");
  if (file_system == nullptr) faults.Add("file_system is null, but must be a FileSystem");
  return faults.ToStatus();
}

Result<int> ParseDumpLevel(std::string_view text) {
  const std::string lower = LowerCase(text);
  if (lower == "false") return 0;
  if (lower == "true") return 2;
  const auto level = ParseNumber(text);
  if (level && *level <= kHighestLevel) return static_cast<int>(*level);
  return Error(StatusCode::kInvalidArgument,
               fmt::format("save_graphs is '{}', but must be 0 to 3, false or true", text));
}

Result<DumpOptions> DumpOptionsFromEnvironment() {
  DumpOptions options;
  if (const std::string_view level = Variable("MS_DEV_SAVE_GRAPHS"); !level.empty()) {
    const auto parsed = ParseDumpLevel(level);
    if (!parsed) return Error(parsed.error().WithContext("MS_DEV_SAVE_GRAPHS"));
    options.level = *parsed;
  }
  if (const auto path = Variable("MS_DEV_SAVE_GRAPHS_PATH"); !path.empty()) options.path = path;
  options.passes = PartsOf(Variable("MS_DEV_DUMP_IR_PASSES"));
  SIGHTLINE_ASSIGN_OR_RETURN(options.interval, Interval("MS_DEV_DUMP_IR_INTERVAL"));
  for (const char* name : {"MS_DEV_SAVE_GRAPHS_SORT_MODE", "MS_DEV_SAVE_GRAPTHS_SORT_MODE"}) {
    SIGHTLINE_ASSIGN_OR_RETURN(const bool on, SwitchedOn(name));
    options.sorted |= on;
  }
  return options;
}

}  // namespace sightline::ir
