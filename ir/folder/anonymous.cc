#include "sightline/ir/folder/anonymous.h"

#include <algorithm>
#include <array>

namespace sightline::ir {
namespace {

struct Place {
  std::string_view before;  // The path begins after it,
  char end;                 // and goes up to here, in the same line.
};
constexpr std::array<Place, 2> kPlaces = {{{"In file ", ':'}, {"File \"", '"'}}};

// Where the path ends that the line has from `begin` on: "net.py:34" and "net.py(34)/code/".
std::size_t EndOfPath(std::string_view line, std::size_t begin, char end) {
  const std::size_t at = std::min(line.size(), line.find(end, begin));
  for (std::size_t open = line.find('(', begin); open < at; open = line.find('(', open + 1)) {
    const std::size_t close = line.find_first_not_of("0123456789~", open + 1);
    if (close != std::string_view::npos && close > open + 1 && line[close] == ')' &&
        line.substr(close + 1, 1) == "/")
      return open;
  }
  return at;
}

}  // namespace

const std::string& Anonymizer::PublicName(std::string_view directory) {
  const auto found = names_.find(directory);
  if (found != names_.end()) return found->second;
  std::string name = "/source" + std::to_string(names_.size() + 1);
  return names_.emplace(directory, std::move(name)).first->second;
}

std::string Anonymizer::Replace(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t newline = text.find('\n');
    std::string_view line =
        text.substr(0, newline == std::string_view::npos ? newline : newline + 1);
    text.remove_prefix(line.size());
    for (const Place& place : kPlaces) {
      const std::size_t found = line.find(place.before);
      if (found == std::string_view::npos) continue;
      const std::size_t begin = found + place.before.size();
      const std::string_view path = line.substr(begin, EndOfPath(line, begin, place.end) - begin);
      const std::size_t slash = path.rfind('/');
      if (slash == std::string_view::npos) continue;
      out.append(line.substr(0, begin));
      out += PublicName(path.substr(0, slash));
      line.remove_prefix(begin + slash);
      break;
    }
    out += line;
  }
  return out;
}

}  // namespace sightline::ir
