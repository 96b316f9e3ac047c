#include "sightline/recorder/translation/event_bytes.h"

#include <utility>

#include "sightline/base/wire.h"

namespace sightline {
namespace {

// Event.
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kSummary = 5;
// Summary.Value.
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kMetadata = 9;
// TensorProto.
constexpr std::uint32_t kType = 1;
constexpr std::int64_t kDouble = 2;
constexpr std::int64_t kString = 7;
constexpr std::uint32_t kShape = 2;
constexpr std::uint32_t kContent = 4;
constexpr std::uint32_t kStrings = 8;

}  // namespace

void EventBytes::AddValue(std::string_view tag, std::string_view plugin, std::string_view tensor) {
  std::string data;  // PluginData: plugin_name.
  wire::AppendBytes(data, 1, plugin);
  std::string metadata;  // SummaryMetadata: plugin_data.
  wire::AppendBytes(metadata, 1, data);
  std::string value;
  wire::AppendBytes(value, kTag, tag);
  wire::AppendBytes(value, kTensor, tensor);
  wire::AppendBytes(value, kMetadata, metadata);
  wire::AppendBytes(values_, 1, value);
}

void EventBytes::AddScalar(std::string_view tag, double value) {
  std::string content;
  wire::AppendFixed(content, value);
  std::string tensor;
  wire::AppendInt(tensor, kType, kDouble);
  wire::AppendBytes(tensor, kShape, {});
  wire::AppendBytes(tensor, kContent, content);
  AddValue(tag, "scalars", tensor);
}

void EventBytes::AddText(std::string_view tag, std::string_view text) {
  std::string tensor;
  wire::AppendInt(tensor, kType, kString);
  wire::AppendBytes(tensor, kShape, {});
  wire::AppendBytes(tensor, kStrings, text);
  AddValue(tag, "text", tensor);
}

// As TensorFlow 2's, a tensor with a row (left edge, right edge, count) for each bucket, since the
// other form needs minimum and sum, which are not known.
void EventBytes::AddHistogram(std::string_view tag, std::span<const double> edges,
                              std::span<const double> counts) {
  std::string shape;
  for (const std::size_t size : {counts.size(), std::size_t{3}}) {
    std::string dimension;
    wire::AppendInt(dimension, 1, static_cast<std::int64_t>(size));
    wire::AppendBytes(shape, 2, dimension);
  }
  std::string rows;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    for (const double number : {edges[i], edges[i + 1], counts[i]}) wire::AppendFixed(rows, number);
  }
  std::string tensor;
  wire::AppendInt(tensor, kType, kDouble);
  wire::AppendBytes(tensor, kShape, shape);
  wire::AppendBytes(tensor, kContent, rows);
  AddValue(tag, "histograms", tensor);
}

std::string EventBytes::Take(double wall_time, std::int64_t step) {
  std::string event;
  if (wall_time != 0) wire::AppendDouble(event, kWallTime, wall_time);
  if (step != 0) wire::AppendInt(event, kStep, step);
  if (!values_.empty()) wire::AppendBytes(event, kSummary, std::exchange(values_, {}));
  return event;
}

}  // namespace sightline
