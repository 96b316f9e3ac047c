// TagMetadata: TensorBoard's SummaryMetadata of a tag. Those of the tag's first value in a run hold
// for its later values that have none (InheritMetadata in recorder/reading/event_view.h). Private
// to runs/.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <tuple>

#include "sightline/runs/model/series.h"

namespace sightline {

struct TagMetadata {
  std::string bytes;  // Not decoded.
  // The place of the value that has them, as in HeavyPoint.
  std::uint32_t file = 0;
  std::uint64_t offset = 0;
  std::uint32_t value = 0;

  // Whether the value at `point` is after that one, in reading order.
  bool HoldFor(const HeavyPoint& point) const {
    return std::tie(file, offset, value) < std::tie(point.file, point.offset, point.value);
  }
};

using MetadataByTag = std::map<std::string, TagMetadata, std::less<>>;

}  // namespace sightline
