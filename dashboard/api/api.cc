#include "sightline/dashboard/api/api.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>

#include "sightline/base/clock.h"
#include "sightline/dashboard/api/api_json.h"

namespace sightline::dashboard {
namespace {

// The beginning of the stream. The server publishes the messages after it.
Response Hello(const CatalogSnapshot& catalog, const ApiOptions& options) {
  Response response;
  response.content_type = "text/event-stream";
  response.stream = true;
  response.body = "event: hello\nid: " + std::to_string(catalog.generation) +
                  "\ndata: " + JsonResponse(StatusOf(catalog, options)).body + "\n\n";
  return response;
}

// The runs that a list is of: as they are joined, or each directory by itself.
Result<std::shared_ptr<const CatalogSnapshot>> RunsFor(const Catalog& catalog,
                                                       const Request& request) {
  auto snapshot = catalog.snapshot();
  const std::string join = request.target.Get("join", "true");
  if (join == "true") return snapshot;
  if (join == "false") return snapshot->Separate();
  return Error(StatusCode::kInvalidArgument,
               fmt::format("join must be true or false, not '{}'", join));
}

}  // namespace

void AddApi(Service& service, const Catalog& catalog, const GraphSources& graphs,
            const ApiOptions& options) {
  const auto add = [&](const char* path, auto respond, bool post = false) {
    service.Add(
        path,
        [&catalog, respond](const Request& request) {
          return ToResponse(respond(*catalog.snapshot(), request));
        },
        post);
  };
  const auto add_list = [&](const char* path, auto respond, bool post = false) {
    service.Add(
        path,
        [&catalog, respond](const Request& request) {
          const auto runs = RunsFor(catalog, request);
          return ToResponse(runs ? respond(**runs, request) : Error(runs.error()));
        },
        post);
  };
  const auto of_graph = [graphs](auto respond) {
    return [graphs, respond](const CatalogSnapshot& runs, const Request& request) {
      return respond(runs, request, graphs);
    };
  };
  service.Add("/api/v1/status", [&catalog, options](const Request&) {
    return JsonResponse(StatusOf(*catalog.snapshot(), options));
  });
  service.Add("/api/v1/changes",
              [&catalog, options](const Request&) { return Hello(*catalog.snapshot(), options); });
  add_list("/api/v1/runs", RunsResponse);
  add("/api/v1/run", RunResponse);
  add_list("/api/v1/tags", TagsResponse, true);
  add(
      "/api/v1/series",
      [limits = options.limits](const CatalogSnapshot& runs, const Request& request) {
        return SeriesResponse(runs, request, limits);
      },
      true);
  add("/api/v1/ranks",
      [limits = options.limits](const CatalogSnapshot& runs, const Request& request) {
        return RanksResponse(runs, request, limits);
      });
  add("/api/v1/compare",
      [limits = options.limits](const CatalogSnapshot& runs, const Request& request) {
        return CompareResponse(runs, request, limits);
      });
  add("/api/v1/values", ValuesResponse);
  add("/api/v1/value", ValueResponse);
  add("/api/v1/histograms", HistogramsResponse);
  add("/api/v1/landscapes", LandscapesResponse);
  add("/api/v1/graph", of_graph(GraphResponse));
  add("/api/v1/graph/node", of_graph(GraphNodeResponse));
  add("/api/v1/graph/search", of_graph(GraphSearchResponse));
  add("/api/v1/dataset", DatasetResponse);
  add_list("/api/v1/lineage", LineageResponse);
}

}  // namespace sightline::dashboard
