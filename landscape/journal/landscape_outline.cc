#include "sightline/landscape/journal/landscape_outline.h"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/json/json_line.h"

namespace sightline::landscape {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

Status Wrong(std::string_view field) {
  return Status(StatusCode::kDataLoss,
                fmt::format("not the header of a landscape: '{}' is missing or wrong", field));
}

// Reads the fields of an outline's JSON. After the first wrong one, the others stay as they are.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  template <typename T>
  void Read(const char* field, T& out) {
    const auto found = json_.find(field);
    if (found == json_.end() || !Take(*found, out)) Fail(field);
  }
  void Fail(const char* field) {
    if (status_.ok()) status_ = Wrong(field);
  }
  const Status& status() const { return status_; }

 private:
  static bool Take(const Json& json, std::string& out) {
    if (!json.is_string()) return false;
    out = json.get<std::string>();
    return true;
  }
  static bool Take(const Json& json, double& out) {  // JSON has no NaN: null.
    if (!json.is_number() && !json.is_null()) return false;
    out = json.is_null() ? kUnknown : json.get<double>();
    return true;
  }
  template <typename Integer>
  requires std::is_integral_v<Integer>
  static bool Take(const Json& json, Integer& out) {
    if (!json.is_number_integer()) return false;
    out = json.get<Integer>();
    return true;
  }
  template <typename T>
  static bool Take(const Json& json, std::vector<T>& out) {
    if (!json.is_array()) return false;
    for (const Json& element : json)
      if (!Take(element, out.emplace_back())) return false;
    return true;
  }

  const Json& json_;
  Status status_;
};

void ReadPoints(const Json& json, const char* field, std::vector<double>& x, std::vector<double>& y,
                Reader& all) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_object()) return all.Fail(field);
  Reader reader(*found);
  reader.Read("x", x);
  reader.Read("y", y);
  if (!reader.status().ok()) all.Fail(field);
}

void ReadLines(const Json& json, std::vector<LandscapeOutline::Line>& lines, Reader& all) {
  const auto found = json.find("lines");
  if (found == json.end()) return;
  if (!found->is_array()) return all.Fail("lines");
  for (const Json& line : *found) {
    if (!line.is_object()) return all.Fail("lines");
    Reader reader(line);
    reader.Read("along", lines.emplace_back().along);
    reader.Read("at", lines.back().at);
    if (!reader.status().ok()) return all.Fail("lines");
  }
}

// Takes the numbers of the points one by one, in the order of their indices.
class PointReader {
 public:
  PointReader(const PointValues& values, std::size_t begin) : values_(values), next_(begin) {}

  // Appends the losses of the next points, and their further numbers to `metrics`.
  std::vector<double> Take(std::size_t count, std::vector<std::vector<double>>& metrics) {
    std::vector<double> losses;
    const std::size_t further = values_.empty() ? 0 : values_.begin()->second.size() - 1;
    metrics.resize(further);
    for (std::size_t i = 0; i < count; ++i) {
      const auto found = values_.find(next_++);
      const bool is_known = found != values_.end() && found->second.size() == further + 1;
      losses.push_back(is_known ? found->second.front() : kUnknown);
      for (std::size_t k = 0; k < further; ++k)
        metrics[k].push_back(is_known ? found->second[k + 1] : kUnknown);
    }
    return losses;
  }

 private:
  const PointValues& values_;
  std::size_t next_;
};

void FillDetails(const LandscapeOutline& outline, const PointValues& values,
                 LossLandscape::Details& out) {
  out.seed = outline.seed;
  out.normalisation = outline.normalisation;
  out.explained_variance = outline.explained_variance;
  const std::size_t grid = outline.x.size() * outline.y.size();
  PointReader reader(values, grid + outline.path_x.size());
  for (const LandscapeOutline::Line& line : outline.lines) {
    LossLandscape::Line& added = out.lines.emplace_back();
    added.along = line.along;
    added.at = line.at;
    added.z = reader.Take(line.at.size(), added.metrics);
  }
  std::vector<bool> evaluated(grid);
  for (std::size_t i = 0; i < grid; ++i) evaluated[i] = values.contains(i);
  if (std::find(evaluated.begin(), evaluated.end(), false) != evaluated.end())
    out.evaluated = std::move(evaluated);
}

}  // namespace

std::size_t PointCount(const LandscapeOutline& outline) {
  std::size_t count = outline.x.size() * outline.y.size() + outline.path_x.size();
  for (const LandscapeOutline::Line& line : outline.lines) count += line.at.size();
  return count;
}

std::string PrintOutline(const LandscapeOutline& outline) {
  Json parameters = Json::array();
  for (const LandscapeOutline::Parameter& parameter : outline.parameters)
    parameters.push_back({{"name", parameter.name}, {"shape", parameter.shape}});
  Json json = {{"tag", outline.tag},
               {"decomposition", outline.decomposition},
               {"unit", outline.unit},
               {"step_per_epoch", outline.step_per_epoch},
               {"num_samples", outline.num_samples},
               {"numbers", outline.numbers},
               {"axes", {{"x", outline.x}, {"y", outline.y}}},
               {"path", {{"x", outline.path_x}, {"y", outline.path_y}}},
               {"distances", outline.distances},
               {"normalisation", outline.normalisation},
               {"seed", outline.seed},
               {"checksum", outline.checksum},
               {"parameters", parameters}};
  if (outline.explained_variance) json["explained_variance"] = *outline.explained_variance;
  for (const LandscapeOutline::Line& line : outline.lines)
    json["lines"].push_back({{"along", line.along}, {"at", line.at}});
  return JsonLine(json);
}

Result<LandscapeOutline> ParseOutline(std::string_view text) {
  const auto json = ParseForeignJson<Json>(text);
  if (!json.is_object()) return Error(Wrong("tag"));
  LandscapeOutline out;
  Reader reader(json);
  reader.Read("tag", out.tag);
  reader.Read("decomposition", out.decomposition);
  reader.Read("unit", out.unit);
  reader.Read("step_per_epoch", out.step_per_epoch);
  reader.Read("num_samples", out.num_samples);
  reader.Read("numbers", out.numbers);
  ReadPoints(json, "axes", out.x, out.y, reader);
  ReadPoints(json, "path", out.path_x, out.path_y, reader);
  reader.Read("distances", out.distances);
  reader.Read("normalisation", out.normalisation);
  reader.Read("seed", out.seed);
  reader.Read("checksum", out.checksum);
  ReadLines(json, out.lines, reader);
  if (json.contains("explained_variance")) {
    std::vector<double> explained;
    reader.Read("explained_variance", explained);
    if (explained.size() != 2) return Error(Wrong("explained_variance"));
    out.explained_variance = {explained[0], explained[1]};
  }
  SIGHTLINE_RETURN_IF_ERROR(reader.status());
  const std::size_t path = out.numbers.size();
  if (path == 0 || out.path_x.size() != path || out.path_y.size() != path ||
      out.distances.size() != path)
    return Error(Wrong("path"));
  // Before a grid of them is made: a journal's header has a number for each point of an axis only.
  constexpr std::size_t kMaxAxis = 4096;
  if (out.x.empty() || out.y.empty() || out.x.size() > kMaxAxis || out.y.size() > kMaxAxis)
    return Error(Wrong("axes"));
  return out;
}

LossLandscape LandscapeOf(const LandscapeOutline& outline, const PointValues& values) {
  LossLandscape out;
  LossLandscape::Details details;
  out.x = outline.x;
  out.y = outline.y;
  PointReader reader(values, 0);
  out.z = reader.Take(outline.x.size() * outline.y.size(), details.metrics);
  out.decomposition = outline.decomposition;
  out.unit = outline.unit;
  out.step_per_epoch = static_cast<std::int32_t>(outline.step_per_epoch);
  FillDetails(outline, values, details);
  if (outline.numbers.size() == 1) {  // MindSpore's place for it: the middle of the grid.
    const std::size_t x = outline.x.size() / 2;
    const std::size_t y = outline.y.size() / 2;
    out.convergence_point = {outline.x[x], outline.y[y], out.z[y * outline.x.size() + x]};
  } else {
    LossLandscape::Path path;
    for (const std::int64_t number : outline.numbers)
      path.intervals.push_back(static_cast<std::int32_t>(number));
    path.x = outline.path_x;
    path.y = outline.path_y;
    path.z = reader.Take(path.x.size(), details.metrics);
    out.convergence_point = {path.x.back(), path.y.back(), path.z.back()};
    out.path = std::move(path);
    details.distances = outline.distances;
  }
  out.details = std::move(details);
  return out;
}

}  // namespace sightline::landscape
