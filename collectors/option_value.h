// OptionValue: a value of a configuration, in the form that YAML, JSON and Python's keyword
// arguments have in common. What reads options sees nothing else, so every source has the same
// rules and the same messages.
//
//   OptionMap options = {{"collect_freq", {std::int64_t{10}, "10"}}};
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace sightline {

struct OptionValue;
using OptionList = std::vector<OptionValue>;
using OptionMap = std::vector<std::pair<std::string, OptionValue>>;  // Each word once.

struct OptionValue {
  struct None {};                        // Not given: the default.
  struct Other {};                       // What no option is, e.g. an object of Python's.
  struct Large {                         // A whole number that 64 bits do not hold.
    std::optional<double> nearest = {};  // Nothing where that would be infinite.
  };

  std::variant<None, bool, std::int64_t, double, std::string, OptionList, OptionMap, Other, Large>
      is = {};
  std::string text = {};  // For messages: as the source writes it, cut when it is long.
  int line = 0;           // Of the file it stands in, from 1; 0: it is from no file.

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&is);
  }
};

}  // namespace sightline
