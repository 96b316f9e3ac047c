#include "sightline/dashboard/api/api.h"

#include <chrono>
#include <memory>
#include <utility>

#include "sightline/dashboard/api/api_json.h"

namespace sightline::dashboard {
namespace {

double Now() {
  return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count();
}

Answer ToAnswer(Result<Answer> result) {
  if (result) return *std::move(result);
  return ErrorAnswer(result.error());
}

// The beginning of the stream; what follows is published by the server.
Answer Hello(const CatalogSnapshot& catalog, const ApiOptions& options) {
  Answer answer;
  answer.content_type = "text/event-stream";
  answer.stream = true;
  answer.body = "event: hello\nid: " + std::to_string(catalog.generation) +
                "\ndata: " + JsonAnswer(StatusOf(catalog, options)).body + "\n\n";
  return answer;
}

}  // namespace

void AddApi(Service& service, const Catalog& catalog, IrStore& dumps, ApiOptions options) {
  using Timeless = Result<Answer> (*)(const CatalogSnapshot&, const Request&);
  using Timed = Result<Answer> (*)(const CatalogSnapshot&, const Request&, double);
  const auto add = [&](const char* path, Timeless answer, bool post = false) {
    service.Add(
        path,
        [&catalog, answer](const Request& request) {
          return ToAnswer(answer(*catalog.snapshot(), request));
        },
        post);
  };
  const auto add_timed = [&](const char* path, Timed answer, bool post = false) {
    service.Add(
        path,
        [&catalog, answer](const Request& request) {
          return ToAnswer(answer(*catalog.snapshot(), request, Now()));
        },
        post);
  };
  using OfGraph = Result<Answer> (*)(const CatalogSnapshot&, const Request&, IrStore*);
  const auto add_graph = [&](const char* path, OfGraph answer) {
    service.Add(path, [&catalog, &dumps, answer](const Request& request) {
      return ToAnswer(answer(*catalog.snapshot(), request, &dumps));
    });
  };
  service.Add("/api/v1/status", [&catalog, options](const Request&) {
    return JsonAnswer(StatusOf(*catalog.snapshot(), options));
  });
  service.Add("/api/v1/changes",
              [&catalog, options](const Request&) { return Hello(*catalog.snapshot(), options); });
  add_timed("/api/v1/runs", AnswerRuns);
  add("/api/v1/run", AnswerRun);
  add_timed("/api/v1/tags", AnswerTags, true);
  service.Add(
      "/api/v1/series",
      [&catalog, limits = options.limits](const Request& request) {
        return ToAnswer(AnswerSeries(*catalog.snapshot(), request, limits));
      },
      true);
  add("/api/v1/values", AnswerValues);
  add("/api/v1/value", AnswerValue);
  add("/api/v1/histograms", AnswerHistograms);
  add("/api/v1/landscapes", AnswerLandscapes);
  add_graph("/api/v1/graph", AnswerGraph);
  add_graph("/api/v1/graph/node", AnswerGraphNode);
  add_graph("/api/v1/graph/search", AnswerGraphSearch);
  add("/api/v1/dataset", AnswerDataset);
  add_timed("/api/v1/lineage", AnswerLineage);
}

}  // namespace sightline::dashboard
