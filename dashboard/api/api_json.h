// Helpers that several files of this folder use. Private to it.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/importing/import_files.h"
#include "sightline/base/status.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/http/service.h"
#include "sightline/dashboard/store/catalog.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline::dashboard {

using Json = nlohmann::ordered_json;
// The body that a client sent. Json would search an object's keys one by one, which takes long if a
// client sends 100,000 of them.
using Body = nlohmann::json;

// A number, or the text "NaN", "Infinity", "-Infinity".
Json JsonOf(double number);
// The same, but null for NaN; for minima and maxima, which are NaN if there are no finite values.
Json JsonOrNull(double number);
Json JsonOf(const LineageValue& value);

// The run that the parameter `run` names. kNotFound if there is none.
Result<const CatalogRun*> RunOf(const CatalogSnapshot& catalog, const Request& request);
// The series that the parameters `tag`, `rank` and `kind` name.
Result<const Series*> SeriesOf(const Run& run, const Request& request);
Result<ContentKind> KindOf(std::string_view name);
// The runs that match the query, in the catalog's order; all runs if the query is empty.
Result<std::vector<const CatalogRun*>> Matching(const CatalogSnapshot& catalog,
                                                const std::string& query);

// Adds a path whose response is made of the newest snapshot of the runs and of their files.
// `catalog` and `files` must outlive `service`.
using ResponseOfFiles = Result<Response> (*)(const CatalogSnapshot& catalog, FileSystem& files,
                                             const Request& request);
void AddResponseOfFiles(Service& service, const char* path, const Catalog& catalog,
                        FileSystem& files, ResponseOfFiles respond);

// The body of a POST as JSON. kInvalidArgument if it is not an object.
Result<Body> BodyOf(const Request& request);

// 202 with Retry-After and the progress: the client is to repeat the request.
Response ImportingResponse(const ImportProgress& progress);

// The response, or ErrorResponse(Status) for an error.
Response ToResponse(Result<Response> result);

// 422 for a value that is there but cannot be shown, because of what another program put into it
// (kDataLoss, kUnimplemented); other errors as they are.
Result<Response> UndecodedResponse(const Status& error);

// The number of a request as a step; the nearest one if it is beyond all steps.
std::int64_t ToStep(double value);

// A JSON header and float64 columns after it ("S L S 1", docs/http_api.md).
Response PackColumns(const Json& header, const std::vector<double>& columns);

// The part of a tensor that the parameters `slice` and `detail` ask for.
Result<Response> TensorResponse(const TensorData& whole, const HeavyPoint& point,
                                const Target& target);

}  // namespace sightline::dashboard
