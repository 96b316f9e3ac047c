#include "sightline/dashboard/api/api_json.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_set>
#include <utility>

#include "sightline/base/json/json_line.h"
#include "sightline/runs/run_group.h"

namespace sightline::dashboard {

namespace {
constexpr std::size_t kWorthCompressing = std::size_t{1} << 20U;  // At most.
}  // namespace

static_assert(std::endian::native == std::endian::little,
              "columns are sent in the byte order of memory");

Json JsonOf(double number) {
  if (std::isfinite(number)) return number;
  if (std::isnan(number)) return "NaN";
  return number > 0 ? "Infinity" : "-Infinity";
}

Json JsonOrNull(double number) { return std::isnan(number) ? Json() : JsonOf(number); }

Json JsonOf(const LineageValue& value) {
  if (const auto* number = std::get_if<std::int64_t>(&value)) return *number;
  if (const auto* number = std::get_if<double>(&value)) return JsonOf(*number);
  return std::get<std::string>(value);
}

Result<const CatalogRun*> RunOf(const CatalogSnapshot& catalog, const Request& request) {
  const auto id = request.target.Find("run");
  if (!id) return Error(StatusCode::kInvalidArgument, "name a run with the parameter run");
  if (const CatalogRun* run = catalog.Find(*id)) return run;
  return Error(StatusCode::kNotFound, fmt::format("there is no run '{}'", *id));
}

Result<ContentKind> KindOf(std::string_view name) {
  if (const auto kind = ContentKindNamed(name)) return *kind;
  // Lists of tags name it, too; its values are refused one by one, with the reason.
  if (name == ContentKindName(ContentKind::kUnknown)) return ContentKind::kUnknown;
  std::string known;
  for (const ContentKind kind : kContentKinds) {
    if (!known.empty()) known += ", ";
    known += ContentKindName(kind);
  }
  return Error(StatusCode::kInvalidArgument,
               fmt::format("unknown kind '{}'; kinds are {}", name, known));
}

Result<const Series*> SeriesOf(const Run& run, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const ContentKind kind, KindOf(request.target.Get("kind")));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t rank,
                             request.target.Integer("rank", 0, 0, 1'000'000'000));
  const std::string tag = request.target.Get("tag");
  const Series* series = run.Find(kind, tag, static_cast<std::int32_t>(rank));
  if (series != nullptr) return series;
  return Error(StatusCode::kNotFound,
               fmt::format("there is no {} '{}' of rank {}", ContentKindName(kind), tag, rank));
}

Result<std::vector<const CatalogRun*>> Matching(const CatalogSnapshot& catalog,
                                                const std::string& query) {
  std::vector<const CatalogRun*> matching;
  std::unordered_set<const Run*> chosen;
  if (!query.empty()) {
    std::vector<std::shared_ptr<const Run>> all;
    for (const CatalogRun& run : catalog.runs) all.push_back(run.run);
    SIGHTLINE_ASSIGN_OR_RETURN(const RunGroup group, RunGroup(std::move(all)).Where(query));
    for (const auto& run : group.runs()) chosen.insert(run.get());
  }
  for (const CatalogRun& run : catalog.runs)
    if (query.empty() || chosen.count(run.run.get()) > 0) matching.push_back(&run);
  return matching;
}

void AddResponseOfFiles(Service& service, const char* path, const Catalog& catalog,
                        FileSystem& files, ResponseOfFiles respond) {
  service.Add(path, [&catalog, &files, respond](const Request& request) {
    return ToResponse(respond(*catalog.snapshot(), files, request));
  });
}

Result<Body> BodyOf(const Request& request) {
  Body body = Body::parse(request.body, nullptr, false);
  if (body.is_object()) return body;
  return Error(StatusCode::kInvalidArgument, "the body must be one JSON object");
}

Response ImportingResponse(const ImportProgress& progress) {
  Response response =
      JsonResponse({{"importing", {{"bytes", progress.bytes}, {"total", progress.total}}}});
  response.status = 202;
  response.headers.emplace_back("Retry-After", "1");
  return response;
}

Response ToResponse(Result<Response> result) {
  return result ? *std::move(result) : ErrorResponse(result.error());
}

Result<Response> UndecodedResponse(const Status& error) {
  constexpr unsigned kUnprocessable = 422;  // HTTP's status.
  if (error.code() != StatusCode::kUnimplemented && error.code() != StatusCode::kDataLoss)
    return Error(error);
  return ErrorResponse(kUnprocessable, error.message(), StatusCodeName(error.code()));
}

std::int64_t ToStep(double value) {
  constexpr double kLimit = 9.2e18;
  return static_cast<std::int64_t>(std::clamp(value, -kLimit, kLimit));
}

Response PackColumns(const Json& header, const std::vector<double>& columns) {
  std::string text = JsonLine(header);
  text.resize((text.size() + 7) / 8 * 8, ' ');
  Response response;
  response.content_type = "application/octet-stream";
  // Floats compress badly; for many of them compressing takes longer than sending.
  response.compressible = columns.size() * sizeof(double) < kWorthCompressing;
  response.body.resize(8 + text.size() + columns.size() * sizeof(double));
  char* out = response.body.data();
  std::memcpy(out, "SLS1", 4);  // NOLINT(bugprone-not-null-terminated-result): no text.
  const auto length = static_cast<std::uint32_t>(text.size());
  std::memcpy(out + 4, &length, sizeof(length));
  // NOLINTNEXTLINE(bugprone-not-null-terminated-result): the length precedes it.
  std::memcpy(out + 8, text.data(), text.size());
  if (!columns.empty())
    std::memcpy(out + 8 + text.size(), columns.data(), columns.size() * sizeof(double));
  return response;
}

}  // namespace sightline::dashboard
