// FileContents: what one event file holds, in columns. RunBuilder puts the FileContents of all
// files together into a Run. Private to this folder. One thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/model/tag_metadata.h"
#include "sightline/runs/reading/first_texts.h"
#include "sightline/runs/reading/series_table.h"
#include "sightline/runs/reading/translated_contents.h"

namespace sightline {

class PackReader;
class PackWriter;

// The points of one tag, in the order of the file.
struct FileSeries {
  ContentKind kind = ContentKind::kUnknown;
  bool has_metadata = false;  // Those of its tag are in FileContents::metadata.
  std::string plugin;
  std::string tag;
  SeriesPoints points;
  // The STARTs in a file divide it into segments. For each segment with points: its number, and the
  // position of its first point.
  struct Segment {
    std::uint64_t number = 0;
    std::size_t begin = 0;
  };
  std::vector<Segment> segments;
};

struct FileContents {
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::optional<Session> session;  // From the first event that has one.
  bool session_is_first = false;   // That event is the file's first, as ResolveSessions requires.
  std::vector<FileSeries> series;
  std::vector<std::int64_t> starts;  // The steps of session log STARTs; start i begins segment i+1.
  std::map<EventKind, std::vector<HeavyPoint>> events;
  std::map<EventKind, std::uint64_t> event_counts;
  std::vector<std::pair<EventKind, std::string>> lineage;  // Messages, in file order.
  std::vector<std::string> hyper_parameters;  // TensorBoard's HParamsPluginData messages.
  // Of the whole file, also if this is the rest of one.
  FirstTexts first_texts;
  MetadataByTag metadata;  // Of the first value of each tag that has them.
  std::set<std::string, std::less<>> lacking_metadata;  // Tags with a value that lacks them.
  std::optional<double> first_wall_time;
  std::optional<double> last_wall_time;
  std::uint64_t bytes = 0;
  std::uint64_t records = 0;
  std::uint64_t unchecked = 0;  // Records whose checksums were not verified.
  std::vector<SkippedRegion> damage;
  TranslatedContents translated;  // Of a file of another recorder.
  Status status;
};

// Appends regions to `to`; adjacent ones become one region, as in RecordReader.
void AddDamage(const std::vector<SkippedRegion>& from, std::vector<SkippedRegion>& to);

// Reads a file from its beginning, and continues when the file has grown:
//
//   FileContentsReader reader(kind, 0);
//   reader.Read(*fs.OpenForRead(path), Tail::kGrowing);
//   ... the file grows ...
//   reader.Read(*fs.OpenForRead(path), Tail::kGrowing);  // The new part.
//   FileContentsReader rest = reader.Rest();
//   rest.Read(*fs.OpenForRead(path), Tail::kFinal);      // It may not be a complete record yet.
class FileContentsReader {
 public:
  // `file` is the number of the file in its run, see HeavyPoint.
  FileContentsReader(std::optional<EventFileKind> kind, std::uint32_t file);

  // Adds the records from position() on. For `tail` see record_reader.h. With `skim`, large records
  // are not read whole and count as unchecked (record_skimmer.h).
  void Read(std::unique_ptr<ReadableFile> file, Tail tail, bool skim = false);

  // Gives the metadata that files before this one have. Call it before the first Read.
  void Inherit(MetadataByTag metadata) { inherited_ = std::move(metadata); }
  const MetadataByTag& inherited() const { return inherited_; }

  // Notes that the file could not be opened.
  void Fail(const Status& status) { contents_.status = status; }

  // An empty reader that continues where this one ended.
  FileContentsReader Rest() const;

  // Writes this reader as bytes, without its series, and makes a reader of such bytes that
  // continues at the same position once its series were added. kDataLoss for bytes that PackInto
  // cannot have written.
  void PackInto(PackWriter& writer) const;
  static Result<FileContentsReader> Unpack(PackReader& reader, std::uint32_t file);
  // False if the reader has a series of that name, or no room for one more.
  bool Add(FileSeries series);
  // Null if the file has no such series.
  const FileSeries* SeriesOf(ContentKind kind, std::string_view plugin, std::string_view tag) const;

  // Where the next record is expected.
  std::uint64_t position() const { return position_; }
  std::uint32_t file() const { return file_; }
  std::uint64_t points() const;  // Of all series.
  const FileContents& contents() const { return contents_; }

 private:
  void ReadTranslated(std::unique_ptr<ReadableFile> file, Tail tail);
  template <typename Records>
  void EndReading(const Records& records, ReadOutcome outcome);
  bool AddRecord(std::string_view payload, std::uint64_t offset);
  void Skim(const ReadableFile& file, RecordReader& records);
  bool AddScalarEvent(std::string_view payload);
  void AddEvent(EventView& event);
  void TakeMetadata(ValueView& value);
  void TakeText(const EventView& event, const ValueView& value);
  void AddItems(const EventView& event, std::uint32_t number, SeriesPoints& points) const;
  void AddAside(const EventView& event);
  void AddWallTime(double wall_time);
  void AdoptVersion(std::string_view version);
  // Null, and nothing more is read, if the series is new and there is no room for it.
  FileSeries* Find(ContentKind kind, std::string_view plugin, std::string_view tag);
  SeriesPoints& PointsOf(FileSeries& series) const;

  std::uint32_t file_ = 0;
  bool kind_known_ = false;
  bool first_ = true;  // No event was read yet.
  std::uint64_t position_ = 0;
  std::uint64_t starts_before_ = 0;  // STARTs before the part that this reader reads.
  MetadataByTag inherited_;          // Of earlier files, and of this file before that part.
  FileContents contents_;
  EventView event_;
  std::uint64_t scalar_events_ = 0;
  SeriesTable positions_;
  // Tags come in the same order again and again: for each series, the one that followed it last
  // time.
  std::vector<std::uint32_t> next_;
  std::uint32_t last_ = 0;
  bool full_ = false;
};

}  // namespace sightline
