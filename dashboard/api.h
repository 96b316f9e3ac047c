// The interface of docs/http_api.md: one function a path, from the runs of one moment and a request
// to an answer. They know nothing of sockets and keep nothing between two requests.
//
// Plain functions, callable from any thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/catalog.h"
#include "sightline/dashboard/http_message.h"
#include "sightline/dashboard/service.h"

namespace sightline::dashboard {

struct ApiOptions {
  std::string version;
  std::string base_path;
  std::vector<std::string> roots;
};

// Adds every path to `service`. `catalog` must outlive it.
void AddApi(Service& service, const Catalog& catalog, ApiOptions options);

// The answer of /api/v1/status, and the first message of the stream.
nlohmann::ordered_json StatusOf(const CatalogSnapshot& catalog, const ApiOptions& options);

// `now`: seconds since the Unix epoch. Errors become the answers of ErrorAnswer(Status).
Result<Answer> AnswerRuns(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerRun(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerTags(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerLineage(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerDataset(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerSeries(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerValues(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerValue(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerHistograms(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerLandscapes(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerGraph(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerGraphNode(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerGraphSearch(const CatalogSnapshot& catalog, const Request& request);

}  // namespace sightline::dashboard
