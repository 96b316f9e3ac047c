#include <fmt/format.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <variant>
#include <vector>

#include "sightline/base/utf8.h"
#include "sightline/base/wire.h"
#include "sightline/export/landscape/landscape_picture.h"
#include "sightline/export/runs/run_writers.h"
#include "sightline/proto/tensorboard.pb.h"
#include "sightline/proto/tensorboard_hparams.pb.h"
#include "sightline/recorder/dialect/prepared_event.h"
#include "sightline/recorder/dialect/record_writer.h"
#include "sightline/recorder/dialect/tensorboard_encoder.h"
#include "sightline/recorder/message/graph_def.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline {
namespace {

constexpr char kHparamsPlugin[] = "hparams";
constexpr char kScalarPlugin[] = "scalars";
constexpr std::uint32_t kMetadataField = 9;  // Of a Summary.Value.

// Event: wall_time 1, step 2, summary 5 { value 1 }.
void AppendTimeAndStep(const EventView& event, std::string& out) {
  if (!std::isnan(event.wall_time)) wire::AppendDouble(out, 1, event.wall_time);
  if (event.step != 0) wire::AppendInt(out, 2, event.step);
}

// TensorBoard has no form for an unknown time but 0.
double TimeOrZero(double time) { return std::isnan(time) ? 0 : time; }

bool IsFloat32(double value) {
  return !std::isfinite(value) || static_cast<double>(static_cast<float>(value)) == value;
}

// A map's entries in the order of their keys, so that the same run gives the same bytes.
std::string InOrder(const google::protobuf::MessageLite& message) {
  std::string bytes;
  google::protobuf::io::StringOutputStream out(&bytes);
  google::protobuf::io::CodedOutputStream coded(&out);
  coded.SetSerializationDeterministic(true);
  message.SerializeToCodedStream(&coded);
  coded.Trim();
  return bytes;
}

class TensorBoardWriter final : public RunWriter {
 public:
  TensorBoardWriter(std::string folder, FileSystem* file_system)
      : folder_(std::move(folder)), file_system_(*file_system) {}

  Status BeginRun(const Run& run) override {
    has_hparams_ = std::any_of(run.series().begin(), run.series().end(), [](const auto& series) {
      return series->key().plugin == kHparamsPlugin;
    });
    base_rank_ = 0;
    for (const auto& series : run.series()) {
      const std::int32_t rank = series->key().rank;
      base_rank_ = &series == &run.series().front() ? rank : std::min(base_rank_, rank);
    }
    SIGHTLINE_RETURN_IF_ERROR(OpenFile(run, base_rank_));
    return WriteLineage(run);
  }

  bool Takes(ContentKind kind) const override;
  bool Takes(EventKind kind) const override;

  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override;
  Status Value(const SeriesKey& key, const StoredValue& value) override;
  Status Event(EventKind kind, const StoredValue& event) override;
  Status EndRun(const Run&) override { return CloseFile(); }
  Status Finish() override { return {}; }

 private:
  Status OpenFile(const Run& run, std::int32_t rank);
  Status CloseFile();
  Status UseRank(std::int32_t rank) { return rank == rank_ ? Status() : OpenFile(*run_, rank); }
  Status WriteDoubles(const Series& series, std::size_t begin, std::size_t end);
  // Decodes a value of MindSpore's dialect into prepared_; an error if it cannot be converted.
  Status Convert(const SeriesKey& key, const StoredValue& value);
  Status WriteValues(const StoredValue& value, const PreparedValue& prepared);
  // Writes the picture of a landscape; nothing if it has fewer than 2 x 2 points.
  Status WritePicture(const StoredValue& value);
  Status WriteLineage(const Run& run);

  const std::string folder_;
  FileSystem& file_system_;
  const Run* run_ = nullptr;
  std::int32_t base_rank_ = 0;  // The lowest: its file is in the run's own folder.
  std::int32_t rank_ = 0;
  bool has_hparams_ = false;
  std::set<std::string> described_;  // Tags with a value in the file.
  RecordWriter writer_;
  std::string message_;

  // The value that is encoded next, and the objects that it borrows from.
  PreparedValue prepared_;
  std::string tag_;
  HistogramData histogram_;
  PngImage picture_;
  TensorData tensor_;
};

bool TensorBoardWriter::Takes(ContentKind kind) const {
  switch (kind) {
    case ContentKind::kScalar:
    case ContentKind::kHistogram:
    case ContentKind::kImage:
    case ContentKind::kTensor:
    case ContentKind::kLandscape:
    case ContentKind::kAudio:
    case ContentKind::kText:
    case ContentKind::kPlugin:
      return true;
    case ContentKind::kUnknown:
      return false;
  }
  return false;
}

bool TensorBoardWriter::Takes(EventKind kind) const {
  switch (kind) {
    case EventKind::kGraph:
    case EventKind::kLogMessage:
    case EventKind::kRunMetadata:
    case EventKind::kMetaGraph:
    case EventKind::kTrainLineage:
    case EventKind::kEvaluationLineage:
    case EventKind::kCustomLineage:
      return true;
    case EventKind::kEmpty:
    case EventKind::kVersion:
    case EventKind::kSummary:
    case EventKind::kDatasetGraph:
    case EventKind::kExplain:
    case EventKind::kSessionLog:  // Superseded values are not exported.
    case EventKind::kOther:
      return false;
  }
  return false;
}

Status TensorBoardWriter::OpenFile(const Run& run, std::int32_t rank) {
  SIGHTLINE_RETURN_IF_ERROR(CloseFile());
  run_ = &run;
  rank_ = rank;
  described_.clear();
  std::string folder = JoinPath(folder_, run.name());
  if (rank != base_rank_) folder = JoinPath(folder, fmt::format("rank_{}", rank));
  SIGHTLINE_RETURN_IF_ERROR(file_system_.CreateDirectories(folder));
  const double begun = run.first_wall_time().value_or(0);
  const bool sane = begun > 0 && begun < 1e11;
  const std::string name = fmt::format("events.out.tfevents.{:010}.sightline.export",
                                       sane ? static_cast<std::int64_t>(begun) : 0);
  SIGHTLINE_ASSIGN_OR_RETURN(
      auto file, file_system_.OpenForWrite(JoinPath(folder, name), OpenMode::kCreateNew));
  writer_.Attach(std::move(file), 0);
  tensorboard::Event version;
  version.set_wall_time(begun);
  version.set_file_version("brain.Event:2");
  return writer_.Write(version.SerializeAsString());
}

Status TensorBoardWriter::CloseFile() {
  if (!writer_.attached()) return {};
  SIGHTLINE_RETURN_IF_ERROR(writer_.Flush());
  return writer_.Close();
}

Status TensorBoardWriter::Scalars(const Series& series, std::size_t begin, std::size_t end) {
  SIGHTLINE_RETURN_IF_ERROR(UseRank(series.key().rank));
  Wrote("scalar", end - begin);
  const std::string tag = ToUtf8(series.key().tag);
  const auto values = series.values().subspan(begin, end - begin);
  // TensorBoard ignores the metadata of a simple_value.
  if (run_->display_names().contains(series.key().tag) ||
      !std::all_of(values.begin(), values.end(), IsFloat32)) {
    return WriteDoubles(series, begin, end);
  }
  std::string record(tensorboard::MaxScalarRecordSize(tag.size()), '\0');
  for (std::size_t i = begin; i < end; ++i) {
    const char* behind =
        tensorboard::PutScalarRecord(record.data(), TimeOrZero(series.wall_times()[i]),
                                     series.steps()[i], tag, series.values()[i]);
    SIGHTLINE_RETURN_IF_ERROR(
        writer_.WriteFramed({record.data(), static_cast<std::size_t>(behind - record.data())}));
  }
  return {};
}

Status TensorBoardWriter::WriteDoubles(const Series& series, std::size_t begin, std::size_t end) {
  tensorboard::Event event;
  auto& value = *event.mutable_summary()->add_value();
  value.set_tag(ToUtf8(series.key().tag));
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name(kScalarPlugin);
  value.mutable_metadata()->set_data_class(tensorboard::DATA_CLASS_SCALAR);
  const auto shown = run_->display_names().find(series.key().tag);
  if (shown != run_->display_names().end())
    value.mutable_metadata()->set_display_name(ToUtf8(shown->second));
  value.mutable_tensor()->set_dtype(tensorboard::DT_DOUBLE);
  value.mutable_tensor()->mutable_tensor_shape();
  value.mutable_tensor()->add_double_val(0);
  for (std::size_t i = begin; i < end; ++i) {
    event.set_wall_time(TimeOrZero(series.wall_times()[i]));
    event.set_step(series.steps()[i]);
    value.mutable_tensor()->set_double_val(0, series.values()[i]);
    SIGHTLINE_RETURN_IF_ERROR(writer_.Write(event.SerializeAsString()));
  }
  return {};
}

Status TensorBoardWriter::Convert(const SeriesKey& key, const StoredValue& value) {
  tag_ = ToUtf8(key.tag);
  prepared_ = {};
  prepared_.tag = tag_;
  switch (key.kind) {
    case ContentKind::kHistogram: {
      SIGHTLINE_ASSIGN_OR_RETURN(histogram_, value.Histogram());
      prepared_.kind = ValueKind::kHistogram;
      prepared_.histogram = &histogram_;
      return {};
    }
    case ContentKind::kImage: {
      SIGHTLINE_ASSIGN_OR_RETURN(const EncodedImage image, value.Image());
      picture_ = {image.width, image.height, image.colorspace, std::string(image.encoded)};
      prepared_.kind = ValueKind::kImage;
      prepared_.image = &picture_;
      return {};
    }
    case ContentKind::kTensor: {
      SIGHTLINE_ASSIGN_OR_RETURN(tensor_, value.Tensor());
      prepared_.kind = ValueKind::kTensor;
      prepared_.tensor = tensor_.View();
      return {};
    }
    case ContentKind::kLandscape: {
      SIGHTLINE_ASSIGN_OR_RETURN(const LossLandscape checked,
                                 ParseLandscape(value.value().message));
      prepared_.kind = ValueKind::kLandscape;
      prepared_.message = value.value().message;
      return {};
    }
    case ContentKind::kScalar:  // Scalars() writes it.
    case ContentKind::kAudio:
    case ContentKind::kText:
    case ContentKind::kPlugin:
    case ContentKind::kUnknown:
      break;
  }
  return Status(StatusCode::kUnimplemented, "MindSpore's files have no such kind");
}

Status TensorBoardWriter::WriteValues(const StoredValue& value, const PreparedValue& prepared) {
  Payload payload;
  tensorboard::EncodeSummaryEvent(
      {TimeOrZero(value.event().wall_time), value.event().step, {&prepared, 1}}, payload);
  return writer_.Write(payload);
}

Status TensorBoardWriter::WritePicture(const StoredValue& value) {
  SIGHTLINE_ASSIGN_OR_RETURN(const LossLandscape landscape, ParseLandscape(value.value().message));
  auto png = LandscapePng(landscape, {.title = tag_});
  if (!png) return {};
  constexpr int kRgb = 3;
  picture_ = {kPictureWidth * kPixelsPerPoint, kPictureHeight * kPixelsPerPoint, kRgb,
              *std::move(png)};
  const std::string tag = tag_ + "/picture";
  PreparedValue prepared;
  prepared.tag = tag;
  prepared.kind = ValueKind::kImage;
  prepared.image = &picture_;
  return WriteValues(value, prepared);
}

Status TensorBoardWriter::Value(const SeriesKey& key, const StoredValue& value) {
  SIGHTLINE_RETURN_IF_ERROR(UseRank(key.rank));
  if (value.file_kind() != EventFileKind::kTensorBoard) {
    if (!Convert(key, value).ok()) {
      LeaveOut(KindNameOf(key), "its message cannot be decoded");
      return {};
    }
    Wrote(KindNameOf(key));
    SIGHTLINE_RETURN_IF_ERROR(WriteValues(value, prepared_));
    return key.kind == ContentKind::kLandscape ? WritePicture(value) : Status();
  }
  Wrote(KindNameOf(key));
  if (value.item() != 0) return {};  // It is in the message that was written for the first one.
  // TensorBoard takes the metadata from the first value of a tag.
  const bool is_first = described_.insert(key.tag).second;
  std::string raw(value.value().raw);
  if (is_first && value.has_inherited())
    wire::AppendBytes(raw, kMetadataField, value.value().metadata);
  message_.clear();
  AppendTimeAndStep(value.event(), message_);
  std::string summary;
  wire::AppendBytes(summary, 1, raw);
  wire::AppendBytes(message_, 5, summary);
  return writer_.Write(message_);
}

Status TensorBoardWriter::Event(EventKind kind, const StoredValue& event) {
  if (kind == EventKind::kTrainLineage || kind == EventKind::kEvaluationLineage ||
      kind == EventKind::kCustomLineage) {
    Wrote(EventKindName(kind));  // By BeginRun.
    return {};
  }
  if (event.file_kind() == EventFileKind::kTensorBoard) {
    Wrote(EventKindName(kind));
    return writer_.Write(event.event().payload);
  }
  if (kind != EventKind::kGraph) {
    LeaveOut(EventKindName(kind), "has no place in this format");
    return {};
  }
  const auto graph = MakeGraphDef(event.event().body);
  if (!graph) {
    LeaveOut("graph", graph.error().message());
    return {};
  }
  message_.clear();
  AppendTimeAndStep(event.event(), message_);
  wire::AppendBytes(message_, 4, *graph);
  Wrote("graph");
  return writer_.Write(message_);
}

Status TensorBoardWriter::WriteLineage(const Run& run) {
  if (run.lineage().empty() || has_hparams_) return {};
  tensorboard::hparams::HParamsPluginData data;
  auto& start = *data.mutable_session_start_info();
  for (const auto& [name, value] : run.lineage()) {
    auto& parameter = (*start.mutable_hparams())[ToUtf8(name)];
    if (const auto* text = std::get_if<std::string>(&value)) {
      parameter.set_string_value(ToUtf8(*text));
    } else if (const auto* integer = std::get_if<std::int64_t>(&value)) {
      parameter.set_number_value(static_cast<double>(*integer));
    } else {
      parameter.set_number_value(std::get<double>(value));
    }
  }
  const double begun = run.first_wall_time().value_or(0);
  start.set_start_time_secs(begun);
  tensorboard::Event event;
  event.set_wall_time(begun);
  auto& value = *event.mutable_summary()->add_value();
  value.set_tag("_hparams_/session_start_info");
  auto& plugin = *value.mutable_metadata()->mutable_plugin_data();
  plugin.set_plugin_name(kHparamsPlugin);
  plugin.set_content(InOrder(data));
  value.mutable_metadata()->set_data_class(tensorboard::DATA_CLASS_TENSOR);
  value.mutable_tensor()->set_dtype(tensorboard::DT_FLOAT);
  value.mutable_tensor()->mutable_tensor_shape()->add_dim();  // Of size 0.
  return writer_.Write(event.SerializeAsString());
}

}  // namespace

std::unique_ptr<RunWriter> MakeTensorBoardWriter(std::string folder, FileSystem* file_system) {
  return std::make_unique<TensorBoardWriter>(std::move(folder), file_system);
}

}  // namespace sightline
