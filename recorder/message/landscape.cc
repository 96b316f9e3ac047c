#include "sightline/recorder/message/landscape.h"

#include <fmt/format.h>

#include <initializer_list>

#include "sightline/base/utf8.h"
#include "sightline/proto/mindspore_event.pb.h"
#include "sightline/recorder/message/proto_util.h"
#include "sightline/recorder/tensor/tensor_data.h"

namespace sightline {
namespace {

namespace pb = mindspore;

Status CheckGrid(const LossLandscape& landscape, StatusCode code) {
  const std::size_t points = landscape.x.size() * landscape.y.size();
  if (landscape.z.size() == points) return {};
  return Status(
      code, fmt::format("landscape: z has {} numbers, but the grid of {} x and {} y has {} points",
                        landscape.z.size(), landscape.x.size(), landscape.y.size(), points));
}

Status CheckPath(const LossLandscape::Path& path, StatusCode code) {
  const std::size_t points = path.intervals.size();
  if (path.x.size() == points && path.y.size() == points && path.z.size() == points) return {};
  return Status(
      code, fmt::format("landscape: the path has {} intervals, {} x, {} y and {} z, but needs the "
                        "same number of each",
                        points, path.x.size(), path.y.size(), path.z.size()));
}

// Checks that every list of the details has as many numbers as the list that it belongs to.
Status CheckDetails(const LossLandscape& landscape, StatusCode code) {
  const LossLandscape::Details& details = *landscape.details;
  const std::size_t grid = landscape.z.size();
  const std::size_t path = landscape.path ? landscape.path->x.size() : 0;
  const auto check = [code](std::string_view what, std::size_t count, std::size_t needed) {
    if (count == needed) return Status();
    return Status(code,
                  fmt::format("landscape: {} has {} numbers, but needs {}", what, count, needed));
  };
  const auto check_all = [&](std::string_view what, const std::vector<std::vector<double>>& metrics,
                             std::size_t needed) -> Status {
    for (const std::vector<double>& metric : metrics)
      SIGHTLINE_RETURN_IF_ERROR(check(what, metric.size(), needed));
    return Status();
  };
  if (!details.distances.empty())
    SIGHTLINE_RETURN_IF_ERROR(check("distances", details.distances.size(), path));
  if (!details.evaluated.empty())
    SIGHTLINE_RETURN_IF_ERROR(check("evaluated", details.evaluated.size(), grid));
  SIGHTLINE_RETURN_IF_ERROR(check_all("a metric", details.metrics, grid + path));
  for (const LossLandscape::Line& line : details.lines) {
    SIGHTLINE_RETURN_IF_ERROR(check("a line", line.z.size(), line.at.size()));
    SIGHTLINE_RETURN_IF_ERROR(check_all("a line's metric", line.metrics, line.at.size()));
  }
  return {};
}

void FillTensor(const std::vector<double>& values, std::initializer_list<std::size_t> shape,
                pb::TensorProto& out) {
  for (const std::size_t size : shape) out.add_dims(static_cast<std::int64_t>(size));
  out.set_data_type(pb::DT_FLOAT64);
  for (const double value : values) out.add_float_data(static_cast<float>(value));
  out.set_raw_data(values.data(), values.size() * sizeof(double));
}

void FillPoints(const std::vector<double>& x, const std::vector<double>& y,
                const std::vector<double>& z, pb::LossLandscape::Point& out) {
  FillTensor(x, {x.size()}, *out.mutable_x());
  FillTensor(y, {y.size()}, *out.mutable_y());
  FillTensor(z, {z.size()}, *out.mutable_z());
}

template <typename Numbers>
void FillMetrics(const std::vector<std::vector<double>>& metrics, Numbers& out) {
  for (const std::vector<double>& metric : metrics)
    out.Add()->mutable_value()->Assign(metric.begin(), metric.end());
}

template <typename Numbers>
std::vector<std::vector<double>> MetricsOf(const Numbers& in) {
  std::vector<std::vector<double>> metrics;
  for (const auto& metric : in) metrics.emplace_back(metric.value().begin(), metric.value().end());
  return metrics;
}

void FillDetails(const LossLandscape::Details& details, LandscapeDetails& out) {
  if (details.seed) out.set_seed(*details.seed);
  out.set_normalisation(ToUtf8(details.normalisation));
  if (const auto& explained = details.explained_variance)
    out.mutable_explained_variance()->Assign(explained->begin(), explained->end());
  out.mutable_distances()->Assign(details.distances.begin(), details.distances.end());
  FillMetrics(details.metrics, *out.mutable_metrics());
  for (const LossLandscape::Line& line : details.lines) {
    LandscapeDetails::Line& added = *out.add_lines();
    added.set_along(ToUtf8(line.along));
    added.mutable_at()->Assign(line.at.begin(), line.at.end());
    added.mutable_loss()->Assign(line.z.begin(), line.z.end());
    FillMetrics(line.metrics, *added.mutable_metrics());
  }
  out.mutable_evaluated()->Assign(details.evaluated.begin(), details.evaluated.end());
}

LossLandscape::Details DetailsOf(const LandscapeDetails& in) {
  LossLandscape::Details details;
  if (in.has_seed()) details.seed = in.seed();
  details.normalisation = in.normalisation();
  if (in.explained_variance_size() == 2)
    details.explained_variance = {in.explained_variance(0), in.explained_variance(1)};
  details.distances.assign(in.distances().begin(), in.distances().end());
  details.metrics = MetricsOf(in.metrics());
  for (const LandscapeDetails::Line& line : in.lines()) {
    details.lines.push_back({line.along(),
                             {line.at().begin(), line.at().end()},
                             {line.loss().begin(), line.loss().end()},
                             MetricsOf(line.metrics())});
  }
  details.evaluated.assign(in.evaluated().begin(), in.evaluated().end());
  return details;
}

// The tensor's raw_data, or its float_data if it has no raw_data. MindSpore writes only float_data.
std::vector<double> ValuesOf(const pb::TensorProto& tensor) {
  const auto dtype = DTypeOfMindSpore(tensor.data_type());
  const std::size_t size = dtype ? DTypeSize(*dtype) : 0;
  const std::string& raw = tensor.raw_data();
  const bool complex = dtype == DType::kComplex64 || dtype == DType::kComplex128;
  if (size == 0 || complex || raw.empty() || raw.size() % size != 0) {
    return {tensor.float_data().begin(), tensor.float_data().end()};
  }
  std::vector<double> values(raw.size() / size);
  ConvertToFloat64(*dtype, raw.data(), values.size(), values.data());
  return values;
}

Result<LossLandscape::Path> PathOf(const pb::LossLandscape::LossPath& in) {
  LossLandscape::Path path = {{in.intervals().begin(), in.intervals().end()},
                              ValuesOf(in.points().x()),
                              ValuesOf(in.points().y()),
                              ValuesOf(in.points().z())};
  SIGHTLINE_RETURN_IF_ERROR(CheckPath(path, StatusCode::kDataLoss));
  return path;
}

LossLandscape::Point PointOf(const pb::LossLandscape::Point& in) {
  const auto first = [](const pb::TensorProto& tensor) {
    const std::vector<double> values = ValuesOf(tensor);
    return values.empty() ? 0.0 : values.front();
  };
  return {first(in.x()), first(in.y()), first(in.z())};
}

}  // namespace

Result<std::string> SerializeLandscape(const LossLandscape& landscape) {
  SIGHTLINE_RETURN_IF_ERROR(CheckGrid(landscape, StatusCode::kInvalidArgument));
  pb::LossLandscape out;
  const std::size_t width = landscape.x.size();
  const std::size_t height = landscape.y.size();
  FillTensor(landscape.x, {width}, *out.mutable_landscape()->mutable_x());
  FillTensor(landscape.y, {height}, *out.mutable_landscape()->mutable_y());
  FillTensor(landscape.z, {height, width}, *out.mutable_landscape()->mutable_z());
  if (const auto& path = landscape.path) {
    SIGHTLINE_RETURN_IF_ERROR(CheckPath(*path, StatusCode::kInvalidArgument));
    auto& added = *out.mutable_loss_path();
    added.mutable_intervals()->Assign(path->intervals.begin(), path->intervals.end());
    FillPoints(path->x, path->y, path->z, *added.mutable_points());
  }
  out.mutable_metadata()->set_decomposition(ToUtf8(landscape.decomposition));
  out.mutable_metadata()->set_unit(ToUtf8(landscape.unit));
  out.mutable_metadata()->set_step_per_epoch(landscape.step_per_epoch);
  if (const auto& point = landscape.convergence_point) {
    FillPoints({point->x}, {point->y}, {point->z}, *out.mutable_convergence_point());
  }
  if (landscape.details) {
    SIGHTLINE_RETURN_IF_ERROR(CheckDetails(landscape, StatusCode::kInvalidArgument));
    FillDetails(*landscape.details, *out.mutable_details());
  }
  return out.SerializeAsString();
}

Result<LossLandscape> ParseLandscape(std::string_view message) {
  pb::LossLandscape in;
  if (!ParseMessage(message, in)) {
    return Error(StatusCode::kDataLoss,
                 fmt::format("these {} bytes are no LossLandscape", message.size()));
  }
  LossLandscape landscape;
  landscape.x = ValuesOf(in.landscape().x());
  landscape.y = ValuesOf(in.landscape().y());
  landscape.z = ValuesOf(in.landscape().z());
  SIGHTLINE_RETURN_IF_ERROR(CheckGrid(landscape, StatusCode::kDataLoss));
  if (in.has_loss_path()) {
    SIGHTLINE_ASSIGN_OR_RETURN(landscape.path, PathOf(in.loss_path()));
  }
  if (in.has_convergence_point()) landscape.convergence_point = PointOf(in.convergence_point());
  landscape.decomposition = in.metadata().decomposition();
  landscape.unit = in.metadata().unit();
  landscape.step_per_epoch = in.metadata().step_per_epoch();
  if (in.has_details()) {
    landscape.details = DetailsOf(in.details());
    SIGHTLINE_RETURN_IF_ERROR(CheckDetails(landscape, StatusCode::kDataLoss));
  }
  return landscape;
}

}  // namespace sightline
