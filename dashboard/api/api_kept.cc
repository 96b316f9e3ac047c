// /api/v1/kept: the notes that people write about runs, and the layouts that they saved.
#include <utility>

#include "sightline/base/json/json_line.h"
#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/run_notes.h"

namespace sightline::dashboard {
namespace {

Response ResponseOf(const Result<nlohmann::json>& notes) {
  if (notes) {
    Response response;
    response.body = JsonLine(*notes);
    return response;
  }
  if (notes.error().code() == StatusCode::kPermissionDenied)
    return ErrorResponse(403, notes.error().message());
  return ErrorResponse(notes.error());
}

}  // namespace

void AddKeptApi(Service& service, RunNotes& notes) {
  service.Add(
      "/api/v1/kept",
      [&notes](const Request& request) {
        if (request.method != Method::kPost) return ResponseOf(notes.Read());
        const Result<Body> patch = BodyOf(request);
        if (!patch) return ErrorResponse(patch.error());
        return ResponseOf(notes.Merge(*patch));
      },
      true);
}

}  // namespace sightline::dashboard
