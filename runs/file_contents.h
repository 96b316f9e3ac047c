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

// The points of one tag, in the order of the file; `places` without the file's number.
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
  std::vector<SkippedRegion> damage;
  Status status;
};

class FileContentsReader {
 public:
  FileContentsReader(std::unique_ptr<ReadableFile> file, std::optional<EventFileKind> kind);

  // Everything up to the end. Call once.
  FileContents Read();

 private:
  void AddRecord(std::string_view payload);
  bool AddScalarEvent(std::string_view payload);
  void AddEvent(const EventView& event);
  void AddAside(const EventView& event);
  void AddWallTime(double wall_time);
  void AdoptVersion(std::string_view version);
  FileSeries& Find(ContentKind kind, std::string_view plugin, std::string_view tag);
  SeriesPoints& PointsOf(FileSeries& series) const;

  RecordReader records_;
  bool kind_known_ = false;
  bool first_ = true;  // No event yet.
  FileContents contents_;
  EventView event_;
  std::uint64_t scalar_events_ = 0;
  std::unordered_map<std::string, std::size_t> positions_;
  std::string key_;
  // Tags come in the same order again and again: the series that was behind one the last time.
  std::vector<std::uint32_t> behind_;
  std::uint32_t last_ = 0;
};

}  // namespace sightline
