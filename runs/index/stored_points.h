// StoredPoints: loads the points of a run that is in the index, one series at a time. If the index
// holds a newer state of the run by then, or is damaged, it reads the first bytes of the files
// again, as many as the run was made of. Private to this folder. May be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sightline/recorder/reading/event_decode.h"
#include "sightline/runs/index/packed_series.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series_points.h"
#include "sightline/runs/reading/file_contents.h"

namespace sightline {

class RunIndex;

class StoredPoints final : public SeriesSource {
 public:
  // `number`: of the rows of `run` under `key`.
  StoredPoints(std::shared_ptr<RunIndex> index, std::string key, std::uint64_t number)
      : index_(std::move(index)), key_(std::move(key)), number_(number) {}
  // Says which run it is. Call this once, before the first Load.
  void SetRun(const Run& run);

  SeriesPoints Load(std::size_t number, bool scalar, const SeriesSummary& summary) override;
  std::shared_ptr<SeriesSource> Unloaded() const override;

  // Whether the points are in the index file.
  bool written() const { return written_; }
  void SetWritten() { written_ = true; }

 private:
  // A file as it was when it was read.
  struct File {
    std::string path;
    EventFileKind kind = EventFileKind::kMindSporeSummary;
    std::uint64_t bytes = 0;
  };
  // What RunBuilder needs of a file, and the series of it that are in memory.
  struct Frame {
    std::string path;
    FileContents contents;
    std::optional<FileContents> rest;
    std::vector<NamedSeries> series;  // All, or those of the part that was read last.
    std::vector<NamedSeries> rest_series;
    bool in_parts = false;
  };
  using SeriesList = std::span<const std::shared_ptr<const Series>>;

  // The series of the name of series `number`; null if the index lacks the run.
  std::shared_ptr<const Run> RestoreName(std::size_t number);
  void ReadFrames();
  void TakeSeries(std::uint32_t name, std::uint32_t file);
  std::shared_ptr<const Run> ReadFiles() const;
  std::uint32_t NameOf(std::size_t number) const;
  // Which one of the series with its name, of those that count or of those that do not.
  std::size_t PositionInName(std::size_t number) const;

  const std::shared_ptr<RunIndex> index_;
  const std::string key_;
  const std::uint64_t number_;
  std::string directory_;
  std::vector<File> files_;
  std::size_t counting_ = 0;                 // Series that count; the others follow.
  std::vector<std::uint32_t> name_numbers_;  // NameNumbersOf the run.
  std::atomic<bool> written_ = false;
  std::mutex mutex_;  // For all below.
  bool frames_read_ = false;
  std::vector<Frame> frames_;         // Empty if the index lacks the run.
  std::shared_ptr<const Run> whole_;  // As read from the files, if the index did not have them.
};

}  // namespace sightline
