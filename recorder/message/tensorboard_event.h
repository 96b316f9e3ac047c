// Takes a serialized Event of TensorBoard's schema apart, as tensorboardX and PyTorch make them, so
// that a recorder can record it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline {

struct TensorBoardEvent {
  // What a plain scalar record holds: a float under a clean tag (tag.h), without metadata.
  struct Scalar {
    std::string_view tag;
    float value = 0;
  };

  double wall_time = 0;  // Unix seconds.
  std::int64_t step = 0;
  bool is_version = false;  // Has a file_version, which only the recorder writes.
  // Set if the event is nothing but one scalar. Its tag is in the bytes that were taken apart.
  std::optional<Scalar> scalar = std::nullopt;
  // What ValueKind::kTensorBoardEvent takes: everything but wall time and step, in its order.
  // Empty if `scalar` is set, or if the event has nothing else.
  std::string content = {};
};

// kInvalidArgument if the fields of the event are malformed; what is
// within them is read only as far as it is a scalar (CheckMessage checks the content). If wall time
// or step are there twice, the last one is taken, as Protocol Buffers does.
Result<TensorBoardEvent> TakeApartTensorBoardEvent(std::string_view serialized);

}  // namespace sightline
