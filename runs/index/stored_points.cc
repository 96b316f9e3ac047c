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

// What RunBuilder needs of a file for its series.
FileContents FrameOf(const FileContents& whole) {
  FileContents frame;
  frame.kind = whole.kind;
  frame.session = whole.session;
  frame.session_is_first = whole.session_is_first;
  frame.starts = whole.starts;
  return frame;
}

const FileSeries* Named(const std::vector<NamedSeries>& series, std::uint32_t name) {
  const auto found =
      std::lower_bound(series.begin(), series.end(), name,
                       [](const NamedSeries& a, std::uint32_t b) { return a.name < b; });
  return found != series.end() && found->name == name ? &found->series : nullptr;
}

void SetSeries(const std::vector<NamedSeries>& from, std::uint32_t name, FileContents& frame) {
  frame.series.clear();
  if (const FileSeries* series = Named(from, name)) frame.series.push_back(*series);
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

// The ranks of a training record the same steps: series that a thread loads one after the other
// share them. Nothing is appended to loaded points, so threads may share them, too.
SeriesPoints WithSharedSteps(SeriesPoints points) {
  constexpr std::size_t kMost = std::size_t{1} << 16U;  // A thread holds no more than these.
  thread_local Column<std::int64_t> last;
  if (std::equal(points.steps.begin(), points.steps.end(), last.begin(), last.end())) {
    points.steps = last;
  } else if (points.steps.size() <= kMost) {
    last = points.steps;
  }
  return points;
}

}  // namespace

void StoredPoints::SetRun(const Run& run) {
  directory_ = run.directory();
  for (const RunFile& file : run.files()) files_.push_back({file.path, file.kind, file.bytes});
  counting_ = run.series().size();
  name_numbers_ = NameNumbersOf(run);
}

SeriesPoints StoredPoints::Load(std::size_t number, bool scalar, const SeriesSummary& summary) {
  const auto is_it = [&](SeriesList list, std::size_t position) {
    return position < list.size() && list[position]->size() == summary.size &&
           list[position]->is_scalar() == scalar &&
           list[position]->last_step() == summary.last_step;
  };
  const bool counts = number < counting_;
  const std::lock_guard lock(mutex_);
  if (const auto named = RestoreName(number)) {
    const SeriesList list = counts ? named->series() : named->superseded();
    const std::size_t position = PositionInName(number);
    if (is_it(list, position)) return WithSharedSteps(list[position]->points());
  }
  if (!whole_) whole_ = ReadFiles();
  const SeriesList list = counts ? whole_->series() : whole_->superseded();
  const std::size_t position = counts ? number : number - counting_;
  return is_it(list, position) ? list[position]->points() : LostPoints(scalar, summary);
}

std::shared_ptr<SeriesSource> StoredPoints::Unloaded() const {
  auto copy = std::make_shared<StoredPoints>(index_, key_, number_);
  copy->directory_ = directory_;
  copy->files_ = files_;
  copy->counting_ = counting_;
  copy->name_numbers_ = name_numbers_;
  copy->written_ = written();
  return copy;
}

std::uint32_t StoredPoints::NameOf(std::size_t number) const {
  return name_numbers_.empty() ? static_cast<std::uint32_t>(number) : name_numbers_[number];
}

std::size_t StoredPoints::PositionInName(std::size_t number) const {
  if (name_numbers_.empty()) return 0;
  const std::size_t begin = number < counting_ ? 0 : counting_;
  std::size_t first = number;
  while (first > begin && name_numbers_[first - 1] == name_numbers_[number]) --first;
  return number - first;
}

std::shared_ptr<const Run> StoredPoints::RestoreName(std::size_t number) {
  if (!frames_read_) ReadFrames();
  if (frames_.empty()) return nullptr;
  const std::uint32_t name = NameOf(number);
  RunBuilder builder(index_->file_system(), "", "", {}, nullptr);
  for (std::uint32_t file = 0; file < frames_.size(); ++file) {
    TakeSeries(name, file);
    Frame& frame = frames_[file];
    builder.AddFile({frame.path, frame.contents.kind, std::nullopt}, frame.contents,
                    frame.rest ? &*frame.rest : nullptr);
  }
  index_->EndReading();
  auto run = builder.FinishSeries();
  for (Frame& frame : frames_) {
    frame.contents.series.clear();
    if (frame.rest) frame.rest->series.clear();
  }
  return run;
}

void StoredPoints::ReadFrames() {
  frames_read_ = true;
  std::vector<IndexedFile> files = index_->FilesInParts(key_, number_);
  if (files.size() != files_.size()) {
    index_->EndReading();
    return;
  }
  for (std::size_t i = 0; i < files.size(); ++i) {
    IndexedFile& from = files[i];
    Frame& frame = frames_.emplace_back();
    frame.path = files_[i].path;
    frame.contents = FrameOf(from.file.reader.contents());
    if (from.file.rest) frame.rest = FrameOf(from.file.rest->contents());
    frame.series = std::move(from.series);
    frame.rest_series = std::move(from.rest_series);
    frame.in_parts = from.parts != 0;
  }
}

// Gives the frame of a file the series of one name.
void StoredPoints::TakeSeries(std::uint32_t name, std::uint32_t file) {
  Frame& frame = frames_[file];
  if (frame.rest) SetSeries(frame.rest_series, name, *frame.rest);
  if (frame.in_parts && Named(frame.series, name) == nullptr)
    frame.series = index_->PartWith(name, key_, number_, file);
  SetSeries(frame.series, name, frame.contents);
  // A part with a single series is not kept: its points may be many.
  if (frame.in_parts && frame.series.size() == 1) frame.series.clear();
}

std::shared_ptr<const Run> StoredPoints::ReadFiles() const {
  FileSystem& file_system = index_->file_system();
  std::vector<FileContentsReader> readers;
  MetadataByTag earlier;
  for (const File& file : files_) {
    FileContentsReader& reader =
        readers.emplace_back(file.kind, static_cast<std::uint32_t>(readers.size()));
    reader.Inherit(earlier);
    if (auto bytes = file_system.OpenForRead(file.path))
      reader.Read(std::make_unique<FirstBytes>(*std::move(bytes), file.bytes), Tail::kFinal);
    const MetadataByTag& metadata = reader.contents().metadata;
    earlier.insert(metadata.begin(), metadata.end());
  }
  RunBuilder builder(file_system, "", "", {}, nullptr);
  for (std::size_t i = 0; i < files_.size(); ++i)
    builder.AddFile({files_[i].path, files_[i].kind, std::nullopt}, readers[i].contents(), nullptr);
  return builder.FinishSeries();
}

}  // namespace sightline
