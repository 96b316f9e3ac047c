// RunBuilder: puts the contents of a directory's files together into a Run. It decides which values
// count, and in which order. Private to this folder. One thread.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/runs/model/run.h"
#include "sightline/runs/model/run_restarts.h"
#include "sightline/runs/model/run_stamp.h"
#include "sightline/runs/reading/file_contents.h"
#include "sightline/runs/source/event_source.h"

namespace sightline {

class RunBuilder {
 public:
  // `before` is an earlier state of the run, or null. Its extremes of the points that both share
  // are not computed again.
  RunBuilder(FileSystem& file_system, std::string directory, std::string name, RunStamp stamp,
             const Run* before);

  // Adds the next file in reading order. `rest` is a part that follows `contents` and was read
  // separately, or null. Both must live until Finish returns.
  void AddFile(const EventSource& source, const FileContents& contents, const FileContents* rest);
  // Call one of these once, after the last file. The second leaves out everything but the series.
  std::shared_ptr<const Run> Finish();
  std::shared_ptr<const Run> FinishSeries();

 private:
  // A part of a file that was read at one time.
  struct Piece {
    std::size_t file = 0;
    const FileContents* contents = nullptr;
  };
  // The points of one piece for one series.
  struct Part {
    std::size_t piece = 0;
    std::size_t file = 0;
    const FileSeries* series = nullptr;
  };

  void AddPiece(const FileContents& contents);
  void FindForeignType(RunFile& file) const;
  void ResolveFiles();
  void AddAsides();
  void AddMetadata();
  void AddDisplayNames();
  // The members of its SeriesKey.
  std::tuple<ContentKind, std::string_view, std::string_view, std::int32_t> KeyOf(
      const Part& part) const;
  // All parts, by key and then in the order of the pieces.
  std::vector<Part> PartsByKey() const;
  void AddAllSeries();
  void AddSeries(SeriesKey key, std::span<const Part> parts);
  std::vector<bool> TwinDuplicates(const Part& part, std::span<const Part> parts) const;
  void Append(const Part& part, const std::vector<bool>& left_out, SeriesPoints& counting,
              SeriesPoints& superseded) const;
  std::optional<std::int64_t> SupersededFrom(std::size_t file, std::uint64_t segment) const;
  void AddUsualInterval();
  double SecondsOfCounters() const;
  void AddSigns();

  std::shared_ptr<Run> run_;
  const Run* before_;
  std::vector<Piece> pieces_;
  std::vector<bool> session_is_first_;  // By file: see FileContents.
  RunRestarts restarts_;
};

// The lineage from all messages, in the order of their files; from TensorBoard's hyper-parameters
// if there are no messages. Besides, the settings in texts of the run's first step, under names
// that neither has. `texts`: those of each file.
RunLineage LineageOf(const std::vector<const FileContents*>& files,
                     const std::vector<const FirstTexts*>& texts);

}  // namespace sightline
