// An object that is one value, such as a picture, comes as its members: "hist._type", which says
// what it is, "hist.bins", "hist.packedBins.min". Private to this folder. Plain functions; any
// thread.
#pragma once

#include <optional>
#include <string_view>

namespace sightline {

// The member that says that an object is one value: its type.
inline constexpr std::string_view kTypeMember = "_type";

// The object that "<object>._type" says something of; none for other names.
inline std::optional<std::string_view> ObjectOfType(std::string_view name) {
  if (name.size() <= kTypeMember.size() + 1 || !name.ends_with(kTypeMember)) return std::nullopt;
  name.remove_suffix(kTypeMember.size());
  if (!name.ends_with('.')) return std::nullopt;
  name.remove_suffix(1);
  return name;
}

// Deeper objects are not looked for: a name of thousands of parts would be looked up for each.
inline constexpr int kMostParts = 64;

// Whether the name is that of a member of an object, the outermost first: "a.b.c" may be one of "a"
// and of "a.b". is_object(name): whether that is one.
template <typename IsObject>
bool IsMember(std::string_view name, const IsObject& is_object) {
  std::size_t dot = name.find('.');
  for (int part = 1; part < kMostParts && dot != name.npos; ++part) {
    if (is_object(name.substr(0, dot))) return true;
    dot = name.find('.', dot + 1);
  }
  return false;
}

}  // namespace sightline
