// Run: everything that the event files of one directory hold, as one model: files in MindSpore's
// dialect and in TensorBoard's, rotated and restarted files, several ranks, lineage, and the
// records that a journal still holds. It reads, and never writes.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto run, Run::Open("runs/lenet"));
//   if (const Series* loss = run->Find(ContentKind::kScalar, "loss")) Plot(loss->values());
//
// Values that a later session recorded again (run_sessions.h), or that TensorBoard drops after a
// restart (run_restarts.h), do not count; they are in superseded(). If a session recorded both
// dialects, its MindSpore file counts, and its TensorBoard file adds only the points that are
// missing there.
//
// Immutable once opened: may be read from any thread.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/recorder/framing/record_reader.h"
#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/reading/event_decode.h"
#include "sightline/recorder/reading/event_view.h"
#include "sightline/runs/model/run_sessions.h"
#include "sightline/runs/model/run_state.h"
#include "sightline/runs/model/series.h"
#include "sightline/runs/model/stored_value.h"

namespace sightline {

struct RunStamp;  // These are in run_stamp.h and tag_metadata.h, which are not installed.
struct TagMetadata;

struct RunFile {
  std::string path;
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t bytes = 0;            // Of the file and of the journal's records after it.
  std::uint64_t records = 0;          // Sound ones.
  std::uint64_t journal_records = 0;  // Those that are still in a journal.
  // Those that were not read whole (RunOptions::leave_large_unchecked).
  std::uint64_t unchecked = 0;
  std::vector<SkippedRegion> damage;  // By offset.
  std::optional<Session> session;     // For files that Sightline wrote.
  std::int32_t rank = 0;
  // Values of this step and later ones do not count (run_sessions.h).
  std::optional<std::int64_t> superseded_from;
  std::optional<double> first_wall_time;  // Of its events.
  std::optional<double> last_wall_time;
  Status status;  // Not OK if reading ended before the file did.
  // If the file has the name of an event file but is not one: what it is ("gzip"). It then has no
  // records and no damage.
  std::string foreign_type = {};
  // Of a file of another recorder: what was not read, by kind, and how often ("artifact").
  std::map<std::string, std::uint64_t, std::less<>> unread = {};

  // "TensorBoard", or "not an event file: gzip".
  std::string KindName() const;
};

// How the training was set up, and its results: names and values. Names from MindSpore's lineage
// are those of TrainLineage and EvaluationLineage ("network", "learning_rate", ...). Metrics,
// custom pairs and TensorBoard's hyper-parameters keep their own names.
using RunLineage = std::map<std::string, LineageValue, std::less<>>;

class Run;

// A directory whose run is a part of another run (Run::parts).
struct RunPart {
  std::string id;  // By which the part was known as a run of its own, as RunChange::name.
  std::shared_ptr<const Run> run;
  // The rank of its series in the joined run; none if they keep theirs.
  std::optional<std::int32_t> rank = std::nullopt;
  // Set if the part is one curve: the tag of its series in the joined run.
  std::string tag = {};
};

struct RunOptions {
  std::string name = ".";                          // Its path below its root.
  FileSystem* file_system = &FileSystem::Local();  // It must outlive the run.
  unsigned threads = 0;  // That read the files of the run; 0: one for each core.
  // Lists records of 64 KiB and more without reading them whole (RunFile::unchecked). Run::Read
  // verifies the checksum of the one that it reads.
  bool leave_large_unchecked = false;
};

class Run {
 public:
  // Opens the run whose event files are in `directory` itself (not below). kNotFound if there are
  // none. A file that cannot be read does not make this fail; it has a status. Nor does a file that
  // is not an event file (RunFile::foreign_type).
  static Result<std::shared_ptr<const Run>> Open(const std::string& directory,
                                                 const RunOptions& options = {});

  const std::string& name() const { return name_; }  // The path below its root; "." for the root.
  const std::string& directory() const { return directory_; }
  std::span<const RunFile> files() const { return files_; }  // In reading order.
  // False if all files are foreign: then the directory is not a run.
  bool has_event_files() const;
  // What the run was joined of (docs/ranks.md): the directories of its ranks, by rank, each
  // followed by those of its curves. Empty for a run of one directory. files() has the parts' files
  // in this order.
  std::span<const RunPart> parts() const { return parts_; }
  // The part that was known as `id`; null if there is none.
  std::shared_ptr<const Run> FindPart(std::string_view id) const;
  std::span<const RunSession> sessions() const { return sessions_; }

  // Ordered by key: kind, plugin, tag, rank. None is empty.
  std::span<const std::shared_ptr<const Series>> series() const { return series_; }
  // Points that do not count, in the same form.
  std::span<const std::shared_ptr<const Series>> superseded() const { return superseded_; }
  // The series of a tag, one for each rank that has it, by rank. Takes logarithmic time. REQUIRES:
  // kind != ContentKind::kPlugin, whose tags are those of their plugins.
  std::span<const std::shared_ptr<const Series>> OfTag(ContentKind kind,
                                                       std::string_view tag) const;
  // Null if there is none. Without a rank: the first series with that tag.
  const Series* Find(ContentKind kind, std::string_view tag,
                     std::optional<std::int32_t> rank = std::nullopt) const;

  // Graphs (GraphProto or GraphDef) and other events that are not values, by kind, in reading
  // order. HeavyPoint::value is 0; Read returns them in StoredValue::event().
  const std::map<EventKind, std::vector<HeavyPoint>>& events() const { return events_; }
  // How many events there are of each kind, including those that only hold values or a time.
  const std::map<EventKind, std::uint64_t>& event_counts() const { return event_counts_; }
  // Of a joined run, that of its lowest rank;
  const RunLineage& lineage() const { return lineage_; }
  // and these are the keys for which another rank has another value or none.
  std::span<const std::string> lineage_differs() const { return lineage_differs_; }
  // The names by which TensorBoard shows tags ("loss" for "loss/scalar_summary"), by tag; only
  // those that differ from the tag.
  const std::map<std::string, std::string, std::less<>>& display_names() const {
    return display_names_;
  }

  std::optional<double> first_wall_time() const { return first_wall_time_; }
  std::optional<double> last_wall_time() const { return last_wall_time_; }
  // Whether the run is still recorded, as its files show. Of a joined run, the worst state of its
  // parts: killed, stalled, running, ended or finished, in this order.
  RunState State(const Clock& clock = Clock::System()) const;
  const RunSigns& signs() const { return signs_; }
  std::uint64_t unchecked() const;  // RunFile::unchecked of all files.
  bool damaged() const;             // Whether a file is damaged or could not be read to its end.

  // Reads one value from its file, and verifies the record's checksums. kDataLoss if the value is
  // not there any more. Reads as many bytes as the record has.
  Result<StoredValue> Read(const HeavyPoint& point) const;

  // For runs/ and the dashboard. The stamps of the files and journals before they were read
  // (run_stamp.h):
  const RunStamp& stamp() const { return *stamp_; }
  // This run with points that are loaded from `source`, and freed with the copy.
  std::shared_ptr<const Run> WithPointsFrom(const std::shared_ptr<SeriesSource>& source) const;
  // This run with a lineage from elsewhere.
  std::shared_ptr<const Run> WithLineage(const RunLineage& lineage) const;

 private:
  friend class JoinedRun;
  friend class PackedRun;
  friend class RunBuilder;
  Run() = default;

  FileSystem* file_system_ = nullptr;
  std::string name_;
  std::string directory_;
  std::vector<RunFile> files_;
  std::vector<RunPart> parts_;
  std::vector<RunSession> sessions_;
  std::vector<std::shared_ptr<const Series>> series_;
  std::vector<std::shared_ptr<const Series>> superseded_;
  std::map<EventKind, std::vector<HeavyPoint>> events_;
  std::map<EventKind, std::uint64_t> event_counts_;
  RunLineage lineage_;
  std::vector<std::string> lineage_differs_;
  std::map<std::string, std::string, std::less<>> display_names_;
  // Of the tags that have values without; null if there are none.
  std::shared_ptr<const std::map<std::string, TagMetadata, std::less<>>> metadata_;
  std::optional<double> first_wall_time_;
  std::optional<double> last_wall_time_;
  RunSigns signs_;
  std::shared_ptr<const RunStamp> stamp_;  // Never null.
};

}  // namespace sightline
