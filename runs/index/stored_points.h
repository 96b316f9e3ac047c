// StoredPoints: loads the points of a run that is in the index. If the index holds a newer state of
// the run by then, or is damaged, it reads the first bytes of the files again, as many as the run
// was made of. Private to this folder. May be called from any thread.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "sightline/recorder/reading/event_decode.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/series_points.h"

namespace sightline {

class RunIndex;

class StoredPoints final : public SeriesSource {
 public:
  // `number`: of the rows of `run` under `key`.
  StoredPoints(std::shared_ptr<RunIndex> index, std::string key, std::uint64_t number)
      : index_(std::move(index)), key_(std::move(key)), number_(number) {}
  // Call this once, before the first Load.
  void SetFiles(const Run& run);

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
  std::shared_ptr<const Run> Restore() const;

  const std::shared_ptr<RunIndex> index_;
  const std::string key_;
  const std::uint64_t number_;
  std::string directory_;
  std::vector<File> files_;
  std::atomic<bool> written_ = false;
  std::mutex mutex_;
  std::shared_ptr<const Run> whole_;  // With the points of all series.
};

}  // namespace sightline
