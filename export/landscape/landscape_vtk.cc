#include "sightline/export/landscape/landscape_vtk.h"

#include <fmt/format.h>

#include <numeric>

namespace sightline {
namespace {

double Spacing(const std::vector<double>& axis) {
  return axis.size() < 2 ? 1 : (axis.back() - axis.front()) / static_cast<double>(axis.size() - 1);
}

std::string FileOf(std::string_view type, std::string_view body) {
  return fmt::format(
      "<?xml version=\"1.0\"?>\n<VTKFile type=\"{}\" version=\"1.0\" "
      "byte_order=\"LittleEndian\">\n{}</VTKFile>\n",
      type, body);
}

std::string ArrayOf(std::string_view name, const std::vector<double>& values) {
  return fmt::format(
      "<DataArray type=\"Float64\" Name=\"{}\" format=\"ascii\">\n{}\n</DataArray>\n", name,
      fmt::join(values, " "));
}

template <typename T>
std::string IntegersOf(std::string_view name, const std::vector<T>& values) {
  return fmt::format("<DataArray type=\"Int64\" Name=\"{}\" format=\"ascii\">\n{}\n</DataArray>\n",
                     name, fmt::join(values, " "));
}

}  // namespace

Result<std::string> LandscapeVti(const LossLandscape& landscape) {
  if (landscape.x.empty() || landscape.y.empty())
    return Error(StatusCode::kInvalidArgument, "the landscape has no points");
  const std::string extent =
      fmt::format("0 {} 0 {} 0 0", landscape.x.size() - 1, landscape.y.size() - 1);
  std::string arrays = ArrayOf("loss", landscape.z);
  if (landscape.details) {
    std::size_t number = 0;
    for (const std::vector<double>& metric : landscape.details->metrics) {
      const auto end = metric.begin() + static_cast<std::ptrdiff_t>(landscape.z.size());
      arrays += ArrayOf(fmt::format("metric_{}", ++number), {metric.begin(), end});
    }
  }
  return FileOf(
      "ImageData",
      fmt::format("<ImageData WholeExtent=\"{0}\" Origin=\"{1} {2} 0\" Spacing=\"{3} {4} 1\">\n"
                  "<Piece Extent=\"{0}\">\n<PointData Scalars=\"loss\">\n{5}</PointData>\n"
                  "</Piece>\n</ImageData>\n",
                  extent, landscape.x.front(), landscape.y.front(), Spacing(landscape.x),
                  Spacing(landscape.y), arrays));
}

Result<std::string> LandscapeVtp(const LossLandscape& landscape) {
  if (!landscape.path) return Error(StatusCode::kInvalidArgument, "the landscape has no path");
  const LossLandscape::Path& path = *landscape.path;
  const std::size_t count = path.x.size();
  std::vector<double> points;
  for (std::size_t i = 0; i < count; ++i) points.insert(points.end(), {path.x[i], path.y[i], 0});
  std::vector<std::size_t> line(count);
  std::iota(line.begin(), line.end(), std::size_t{0});
  const std::size_t lines = count == 0 ? 0 : 1;
  const std::vector<std::size_t> ends(lines, count);
  return FileOf(
      "PolyData",
      fmt::format("<PolyData>\n<Piece NumberOfPoints=\"{}\" NumberOfVerts=\"0\" "
                  "NumberOfLines=\"{}\" NumberOfStrips=\"0\" NumberOfPolys=\"0\">\n"
                  "<PointData Scalars=\"loss\">\n{}{}</PointData>\n<Points>\n"
                  "<DataArray type=\"Float64\" NumberOfComponents=\"3\" "
                  "format=\"ascii\">\n{}\n</DataArray>\n</Points>\n<Lines>\n{}{}</Lines>\n"
                  "</Piece>\n</PolyData>\n",
                  count, lines, ArrayOf("loss", path.z), IntegersOf("step", path.intervals),
                  fmt::join(points, " "), IntegersOf("connectivity", line),
                  IntegersOf("offsets", ends)));
}

}  // namespace sightline
