#include "sightline/export/landscape/landscape_table.h"

#include <fmt/format.h>

#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/compress/zip_writer.h"
#include "sightline/recorder/tensor/npy.h"

namespace sightline {
namespace {

// One line: kind, step, x, y, loss, then further metrics.
class Csv {
 public:
  void Begin(std::string_view kind, std::string_view step) {
    fmt::format_to(std::back_inserter(text), "{},{}", kind, step);
  }
  void Add(double value) { fmt::format_to(std::back_inserter(text), ",{}", value); }
  void AddNone() { text += ','; }
  // Number `index` of each metric.
  void AddMetrics(const std::vector<std::vector<double>>& metrics, std::size_t index) {
    for (const std::vector<double>& metric : metrics) Add(metric[index]);
  }
  void End() { text += '\n'; }

  std::string text;
};

void AddLine(const LossLandscape::Line& line, Csv& csv) {
  for (std::size_t i = 0; i < line.at.size(); ++i) {
    csv.Begin("line_" + line.along, "");
    if (line.along == "second") {
      csv.Add(0);
      csv.Add(line.at[i]);
    } else {
      csv.Add(line.at[i]);
      line.along == "first" ? csv.Add(0) : csv.AddNone();
    }
    csv.Add(line.z[i]);
    csv.AddMetrics(line.metrics, i);
    csv.End();
  }
}

template <typename T>
Status AddArray(ZipWriter& zip, std::string_view name, const std::vector<T>& values,
                const std::vector<std::int64_t>& shape) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::string npy, EncodeNpy(View(values.data(), shape)));
  zip.Add(std::string(name) + ".npy", npy);
  return {};
}

template <typename T>
std::vector<std::int64_t> ShapeOf(const std::vector<T>& values) {
  return {static_cast<std::int64_t>(values.size())};
}

// Further metrics, of the grid (metric, y, x) and of the path (metric, point); lines; the rest.
Status AddDetails(const LossLandscape& landscape, const LossLandscape::Details& details,
                  ZipWriter& zip) {
  std::vector<double> grid;
  std::vector<double> path;
  for (const std::vector<double>& metric : details.metrics) {
    const auto edge = metric.begin() + static_cast<std::ptrdiff_t>(landscape.z.size());
    grid.insert(grid.end(), metric.begin(), edge);
    path.insert(path.end(), edge, metric.end());
  }
  const auto count = static_cast<std::int64_t>(details.metrics.size());
  if (count > 0) {
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "metrics", grid,
                                       {count, static_cast<std::int64_t>(landscape.y.size()),
                                        static_cast<std::int64_t>(landscape.x.size())}));
    const auto points = static_cast<std::int64_t>(path.size()) / count;
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "path_metrics", path, {count, points}));
  }
  for (const LossLandscape::Line& line : details.lines) {
    const std::string name = "line_" + line.along;
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, name + "_at", line.at, ShapeOf(line.at)));
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, name + "_z", line.z, ShapeOf(line.z)));
  }
  if (!details.distances.empty()) {
    SIGHTLINE_RETURN_IF_ERROR(
        AddArray(zip, "distances", details.distances, ShapeOf(details.distances)));
  }
  if (const auto& explained = details.explained_variance) {
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "explained_variance",
                                       std::vector<double>{(*explained)[0], (*explained)[1]}, {2}));
  }
  return {};
}

}  // namespace

std::string LandscapeCsv(const LossLandscape& landscape) {
  const LossLandscape::Details details = landscape.details.value_or(LossLandscape::Details());
  Csv csv;
  csv.text = "kind,step,x,y,loss";
  for (std::size_t i = 1; i <= details.metrics.size(); ++i)
    csv.text += fmt::format(",metric_{}", i);
  csv.text += '\n';
  const auto add = [&](std::string_view kind, std::string_view step, double x, double y, double z,
                       std::size_t index) {
    csv.Begin(kind, step);
    for (const double value : {x, y, z}) csv.Add(value);
    csv.AddMetrics(details.metrics, index);
    csv.End();
  };
  const std::size_t width = landscape.x.size();
  for (std::size_t i = 0; i < landscape.z.size(); ++i) {
    if (details.evaluated.empty() || details.evaluated[i])
      add("grid", "", landscape.x[i % width], landscape.y[i / width], landscape.z[i], i);
  }
  if (const auto& path = landscape.path) {
    for (std::size_t i = 0; i < path->intervals.size(); ++i) {
      add("path", fmt::to_string(path->intervals[i]), path->x[i], path->y[i], path->z[i],
          landscape.z.size() + i);
    }
  }
  for (const LossLandscape::Line& line : details.lines) AddLine(line, csv);
  if (const auto& point = landscape.convergence_point) {
    csv.Begin("convergence", "");
    for (const double value : {point->x, point->y, point->z}) csv.Add(value);
    for (std::size_t i = 0; i < details.metrics.size(); ++i) csv.AddNone();
    csv.End();
  }
  return csv.text;
}

Result<std::string> LandscapeNpz(const LossLandscape& landscape) {
  std::string archive;
  ZipWriter zip([&](std::string_view bytes) { archive += bytes; });
  const std::vector<std::int64_t> grid = {static_cast<std::int64_t>(landscape.y.size()),
                                          static_cast<std::int64_t>(landscape.x.size())};
  SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "x", landscape.x, ShapeOf(landscape.x)));
  SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "y", landscape.y, ShapeOf(landscape.y)));
  SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "z", landscape.z, grid));
  if (const auto& path = landscape.path) {
    SIGHTLINE_RETURN_IF_ERROR(
        AddArray(zip, "path_steps", path->intervals, ShapeOf(path->intervals)));
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "path_x", path->x, ShapeOf(path->x)));
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "path_y", path->y, ShapeOf(path->y)));
    SIGHTLINE_RETURN_IF_ERROR(AddArray(zip, "path_z", path->z, ShapeOf(path->z)));
  }
  if (landscape.details) SIGHTLINE_RETURN_IF_ERROR(AddDetails(landscape, *landscape.details, zip));
  zip.Finish();
  return archive;
}

}  // namespace sightline
