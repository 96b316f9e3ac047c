// The interface of docs/http_api.md. Each path has one function, which makes the response from a
// snapshot of the runs. The functions know nothing of sockets, and hold nothing between requests.
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
  std::uint64_t response_bytes = std::uint64_t{128} << 20U;  // Of the numbers in one response.
  // Of all runs of one comparison; these bound its time and the size of its response.
  std::uint64_t compared_series = 20'000;
  std::uint64_t compared_points = 50'000'000;
};

struct ApiOptions {
  std::string version;
  std::string base_path;
  std::vector<std::string> roots;
  bool writable = false;                                  // Notes may be written (run_notes.h).
  std::function<bool()> has_kept = [] { return false; };  // Whether notes exist or may be written.
  bool join = true;                                       // Runs are joined (CatalogOptions).
  bool has_sources = false;  // Lines of source files are shown (source_texts.h).
  ApiLimits limits = {};
};

class BackgroundImports;
class IrStore;
class RunNotes;
class SourceTexts;

// Where graphs come from: dumps, and the runs' event files, which are read in the background.
struct GraphSources {
  IrStore& dumps;
  BackgroundImports& imports;
};

// Adds the paths of runs to `service`. `catalog` and what `graphs` refers to must outlive it.
void AddApi(Service& service, const Catalog& catalog, const GraphSources& graphs,
            const ApiOptions& options);

// Adds /api/v1/ir and the paths below it. `store` must outlive `service`.
void AddIrApi(Service& service, IrStore& store);

// Adds /api/v1/kept. `notes` must outlive `service`.
void AddKeptApi(Service& service, RunNotes& notes);

// Adds /api/v1/exported. `files`: the file system with the runs. Both must outlive `service`.
void AddExportedApi(Service& service, const Catalog& catalog, FileSystem& files);

// Adds /api/v1/console and the path below it. `files`: the file system with the runs. Both must
// outlive `service`.
void AddConsoleApi(Service& service, const Catalog& catalog, FileSystem& files);

// Adds /api/v1/source. `sources` must outlive `service`.
void AddSourceApi(Service& service, const SourceTexts& sources);

// The response of /api/v1/status, and the first message of the stream.
nlohmann::ordered_json StatusOf(const CatalogSnapshot& catalog, const ApiOptions& options);

// An error becomes ErrorResponse(Status).
Result<Response> RunsResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> RunResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> TagsResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> LineageResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> DatasetResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> SeriesResponse(const CatalogSnapshot& catalog, const Request& request,
                                const ApiLimits& limits = {});
Result<Response> RanksResponse(const CatalogSnapshot& catalog, const Request& request,
                               const ApiLimits& limits = {});
Result<Response> CompareResponse(const CatalogSnapshot& catalog, const Request& request,
                                 const ApiLimits& limits = {});
Result<Response> ValuesResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> ValueResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> HistogramsResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> LandscapesResponse(const CatalogSnapshot& catalog, const Request& request);
Result<Response> GraphResponse(const CatalogSnapshot& catalog, const Request& request,
                               const GraphSources& sources);
Result<Response> GraphNodeResponse(const CatalogSnapshot& catalog, const Request& request,
                                   const GraphSources& sources);
Result<Response> GraphSearchResponse(const CatalogSnapshot& catalog, const Request& request,
                                     const GraphSources& sources);

}  // namespace sightline::dashboard
