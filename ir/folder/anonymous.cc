#include "sightline/ir/folder/anonymous.h"

#include <algorithm>
#include <array>

namespace sightline::ir {
namespace {

struct Place {
  std::string_view before;  // The path begins behind it,
  char end;                 // and goes up to here, in the same line.
};
constexpr std::array<Place, 2> kPlaces = {{{"In file ", ':'}, {"File \"", '"'}}};

}  // namespace

const std::string& Anonymizer::NameOf(std::string_view directory) {
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
      const std::string_view path =
          line.substr(begin, std::min(line.size(), line.find(place.end, begin)) - begin);
      const std::size_t slash = path.rfind('/');
      if (slash == std::string_view::npos) continue;
      out.append(line.substr(0, begin));
      out += NameOf(path.substr(0, slash));
      line.remove_prefix(begin + slash);
      break;
    }
    out += line;
  }
  return out;
}

}  // namespace sightline::ir
