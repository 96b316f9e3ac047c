// FileContents: what one event file holds, as columns: the step between a file and a Run.
// Private to this folder. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/runs/series.h"

namespace sightline {

class PackReader;
class PackWriter;

// The points of one tag, in the order of the file.
struct FileSeries {
  ContentKind kind = ContentKind::kUnknown;
  std::string plugin;
  std::string tag;
  SeriesPoints points;
  // A file is cut into segments by the STARTs in it. Each segment that has points: which one, and
  // the position of its first point.
  struct Segment {
    std::uint64_t number = 0;
    std::size_t begin = 0;
  };
  std::vector<Segment> segments;
};

struct FileContents {
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::optional<Session> session;  // Of the first event that has one.
  bool session_is_first = false;   // It is the file's first event, as ResolveSessions asks for.
  std::vector<FileSeries> series;
  std::vector<std::int64_t> starts;  // The steps of session log STARTs; start i begins segment i+1.
  std::map<EventKind, std::vector<HeavyPoint>> events;
  std::map<EventKind, std::uint64_t> event_counts;
  std::vector<std::pair<EventKind, std::string>> lineage;  // Messages, in the order of the file.
  std::vector<std::string> hyper_parameters;               // HParamsPluginData of TensorBoard's.
  std::optional<double> first_wall_time;
  std::optional<double> last_wall_time;
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t unchecked = 0;  // Of the records: only their lengths and fields were looked at.
  std::vector<SkippedRegion> damage;
  Status status;
};

// Adds the regions after those that are there; adjacent ones are one, as RecordReader has it.
void AddDamage(const std::vector<SkippedRegion>& from, std::vector<SkippedRegion>& to);

// Reads a file from its beginning, and on from there when it has grown:
//
//   FileContentsReader reader(kind, 0);
//   reader.Read(*fs.OpenForRead(path), Tail::kGrowing);
//   ... the file grows ...
//   reader.Read(*fs.OpenForRead(path), Tail::kGrowing);  // What is new.
//   FileContentsReader rest = reader.Behind();
//   rest.Read(*fs.OpenForRead(path), Tail::kFinal);      // What may be no record yet.
class FileContentsReader {
 public:
  // `file`: the number of the file in its run, see HeavyPoint.
  FileContentsReader(std::optional<EventFileKind> kind, std::uint32_t file);

  // Adds the records from position() on. `tail` see record_reader.h. `skim`: large records are not
  // read whole, and are then unchecked (record_skimmer.h).
  void Read(std::unique_ptr<ReadableFile> file, Tail tail, bool skim = false);

  // It could not be opened.
  void Fail(const Status& status) { contents_.status = status; }

  // Empty, and reads on where this one ended.
  FileContentsReader Behind() const;

  // As bytes and back, to read on from there another day. Nothing that was not written so passes:
  // kDataLoss.
  void PackInto(PackWriter& writer) const;
  static Result<FileContentsReader> Unpack(PackReader& reader, std::uint32_t file);

  // Where the next record is expected.
  std::uint64_t position() const { return position_; }
  std::uint32_t file() const { return file_; }
  std::uint64_t points() const;  // Of all series.
  const FileContents& contents() const { return contents_; }

 private:
  bool AddRecord(std::string_view payload, std::uint64_t offset);
  void Skim(const ReadableFile& file, RecordReader& records);
  bool AddScalarEvent(std::string_view payload);
  void AddEvent(const EventView& event);
  void AddAside(const EventView& event);
  void AddWallTime(double wall_time);
  void AdoptVersion(std::string_view version);
  FileSeries& Find(ContentKind kind, std::string_view plugin, std::string_view tag);
  SeriesPoints& PointsOf(FileSeries& series) const;

  std::uint32_t file_ = 0;
  bool kind_known_ = false;
  bool first_ = true;  // No event yet.
  std::uint64_t position_ = 0;
  std::uint64_t starts_before_ = 0;  // STARTs in front of what this one reads.
  FileContents contents_;
  EventView event_;
  std::uint64_t scalar_events_ = 0;
  std::unordered_map<std::string, std::size_t> positions_;
  std::string key_;
  // Tags come in the same order again and again: the series that came after one the last time.
  std::vector<std::uint32_t> behind_;
  std::uint32_t last_ = 0;
};

}  // namespace sightline
