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
  if (run != nullptr) points->SetFiles(*run);
  return run;
}

std::vector<ReadFile> RunIndex::Files(const std::string& key, const std::string& directory,
                                      std::optional<std::uint64_t> number) {
  std::vector<ReadFile> files;
  for (const std::string& bytes : file_.Contents(key)) {
    PackReader reader(bytes);
    std::uint64_t stored_number = 0;
    RunStamp::File file_stamp;
    std::string last_bytes;
    bool has_rest = false;
    PackAll(reader, stored_number, file_stamp, last_bytes, has_rest);
    if (number && stored_number != *number) return {};
    number = stored_number;
    const auto file = static_cast<std::uint32_t>(files.size());
    auto contents = FileContentsReader::Unpack(reader, file);
    if (!contents) return {};
    std::optional<FileContentsReader> rest;
    if (has_rest) {
      auto unpacked = FileContentsReader::Unpack(reader, file);
      if (!unpacked) return {};
      rest = *std::move(unpacked);
    }
    if (!reader.AtEnd()) return {};
    file_stamp.path = JoinPath(directory, file_stamp.path);
    const std::string path = file_stamp.path;
    files.push_back({path, std::move(file_stamp), *std::move(contents), std::move(rest),
                     std::move(last_bytes)});
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
    points->SetFiles(*run);
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
    for (const ReadFile& file : from.files) {
      if (PointsOf(from.files) > kMostPoints) break;
      PackWriter contents;
      RunStamp::File file_stamp = stamp.files[row.contents.size()];
      bool has_rest = file.rest.has_value();
      PackAll(contents, number, file_stamp, ends[row.contents.size()].second, has_rest);
      file.reader.PackInto(contents);
      if (has_rest) file.rest->PackInto(contents);
      row.contents.push_back(std::move(contents.bytes()));
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
