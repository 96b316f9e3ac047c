// CollectionPattern: a NamePattern in a training loop, which no pattern may fail.
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <string_view>
#include <utility>

#include "sightline/base/pattern/name_pattern.h"

namespace sightline {

// Gets a line for people.
using WarnOfPattern = std::function<void(std::string_view line)>;

// Any thread may ask, if any thread may call `warn`.
class CollectionPattern {
 public:
  // `warn` (may be empty) is called with the first name that is too costly to match.
  CollectionPattern(NamePattern pattern, WarnOfPattern warn)
      : pattern_(std::move(pattern)), warn_(std::move(warn)) {}

  // Whether it matches at the start of `name`; false if that is too costly to find out.
  bool Matches(std::string_view name) const;

 private:
  NamePattern pattern_;
  WarnOfPattern warn_;
  std::shared_ptr<std::atomic_flag> warned_ = std::make_shared<std::atomic_flag>();
};

}  // namespace sightline
