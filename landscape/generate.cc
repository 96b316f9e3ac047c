#include "sightline/landscape/generate.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <utility>

#include "sightline/base/crc32c.h"
#include "sightline/landscape/point_journal.h"
#include "sightline/recorder/recorder.h"

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

// One landscape at work.
class Generation {
 public:
  Generation(const TrainMetadata& metadata, const LossFunction& loss,
             const GenerateOptions& options)
      : metadata_(metadata), loss_(loss), options_(options) {}

  Status Add(const Plane& plane) {
    const std::string path =
        JoinPath(metadata_.run_directory, PointJournalName(plane.tag, plane.decomposition));
    const std::string header = JournalHeader(plane, metadata_, options_.plane);
    if (options_.restart) SIGHTLINE_RETURN_IF_ERROR(RemoveJournal(path, header));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto journal, PointJournal::Open(path, header));
    PointValues values = journal->content().points;
    const auto start = std::chrono::steady_clock::now();
    const std::size_t known = values.size();
    GenerateProgress progress{plane.tag, known, PointCount(plane), 0};
    SurfaceOptions surface{options_.workers, options_.cancelled, {}};
    surface.on_point = [&](std::size_t index, const std::vector<double>& measured) {
      SIGHTLINE_RETURN_IF_ERROR(journal->AddPoint(index, measured));
      const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
      const std::size_t mine = ++progress.points_done - known;
      progress.seconds_left = spent.count() / static_cast<double>(mine) *
                              static_cast<double>(progress.points - progress.points_done);
      if (options_.progress) options_.progress(progress);
      return Status();
    };
    SIGHTLINE_RETURN_IF_ERROR(EvaluateSurface(plane, loss_, surface, values));
    landscapes_.push_back(LandscapeOf(plane, metadata_, values));
    if (journal->content().done) return {};
    SIGHTLINE_RETURN_IF_ERROR(Write(plane.tag, landscapes_.back()));
    return journal->MarkDone();
  }

  std::vector<LossLandscape> Take() { return std::move(landscapes_); }

 private:
  // A journal that somebody works on, under whatever header, is not removed.
  static Status RemoveJournal(const std::string& path, const std::string& header) {
    if (!FileSystem::Local().Stat(path)) return {};
    const auto journal = PointJournal::Open(path, header);
    if (!journal && journal.error().code() == StatusCode::kUnavailable) return journal.error();
    return FileSystem::Local().Remove(path);
  }

  Status Write(const std::string& tag, const LossLandscape& landscape) const {
    SIGHTLINE_ASSIGN_OR_RETURN(const std::string message, SerializeLandscape(landscape));
    SIGHTLINE_ASSIGN_OR_RETURN(const auto recorder,
                               Recorder::Open(metadata_.run_directory, RecorderOptions()));
    const Outcome outcome =
        recorder->AddMessage(ValueKind::kLandscape, recorder->Intern(tag), 0, message);
    SIGHTLINE_RETURN_IF_ERROR(recorder->Close());
    return outcome == Outcome::kAccepted
               ? Status()
               : Status(StatusCode::kFailedPrecondition, tag + " could not be recorded");
  }

  const TrainMetadata& metadata_;
  const LossFunction& loss_;
  const GenerateOptions& options_;
  std::vector<LossLandscape> landscapes_;
};

}  // namespace

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

Result<std::vector<LossLandscape>> GenerateLandscapes(const TrainMetadata& metadata,
                                                      const LossFunction& loss,
                                                      const GenerateOptions& options) {
  FileSystem& files = FileSystem::Local();
  Generation generation(metadata, loss, options);
  if (options.intervals.value_or(metadata.create_train)) {
    for (std::size_t i = 0; i < metadata.intervals.size(); ++i) {
      SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Plane plane,
                                     PlaneOfInterval(files, metadata, i, options.plane));
      SIGHTLINE_UNEXPECTED_IF_ERROR(generation.Add(plane));
    }
  }
  if (options.result.value_or(metadata.create_result)) {
    SIGHTLINE_ASSIGN_OR_UNEXPECTED(const Plane plane,
                                   PlaneOfResult(files, metadata, options.plane));
    SIGHTLINE_UNEXPECTED_IF_ERROR(generation.Add(plane));
  }
  return generation.Take();
}

}  // namespace sightline::landscape
