// Perfetto traces, read for tests: what an independent reader sees in the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline::testing {

struct ReadSlice {
  std::string track;   // A thread's name, or "<thread>/steps", "<thread>/operators".
  std::string parent;  // Name of the slice around it on its track.
  std::string name;
  std::string category;
  std::int64_t begin = 0;
  std::int64_t end = -1;  // -1: open.
  bool instant = false;
  std::map<std::string, std::string> args;
  std::vector<std::pair<std::uint64_t, bool>> flows;  // And whether it ends here.
};

struct ReadTrace {
  std::vector<ReadSlice> slices;  // In the order of their begins in the file.
  std::map<std::string, std::vector<double>> counters;
  std::map<std::string, int> interned;  // How often a name is interned.
  std::size_t ends_without_begin = 0;
  std::size_t cut_bytes = 0;  // Behind the last whole packet.
  std::int64_t wall_minus_monotonic = 0;

  std::size_t Count(std::string_view name) const;
  // The only one of this name; a failure where there is another number of them.
  const ReadSlice& Only(std::string_view name) const;
};

ReadTrace ParseTrace(std::string_view bytes);

}  // namespace sightline::testing
