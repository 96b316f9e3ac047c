// /api/v1/kept: what people say about runs, and the layouts that they saved.
#include <utility>

#include "sightline/dashboard/api/api.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/store/kept_notes.h"

namespace sightline::dashboard {
namespace {

Answer AnswerOf(const Result<nlohmann::json>& notes) {
  if (notes) {
    Answer answer;
    answer.body = notes->dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return answer;
  }
  if (notes.error().code() == StatusCode::kPermissionDenied)
    return ErrorAnswer(403, notes.error().message());
  return ErrorAnswer(notes.error());
}

}  // namespace

void AddKeptApi(Service& service, KeptNotes& notes) {
  service.Add(
      "/api/v1/kept",
      [&notes](const Request& request) {
        if (request.method != Method::kPost) return AnswerOf(notes.Read());
        const Result<Body> patch = BodyOf(request);
        if (!patch) return ErrorAnswer(patch.error());
        return AnswerOf(notes.Merge(*patch));
      },
      true);
}

}  // namespace sightline::dashboard
