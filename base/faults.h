// Faults: what is wrong with a set of options, gathered so that one message names all of it. One
// thread.
//
//   Faults faults;
//   if (rank < 0) faults.Add("rank is {}, but must not be negative", rank);
//   return faults.ToStatus();
//
// They stand in one line, or each in a line of its own: Faults faults("\n").
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/status.h"

namespace sightline {

class Faults {
 public:
  // No human reads more, and a file of unknown keys must not make a message of its size squared.
  static constexpr std::size_t kMostNamed = 100;

  // Between two faults; static text.
  explicit Faults(std::string_view separator = "; ") : separator_(separator) {}

  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    if (++count_ > kMostNamed) return;
    if (!text_.empty()) text_ += separator_;
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void Add(const Status& status) {
    if (!status.ok()) Add("{}", status.message());
  }

  void AtLeastOne(std::string_view name, std::int64_t value, std::string_view unit) {
    if (value < 1) Add("{} is {}, but must be at least 1 {}", name, value, unit);
  }

  std::size_t count() const { return count_; }

  // OK, or kInvalidArgument with every fault, of many the first ones.
  Status ToStatus() const {
    if (count_ == 0) return {};
    const std::size_t unnamed = count_ - std::min(count_, kMostNamed);
    return Status(
        StatusCode::kInvalidArgument,
        unnamed == 0 ? text_ : fmt::format("{}{}and {} more", text_, separator_, unnamed));
  }

 private:
  std::string_view separator_;
  std::string text_;
  std::size_t count_ = 0;
};

}  // namespace sightline
