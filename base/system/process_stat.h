// ProcessStat: what /proc/<id>/stat says of a process or a thread. Source: proc(5). Any thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline {

struct ProcessStat {
  pid_t id = 0;
  std::string name;
  char state = '?';  // 'R' it runs, 'Z' it has ended, and nobody has asked how.
  pid_t parent = 0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t cpu_ticks = 0;           // In user and in system mode.
  std::uint64_t children_cpu_ticks = 0;  // The same of children that ended.
  std::uint64_t begin_ticks = 0;         // When it began, after the machine did.
  std::uint64_t resident_pages = 0;

  // None for another form.
  static std::optional<ProcessStat> Parse(std::string_view text);
  // Of a process that exists.
  static std::optional<ProcessStat> Read(const std::string& path);

  static double TicksPerSecond();
};

}  // namespace sightline
