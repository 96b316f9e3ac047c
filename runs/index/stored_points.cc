#include "sightline/runs/index/stored_points.h"

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "sightline/runs/index/run_index.h"
#include "sightline/runs/reading/run_builder.h"

namespace sightline {
namespace {

// The first bytes of a file: the file as it was when it had this size.
class FirstBytes final : public ReadableFile {
 public:
  FirstBytes(std::unique_ptr<ReadableFile> file, std::uint64_t size)
      : file_(std::move(file)), size_(size) {}
  Result<std::size_t> ReadAt(std::uint64_t offset, std::span<char> buffer) const override {
    if (offset >= size_) return std::size_t{0};
    return file_->ReadAt(offset,
                         buffer.first(std::min<std::uint64_t>(buffer.size(), size_ - offset)));
  }
  Result<std::uint64_t> Size() const override {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file_->Size());
    return std::min(size, size_);
  }

 private:
  std::unique_ptr<ReadableFile> file_;
  const std::uint64_t size_;
};

std::shared_ptr<const Run> Build(FileSystem& file_system, const std::vector<ReadFile>& files) {
  RunBuilder builder(file_system, "", "", {}, nullptr);
  for (const ReadFile& file : files) {
    builder.AddFile({file.path, file.reader.contents().kind, std::nullopt}, file.reader.contents(),
                    file.rest ? &file.rest->contents() : nullptr);
  }
  return builder.Finish();
}

// Placeholders for points that are lost: as many as there were.
SeriesPoints LostPoints(bool scalar, const SeriesSummary& summary) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  SeriesPoints points;
  points.steps = std::vector<std::int64_t>(summary.size, summary.last_step);
  points.wall_times = std::vector<double>(summary.size, kNaN);
  if (scalar) {
    points.values = points.wall_times;
  } else {
    points.places = std::vector<SeriesPoints::Place>(summary.size);
  }
  return points;
}

}  // namespace

void StoredPoints::SetFiles(const Run& run) {
  directory_ = run.directory();
  for (const RunFile& file : run.files()) files_.push_back({file.path, file.kind, file.bytes});
}

SeriesPoints StoredPoints::Load(std::size_t number, bool scalar, const SeriesSummary& summary) {
  const std::lock_guard lock(mutex_);
  if (!whole_) whole_ = Restore();
  const std::size_t counting = whole_->series().size();
  const Series* series = nullptr;
  if (number < counting) {
    series = whole_->series()[number].get();
  } else if (number - counting < whole_->superseded().size()) {
    series = whole_->superseded()[number - counting].get();
  }
  const bool same = series != nullptr && series->size() == summary.size &&
                    series->is_scalar() == scalar && series->last_step() == summary.last_step;
  return same ? series->points() : LostPoints(scalar, summary);
}

std::shared_ptr<SeriesSource> StoredPoints::Unloaded() const {
  auto copy = std::make_shared<StoredPoints>(index_, key_, number_);
  copy->directory_ = directory_;
  copy->files_ = files_;
  copy->written_ = written();
  return copy;
}

std::shared_ptr<const Run> StoredPoints::Restore() const {
  FileSystem& file_system = index_->file_system();
  std::vector<ReadFile> files = index_->Files(key_, directory_, number_);
  index_->EndReading();
  if (files.size() == files_.size()) return Build(file_system, files);
  files.clear();
  MetadataByTag earlier;
  for (const File& file : files_) {
    FileContentsReader reader(file.kind, static_cast<std::uint32_t>(files.size()));
    reader.Inherit(earlier);
    if (auto bytes = file_system.OpenForRead(file.path))
      reader.Read(std::make_unique<FirstBytes>(*std::move(bytes), file.bytes), Tail::kFinal);
    const MetadataByTag& metadata = reader.contents().metadata;
    earlier.insert(metadata.begin(), metadata.end());
    files.push_back({file.path, std::nullopt, std::move(reader), std::nullopt, ""});
  }
  return Build(file_system, files);
}

}  // namespace sightline
