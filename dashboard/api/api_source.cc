// /api/v1/source: lines of the files that graphs and profiles name.
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/source_texts.h"

namespace sightline::dashboard {
namespace {

Result<Response> SourceResponse(const SourceTexts& sources, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t line,
                             request.target.Integer("line", 1, 1, 1'000'000'000));
  const std::string path = request.target.Get("path");
  SIGHTLINE_ASSIGN_OR_RETURN(const SourceLines found, sources.Around(path, line));
  return JsonResponse(
      {{"path", path}, {"file", found.file}, {"first", found.first}, {"lines", found.lines}});
}

}  // namespace

void AddSourceApi(Service& service, const SourceTexts& sources) {
  service.Add("/api/v1/source", [&sources](const Request& request) {
    return ToResponse(SourceResponse(sources, request));
  });
}

}  // namespace sightline::dashboard
