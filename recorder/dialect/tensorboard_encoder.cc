#include "sightline/recorder/dialect/tensorboard_encoder.h"

#include <algorithm>
#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "sightline/recorder/message/graph_def.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/message/lineage_rows.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline::tensorboard {
namespace {

using wire::AppendBytes;
using wire::AppendDouble;
using wire::AppendFloat;
using wire::AppendInt;

constexpr std::string_view kFileVersion = "brain.Event:2";
constexpr std::string_view kWriter = "sightline";
// The plugin name of values for which TensorBoard has no page.
constexpr std::string_view kOwnPlugin = "sightline";
constexpr std::string_view kTextPlugin = "text";
constexpr std::string_view kHparamsPlugin = "hparams";
constexpr std::string_view kSessionStartTag = "_hparams_/session_start_info";
constexpr int kDataClassTensor = 2;
constexpr int kString = 7;  // DataType
constexpr int kStart = 1;   // SessionLog.SessionStatus

// Field numbers, by message. They never change, since existing files have them.
namespace event {
constexpr std::uint32_t kWallTime = 1;
constexpr std::uint32_t kStep = 2;
constexpr std::uint32_t kFileVersion = 3;
constexpr std::uint32_t kGraphDef = 4;
constexpr std::uint32_t kSummary = 5;
constexpr std::uint32_t kSessionLog = 7;
constexpr std::uint32_t kStatus = 1;  // Within session_log.
constexpr std::uint32_t kSourceMetadata = 10;
constexpr std::uint32_t kWriter = 1;  // Within source_metadata.
constexpr std::uint32_t kSession = 1000;
}  // namespace event
namespace summary {
constexpr std::uint32_t kValue = 1;
constexpr std::uint32_t kTag = 1;
constexpr std::uint32_t kSimpleValue = 2;
constexpr std::uint32_t kImage = 4;
constexpr std::uint32_t kHisto = 5;
constexpr std::uint32_t kTensor = 8;
constexpr std::uint32_t kMetadata = 9;
}  // namespace summary
namespace metadata {
constexpr std::uint32_t kPluginData = 1;
constexpr std::uint32_t kPluginName = 1;
constexpr std::uint32_t kContent = 2;
constexpr std::uint32_t kDataClass = 4;
}  // namespace metadata
namespace image {
constexpr std::uint32_t kHeight = 1;
constexpr std::uint32_t kWidth = 2;
constexpr std::uint32_t kColorspace = 3;
constexpr std::uint32_t kEncodedImage = 4;
}  // namespace image
namespace histo {
constexpr std::uint32_t kMin = 1;
constexpr std::uint32_t kMax = 2;
constexpr std::uint32_t kNum = 3;
constexpr std::uint32_t kSum = 4;
constexpr std::uint32_t kSumSquares = 5;
constexpr std::uint32_t kBucketLimit = 6;
constexpr std::uint32_t kBucket = 7;
}  // namespace histo
namespace tensor {
constexpr std::uint32_t kDtype = 1;
constexpr std::uint32_t kShape = 2;
constexpr std::uint32_t kDim = 2;   // Within the shape,
constexpr std::uint32_t kSize = 1;  // within the dim.
constexpr std::uint32_t kContent = 4;
constexpr std::uint32_t kStringVal = 8;
}  // namespace tensor
namespace hparams {
constexpr std::uint32_t kSessionStartInfo = 3;
constexpr std::uint32_t kHparams = 1;  // map<string, google.protobuf.Value>
constexpr std::uint32_t kStartTimeSecs = 5;
constexpr std::uint32_t kMapKey = 1;
constexpr std::uint32_t kMapValue = 2;
constexpr std::uint32_t kNumberValue = 2;
constexpr std::uint32_t kStringValue = 3;
}  // namespace hparams

// Appends a value with this tag and what `body` appends.
template <typename Body>
void AppendTagged(std::string_view tag, Payload& out, Body&& body) {
  out.Nested(summary::kValue, [&] {
    AppendBytes(out.bytes(), summary::kTag, tag);
    body();
  });
}

void AppendMetadata(std::string_view plugin, std::string_view content, Payload& out) {
  out.Nested(summary::kMetadata, [&] {
    out.Nested(metadata::kPluginData, [&] {
      AppendBytes(out.bytes(), metadata::kPluginName, plugin);
      if (!content.empty()) AppendBytes(out.bytes(), metadata::kContent, content);
    });
    AppendInt(out.bytes(), metadata::kDataClass, kDataClassTensor);
  });
}

void AppendTypeAndShape(int dtype, std::span<const std::int64_t> shape, Payload& out) {
  AppendInt(out.bytes(), tensor::kDtype, dtype);
  out.Nested(tensor::kShape, [&] {
    for (const std::int64_t size : shape) {
      out.Nested(tensor::kDim, [&] { AppendInt(out.bytes(), tensor::kSize, size); });
    }
  });
}

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
  out.Nested(summary::kTensor, [&] {
    AppendTypeAndShape(TensorFlowDataType(view.dtype), view.shape, out);
    const std::string_view content(static_cast<const char*>(view.data), view.ByteSize());
    out.Nested(tensor::kContent, [&] { out.AppendBorrowed(content, value.tensor_crc); });
  });
  AppendMetadata(kOwnPlugin, {}, out);
}

// The buckets without the empty ones at both ends. TensorBoard takes the left edge of the first
// bucket from min and the right edge of the last one from max. In an empty bucket outside of min
// and max, the left edge would then be greater than the right one.
std::span<const HistogramBucket> Inner(std::span<const HistogramBucket> buckets) {
  while (!buckets.empty() && buckets.front().count == 0) buckets = buckets.subspan(1);
  while (!buckets.empty() && buckets.back().count == 0) buckets = buckets.first(buckets.size() - 1);
  return buckets;
}

// A bucket ends where the next one begins. The message has no place for NaN and infinity, so num
// does not count them either.
void AppendHistogram(const HistogramData& data, Payload& out) {
  const std::span<const HistogramBucket> buckets = Inner(data.buckets);
  const double finite =
      data.count - static_cast<double>(data.nan_count + data.pos_inf_count + data.neg_inf_count);
  out.Nested(summary::kHisto, [&] {
    std::string& bytes = out.bytes();
    AppendDouble(bytes, histo::kMin, data.min);
    AppendDouble(bytes, histo::kMax, data.max);
    AppendDouble(bytes, histo::kNum, finite);
    AppendDouble(bytes, histo::kSum, data.sum);
    AppendDouble(bytes, histo::kSumSquares, data.sum_squares);
    wire::AppendBytesHeader(bytes, histo::kBucketLimit, buckets.size() * sizeof(double));
    for (std::size_t i = 0; i < buckets.size(); ++i) {
      wire::AppendFixed(bytes, i + 1 < buckets.size() ? buckets[i + 1].left : data.max);
    }
    wire::AppendBytesHeader(bytes, histo::kBucket, buckets.size() * sizeof(double));
    for (const HistogramBucket& b : buckets) wire::AppendFixed(bytes, b.count);
  });
}

void AppendText(std::string_view tag, std::string_view text, Payload& out) {
  AppendTagged(tag, out, [&] {
    out.Nested(summary::kTensor, [&] {
      constexpr std::int64_t kOne[] = {1};
      AppendTypeAndShape(kString, kOne, out);
      AppendBytes(out.bytes(), tensor::kStringVal, text);
    });
    AppendMetadata(kTextPlugin, {}, out);
  });
}

void AppendDoubles(const std::string& tag, const std::vector<double>& values,
                   std::initializer_list<std::size_t> shape, Payload& out) {
  const std::vector<std::int64_t> sizes(shape.begin(), shape.end());
  AppendTagged(tag, out, [&] {
    out.Nested(summary::kTensor, [&] {
      AppendTypeAndShape(TensorFlowDataType(DType::kFloat64), sizes, out);
      AppendBytes(out.bytes(), tensor::kContent,
                  {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(double)});
    });
    AppendMetadata(kOwnPlugin, {}, out);
  });
}

void AppendLandscape(const PreparedValue& value, Payload& out) {
  const Result<LossLandscape> landscape = ParseLandscape(value.message);
  if (!landscape) return;
  const std::string tag(value.tag);
  AppendDoubles(tag + "/x", landscape->x, {landscape->x.size()}, out);
  AppendDoubles(tag + "/y", landscape->y, {landscape->y.size()}, out);
  AppendDoubles(tag + "/z", landscape->z, {landscape->y.size(), landscape->x.size()}, out);
  if (const auto& path = landscape->path) {
    const std::size_t points = path->x.size();
    AppendDoubles(tag + "/path/x", path->x, {points}, out);
    AppendDoubles(tag + "/path/y", path->y, {points}, out);
    AppendDoubles(tag + "/path/z", path->z, {points}, out);
  }
  if (const auto& point = landscape->convergence_point) {
    AppendDoubles(tag + "/convergence/x", {point->x}, {}, out);
    AppendDoubles(tag + "/convergence/y", {point->y}, {}, out);
    AppendDoubles(tag + "/convergence/z", {point->z}, {}, out);
  }
}

// Appends one value, or the several values that a landscape becomes.
void AppendValue(const PreparedValue& value, Payload& out) {
  switch (value.kind) {
    case ValueKind::kScalar:
      return AppendTagged(value.tag, out, [&] {
        AppendFloat(out.bytes(), summary::kSimpleValue, static_cast<float>(value.scalar));
      });
    case ValueKind::kImage:
      return AppendTagged(value.tag, out, [&] { AppendImage(*value.image, out); });
    case ValueKind::kTensor:
      return AppendTagged(value.tag, out, [&] { AppendTensor(value, out); });
    case ValueKind::kHistogram:
      return AppendTagged(value.tag, out, [&] { AppendHistogram(*value.histogram, out); });
    case ValueKind::kLandscape:
      return AppendLandscape(value, out);
    case ValueKind::kTrainLineage:
      return AppendText("train_lineage", MarkdownTable(RowsOf(value.kind, value.message)), out);
    case ValueKind::kEvaluationLineage:
      return AppendText("eval_lineage", MarkdownTable(RowsOf(value.kind, value.message)), out);
    case ValueKind::kDatasetGraph:
      return AppendText("dataset_graph", MarkdownTable(RowsOf(value.kind, value.message)), out);
    case ValueKind::kCustomLineage:
      return AppendText("custom_lineage_data", MarkdownTable(RowsOf(value.kind, value.message)),
                        out);
    case ValueKind::kGraph:
    case ValueKind::kTensorBoardEvent:
      return;  // Not in a summary: PartOf.
  }
}

std::string SessionStartInfo(double wall_time, const LineageRows& rows) {
  std::string info;
  for (const auto& [name, value] : rows) {
    std::string number_or_text;
    if (const auto* text = std::get_if<std::string>(&value)) {
      AppendBytes(number_or_text, hparams::kStringValue, *text);
    } else {
      const auto* integer = std::get_if<std::int64_t>(&value);
      AppendDouble(number_or_text, hparams::kNumberValue,
                   integer != nullptr ? static_cast<double>(*integer) : std::get<double>(value));
    }
    std::string entry;
    AppendBytes(entry, hparams::kMapKey, name);
    AppendBytes(entry, hparams::kMapValue, number_or_text);
    AppendBytes(info, hparams::kHparams, entry);
  }
  AppendDouble(info, hparams::kStartTimeSecs, wall_time);
  std::string data;
  AppendBytes(data, hparams::kSessionStartInfo, info);
  return data;
}

// Appends the value that makes the run a row of the HPARAMS page. Its data is in the metadata; the
// tensor is empty.
void AppendHyperParameters(const PreparedEvent& prepared, Payload& out) {
  LineageRows rows;
  for (const PreparedValue& value : prepared.values) {
    for (auto& row : HyperParametersOf(value.kind, value.message)) rows.push_back(std::move(row));
  }
  if (rows.empty()) return;
  AppendTagged(kSessionStartTag, out, [&] {
    out.Nested(summary::kTensor, [&] {
      constexpr std::int64_t kNone[] = {0};
      AppendTypeAndShape(TensorFlowDataType(DType::kFloat32), kNone, out);
    });
    AppendMetadata(kHparamsPlugin, SessionStartInfo(prepared.wall_time, rows), out);
  });
}

void AppendWallTimeAndStep(double wall_time, std::int64_t step, std::string& out) {
  AppendDouble(out, event::kWallTime, wall_time);
  if (step != 0) AppendInt(out, event::kStep, step);
}

}  // namespace

char* PutScalarRecord(char* out, double wall_time, std::int64_t step, std::string_view tag,
                      double value) {
  constexpr ScalarSpelling kSpelling{wire::Key(summary::kSimpleValue, wire::WireType::kFixed32),
                                     /*step_when_zero=*/false};
  return PutScalarRecordAs<kSpelling>(out, wall_time, step, tag, value);
}

bool EncodeSummaryEvent(const PreparedEvent& prepared, Payload& out) {
  const auto in_summary = [](const PreparedValue& v) {
    return PartOf(v.kind) != EventPart::kOwnEvent;
  };
  if (std::none_of(prepared.values.begin(), prepared.values.end(), in_summary)) return false;
  AppendWallTimeAndStep(prepared.wall_time, prepared.step, out.bytes());
  out.Nested(event::kSummary, [&] {
    for (const PreparedValue& value : prepared.values) AppendValue(value, out);
    AppendHyperParameters(prepared, out);
  });
  return true;
}

Status EncodeGraphEvent(double wall_time, std::int64_t step, std::string_view graph, Payload& out) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string graph_def, MakeGraphDef(graph));
  AppendWallTimeAndStep(wall_time, step, out.bytes());
  AppendBytes(out.bytes(), event::kGraphDef, graph_def);
  return {};
}

void EncodeOwnEvent(double wall_time, std::int64_t step, std::string_view event, Payload& out) {
  AppendWallTimeAndStep(wall_time, step, out.bytes());
  out.AppendBorrowed(event);
}

void EncodeVersionEvent(double wall_time, std::string_view session, Payload& out) {
  AppendDouble(out.bytes(), event::kWallTime, wall_time);
  AppendBytes(out.bytes(), event::kFileVersion, kFileVersion);
  out.Nested(event::kSourceMetadata, [&] { AppendBytes(out.bytes(), event::kWriter, kWriter); });
  AppendBytes(out.bytes(), event::kSession, session);
}

void EncodeSessionStartEvent(double wall_time, std::int64_t step, Payload& out) {
  AppendWallTimeAndStep(wall_time, step, out.bytes());
  out.Nested(event::kSessionLog, [&] { AppendInt(out.bytes(), event::kStatus, kStart); });
}

}  // namespace sightline::tensorboard
