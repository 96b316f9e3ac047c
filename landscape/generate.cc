#include "sightline/landscape/generate.h"

#include <chrono>
#include <utility>

#include "sightline/landscape/landscape_job.h"
#include "sightline/landscape/record_landscape.h"
#include "sightline/landscape/surface/surface.h"

namespace sightline::landscape {
namespace {

Result<LossLandscape> Generate(const Plane& plane, const TrainMetadata& metadata,
                               const LossFunction& loss, const GenerateOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto job, LandscapeJob::Open(plane, metadata, options.plane,
                                                                options.restart, *options.clock));
  PointValues known = job->points();
  const auto start = std::chrono::steady_clock::now();
  const std::size_t before = known.size();
  GenerateProgress progress{plane.tag, before, PointCount(plane), 0};
  SurfaceOptions surface{options.workers, options.cancelled, {}, options.buffer};
  surface.on_point = [&](std::size_t index, const std::vector<double>& measured) -> Status {
    SIGHTLINE_RETURN_IF_ERROR(job->Add(index, measured));
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
    const std::size_t mine = ++progress.points_done - before;
    progress.seconds_left = spent.count() / static_cast<double>(mine) *
                            static_cast<double>(progress.points - progress.points_done);
    if (options.progress) options.progress(progress);
    return Status();
  };
  SIGHTLINE_RETURN_IF_ERROR(EvaluateSurface(plane, loss, surface, known));
  LossLandscape landscape = job->Landscape();
  if (job->is_recorded()) return landscape;
  SIGHTLINE_RETURN_IF_ERROR(
      RecordLandscape(*metadata.file_system, metadata.run_directory, plane.tag, landscape));
  SIGHTLINE_RETURN_IF_ERROR(job->MarkRecorded());
  return landscape;
}

// Calls visit(plane) for each plane that the options select.
Status ForEachPlane(const TrainMetadata& metadata, const GenerateOptions& options,
                    const std::function<Status(const Plane&)>& visit) {
  if (options.intervals.value_or(metadata.create_train)) {
    for (std::size_t i = 0; i < metadata.intervals.size(); ++i) {
      SIGHTLINE_ASSIGN_OR_RETURN(const Plane plane, PlaneOfInterval(metadata, i, options.plane));
      SIGHTLINE_RETURN_IF_ERROR(visit(plane));
    }
  }
  if (!options.result.value_or(metadata.create_result)) return {};
  SIGHTLINE_ASSIGN_OR_RETURN(const Plane plane, PlaneOfResult(metadata, options.plane));
  return visit(plane);
}

}  // namespace

Result<std::vector<LossLandscape>> GenerateLandscapes(const TrainMetadata& metadata,
                                                      const LossFunction& loss,
                                                      const GenerateOptions& options) {
  std::vector<LossLandscape> made;
  SIGHTLINE_RETURN_IF_ERROR(ForEachPlane(metadata, options, [&](const Plane& plane) -> Status {
    SIGHTLINE_ASSIGN_OR_RETURN(LossLandscape landscape, Generate(plane, metadata, loss, options));
    made.push_back(std::move(landscape));
    return Status();
  }));
  return made;
}

}  // namespace sightline::landscape
