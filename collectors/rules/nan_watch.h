// NanWatch: finds the first NaN or infinity of each tag.
//
// One thread. A finite value costs a comparison, an array one pass at the speed of memory.
//
//   NanWatch watch([](const NonFinite& found) { ... });
//   watch.Check("loss/auto", 17, loss);
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "sightline/collectors/rules/summary_options.h"
#include "sightline/recorder/tensor/tensor_view.h"

namespace sightline {

class NanWatch {
 public:
  // Calls `report` for the first such value of each tag; it may be empty.
  explicit NanWatch(std::function<void(const NonFinite&)> report) : report_(std::move(report)) {}

  void Check(std::string_view tag, std::int64_t step, double value) {
    // True for NaN and infinities only.
    if (value - value != 0) [[unlikely]]
      Found(tag, step, value);
  }
  void Check(std::string_view tag, std::int64_t step, const TensorView& tensor);

  // The first one of all tags.
  const std::optional<NonFinite>& first() const { return first_; }

 private:
  void Found(std::string_view tag, std::int64_t step, double value);

  std::function<void(const NonFinite&)> report_;
  std::set<std::string, std::less<>> seen_;
  std::optional<NonFinite> first_;
};

}  // namespace sightline
