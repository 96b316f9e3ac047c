#include "sightline/ir/dump/readable.h"

#include <algorithm>

#include "sightline/ir/model/brackets.h"

namespace sightline::ir {

std::string CleanName(std::string_view text) {
  constexpr std::string_view kEndsName = "()[]{},:\" \t\n\r";
  std::string name(text);
  for (char& c : name)
    if (kEndsName.find(c) != std::string_view::npos) c = '_';
  return name;
}

std::string ReadableCallee(std::string_view primitive) {
  const std::size_t group = primitive.find_first_of("[{");
  const std::string_view name = primitive.substr(0, group);
  const bool readable = CleanName(name) == name && IsItem(primitive) &&
                        (group == std::string_view::npos ||
                         BracketedSize(primitive.substr(group)) == primitive.size() - group);
  return readable ? std::string(primitive) : CleanName(primitive);
}

std::string ReadableKey(std::string_view key) {
  const bool readable = IsItem(key) && key.find_first_of(":\"") == std::string_view::npos;
  return readable ? std::string(key) : CleanName(key);
}

std::string ReadableType(std::string_view type) {
  const bool whole = type.starts_with('<') && BracketedSize(type) == type.size();
  return whole ? OneLine(type) : "<null>";
}

std::string OneLine(std::string_view text) {
  std::string line(text);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

bool IsItem(std::string_view text) {
  ListReader list(text);
  std::string_view item;
  return list.Next(item) && item == text && list.ok() && text.find('\n') == std::string_view::npos;
}

}  // namespace sightline::ir
