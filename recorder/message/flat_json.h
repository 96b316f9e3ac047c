// Reads small JSON objects without nlohmann's: an object of theirs asks for memory when it is
// destroyed, and ends the program where there is none, which a recorder's thread may never do.
//
//   const auto fields = ParseFlatJson(R"({"rank": 3, "formats": ["a", "b"]})");
//   fields->at("rank").one()       // "3"
//   fields->at("formats").values   // "a", "b"
//
// Any thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline {

struct FlatJsonField {
  bool is_text = false;             // Else a number, true, false or null, as it is spelled.
  bool is_list = false;             // Of the values below.
  std::vector<std::string> values;  // None for an object, which is left out.

  // The value where it is not a list.
  std::optional<std::string> one() const {
    return is_list || values.size() != 1 ? std::nullopt : std::optional(values.front());
  }
};

// By name; of two of one name the last. Nothing if `json` is no JSON object.
std::optional<std::map<std::string, FlatJsonField>> ParseFlatJson(std::string_view json);

}  // namespace sightline
