#include "sightline/runs/index/run_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <limits>
#include <random>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/runs/index/packed_run.h"
#include "sightline/runs/index/packing.h"
#include "sightline/runs/reading/run_builder.h"

namespace sightline {
namespace {

// A batch of runs is written when it has this many runs or points.
constexpr std::size_t kBatch = 1024;
constexpr std::uint64_t kBatchPoints = 16'000'000;
// The points of a run with more are not stored, but read from its files when they are asked for.
constexpr std::uint64_t kMostPoints = 8'000'000;
constexpr std::uint64_t kLastBytes = 64;
constexpr std::chrono::hours kDay{24};
constexpr std::chrono::hours kUnused{30 * 24};

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
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::uint64_t size, file_->Size());
    return std::min(size, size_);
  }

 private:
  std::unique_ptr<ReadableFile> file_;
  const std::uint64_t size_;
};

std::uint64_t PointsOf(const std::vector<ReadFile>& files) {
  std::uint64_t points = 0;
  for (const ReadFile& file : files) points += file.reader.points();
  return points;
}

std::string FileNameOf(const std::string& root) {
  // Two roots with the same name here would use the file by turns: it stores its root.
  const std::uint64_t high = crc32c::Value(root);
  return fmt::format("{:08x}{:08x}.sqlite", high, crc32c::Extend(0x51647, root));
}

// Once a day, notes that `file` is used, and removes the indexes in its folder that nobody used for
// kUnused.
void RemoveUnused(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  const auto used = fs::last_write_time(file, error);
  if (error || now - used < kDay) return;
  fs::last_write_time(file, now, error);
  for (const auto& entry : fs::directory_iterator(DirectoryOf(file), error)) {
    const std::string name = entry.path().filename();
    const bool is_index = name.ends_with(".sqlite") || name.ends_with(".sqlite-journal");
    const auto of_entry = entry.last_write_time(error);
    if (is_index && !error && now - of_entry > kUnused) fs::remove(entry.path(), error);
  }
}

bool SameFiles(const RunStamp& stored, const RunStamp& stamp) {
  if (stored.files.size() != stamp.files.size() || stamp.journal || stored.journal) return false;
  for (std::size_t i = 0; i < stamp.files.size(); ++i) {
    const RunStamp::File& before = stored.files[i];
    const RunStamp::File& now = stamp.files[i];
    const bool same =
        before.path == BaseName(now.path) && static_cast<const FileStamp&>(before) == now &&
        before.journal_from == now.journal_from && before.journal_records == now.journal_records;
    if (!same) return false;
  }
  return true;
}

// Where reading of a file ended, and the bytes before that position.
using End = std::pair<std::uint64_t, std::string>;

// Whether the bytes at the ends are unchanged in files that were written just before they were
// read, so that the same stamp proves nothing.
bool EndsHold(FileSystem& file_system, const RunStamp& stored, const RunStamp& stamp,
              const std::vector<End>& ends) {
  if (ends.size() != stamp.files.size()) return false;
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (stored.files[i].settled) continue;
    const auto file = file_system.OpenForRead(stamp.files[i].path);
    if (!file || BytesBefore(**file, ends[i].first) != ends[i].second) return false;
  }
  return true;
}

// A file as it was when it was read.
struct SeenFile {
  std::string path;
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t bytes = 0;
};

std::shared_ptr<const Run> Build(FileSystem& file_system, const std::vector<ReadFile>& files) {
  RunBuilder builder(file_system, "", "", {}, nullptr);
  for (const ReadFile& file : files) {
    builder.AddFile({file.path, file.reader.contents().kind, std::nullopt, {}},
                    file.reader.contents(), file.behind ? &file.behind->contents() : nullptr);
  }
  return builder.Finish();
}

std::vector<ReadFile> ReadAgain(FileSystem& file_system, const std::vector<SeenFile>& seen) {
  std::vector<ReadFile> files;
  for (const SeenFile& file : seen) {
    FileContentsReader reader(file.kind, static_cast<std::uint32_t>(files.size()));
    if (auto bytes = file_system.OpenForRead(file.path))
      reader.Read(std::make_unique<FirstBytes>(*std::move(bytes), file.bytes), Tail::kFinal);
    files.push_back({file.path, std::nullopt, std::move(reader), std::nullopt, ""});
  }
  return files;
}

// Placeholders for points that nobody has any more: as many as there were.
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

std::string BytesBefore(const ReadableFile& file, std::uint64_t end) {
  std::string bytes(std::min(end, kLastBytes), '\0');
  const auto read = file.ReadAt(end - bytes.size(), bytes);
  bytes.resize(read ? *read : 0);
  return bytes;
}

// Loads the points of a run that came from the index. If what is stored then is newer or damaged,
// it reads the files again.
class RunIndex::StoredPoints : public SeriesSource {
 public:
  StoredPoints(std::shared_ptr<RunIndex> index, std::string key, std::uint64_t number,
               std::weak_ptr<const Run> read)
      : index_(std::move(index)), key_(std::move(key)), number_(number), read_(std::move(read)) {}

  // Call this once, before the first Load.
  void SetFiles(const Run& run) {
    directory_ = run.directory();
    for (const RunFile& file : run.files()) files_.push_back({file.path, file.kind, file.bytes});
  }

  SeriesPoints Load(std::size_t number, bool scalar, const SeriesSummary& summary) override {
    const std::lock_guard lock(mutex_);
    if (!whole_) whole_ = read_.lock();
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

 private:
  std::shared_ptr<const Run> Restore() const {
    FileSystem& file_system = index_->file_system_;
    const auto files = index_->FilesOf(key_, directory_, number_);
    index_->EndReading();
    return Build(file_system,
                 files.size() == files_.size() ? files : ReadAgain(file_system, files_));
  }

  std::shared_ptr<RunIndex> index_;
  std::string key_;
  std::uint64_t number_;
  std::weak_ptr<const Run> read_;
  std::string directory_;
  std::vector<SeenFile> files_;
  std::mutex mutex_;
  std::shared_ptr<const Run> whole_;
};

std::shared_ptr<RunIndex> RunIndex::Open(FileSystem& file_system, const std::string& folder,
                                         const std::string& root) {
  const std::string absolute = file_system.AbsolutePath(root);
  const std::string file = JoinPath(folder, FileNameOf(absolute));
  RemoveUnused(file);
  return std::shared_ptr<RunIndex>(new RunIndex(file_system, file, absolute));
}

std::shared_ptr<const Run> RunIndex::Find(const std::string& key, const std::string& directory,
                                          const std::string& name, const RunStamp& stamp,
                                          std::weak_ptr<const Run> read) {
  const auto summary = file_.Summary(key);
  if (!summary) return nullptr;
  PackReader reader(*summary);
  std::uint64_t number = 0;
  RunStamp stored;
  std::vector<End> ends;
  PackAll(reader, number, stored, ends);
  if (reader.failed() || !SameFiles(stored, stamp) || !EndsHold(file_system_, stored, stamp, ends))
    return nullptr;
  const auto points =
      std::make_shared<StoredPoints>(shared_from_this(), key, number, std::move(read));
  auto run = PackedRun::Read(reader, {&file_system_, directory, name, stamp, points});
  if (run != nullptr) points->SetFiles(*run);
  return run;
}

std::vector<ReadFile> RunIndex::Files(const std::string& key, const std::string& directory) {
  return FilesOf(key, directory, std::nullopt);
}

std::vector<ReadFile> RunIndex::FilesOf(const std::string& key, const std::string& directory,
                                        std::optional<std::uint64_t> number) {
  std::vector<ReadFile> files;
  for (const std::string& bytes : file_.Contents(key)) {
    PackReader reader(bytes);
    std::uint64_t stored_number = 0;
    RunStamp::File file_stamp;
    std::string last_bytes;
    bool has_behind = false;
    PackAll(reader, stored_number, file_stamp, last_bytes, has_behind);
    if (number && stored_number != *number) return {};
    number = stored_number;
    const auto file = static_cast<std::uint32_t>(files.size());
    auto read = FileContentsReader::Unpack(reader, file);
    if (!read) return {};
    std::optional<FileContentsReader> behind;
    if (has_behind) {
      auto rest = FileContentsReader::Unpack(reader, file);
      if (!rest) return {};
      behind = *std::move(rest);
    }
    if (!reader.AtEnd()) return {};
    file_stamp.path = JoinPath(directory, file_stamp.path);
    const std::string path = file_stamp.path;
    files.push_back(
        {path, std::move(file_stamp), *std::move(read), std::move(behind), std::move(last_bytes)});
  }
  return files;
}

void RunIndex::Put(const std::string& key, std::shared_ptr<const Run> run,
                   std::vector<ReadFile> files) {
  for (const RunFile& file : run->files()) {
    if (!file.status.ok()) return;
  }
  std::vector<Unwritten> batch;
  {
    const std::lock_guard lock(mutex_);
    written_ = true;
    unwritten_points_ += PointsOf(files);
    unwritten_.push_back({key, std::move(run), std::move(files)});
    if (unwritten_.size() >= kBatch || unwritten_points_ >= kBatchPoints) {
      batch.swap(unwritten_);
      unwritten_points_ = 0;
    }
  }
  if (!batch.empty()) Write(batch);
}

bool RunIndex::Write() {
  std::vector<Unwritten> batch;
  {
    const std::lock_guard lock(mutex_);
    batch.swap(unwritten_);
    unwritten_points_ = 0;
  }
  if (!batch.empty()) Write(batch);
  const std::lock_guard lock(mutex_);
  return written_;
}

void RunIndex::Write(const std::vector<Unwritten>& runs) {
  std::random_device random;
  file_.Write(runs.size(), [&](std::size_t i) {
    const Unwritten& from = runs[i];
    IndexFile::Row row;
    row.run = from.key;
    std::uint64_t number = std::uint64_t{random()} << 32U | random();
    RunStamp stamp = from.run->stamp();
    PackWriter summary;
    std::vector<End> ends;
    for (const ReadFile& file : from.files)
      ends.emplace_back(file.reader.position(), file.last_bytes);
    for (const ReadFile& file : from.files) {
      if (PointsOf(from.files) > kMostPoints) break;
      PackWriter contents;
      RunStamp::File file_stamp = stamp.files[row.contents.size()];
      bool has_behind = file.behind.has_value();
      PackAll(contents, number, file_stamp, ends[row.contents.size()].second, has_behind);
      file.reader.PackInto(contents);
      if (has_behind) file.behind->PackInto(contents);
      row.contents.push_back(std::move(contents.bytes()));
    }
    PackAll(summary, number, stamp, ends);
    PackedRun::Write(summary, *from.run);
    row.summary = std::move(summary.bytes());
    return row;
  });
}

}  // namespace sightline
