#include "sightline/runs/index/run_index.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/runs/index/packed_run.h"
#include "sightline/runs/index/packing.h"

namespace sightline {
namespace {

// A batch of runs is written when it has this many runs or points.
constexpr std::size_t kBatch = 1024;
constexpr std::uint64_t kBatchPoints = 16'000'000;
// The points of a run with more are not stored, but read from its files when they are asked for.
constexpr std::uint64_t kMostPoints = 8'000'000;
constexpr std::uint64_t kLastBytes = 64;
constexpr std::size_t kHashDigits = 16;
constexpr std::string_view kEnding = ".sqlite";
constexpr std::string_view kJournalEnding = ".sqlite-journal";
constexpr std::chrono::hours kDay{24};
constexpr std::chrono::hours kUnused{30 * 24};

std::uint64_t PointsOf(const std::vector<ReadFile>& files) {
  std::uint64_t points = 0;
  for (const ReadFile& file : files) points += file.reader.points();
  return points;
}

std::string FileNameOf(const std::string& root) {
  // Two roots with the same name here would use the file by turns: it stores its root.
  // The number stands for files with an application id; those from before have other names.
  const std::uint64_t high = crc32c::Value(root);
  return fmt::format("{:08x}{:08x}{}", high, crc32c::Extend(0x51648, root), kEnding);
}

bool IsNameOfIndex(std::string_view name) {
  for (const std::string_view ending : {kEnding, kJournalEnding}) {
    if (name.size() == kHashDigits + ending.size() && name.ends_with(ending))
      return name.find_first_not_of("0123456789abcdef") == kHashDigits;
  }
  return false;
}

// Once a day, marks `file` as used, and removes the indexes in its folder that were not used for
// kUnused. Other files may be in that folder, which --index-dir names.
void RemoveUnused(const std::string& file) {
  namespace fs = std::filesystem;
  std::error_code error;
  const auto now = fs::file_time_type::clock::now();
  const auto used = fs::last_write_time(file, error);
  if (error || now - used < kDay || !fs::is_regular_file(fs::symlink_status(file, error))) return;
  fs::last_write_time(file, now, error);
  for (const auto& entry : fs::directory_iterator(DirectoryOf(file), error)) {
    const std::string name = entry.path().filename();
    if (!IsNameOfIndex(name) || !fs::is_regular_file(entry.symlink_status(error))) continue;
    const auto of_entry = entry.last_write_time(error);
    if (!error && now - of_entry > kUnused) fs::remove(entry.path(), error);
  }
}

bool SameFiles(const RunStamp& stored, const RunStamp& stamp) {
  if (stored.files.size() != stamp.files.size() || stamp.journal || stored.journal) return false;
  if (stored.fact_sessions != stamp.fact_sessions) return false;
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

// One row of a file's contents. `number`: that of the Put; taken from the row if it is not given.
std::optional<IndexedFile> ReadContents(PackReader& reader, std::uint32_t position,
                                        std::optional<std::uint64_t>& number) {
  std::uint64_t stored_number = 0;
  RunStamp::File stamp;
  std::string last_bytes;
  bool has_rest = false;
  std::uint32_t parts = 0;
  PackAll(reader, stored_number, stamp, last_bytes, has_rest, parts);
  if (number && stored_number != *number) return std::nullopt;
  number = stored_number;
  auto contents = FileContentsReader::Unpack(reader, position);
  if (!contents) return std::nullopt;
  const std::string path = stamp.path;
  IndexedFile file{
      {path, std::move(stamp), *std::move(contents), std::nullopt, std::move(last_bytes)},
      {},
      {},
      parts};
  if (has_rest) {
    auto rest = FileContentsReader::Unpack(reader, position);
    std::string series;
    Pack(reader, series);
    if (!rest) return std::nullopt;
    file.file.rest = *std::move(rest);
    PackReader of_rest(series);
    file.rest_series = UnpackSeries(of_rest, position);
    if (of_rest.failed()) return std::nullopt;
  }
  file.series = UnpackSeries(reader, position);
  if (!reader.AtEnd() || (parts != 0 && !file.series.empty())) return std::nullopt;
  return file;
}

// The series of one part; nothing for a part of another Put.
std::vector<NamedSeries> ReadPart(std::string_view bytes, std::uint64_t number,
                                  std::uint32_t file) {
  PackReader reader(bytes);
  std::uint64_t stored_number = 0;
  std::uint32_t stored_file = 0;
  PackAll(reader, stored_number, stored_file);
  if (stored_number != number || stored_file != file) return {};
  std::vector<NamedSeries> series = UnpackSeries(reader, file);
  if (reader.failed()) series.clear();
  return series;
}

bool AddAll(std::vector<NamedSeries> series, FileContentsReader& to) {
  return std::all_of(series.begin(), series.end(),
                     [&](NamedSeries& named) { return to.Add(std::move(named.series)); });
}

// The rows of a file: its contents, with the series in it if they are few.
IndexFile::File RowsOf(const ReadFile& file, std::uint64_t number, RunStamp::File stamp,
                       const std::vector<const SeriesKey*>& names) {
  PackWriter prefix;
  std::uint32_t position = file.reader.file();
  PackAll(prefix, number, position);
  IndexFile::File rows;
  rows.parts = PackSeries(names, file.reader, prefix.bytes());
  std::string few;
  if (rows.parts.size() == 1 && rows.parts[0].bytes.size() <= kPartBytes) {
    few = rows.parts[0].bytes.substr(prefix.bytes().size());
    rows.parts.clear();
  }
  PackWriter contents;
  std::string last_bytes = file.last_bytes;
  bool has_rest = file.rest.has_value();
  auto parts = static_cast<std::uint32_t>(rows.parts.size());
  PackAll(contents, number, stamp, last_bytes, has_rest, parts);
  file.reader.PackInto(contents);
  if (has_rest) {
    file.rest->PackInto(contents);
    std::string series;
    for (const PackedPart& part : PackSeries(names, *file.rest, {})) series += part.bytes;
    Pack(contents, series);
  }
  contents.Raw(few.data(), few.size());
  rows.contents = std::move(contents.bytes());
  return rows;
}

}  // namespace

std::string BytesBefore(const ReadableFile& file, std::uint64_t end) {
  std::string bytes(std::min(end, kLastBytes), '\0');
  const auto read = file.ReadAt(end - bytes.size(), bytes);
  bytes.resize(read ? *read : 0);
  return bytes;
}

std::shared_ptr<RunIndex> RunIndex::Open(FileSystem& file_system, const std::string& folder,
                                         const std::string& root) {
  const std::string absolute = file_system.AbsolutePath(root);
  const std::string file = JoinPath(folder, FileNameOf(absolute));
  RemoveUnused(file);
  return std::shared_ptr<RunIndex>(new RunIndex(file_system, file, absolute));
}

std::shared_ptr<const Run> RunIndex::Find(const std::string& key, const std::string& directory,
                                          const std::string& name, const RunStamp& stamp) {
  const auto summary = file_.Summary(key);
  if (!summary) return nullptr;
  PackReader reader(*summary);
  std::uint64_t number = 0;
  RunStamp stored;
  std::vector<End> ends;
  PackAll(reader, number, stored, ends);
  if (reader.failed() || !SameFiles(stored, stamp) || !EndsHold(file_system_, stored, stamp, ends))
    return nullptr;
  const auto points = std::make_shared<StoredPoints>(shared_from_this(), key, number);
  auto run = PackedRun::Read(reader, {&file_system_, directory, name, stamp, points});
  if (run != nullptr) points->SetRun(*run);
  return run;
}

std::vector<IndexedFile> RunIndex::FilesInParts(const std::string& key,
                                                std::optional<std::uint64_t>& number) {
  std::vector<IndexedFile> files;
  for (const std::string& bytes : file_.Contents(key)) {
    PackReader reader(bytes);
    auto file = ReadContents(reader, static_cast<std::uint32_t>(files.size()), number);
    if (!file) return {};
    files.push_back(*std::move(file));
  }
  return files;
}

std::vector<IndexedFile> RunIndex::FilesInParts(const std::string& key, std::uint64_t number) {
  std::optional<std::uint64_t> of_run = number;
  return FilesInParts(key, of_run);
}

std::vector<NamedSeries> RunIndex::PartWith(std::uint32_t name, const std::string& key,
                                            std::uint64_t number, std::uint32_t file) {
  const auto bytes = file_.Part(key, file, name);
  return bytes ? ReadPart(*bytes, number, file) : std::vector<NamedSeries>();
}

// Adds the series that are in parts.
bool RunIndex::AddParts(const std::string& key, std::uint64_t number, IndexedFile& file) {
  const std::uint32_t position = file.file.reader.file();
  const std::vector<std::string> parts = file_.Parts(key, position);
  if (parts.size() != file.parts) return false;
  for (const std::string& bytes : parts) {
    std::vector<NamedSeries> series = ReadPart(bytes, number, position);
    if (series.empty() || !AddAll(std::move(series), file.file.reader)) return false;
  }
  return true;
}

std::vector<ReadFile> RunIndex::Files(const std::string& key, const std::string& directory) {
  std::vector<ReadFile> files;
  std::optional<std::uint64_t> number;
  for (IndexedFile& in_parts : FilesInParts(key, number)) {
    ReadFile& file = in_parts.file;
    const bool whole = AddAll(std::move(in_parts.series), file.reader) &&
                       (in_parts.parts == 0 || AddParts(key, *number, in_parts)) &&
                       (!file.rest || AddAll(std::move(in_parts.rest_series), *file.rest));
    if (!whole) return {};
    file.path = file.stamp->path = JoinPath(directory, file.path);
    files.push_back(std::move(file));
  }
  return files;
}

std::shared_ptr<StoredPoints> RunIndex::Put(const std::string& key, std::shared_ptr<const Run> run,
                                            std::vector<ReadFile> files) {
  for (const RunFile& file : run->files()) {
    if (!file.status.ok()) return nullptr;
  }
  std::vector<Unwritten> batch;
  std::shared_ptr<StoredPoints> points;
  {
    const std::lock_guard lock(mutex_);
    const std::uint64_t number = std::uint64_t{random_()} << 32U | random_();
    points = std::make_shared<StoredPoints>(shared_from_this(), key, number);
    points->SetRun(*run);
    any_written_ = true;
    unwritten_points_ += PointsOf(files);
    unwritten_.push_back({key, number, std::move(run), std::move(files), points});
    if (unwritten_.size() >= kBatch || unwritten_points_ >= kBatchPoints) {
      batch.swap(unwritten_);
      unwritten_points_ = 0;
    }
  }
  if (!batch.empty()) Write(batch);
  return points;
}

void RunIndex::Write() {
  std::vector<Unwritten> batch;
  {
    const std::lock_guard lock(mutex_);
    batch.swap(unwritten_);
    unwritten_points_ = 0;
  }
  if (!batch.empty()) Write(batch);
}

bool RunIndex::TakeAnyWritten() {
  const std::lock_guard lock(mutex_);
  return std::exchange(any_written_, false);
}

void RunIndex::Write(const std::vector<Unwritten>& runs) {
  const bool written = file_.Write(runs.size(), [&](std::size_t i) {
    const Unwritten& from = runs[i];
    IndexFile::Row row;
    row.run = from.key;
    std::uint64_t number = from.number;
    RunStamp stamp = from.run->stamp();
    PackWriter summary;
    std::vector<End> ends;
    for (const ReadFile& file : from.files)
      ends.emplace_back(file.reader.position(), file.last_bytes);
    if (PointsOf(from.files) <= kMostPoints) {
      const std::vector<const SeriesKey*> names = NamesOf(*from.run);
      for (const ReadFile& file : from.files)
        row.files.push_back(RowsOf(file, number, stamp.files[row.files.size()], names));
    }
    PackAll(summary, number, stamp, ends);
    PackedRun::Write(summary, *from.run);
    row.summary = std::move(summary.bytes());
    return row;
  });
  if (!written) return;
  for (const Unwritten& run : runs) {
    if (const auto points = run.points.lock()) points->SetWritten();
  }
}

}  // namespace sightline
