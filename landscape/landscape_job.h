// LandscapeJob: the work on one landscape: its plane, its journal, and the points that are known.
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const auto job, LandscapeJob::Open(plane, metadata, {}, false));
//   for (const std::size_t index : job->OpenPoints())
//     SIGHTLINE_RETURN_IF_ERROR(job->Add(index, {LossAt(PointAt(plane, index))}));
//   RecordLandscape(metadata.run_directory, plane.tag, job->Landscape());
//   job->MarkRecorded();
//
// Threads, processes or other machines compute the points and give them to this one job. One thread
// at a time. The plane must outlive the job.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/landscape/checkpoints/train_metadata.h"
#include "sightline/landscape/directions/plane.h"
#include "sightline/landscape/journal/point_journal.h"
#include "sightline/landscape/surface/surface.h"
#include "sightline/recorder/message/landscape.h"

namespace sightline::landscape {

class LandscapeJob {
 public:
  // Opens and locks the journal in the metadata's run directory; see PointJournal::Open. With
  // `restart`, the points of an earlier job are discarded.
  static Result<std::unique_ptr<LandscapeJob>> Open(const Plane& plane,
                                                    const TrainMetadata& metadata,
                                                    const PlaneOptions& options, bool restart,
                                                    const Clock& clock = Clock::System());

  const PointValues& points() const { return points_; }
  // The points that are not known yet, coarse to fine.
  std::vector<std::size_t> OpenPoints() const;
  // Adds a point, also to the journal. kInvalidArgument if it has no numbers, or not as many as the
  // points before.
  Status Add(std::size_t index, const std::vector<double>& values);

  // Whether this job or an earlier one has recorded it.
  bool is_recorded() const { return is_recorded_; }
  Status MarkRecorded();
  // The landscape of the points that are known so far.
  LossLandscape Landscape() const { return LandscapeOf(outline_, points_); }

 private:
  LandscapeJob(const Plane& plane, LandscapeOutline outline)
      : plane_(plane), outline_(std::move(outline)) {}

  const Plane& plane_;
  const LandscapeOutline outline_;
  std::unique_ptr<PointJournal> journal_;
  PointValues points_;
  bool is_recorded_ = false;
};

// The outline that identifies a plane in its journal; PrintOutline's text is the journal's header.
LandscapeOutline OutlineOf(const Plane& plane, const TrainMetadata& metadata,
                           const PlaneOptions& options);

}  // namespace sightline::landscape
