// /api/v1/values, value, histograms, landscapes: values that are decoded on request.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/api/media_type.h"
#include "sightline/dashboard/api/tensor_slice.h"
#include "sightline/recorder/message/landscape.h"
#include "sightline/recorder/tensor/npy.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kMaxElements = 1'000'000;
constexpr std::size_t kMaxListed = 100'000;  // Landscapes of a run.

std::string PlaceOf(const HeavyPoint& point) {
  const std::string place = fmt::format("{}.{}.{}", point.file, point.offset, point.value);
  return point.item == 0 ? place : fmt::format("{}.{}", place, point.item);
}

// The point that `at` or `step` names; else the newest.
Result<HeavyPoint> PointOf(const Series& series, const Target& target) {
  if (series.is_scalar())
    return Error(StatusCode::kInvalidArgument, "request scalars from /api/v1/series");
  if (const auto at = target.Find("at")) {
    for (std::size_t i = 0; i < series.size(); ++i)
      if (PlaceOf(series.point(i)) == *at) return series.point(i);
    return Error(StatusCode::kNotFound, fmt::format("no value is at '{}'", *at));
  }
  if (!target.Find("step")) return series.point(series.size() - 1);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t step,
                             target.Integer("step", 0, std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::int64_t>::max() - 1));
  const std::size_t end = series.LowerBound(step + 1);
  if (end == 0 || series.steps()[end - 1] != step)
    return Error(StatusCode::kNotFound, fmt::format("no value was recorded at step {}", step));
  return series.point(end - 1);
}

Json Timed(const HeavyPoint& point) {
  return {{"step", point.step}, {"time", JsonOf(point.wall_time)}};
}

// A whole number without a fraction, as most counts are.
Json CountJson(double count) {
  constexpr double kExact = 0x1p53;
  if (count == std::floor(count) && count < kExact) return static_cast<std::int64_t>(count);
  return JsonOf(count);
}

void AddHistogram(const HistogramData& histogram, Json& json) {
  Json edges = Json::array();
  Json counts = Json::array();
  for (const HistogramBucket& bucket : histogram.buckets) {
    edges.push_back(JsonOf(bucket.left));
    counts.push_back(CountJson(bucket.count));
  }
  if (!histogram.buckets.empty())
    edges.push_back(JsonOf(histogram.buckets.back().left + histogram.buckets.back().width));
  json["edges"] = std::move(edges);
  json["counts"] = std::move(counts);
  json["count"] = CountJson(histogram.count);
  if (histogram.has_finite) {
    json["min"] = JsonOf(histogram.min);
    json["max"] = JsonOf(histogram.max);
  }
  if (histogram.has_finite && histogram.has_sum) json["sum"] = JsonOf(histogram.sum);
  json["nan"] = histogram.nan_count;
  json["positive_inf"] = histogram.pos_inf_count;
  json["negative_inf"] = histogram.neg_inf_count;
}

Result<Response> ImageResponse(const StoredValue& stored) {
  SIGHTLINE_ASSIGN_OR_RETURN(const EncodedImage image, stored.Image());
  Response response;
  response.content_type = ImageTypeOf(image.encoded);
  response.body = std::string(image.encoded);
  response.compressible = false;
  response.headers.emplace_back("X-Sightline-Width", std::to_string(image.width));
  response.headers.emplace_back("X-Sightline-Height", std::to_string(image.height));
  return response;
}

Result<Response> AudioResponse(const StoredValue& stored) {
  SIGHTLINE_ASSIGN_OR_RETURN(const EncodedAudio audio, stored.Audio());
  Response response;
  response.content_type = AudioTypeOf(audio.encoded);
  response.body = std::string(audio.encoded);
  response.compressible = false;
  response.headers.emplace_back("X-Sightline-Sample-Rate", fmt::format("{}", audio.sample_rate));
  return response;
}

Json StatsJson(const HeavyPoint& point, const TensorData& whole, const TensorData& slice,
               const NumberStats& stats) {
  Json json = Timed(point);
  json["dtype"] = DTypeName(whole.dtype);
  json["shape"] = whole.shape;
  json["sliced"] = slice.shape;
  json["count"] = stats.count;
  json["min"] = JsonOrNull(stats.min);
  json["max"] = JsonOrNull(stats.max);
  json["mean"] = JsonOrNull(stats.mean);
  json["std"] = JsonOrNull(stats.std);
  json["nan"] = stats.nan;
  json["positive_inf"] = stats.positive_inf;
  json["negative_inf"] = stats.negative_inf;
  return json;
}

}  // namespace

Result<Response> TensorResponse(const TensorData& whole, const HeavyPoint& point,
                                const Target& target) {
  const std::string detail = target.Get("detail", "data");
  if (detail != "data" && detail != "stats" && detail != "histogram" && detail != "npy")
    return Error(StatusCode::kInvalidArgument, "detail must be data, stats, histogram or npy");
  SIGHTLINE_ASSIGN_OR_RETURN(const TensorData slice, SliceTensor(whole, target.Get("slice")));
  if (detail == "npy") {
    Response response;
    response.content_type = "application/octet-stream";
    SIGHTLINE_ASSIGN_OR_RETURN(response.body, EncodeNpy(slice.View()));
    return response;
  }
  if (detail == "histogram") {
    SIGHTLINE_ASSIGN_OR_RETURN(const HistogramData histogram, ComputeHistogram(slice.View()));
    Json json = Timed(point);
    AddHistogram(histogram, json);
    return JsonResponse(json);
  }
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<double> numbers, ToNumbers(slice.View()));
  const Json json = StatsJson(point, whole, slice, StatsOf(numbers));
  if (detail == "stats") return JsonResponse(json);
  if (numbers.size() > kMaxElements) {
    return Error(
        StatusCode::kInvalidArgument,
        fmt::format("{} elements of the shape [{}] are too many; take a slice of at most {}",
                    numbers.size(), fmt::join(whole.shape, ","), kMaxElements));
  }
  return PackColumns(json, numbers);
}

namespace {

Json TextJson(const HeavyPoint& point, const std::vector<std::int64_t>& shape,
              const std::vector<std::string_view>& texts) {
  Json json = Timed(point);
  json["shape"] = shape;
  json["texts"] = Json::array();
  for (const std::string_view text : texts) json["texts"].push_back(text);
  return json;
}

Json LandscapeJson(const HeavyPoint& point, const LossLandscape& landscape) {
  const auto numbers = [](const std::vector<double>& values) {
    Json json = Json::array();
    for (const double value : values) json.push_back(JsonOf(value));
    return json;
  };
  Json json = Timed(point);
  json["x"] = numbers(landscape.x);
  json["y"] = numbers(landscape.y);
  json["z"] = numbers(landscape.z);
  json["path"] = Json();
  if (landscape.path) {
    json["path"] = {{"intervals", landscape.path->intervals},
                    {"x", numbers(landscape.path->x)},
                    {"y", numbers(landscape.path->y)},
                    {"z", numbers(landscape.path->z)}};
  }
  json["convergence_point"] = Json();
  if (landscape.convergence_point) {
    json["convergence_point"] = {{"x", JsonOf(landscape.convergence_point->x)},
                                 {"y", JsonOf(landscape.convergence_point->y)},
                                 {"z", JsonOf(landscape.convergence_point->z)}};
  }
  json["decomposition"] = landscape.decomposition;
  json["unit"] = landscape.unit;
  json["step_per_epoch"] = landscape.step_per_epoch;
  return json;
}

// Values of plugins are tensors of numbers or texts, or have a form of their own.
Json PluginJson(const StoredValue& stored, const HeavyPoint& point) {
  Json json = Timed(point);
  json["plugin"] = stored.value().plugin;
  if (stored.value().is_tensor) {
    if (const auto tensor = DecodeTensor(stored.file_kind(), stored.value().message)) {
      const auto numbers = ToNumbers(tensor->View());
      if (numbers && numbers->size() <= kMaxElements) {
        json["dtype"] = DTypeName(tensor->dtype);
        json["shape"] = tensor->shape;
        json["data"] = Json::array();
        for (const double number : *numbers) json["data"].push_back(JsonOf(number));
        return json;
      }
    } else if (const auto texts = DecodeStrings(stored.value().message)) {
      json["texts"] = Json::array();
      for (const std::string_view text : *texts) json["texts"].push_back(text);
      return json;
    }
  }
  json["bytes"] = stored.value().message.size();
  return json;
}

Result<Response> Decode(ContentKind kind, const StoredValue& stored, const HeavyPoint& point,
                        const Target& target) {
  switch (kind) {
    case ContentKind::kImage:
      return ImageResponse(stored);
    case ContentKind::kAudio:
      return AudioResponse(stored);
    case ContentKind::kTensor: {
      SIGHTLINE_ASSIGN_OR_RETURN(const TensorData tensor, stored.Tensor());
      return TensorResponse(tensor, point, target);
    }
    case ContentKind::kPlugin:
      return JsonResponse(PluginJson(stored, point));
    case ContentKind::kUnknown:
      return Error(StatusCode::kUnimplemented,
                   "the value has no content, or one that only other programs know; "
                   "sightline cat prints its record");
    case ContentKind::kHistogram: {
      SIGHTLINE_ASSIGN_OR_RETURN(const HistogramData histogram, stored.Histogram());
      Json json = Timed(point);
      AddHistogram(histogram, json);
      return JsonResponse(json);
    }
    case ContentKind::kText: {
      SIGHTLINE_ASSIGN_OR_RETURN(const auto texts, stored.Texts());
      SIGHTLINE_ASSIGN_OR_RETURN(const auto shape, DecodeShape(stored.value().message));
      return JsonResponse(TextJson(point, shape, texts));
    }
    case ContentKind::kLandscape: {
      SIGHTLINE_ASSIGN_OR_RETURN(const LossLandscape landscape,
                                 ParseLandscape(stored.value().message));
      return JsonResponse(LandscapeJson(point, landscape));
    }
    case ContentKind::kScalar:
      break;
  }
  return Error(StatusCode::kInvalidArgument, "request scalars from /api/v1/series");
}

}  // namespace

Result<Response> ValuesResponse(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* run, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const Series* listed, SeriesOf(*run->run, request));
  const auto series = catalog.Open(*run, listed);
  if (series->is_scalar())
    return Error(StatusCode::kInvalidArgument, "request scalars from /api/v1/series");
  Json json = {{"run", request.target.Get("run")}, {"kind", ContentKindName(series->key().kind)},
               {"tag", series->key().tag},         {"rank", series->key().rank},
               {"generation", catalog.generation}, {"steps", series->steps()},
               {"times", Json::array()},           {"at", Json::array()}};
  for (const double time : series->wall_times()) json["times"].push_back(JsonOf(time));
  for (std::size_t i = 0; i < series->size(); ++i) json["at"].push_back(PlaceOf(series->point(i)));
  return JsonResponse(json);
}

Result<Response> ValueResponse(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* run, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const Series* listed, SeriesOf(*run->run, request));
  const auto series = catalog.Open(*run, listed);
  SIGHTLINE_ASSIGN_OR_RETURN(const HeavyPoint point, PointOf(*series, request.target));
  SIGHTLINE_ASSIGN_OR_RETURN(const StoredValue stored, run->run->Read(point));
  auto decoded = Decode(series->key().kind, stored, point, request.target);
  if (!decoded) return UndecodedResponse(decoded.error());
  Response response = *std::move(decoded);
  response.headers.emplace_back("X-Sightline-Step", std::to_string(point.step));
  if (!std::isnan(point.wall_time))
    response.headers.emplace_back("X-Sightline-Time", fmt::format("{}", point.wall_time));
  return response;
}

Result<Response> HistogramsResponse(const CatalogSnapshot& catalog, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* run, RunOf(catalog, request));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t rank, target.Integer("rank", 0, 0, 0x7fffffff));
  const auto series = catalog.Open(*run, run->run->Find(ContentKind::kHistogram, target.Get("tag"),
                                                        static_cast<std::int32_t>(rank)));
  if (series == nullptr)
    return Error(StatusCode::kNotFound, "there is no histogram '" + target.Get("tag") + "'");
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max() - 1;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t from,
                             target.Integer("from", -kLargest, -kLargest, kLargest));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t to,
                             target.Integer("to", kLargest, -kLargest, kLargest));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit, target.Integer("limit", 200, 2, 1000));
  const std::size_t begin = series->LowerBound(from);
  const std::size_t end = std::max(begin, series->LowerBound(to + 1));
  const std::size_t total = end - begin;
  const std::size_t shown = std::min(total, static_cast<std::size_t>(limit));
  Json json = {{"run", request.target.Get("run")},
               {"tag", series->key().tag},
               {"rank", rank},
               {"total", total},
               {"values", Json::array()}};
  for (std::size_t i = 0; i < shown; ++i) {
    const std::size_t at = begin + (shown < 2 ? 0 : i * (total - 1) / (shown - 1));
    const HeavyPoint point = series->point(at);
    Json one = Timed(point);
    one["at"] = PlaceOf(point);
    const auto stored = run->run->Read(point);
    const Result<HistogramData> histogram =
        stored ? stored->Histogram() : Result<HistogramData>(Error(stored.error()));
    if (histogram) {
      AddHistogram(*histogram, one);
    } else {
      one["error"] = histogram.error().message();
    }
    json["values"].push_back(std::move(one));
  }
  return JsonResponse(json);
}

Result<Response> LandscapesResponse(const CatalogSnapshot& catalog, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const CatalogRun* run, RunOf(catalog, request));
  Json list = Json::array();
  for (const auto& listed : run->run->series()) {
    if (listed->key().kind != ContentKind::kLandscape) continue;
    const auto series = catalog.Open(*run, listed.get());
    for (std::size_t i = 0; i < series->size() && list.size() < kMaxListed; ++i) {
      const HeavyPoint point = series->point(i);
      Json one = Timed(point);
      one["tag"] = series->key().tag;
      one["rank"] = series->key().rank;
      one["at"] = PlaceOf(point);
      const auto stored = run->run->Read(point);
      const auto landscape = stored ? ParseLandscape(stored->value().message)
                                    : Result<LossLandscape>(Error(stored.error()));
      if (landscape) {
        one["nx"] = landscape->x.size();
        one["ny"] = landscape->y.size();
        one["path"] = landscape->path ? landscape->path->x.size() : 0;
        one["unit"] = landscape->unit;
        one["decomposition"] = landscape->decomposition;
      } else {
        one["error"] = landscape.error().message();
      }
      list.push_back(std::move(one));
    }
  }
  return JsonResponse({{"landscapes", std::move(list)}});
}

}  // namespace sightline::dashboard
