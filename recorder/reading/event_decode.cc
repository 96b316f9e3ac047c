#include "sightline/recorder/reading/event_decode.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sightline/base/wire.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

Status Malformed(std::string_view what) {
  return Status(StatusCode::kDataLoss, fmt::format("{}: not a protobuf message of its kind", what));
}

// Calls take(field) for each field of a message.
template <typename Take>
Status ForEachField(std::string_view message, std::string_view what, Take take) {
  Scanner scan(message);
  for (Field field; scan.Next(field);) take(field);
  return scan.malformed() ? Malformed(what) : Status();
}

Status ParseBucket(std::string_view message, HistogramBucket& bucket) {
  return ForEachField(message, "histogram bucket", [&](const Field& field) {
    if (field.number == 1) bucket.left = field.AsDouble();
    if (field.number == 2) bucket.width = field.AsDouble();
    if (field.number == 3) bucket.count = static_cast<double>(field.AsInt64());
  });
}

Result<HistogramData> MindSporeHistogram(std::string_view message) {
  HistogramData histogram;
  histogram.has_sum = false;
  Status bucket_status;
  SIGHTLINE_RETURN_IF_ERROR(ForEachField(message, "histogram", [&](const Field& field) {
    if (field.type == WireType::kBytes) {
      if (field.number != 1) return;
      Status status = ParseBucket(field.bytes, histogram.buckets.emplace_back());
      if (bucket_status.ok()) bucket_status = std::move(status);
      return;
    }
    if (field.number == 2) histogram.nan_count = field.AsInt64();
    if (field.number == 3) histogram.pos_inf_count = field.AsInt64();
    if (field.number == 4) histogram.neg_inf_count = field.AsInt64();
    if (field.number == 5) histogram.max = field.AsDouble();
    if (field.number == 6) histogram.min = field.AsDouble();
    if (field.number == 7) histogram.sum = field.AsDouble();
    if (field.number == 8) histogram.count = static_cast<double>(field.AsInt64());
    histogram.has_finite = histogram.has_finite || field.number == 5;
    histogram.has_sum = histogram.has_sum || field.number == 7;
  }));
  SIGHTLINE_RETURN_IF_ERROR(bucket_status);
  return histogram;
}

// Counts of normalized histograms are fractions.
double CountOf(double count) { return count > 0 && std::isfinite(count) ? count : 0; }

void AppendDoubles(const Field& field, std::vector<double>& out) {
  if (field.type == WireType::kFixed64) out.push_back(field.AsDouble());
  if (field.type != WireType::kBytes) return;
  const std::size_t count = field.bytes.size() / sizeof(double);
  out.resize(out.size() + count);
  if (count > 0) std::memcpy(&out[out.size() - count], field.bytes.data(), count * sizeof(double));
}

// Decodes a HistogramProto: the right edges of the buckets, and how many values are in each.
Result<HistogramData> TensorBoardHistogram(std::string_view message) {
  HistogramData histogram;
  std::vector<double> limits;
  std::vector<double> counts;
  SIGHTLINE_RETURN_IF_ERROR(ForEachField(message, "histogram", [&](const Field& field) {
    if (field.number == 6) AppendDoubles(field, limits);
    if (field.number == 7) AppendDoubles(field, counts);
    if (field.type != WireType::kFixed64) return;
    if (field.number == 1) histogram.min = field.AsDouble();
    if (field.number == 2) histogram.max = field.AsDouble();
    if (field.number == 3) histogram.count = CountOf(field.AsDouble());
    if (field.number == 4) histogram.sum = field.AsDouble();
    if (field.number == 5) histogram.sum_squares = field.AsDouble();
  }));
  if (limits.size() != counts.size()) {
    return Error(StatusCode::kDataLoss, fmt::format("histogram: {} bucket limits but {} buckets",
                                                    limits.size(), counts.size()));
  }
  histogram.has_finite =
      histogram.count > 0 && !std::isnan(histogram.min) && !std::isnan(histogram.max);
  histogram.has_sum = !std::isnan(histogram.sum);
  double left = histogram.min;
  for (std::size_t i = 0; i < limits.size(); ++i) {
    const double right = std::clamp(limits[i], left, std::max(left, histogram.max));
    histogram.buckets.push_back({left, right - left, CountOf(counts[i])});
    left = right;
  }
  return histogram;
}

// Decodes a histogram of TensorFlow 2: a tensor of rows (left, right, count).
Result<HistogramData> TensorHistogram(std::string_view tensor_proto) {
  SIGHTLINE_ASSIGN_OR_RETURN(const TensorData tensor,
                             DecodeTensor(EventFileKind::kTensorBoard, tensor_proto));
  if (tensor.dtype != DType::kFloat64 || tensor.shape.size() != 2 || tensor.shape[1] != 3) {
    return Error(StatusCode::kDataLoss, "histogram: its tensor is not of float64 and shape (n, 3)");
  }
  HistogramData histogram;
  for (std::size_t at = 0; at < tensor.data.size(); at += 3 * sizeof(double)) {
    double row[3];
    std::memcpy(row, &tensor.data[at], sizeof(row));
    histogram.buckets.push_back({row[0], row[1] - row[0], CountOf(row[2])});
    histogram.min = at == 0 ? row[0] : std::min(histogram.min, row[0]);
    histogram.max = at == 0 ? row[1] : std::max(histogram.max, row[1]);
    histogram.count += CountOf(row[2]);
  }
  histogram.has_finite =
      histogram.count > 0 && !std::isnan(histogram.min) && !std::isnan(histogram.max);
  histogram.has_sum = false;
  return histogram;
}

// A tensor of images of TensorFlow 2 begins with two strings, their width and height.
constexpr std::size_t kBeforeImages = 2;

Result<EncodedImage> TensorImage(std::string_view tensor_proto, std::size_t item) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto strings, DecodeStrings(tensor_proto));
  if (item >= strings.size() || strings.size() - item <= kBeforeImages)
    return Error(StatusCode::kDataLoss, fmt::format("image: its tensor holds no image {}", item));
  const auto number = [](std::string_view text) {
    std::int32_t value = 0;
    for (const char c : text.substr(0, 9))
      value = c >= '0' && c <= '9' ? value * 10 + (c - '0') : value;
    return value;
  };
  return EncodedImage{number(strings[1]), number(strings[0]), 0, strings[item + kBeforeImages]};
}

// A tensor of sounds of TensorFlow 2 has the shape (sounds), or (sounds, 2) with labels.
std::size_t StringsOfSound(std::string_view tensor_proto) {
  const auto shape = DecodeShape(tensor_proto);
  return shape && shape->size() == 2 && (*shape)[1] == 2 ? 2 : 1;
}

}  // namespace

Result<HistogramData> DecodeHistogram(EventFileKind file_kind, const ValueView& value) {
  if (value.is_tensor) return TensorHistogram(value.message);
  if (file_kind == EventFileKind::kTensorBoard) return TensorBoardHistogram(value.message);
  return MindSporeHistogram(value.message);
}

// Both dialects have the same message, field for field.
Result<EncodedImage> DecodeImage(EventFileKind, const ValueView& value, std::size_t item) {
  if (value.is_tensor) return TensorImage(value.message, item);
  EncodedImage image;
  SIGHTLINE_RETURN_IF_ERROR(ForEachField(value.message, "image", [&](const Field& field) {
    if (field.type == WireType::kBytes) {
      if (field.number == 4) image.encoded = field.bytes;
      return;
    }
    if (field.number == 1) image.height = field.AsInt32();
    if (field.number == 2) image.width = field.AsInt32();
    if (field.number == 3) image.colorspace = field.AsInt32();
  }));
  return image;
}

// TensorBoard's Summary.Audio: sample_rate 1 (a float), encoded_audio_string 4, content_type 5.
Result<EncodedAudio> DecodeAudio(const ValueView& value, std::size_t item) {
  EncodedAudio audio;
  if (value.is_tensor) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto strings, DecodeStrings(value.message));
    const std::size_t distance = StringsOfSound(value.message);
    if (item >= strings.size() / distance)
      return Error(StatusCode::kDataLoss, fmt::format("audio: its tensor holds no sound {}", item));
    audio.encoded = strings[item * distance];
    return audio;
  }
  SIGHTLINE_RETURN_IF_ERROR(ForEachField(value.message, "audio", [&](const Field& field) {
    if (field.number == 1 && field.type == WireType::kFixed32)
      audio.sample_rate = static_cast<double>(field.AsFloat());
    if (field.type != WireType::kBytes) return;
    if (field.number == 4) audio.encoded = field.bytes;
    if (field.number == 5) audio.content_type = field.bytes;
  }));
  return audio;
}

std::uint32_t ItemCount(const ValueView& value) {
  const bool has_items =
      value.is_tensor && (value.kind == ContentKind::kImage || value.kind == ContentKind::kAudio);
  const auto strings = has_items ? DecodeStrings(value.message) : std::vector<std::string_view>();
  std::size_t items = 0;
  if (strings && value.kind == ContentKind::kImage)
    items = strings->size() - std::min(strings->size(), kBeforeImages);
  if (strings && value.kind == ContentKind::kAudio)
    items = strings->size() / StringsOfSound(value.message);
  return static_cast<std::uint32_t>(std::max<std::size_t>(items, 1));
}

bool IsSessionStart(const EventView& event) {
  if (event.kind != EventKind::kSessionLog) return false;
  constexpr std::int64_t kStart = 1;
  std::int64_t status = 0;
  const Status parsed = ForEachField(event.body, "session log", [&](const Field& field) {
    if (field.number == 1 && field.type == WireType::kVarint) status = field.AsInt64();
  });
  return parsed.ok() && status == kStart;
}

Result<Session> DecodeSession(std::string_view session_info) {
  Session session;
  SIGHTLINE_RETURN_IF_ERROR(ForEachField(session_info, "session", [&](const Field& field) {
    if (field.type == WireType::kBytes) {
      if (field.number == 1) session.writer = field.bytes;
      if (field.number == 2) session.version = field.bytes;
      if (field.number == 3) session.session_id = field.bytes;
      if (field.number == 9) session.continues_session = field.bytes;
      return;
    }
    if (field.number == 4) session.rank = field.AsInt32();
    if (field.number == 5) session.world_size = field.AsInt32();
    if (field.number == 6) session.segment = field.AsInt32();
    if (field.number == 7) session.first_step = field.AsInt64();
    if (field.number == 8) session.resume_from_step = field.AsInt64();
  }));
  return session;
}

}  // namespace sightline
