#include "sightline/base/system/process_stat.h"

#include <unistd.h>

#include <array>

#include "sightline/base/parse_number.h"
#include "sightline/base/system/small_file.h"

namespace sightline {
namespace {

// The numbers of a line that are separated by blanks, from field kFirst of proc(5) on. What is no
// number, or does not fit, is 0.
constexpr std::size_t kFirst = 4;
constexpr std::size_t kLast = 24;
using Fields = std::array<std::uint64_t, kLast + 1 - kFirst>;

std::optional<Fields> FieldsIn(std::string_view text) {
  Fields fields{};
  for (std::uint64_t& field : fields) {
    const std::size_t begin = text.find_first_not_of(" \n");
    if (begin == text.npos) return std::nullopt;
    const std::string_view word = text.substr(begin, text.find_first_of(" \n", begin) - begin);
    field = ParseNumber<std::uint64_t>(word).value_or(0);
    text.remove_prefix(begin + word.size());
  }
  return fields;
}

}  // namespace

// "17 (any name) S 1 ...": the name may hold anything.
std::optional<ProcessStat> ProcessStat::Parse(std::string_view text) {
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == text.npos || close == text.npos || close < open || close + 3 >= text.size())
    return std::nullopt;
  const auto fields = FieldsIn(text.substr(close + 3));
  if (!fields) return std::nullopt;
  const auto field = [&](std::size_t number) { return (*fields)[number - kFirst]; };
  ProcessStat stat;
  stat.id = ParseNumber<pid_t>(text.substr(0, text.find(' '))).value_or(0);
  stat.name = text.substr(open + 1, close - open - 1);
  stat.state = text[close + 2];
  stat.parent = static_cast<pid_t>(field(4));
  stat.minor_faults = field(10);
  stat.major_faults = field(12);
  stat.cpu_ticks = field(14) + field(15);
  stat.children_cpu_ticks = field(16) + field(17);
  stat.begin_ticks = field(22);
  stat.resident_pages = field(24);
  return stat;
}

std::optional<ProcessStat> ProcessStat::Read(const std::string& path) {
  return Parse(ReadSmallFile(path));
}

double ProcessStat::TicksPerSecond() {
  static const auto ticks = static_cast<double>(sysconf(_SC_CLK_TCK));
  return ticks;
}

}  // namespace sightline
