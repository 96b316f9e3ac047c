#include "sightline/ir/model/noise.h"

#include <algorithm>
#include <array>

#include "sightline/base/ascii.h"

namespace sightline::ir {
namespace {

// "forward_node_name" is an operator's name and its "forward_unique_id": "Cast_39322".
constexpr std::array<std::string_view, 4> kIdAttributes = {"unique_id", "forward_unique_id",
                                                           "forward_node_name", "compile_phase"};

bool IsHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }

// Makes a number that it touches a part of a name.
bool IsNamePart(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' ||
         static_cast<unsigned char>(c) >= 0x80;
}

// Whether text[begin, end), a run of digits, is an id.
bool IsId(std::string_view text, std::size_t begin, std::size_t end) {
  if (end < text.size() && IsNamePart(text[end])) return false;
  if (begin == 0 || !IsNamePart(text[begin - 1])) return true;
  // "para3_x": the parameter's number.
  constexpr std::string_view kParameter = "para";
  if (!text.substr(0, begin).ends_with(kParameter)) return false;
  const std::size_t before = begin - kParameter.size();
  return (before == 0 || !(IsNamePart(text[before - 1]) || text[before - 1] == '_')) &&
         end < text.size() && text[end] == '_';
}

}  // namespace

void WithoutIds(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && IsDigit(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    if (IsId(text, at, end)) {
      out += '#';
    } else {
      out.append(text, at, end - at);
    }
    at = end;
  }
}

void WithoutAddresses(std::string_view text, std::string& out) {
  out.clear();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t found = std::min(text.size(), text.find("0x", at));
    const std::size_t end = std::min(text.size(), found + 2);
    out.append(text, at, end - at);
    for (at = end; at < text.size() && IsHexDigit(text[at]);) ++at;
  }
}

bool IsIdAttribute(std::string_view key) {
  return std::find(kIdAttributes.begin(), kIdAttributes.end(), key) != kIdAttributes.end();
}

bool IsGeneratedName(std::string_view name) {
  while (!name.empty() && IsDigit(name.back())) name.remove_suffix(1);
  return name.ends_with("CNode_") || name.ends_with("ValueNode_");
}

}  // namespace sightline::ir
