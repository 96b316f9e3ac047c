// JSON lines: one JSON object a line and event, in protobuf's JSON mapping with the original field
// names.
//
//   {"wall_time":1795189336.1,"step":"3","summary":{"value":[{"tag":"loss","scalar_value":0.5}]},"record_bytes":41}
//
// As the mapping has it, 64-bit integers are strings, NaN and infinity are "NaN", "Infinity",
// "-Infinity", bytes are base64. Beyond it:
// - record_bytes is the size of the record's payload.
// - An image has pixels_shape [height, width, channels] and pixels_sha256 of its decoded pixels
//   (rows from the top) in place of its encoded bytes; one that is no sound PNG, and audio, has
//   encoded_bytes and encoded_sha256. JsonLinesOptions::bytes shows the bytes themselves.
// - TensorBoard's graph_def is shown decoded.
// - Text that is not UTF-8 has U+FFFD in place of what is wrong.
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
  // Encoded images and audio in base64, in place of what they decode to.
  bool bytes = false;
  // Only values whose tag it accepts, and only events that have such a value; empty: everything.
  std::function<bool(std::string_view tag)> tag_filter;
  // Lines at most.
  std::uint64_t limit = std::numeric_limits<std::uint64_t>::max();
};

// One event as a JSON object; an empty string where the tag filter leaves nothing of it. kDataLoss
// when a message inside it cannot be decoded.
Result<std::string> EventToJson(EventFileKind file_kind, const EventView& event,
                                const JsonLinesOptions& options);

// Every event that `reader` still has, each as one line that ends in '\n'. Events that cannot be
// decoded are rejected: they are among reader.skipped() then. Errors: those of the file, and the
// first one of `write`.
Status WriteJsonLines(EventReader& reader, const JsonLinesOptions& options,
                      const std::function<Status(std::string_view line)>& write);

}  // namespace sightline
