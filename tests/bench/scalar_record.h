// The record of an event of one scalar, as the files of both dialects have it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "sightline/base/wire.h"
#include "sightline/tests/support/records.h"

namespace sightline::bench {

// {wall_time, step, summary {value {tag, scalar}}}; `field` is that of the scalar in the dialect:
// TensorBoard's simple_value unless given.
inline std::string ScalarRecord(std::string_view tag, int step, float scalar,
                                std::uint32_t field = 2) {
  std::string value;
  wire::AppendBytes(value, 1, tag);
  wire::AppendFloat(value, field, scalar);
  std::string summary;
  wire::AppendBytes(summary, 1, value);
  std::string event;
  wire::AppendDouble(event, 1, 1.7e9 + step);
  wire::AppendInt(event, 2, step);
  wire::AppendBytes(event, 5, summary);
  return testing::FrameRecord(event);
}

}  // namespace sightline::bench
