// OptionValue: a value of a configuration, in the form that YAML, JSON and Python's keyword
// arguments have in common. The code that reads options sees only this form, so every source has
// the same rules and the same messages.
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
  struct None {};                        // Not given: means the default.
  struct Other {};                       // A value that no option has, such as a Python object.
  struct Large {                         // A whole number that does not fit 64 bits.
    std::optional<double> nearest = {};  // Nothing if that is infinite.
  };

  std::variant<None, bool, std::int64_t, double, std::string, OptionList, OptionMap, Other, Large>
      is = {};
  std::string text = {};  // For messages: as in the source, cut if it is long.
  int line = 0;           // The line in the file, from 1; 0: not from a file.

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&is);
  }
};

}  // namespace sightline
