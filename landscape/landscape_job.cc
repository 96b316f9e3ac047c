#include "sightline/landscape/landscape_job.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <utility>

#include "sightline/base/crc32c.h"

namespace sightline::landscape {
namespace {

std::uint32_t Checksum(std::uint32_t crc, std::span<const float> values) {
  return crc32c::Extend(
      crc, {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(float)});
}

std::uint32_t PlaneChecksum(const Plane& plane) {
  std::uint32_t crc = Checksum(Checksum(0, plane.directions.first), plane.directions.second);
  std::array<float, 4096> block{};
  const std::size_t last = plane.parameters.checkpoint_count() - 1;
  for (std::size_t at = 0; at < plane.parameters.size(); at += block.size()) {
    const std::span<float> values(block.data(),
                                  std::min(block.size(), plane.parameters.size() - at));
    plane.parameters.Read(last, at, values);
    crc = Checksum(crc, values);
  }
  return crc;
}

// Does not remove a journal that another process works on, whatever its header.
Status RemoveJournal(FileSystem& file_system, const std::string& path, const std::string& header) {
  if (!file_system.Stat(path)) return {};
  const auto journal = PointJournal::Open(file_system, path, header);
  if (!journal && journal.error().code() == StatusCode::kUnavailable) return journal.error();
  return file_system.Remove(path);
}

}  // namespace

Result<std::unique_ptr<LandscapeJob>> LandscapeJob::Open(const Plane& plane,
                                                         const TrainMetadata& metadata,
                                                         const PlaneOptions& options, bool restart,
                                                         const Clock& clock) {
  const std::string path =
      JoinPath(metadata.run_directory, PointJournalName(plane.tag, plane.decomposition));
  LandscapeOutline outline = OutlineOf(plane, metadata, options);
  const std::string header = PrintOutline(outline);
  FileSystem& file_system = *metadata.file_system;
  if (restart) SIGHTLINE_RETURN_IF_ERROR(RemoveJournal(file_system, path, header));
  auto job = std::unique_ptr<LandscapeJob>(new LandscapeJob(plane, std::move(outline)));
  SIGHTLINE_ASSIGN_OR_RETURN(job->journal_, PointJournal::Open(file_system, path, header, clock));
  job->points_ = job->journal_->content().points;
  job->is_recorded_ = job->journal_->content().done;
  return job;
}

std::vector<std::size_t> LandscapeJob::OpenPoints() const {
  std::vector<std::size_t> open = EvaluationOrder(plane_);
  std::erase_if(open, [this](std::size_t index) { return points_.contains(index); });
  return open;
}

Status LandscapeJob::Add(std::size_t index, const std::vector<double>& values) {
  SIGHTLINE_RETURN_IF_ERROR(plane_.parameters.CheckFiles());
  SIGHTLINE_RETURN_IF_ERROR(CheckPointValues(points_, values));
  SIGHTLINE_RETURN_IF_ERROR(journal_->AddPoint(index, values));
  points_.insert_or_assign(index, values);
  return {};
}

Status LandscapeJob::MarkRecorded() {
  is_recorded_ = true;
  return journal_->MarkDone();
}

LandscapeOutline OutlineOf(const Plane& plane, const TrainMetadata& metadata,
                           const PlaneOptions& options) {
  LandscapeOutline out;
  out.tag = plane.tag;
  out.decomposition = plane.decomposition;
  out.unit = metadata.unit;
  out.step_per_epoch = metadata.step_per_epoch;
  out.num_samples = metadata.num_samples;
  out.numbers = plane.numbers;
  out.x = plane.x;
  out.y = plane.y;
  out.path_x = plane.trajectory.x;
  out.path_y = plane.trajectory.y;
  out.distances = plane.trajectory.distances;
  out.normalisation = NormalisationName(options.directions.normalisation);
  out.seed = options.directions.seed;
  out.explained_variance = plane.directions.explained_variance;
  out.lines = plane.lines;
  out.checksum = PlaneChecksum(plane);
  for (const ParameterSlot& slot : plane.parameters.slots())
    out.parameters.push_back({slot.name, slot.shape});
  return out;
}

}  // namespace sightline::landscape
