// Faults: collects what is wrong with a set of options, so that one message names all of it. One
// thread at a time.
//
//   Faults faults;
//   if (rank < 0) faults.Add("rank is {}, but must not be negative", rank);
//   return faults.ToStatus();
//
// They are joined in one line; with Faults faults("\n"), each has a line of its own.
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
  // Nobody reads more, and a large file of unknown keys must not make a huge message.
  static constexpr std::size_t kMostNamed = 100;

  // `separator` stands between two faults; it must be a static text.
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

  // OK, or kInvalidArgument with the first kMostNamed faults and the number of the others.
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
