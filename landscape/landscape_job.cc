#include "sightline/landscape/landscape_job.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
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

// A journal that somebody works on, under whatever header, is not removed.
Status RemoveJournal(const std::string& path, const std::string& header) {
  if (!FileSystem::Local().Stat(path)) return {};
  const auto journal = PointJournal::Open(path, header);
  if (!journal && journal.error().code() == StatusCode::kUnavailable) return journal.error();
  return FileSystem::Local().Remove(path);
}

}  // namespace

Result<std::unique_ptr<LandscapeJob>> LandscapeJob::Open(const Plane& plane,
                                                         const TrainMetadata& metadata,
                                                         const PlaneOptions& options,
                                                         bool restart) {
  const std::string path =
      JoinPath(metadata.run_directory, PointJournalName(plane.tag, plane.decomposition));
  const std::string header = JournalHeader(plane, metadata, options);
  if (restart) SIGHTLINE_UNEXPECTED_IF_ERROR(RemoveJournal(path, header));
  auto job = std::unique_ptr<LandscapeJob>(new LandscapeJob(plane, metadata));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(job->journal_, PointJournal::Open(path, header));
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
  SIGHTLINE_RETURN_IF_ERROR(CheckPointValues(points_, values));
  SIGHTLINE_RETURN_IF_ERROR(journal_->AddPoint(index, values));
  points_.insert_or_assign(index, values);
  return {};
}

Status LandscapeJob::MarkRecorded() {
  is_recorded_ = true;
  return journal_->MarkDone();
}

LossLandscape LandscapeJob::Landscape() const { return LandscapeOf(plane_, metadata_, points_); }

LossLandscape LandscapeOf(const Plane& plane, const TrainMetadata& metadata,
                          const PointValues& values) {
  const std::size_t grid = plane.x.size() * plane.y.size();
  LossLandscape out;
  out.x = plane.x;
  out.y = plane.y;
  for (std::size_t i = 0; i < grid; ++i) out.z.push_back(values.at(i).front());
  out.decomposition = plane.decomposition;
  out.unit = metadata.unit;
  out.step_per_epoch = static_cast<std::int32_t>(metadata.step_per_epoch);
  if (plane.numbers.size() == 1) {  // MindSpore's place for it: the middle of the grid.
    const std::size_t x = plane.x.size() / 2;
    const std::size_t y = plane.y.size() / 2;
    out.convergence_point = {plane.x[x], plane.y[y], out.z[y * plane.x.size() + x]};
    return out;
  }
  LossLandscape::Path path;
  for (std::size_t i = 0; i < plane.numbers.size(); ++i) {
    path.intervals.push_back(static_cast<std::int32_t>(plane.numbers[i]));
    path.z.push_back(values.at(grid + i).front());
  }
  path.x = plane.trajectory.x;
  path.y = plane.trajectory.y;
  out.convergence_point = {path.x.back(), path.y.back(), path.z.back()};
  out.path = std::move(path);
  return out;
}

std::string JournalHeader(const Plane& plane, const TrainMetadata& metadata,
                          const PlaneOptions& options) {
  nlohmann::ordered_json parameters = nlohmann::ordered_json::array();
  for (const ParameterSlot& slot : plane.parameters.slots())
    parameters.push_back({{"name", slot.name}, {"shape", slot.shape}});
  nlohmann::ordered_json json = {
      {"tag", plane.tag},
      {"decomposition", plane.decomposition},
      {"unit", metadata.unit},
      {"step_per_epoch", metadata.step_per_epoch},
      {"num_samples", metadata.num_samples},
      {"numbers", plane.numbers},
      {"axes", {{"x", plane.x}, {"y", plane.y}}},
      {"path", {{"x", plane.trajectory.x}, {"y", plane.trajectory.y}}},
      {"distances", plane.trajectory.distances},
      {"normalisation", NormalisationName(options.directions.normalisation)},
      {"seed", options.directions.seed},
      {"checksum", PlaneChecksum(plane)},
      {"parameters", parameters}};
  if (const auto& explained = plane.directions.explained_variance)
    json["explained_variance"] = *explained;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace sightline::landscape
