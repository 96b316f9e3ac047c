// The interface of docs/http_api.md. Each path has one function, which answers a request from a
// snapshot of the runs. The functions know nothing of sockets, and keep nothing between requests.
//
// They may be called from any thread.
#pragma once

#include <functional>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/http/service.h"
#include "sightline/dashboard/store/catalog.h"

namespace sightline::dashboard {

struct ApiLimits {
  std::uint64_t answer_bytes = std::uint64_t{128} << 20U;  // Numbers in one answer.
};

struct ApiOptions {
  std::string version;
  std::string base_path;
  std::vector<std::string> roots;
  bool writable = false;                                  // Notes may be written (kept_notes.h).
  std::function<bool()> has_kept = [] { return false; };  // Whether notes exist or may be written.
  bool has_sources = false;  // Lines of source files are shown (source_texts.h).
  ApiLimits limits = {};
};

class IrStore;
class KeptNotes;
class SourceTexts;

// Adds the paths of runs to `service`. `catalog` and `dumps` must outlive it.
void AddApi(Service& service, const Catalog& catalog, IrStore& dumps, ApiOptions options);

// Adds /api/v1/ir and the paths below it. `store` must outlive `service`.
void AddIrApi(Service& service, IrStore& store);

// Adds /api/v1/kept. `notes` must outlive `service`.
void AddKeptApi(Service& service, KeptNotes& notes);

// Adds /api/v1/exported. `files`: the file system with the runs. Both must outlive `service`.
void AddExportedApi(Service& service, const Catalog& catalog, FileSystem& files);

// Adds /api/v1/source. `sources` must outlive `service`.
void AddSourceApi(Service& service, const SourceTexts& sources);

// The answer of /api/v1/status, and the first message of the stream.
nlohmann::ordered_json StatusOf(const CatalogSnapshot& catalog, const ApiOptions& options);

// `now`: seconds since the Unix epoch. `dumps`: for graphs of dumps; may be null. An error is
// answered by ErrorAnswer(Status).
Result<Answer> AnswerRuns(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerRun(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerTags(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerLineage(const CatalogSnapshot& catalog, const Request& request, double now);
Result<Answer> AnswerDataset(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerSeries(const CatalogSnapshot& catalog, const Request& request,
                            const ApiLimits& limits = {});
Result<Answer> AnswerValues(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerValue(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerHistograms(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerLandscapes(const CatalogSnapshot& catalog, const Request& request);
Result<Answer> AnswerGraph(const CatalogSnapshot& catalog, const Request& request,
                           IrStore* dumps = nullptr);
Result<Answer> AnswerGraphNode(const CatalogSnapshot& catalog, const Request& request,
                               IrStore* dumps = nullptr);
Result<Answer> AnswerGraphSearch(const CatalogSnapshot& catalog, const Request& request,
                                 IrStore* dumps = nullptr);

}  // namespace sightline::dashboard
