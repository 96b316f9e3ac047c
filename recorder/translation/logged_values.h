// LoggedValues: the values that a program logged at one step, as names and JSON, and the event that
// they become.
//
//   LoggedValues values;
//   values.Add("loss", "0.5");
//   values.Add("hist._type", "\"histogram\"");  // Parts of one value, which is not a number.
//   const std::string event = values.Take(wall_time, step, unread);
//
// Private to this folder. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace sightline {

// A number in JSON, or one that is not finite, as Python prints it: NaN, "Infinity". No value for
// any other text.
std::optional<double> NumberOfJson(std::string_view json);

class LoggedValues {
 public:
  // `json` must live until Take. An object's members are values below `name`.
  void Add(std::string name, std::string_view json) { values_.emplace_back(std::move(name), json); }

  // The event with the values. Adds the kinds of those that it cannot hold to `unread`.
  std::string Take(double wall_time, std::int64_t step, std::vector<std::string>& unread);

 private:
  std::vector<std::pair<std::string, std::string_view>> values_;
};

}  // namespace sightline
