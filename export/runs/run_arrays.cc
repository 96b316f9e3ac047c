#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "sightline/export/runs/array_sink.h"
#include "sightline/export/runs/run_writers.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/tensor/npy_name.h"
#include "sightline/recorder/tensor/png.h"

namespace sightline {
namespace {

// A larger image is decoded a row at a time, as often as its bytes are needed.
constexpr std::int64_t kMostDecodedBytes = std::int64_t{16} << 20U;

// A tag as the name of a file or folder; "" and "." are not names.
std::string QuotedTag(std::string_view tag) {
  std::string name = NpyFileName(tag, 0);
  name.resize(name.size() - std::string_view("_0.npy").size());
  const bool only_dots = name.find_first_not_of('.') == std::string::npos;
  return only_dots ? "%" + name : name;
}

TensorView Doubles(const std::vector<double>& values, const std::vector<std::int64_t>& shape) {
  return View(values.data(), shape);
}

class ArrayWriter final : public RunWriter {
 public:
  // `is_folder`: each array is a file.
  ArrayWriter(std::unique_ptr<ArraySink> sink, bool is_folder)
      : sink_(std::move(sink)), is_folder_(is_folder) {}

  std::uint64_t FilesOf(const SeriesKey& key, std::uint64_t points) const override {
    if (!is_folder_) return 0;
    if (key.kind == ContentKind::kScalar) return 3;
    return key.kind == ContentKind::kLandscape ? 3 * points : points;
  }

  Status BeginRun(const Run& run) override {
    run_ = run.name();
    base_rank_ = 0;
    for (const auto& series : run.series()) {
      const std::int32_t rank = series->key().rank;
      base_rank_ = &series == &run.series().front() ? rank : std::min(base_rank_, rank);
    }
    last_ = {};
    return {};
  }

  bool Takes(ContentKind kind) const override {
    switch (kind) {
      case ContentKind::kScalar:
      case ContentKind::kHistogram:
      case ContentKind::kImage:
      case ContentKind::kTensor:
      case ContentKind::kLandscape:
        return true;
      case ContentKind::kAudio:
      case ContentKind::kText:
      case ContentKind::kPlugin:
      case ContentKind::kUnknown:
        return false;
    }
    return false;
  }
  bool Takes(EventKind) const override { return false; }
  Status Event(EventKind, const StoredValue&) override { return {}; }

  Status Scalars(const Series& series, std::size_t begin, std::size_t end) override {
    const std::string folder = Folder(series.key(), "scalars");
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(end - begin)};
    const auto put = [&](const char* name, const auto& column) {
      return sink_->Put(folder + name, View(column.data() + begin, shape));
    };
    SIGHTLINE_RETURN_IF_ERROR(put("steps", series.steps()));
    SIGHTLINE_RETURN_IF_ERROR(put("wall_times", series.wall_times()));
    SIGHTLINE_RETURN_IF_ERROR(put("values", series.values()));
    Wrote("scalar", end - begin);
    return {};
  }

  Status Value(const SeriesKey& key, const StoredValue& value) override {
    switch (key.kind) {
      case ContentKind::kTensor:
        return Tensor(key, value);
      case ContentKind::kImage:
        return Image(key, value);
      case ContentKind::kHistogram:
        return Histogram(key, value);
      case ContentKind::kLandscape:
        return Landscape(key, value);
      case ContentKind::kScalar:
      case ContentKind::kAudio:
      case ContentKind::kText:
      case ContentKind::kPlugin:
      case ContentKind::kUnknown:
        return {};  // Takes() excludes them.
    }
    return {};
  }

  Status EndRun(const Run&) override { return {}; }
  Status Finish() override { return sink_->Close(); }

 private:
  std::string Folder(const SeriesKey& key, std::string_view kind) const {
    const std::string rank = key.rank == base_rank_ ? "" : fmt::format("rank_{}/", key.rank);
    return fmt::format("{}/{}{}/{}/", run_, rank, kind, QuotedTag(key.tag));
  }

  // The name of the value's array. The values of one step follow each other.
  std::string Name(const SeriesKey& key, const StoredValue& value, std::string_view kind) {
    std::string name = Folder(key, kind) + fmt::to_string(value.event().step);
    last_count_ = last_ == name ? last_count_ + 1 : 1;
    last_ = name;
    return last_count_ == 1 ? name : fmt::format("{}.{}", name, last_count_);
  }

  Status Undecodable(const SeriesKey& key, const Status& status) {
    LeaveOut(KindNameOf(key), status.message());
    return {};
  }

  Status Put(const SeriesKey& key, const std::string& name, const TensorView& array) {
    if (const Status sound = array.Check(); !sound.ok()) return Undecodable(key, sound);
    SIGHTLINE_RETURN_IF_ERROR(sink_->Put(name, array));
    Wrote(KindNameOf(key));
    return {};
  }

  Status Tensor(const SeriesKey& key, const StoredValue& value) {
    const auto tensor = value.Tensor();
    if (!tensor) return Undecodable(key, tensor.error());
    return Put(key, Name(key, value, "tensors"), tensor->View());
  }

  Status Image(const SeriesKey& key, const StoredValue& value) {
    const auto encoded = value.Image();
    if (!encoded) return Undecodable(key, encoded.error());
    const auto header = ReadPngHeader(encoded->encoded);
    if (!header) return NoPng();
    const std::vector<std::int64_t> shape = {header->height, header->width, header->colorspace};
    if (shape[0] * shape[1] * shape[2] > kMostDecodedBytes) {
      Status put =
          sink_->PutParts(Name(key, value, "images"), shape, [&](const auto& take) -> Status {
            const auto image = DecodePngRows(encoded->encoded, take);
            return image ? Status() : image.error();
          });
      if (put.code() == StatusCode::kDataLoss) return NoPng();
      if (put.ok()) Wrote(KindNameOf(key));
      return put;
    }
    const auto image = DecodePng(encoded->encoded);
    if (!image) return NoPng();
    return Put(key, Name(key, value, "images"),
               TensorView{DType::kUint8, shape, image->bytes.data()});
  }

  Status NoPng() {
    LeaveOut("image", "its pixels are not stored as PNG");
    return {};
  }

  Status Histogram(const SeriesKey& key, const StoredValue& value) {
    const auto histogram = value.Histogram();
    if (!histogram) return Undecodable(key, histogram.error());
    std::vector<double> rows;
    for (const HistogramBucket& bucket : histogram->buckets) {
      rows.insert(rows.end(),
                  {bucket.left, bucket.left + bucket.width, static_cast<double>(bucket.count)});
    }
    const std::vector<std::int64_t> shape = {static_cast<std::int64_t>(rows.size() / 3), 3};
    return Put(key, Name(key, value, "histograms"), Doubles(rows, shape));
  }

  Status Landscape(const SeriesKey& key, const StoredValue& value) {
    const auto landscape = ParseLandscape(value.value().message);
    if (!landscape) return Undecodable(key, landscape.error());
    const std::string name = Name(key, value, "landscapes");
    const auto columns = static_cast<std::int64_t>(landscape->x.size());
    const auto rows = static_cast<std::int64_t>(landscape->y.size());
    const std::vector<std::int64_t> x = {columns};
    const std::vector<std::int64_t> y = {rows};
    const std::vector<std::int64_t> z = {rows, columns};
    SIGHTLINE_RETURN_IF_ERROR(sink_->Put(name + ".x", Doubles(landscape->x, x)));
    SIGHTLINE_RETURN_IF_ERROR(sink_->Put(name + ".y", Doubles(landscape->y, y)));
    return Put(key, name + ".z", Doubles(landscape->z, z));
  }

  std::unique_ptr<ArraySink> sink_;
  const bool is_folder_;
  std::string run_;
  std::int32_t base_rank_ = 0;
  std::string last_;    // The last name, without its number,
  int last_count_ = 0;  // and how many arrays had it.
};

}  // namespace

std::unique_ptr<RunWriter> MakeNpyWriter(std::string folder, FileSystem* file_system) {
  return std::make_unique<ArrayWriter>(MakeNpyFolder(*file_system, std::move(folder)), true);
}

std::unique_ptr<RunWriter> MakeNpzWriter(std::unique_ptr<WritableFile> file) {
  return std::make_unique<ArrayWriter>(MakeNpzFile(std::move(file)), false);
}

}  // namespace sightline
