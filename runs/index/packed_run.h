// PackedRun: a Run as bytes, without the points of its series. Private to this folder.
#pragma once

#include <memory>
#include <string>

#include "sightline/runs/index/packing.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/model/run_stamp.h"
#include "sightline/runs/model/series_points.h"

namespace sightline {

void Pack(PackWriter& writer, RunStamp::File& file);
void Pack(PackReader& reader, RunStamp::File& file);
void Pack(PackWriter& writer, RunStamp& stamp);
void Pack(PackReader& reader, RunStamp& stamp);

class PackedRun {
 public:
  // Does not write where the run's directory is, nor the state of its journals, nor the status of
  // its files. REQUIRES: every file could be read.
  static void Write(PackWriter& writer, const Run& run);

  // Where the run is now, and where its points come from. The series of series() are numbered from
  // 0, those of superseded() follow.
  struct Place {
    FileSystem* file_system = nullptr;
    std::string directory;
    std::string name;
    RunStamp stamp;
    std::shared_ptr<SeriesSource> source;
  };
  // Null if the bytes are not those of a run.
  static std::shared_ptr<const Run> Read(PackReader& reader, Place place);

 private:
  template <typename A>
  static void PackParts(A& a, Run& run);
};

}  // namespace sightline
