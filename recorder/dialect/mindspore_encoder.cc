#include "sightline/recorder/dialect/mindspore_encoder.h"

#include <algorithm>
#include <string>

#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::mindspore {
namespace {

using wire::AppendBytes;
using wire::AppendDouble;
using wire::AppendFloat;
using wire::AppendInt;

constexpr std::string_view kVersion = "MindSpore.Event:1";

// Field numbers, by message. They never change, since existing files have them.
namespace event {
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kVersion = 3;
constexpr std::uint32_t kGraph = 4;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSession = 1000;
}  // namespace event
namespace lineage_event {
constexpr std::uint32_t kTrainLineage = 6;
constexpr std::uint32_t kEvaluationLineage = 7;
constexpr std::uint32_t kDatasetGraph = 9;
constexpr std::uint32_t kUserDefinedInfo = 10;
}  // namespace lineage_event
namespace summary {
constexpr std::uint32_t kValue = 1;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kScalar = 3;
constexpr std::uint32_t kImage = 4;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kHistogram = 9;
constexpr std::uint32_t kLandscape = 10;
}  // namespace summary
namespace image {
constexpr std::uint32_t kHeight = 1;
constexpr std::uint32_t kWidth = 2;
constexpr std::uint32_t kColorspace = 3;
constexpr std::uint32_t kEncodedImage = 4;
}  // namespace image
namespace tensor {
constexpr std::uint32_t kDims = 1;
constexpr std::uint32_t kDataType = 2;
constexpr std::uint32_t kFloatData = 3;
constexpr std::uint32_t kRawData = 8;
}  // namespace tensor
namespace histogram {
constexpr std::uint32_t kBucket = 1;
constexpr std::uint32_t kNanCount = 2;
constexpr std::uint32_t kPosInfCount = 3;
constexpr std::uint32_t kNegInfCount = 4;
constexpr std::uint32_t kMax = 5;
constexpr std::uint32_t kMin = 6;
constexpr std::uint32_t kSum = 7;
constexpr std::uint32_t kCount = 8;
// Within a bucket.
constexpr std::uint32_t kLeft = 1;
constexpr std::uint32_t kWidth = 2;
constexpr std::uint32_t kBucketCount = 3;
}  // namespace histogram

void AppendImage(const PngImage& picture, Payload& out) {
  out.Nested(summary::kImage, [&] {
    AppendInt(out.bytes(), image::kHeight, picture.height);
    AppendInt(out.bytes(), image::kWidth, picture.width);
    AppendInt(out.bytes(), image::kColorspace, picture.colorspace);
    out.Nested(image::kEncodedImage, [&] { out.AppendBorrowed(picture.bytes); });
  });
}

void AppendTensor(const PreparedValue& value, Payload& out) {
  const TensorView& view = value.tensor;
  const std::size_t count = view.ElementCount();
  out.Nested(summary::kTensor, [&] {
    for (const std::int64_t size : view.shape) AppendInt(out.bytes(), tensor::kDims, size);
    AppendInt(out.bytes(), tensor::kDataType, MindSporeDataType(view.dtype));
    if (count == 0) return;
    out.Nested(tensor::kFloatData,
               [&] { out.AppendFloat32(view.dtype, view.data, count, value.tensor_crc); });
    if (Float32IsExact(view.dtype)) return;
    out.Nested(tensor::kRawData, [&] {
      out.AppendBorrowed({static_cast<const char*>(view.data), view.ByteSize()}, value.tensor_crc);
    });
  });
}

// A histogram has up to 90 buckets, so each is written in one piece, not field by field.
void AppendBucket(const HistogramBucket& bucket, std::string& out) {
  using wire::Key;
  using wire::WireType;
  char buffer[40];
  char* const body = buffer + 2;
  char* at = wire::PutVarint(body, Key(histogram::kLeft, WireType::kFixed64));
  at = wire::PutFixed(at, bucket.left);
  at = wire::PutVarint(at, Key(histogram::kWidth, WireType::kFixed64));
  at = wire::PutFixed(at, bucket.width);
  at = wire::PutVarint(at, Key(histogram::kBucketCount, WireType::kVarint));
  at = wire::PutVarint(at, static_cast<std::uint64_t>(static_cast<std::int64_t>(bucket.count)));
  buffer[0] = static_cast<char>(Key(histogram::kBucket, WireType::kBytes));
  buffer[1] = static_cast<char>(at - body);  // At most 29.
  out.append(buffer, at);
}

void AppendHistogram(const HistogramData& data, Payload& out) {
  out.Nested(summary::kHistogram, [&] {
    std::string& bytes = out.bytes();
    for (const HistogramBucket& bucket : data.buckets) AppendBucket(bucket, bytes);
    AppendInt(bytes, histogram::kNanCount, data.nan_count);
    AppendInt(bytes, histogram::kPosInfCount, data.pos_inf_count);
    AppendInt(bytes, histogram::kNegInfCount, data.neg_inf_count);
    if (data.has_finite) {
      AppendDouble(bytes, histogram::kMax, data.max);
      AppendDouble(bytes, histogram::kMin, data.min);
      AppendDouble(bytes, histogram::kSum, data.sum);
    }
    AppendInt(bytes, histogram::kCount, static_cast<std::int64_t>(data.count));
  });
}

void AppendValue(const PreparedValue& value, Payload& out) {
  AppendBytes(out.bytes(), summary::kTag, value.tag);
  switch (value.kind) {
    case ValueKind::kScalar:
      AppendFloat(out.bytes(), summary::kScalar, static_cast<float>(value.scalar));
      return;
    case ValueKind::kImage:
      AppendImage(*value.image, out);
      return;
    case ValueKind::kTensor:
      AppendTensor(value, out);
      return;
    case ValueKind::kHistogram:
      AppendHistogram(*value.histogram, out);
      return;
    case ValueKind::kLandscape:
      out.Nested(summary::kLandscape, [&] { out.AppendBorrowed(value.message); });
      return;
    case ValueKind::kGraph:
    case ValueKind::kTrainLineage:
    case ValueKind::kEvaluationLineage:
    case ValueKind::kDatasetGraph:
    case ValueKind::kCustomLineage:
    case ValueKind::kTensorBoardEvent:
      return;  // Not in a summary: PartOf.
  }
}

std::uint32_t LineageField(ValueKind kind) {
  switch (kind) {
    case ValueKind::kTrainLineage:
      return lineage_event::kTrainLineage;
    case ValueKind::kEvaluationLineage:
      return lineage_event::kEvaluationLineage;
    case ValueKind::kDatasetGraph:
      return lineage_event::kDatasetGraph;
    case ValueKind::kCustomLineage:
      return lineage_event::kUserDefinedInfo;
    case ValueKind::kScalar:
    case ValueKind::kHistogram:
    case ValueKind::kTensor:
    case ValueKind::kImage:
    case ValueKind::kGraph:
    case ValueKind::kLandscape:
    case ValueKind::kTensorBoardEvent:
      break;
  }
  return 0;  // The caller's precondition is broken.
}

// LineageEvent has the same numbers for these two as Event.
void AppendWallTimeAndStep(double wall_time, std::int64_t step, std::string& out) {
  AppendDouble(out, event::kWallTime, wall_time);
  if (step != 0) AppendInt(out, event::kStep, step);
}

}  // namespace

char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value) {
  constexpr ScalarSpelling kSpelling{wire::Key(summary::kScalar, wire::WireType::kFixed32),
                                     /*step_when_zero=*/true};
  return PutScalarRecordAs<kSpelling>(out, wall_time, step, tag, value);
}

bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out) {
  const auto in_summary = [](const PreparedValue& v) {
    return PartOf(v.kind) == EventPart::kSummary;
  };
  if (std::none_of(prepared.values.begin(), prepared.values.end(), in_summary)) return false;
  AppendDouble(out.bytes(), event::kWallTime, prepared.wall_time);
  AppendInt(out.bytes(), event::kStep, prepared.step);
  out.Nested(event::kSummary, [&] {
    for (const PreparedValue& value : prepared.values) {
      if (in_summary(value)) out.Nested(summary::kValue, [&] { AppendValue(value, out); });
    }
  });
  return true;
}

void EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out) {
  AppendWallTimeAndStep(wall_time, step, out.bytes());
  out.Nested(event::kGraph, [&] { out.AppendBorrowed(graph); });
}

void EncodeLineageEvent(double wall_time, std::int64_t step, const PreparedValue& value,
                        Payload& out) {
  AppendWallTimeAndStep(wall_time, step, out.bytes());
  out.Nested(LineageField(value.kind), [&] { out.AppendBorrowed(value.message); });
}

void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out) {
  AppendDouble(out.bytes(), event::kWallTime, wall_time);
  AppendBytes(out.bytes(), event::kVersion, kVersion);
  AppendBytes(out.bytes(), event::kSession, session);
}

}  // namespace sightline::mindspore
