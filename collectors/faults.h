// Faults: what is wrong with a set of options, gathered so that one message names all of it. One
// thread.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/recorder/status.h"

namespace sightline {

class Faults {
 public:
  template <typename... Args>
  void Add(fmt::format_string<Args...> format, Args&&... args) {
    if (!text_.empty()) text_ += "; ";
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void Add(const Status& status) {
    if (!status.ok()) Add("{}", status.message());
  }

  void AtLeastOne(std::string_view name, std::int64_t value, std::string_view unit) {
    if (value < 1) Add("{} is {}, but must be at least 1 {}", name, value, unit);
  }

  // OK, or kInvalidArgument with every fault.
  Status ToStatus() const {
    return text_.empty() ? Status() : Status(StatusCode::kInvalidArgument, text_);
  }

 private:
  std::string text_;
};

}  // namespace sightline
