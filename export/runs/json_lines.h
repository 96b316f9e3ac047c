// JSON lines: each event is one line with a JSON object, in protobuf's JSON mapping with the
// original field names.
//
//   {"wall_time":1795189336.1,"step":"3","summary":{"value":[{"tag":"loss","scalar_value":0.5}]},"record_bytes":41}
//
// By this mapping, 64-bit integers are strings, NaN and infinity are "NaN", "Infinity" and
// "-Infinity", and bytes are base64. These are additions to it:
// - record_bytes is the size of the record's payload.
// - An image has pixels_shape [height, width, channels] and pixels_sha256 of its decoded pixels
//   (rows from the top) in place of its encoded bytes. Audio, and an image that is not a valid PNG,
//   has encoded_bytes and encoded_sha256. With JsonLinesOptions::bytes the bytes themselves are
//   shown.
// - TensorBoard's graph_def is shown decoded.
// - Bytes of a text that are not UTF-8 become U+FFFD.
//
// Pure functions, callable from any thread.
#pragma once

#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/recorder/reading/event_reader.h"

namespace sightline {

struct JsonLinesOptions {
  // Show images and audio as base64, in place of their sizes and digests.
  bool bytes = false;
  // Only values whose tag it accepts, and only events that have such a value; empty: everything.
  std::function<bool(std::string_view tag)> tag_filter;
  // At most so many lines.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

// One event as a JSON object; an empty string if the tag filter leaves nothing of it. kDataLoss if
// a message inside it cannot be decoded.
Result<std::string> EventToJson(EventFileKind file_kind, const EventView& event,
                                const JsonLinesOptions& options);

// Writes every event that `reader` still has as one line that ends in '\n'. Events that cannot be
// decoded are left out, and are then among reader.skipped(). Errors: those of the file, and the
// first one of `write`.
Status WriteJsonLines(EventReader& reader, const JsonLinesOptions& options,
                      const std::function<Status(std::string_view line)>& write);

}  // namespace sightline
