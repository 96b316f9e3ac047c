// What several answers have in common. Private to this folder.
#pragma once

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/status.h"
#include "sightline/dashboard/catalog.h"
#include "sightline/dashboard/http_message.h"
#include "sightline/recorder/message/lineage.h"

namespace sightline::dashboard {

using Json = nlohmann::ordered_json;
// What a client sent. Json looks for a key among all others of its object, which takes a client
// that sends 100,000 of them for a long time.
using Body = nlohmann::json;

// A number, or the text "NaN", "Infinity", "-Infinity".
Json JsonOf(double number);
// The same, but null for NaN: of extremes, where that says there are no finite values.
Json JsonOrNull(double number);
Json JsonOf(const LineageValue& value);

// The run of the parameter `run`. kNotFound where there is none.
Result<const CatalogRun*> RunOf(const CatalogSnapshot& catalog, const Request& request);
// The same for whoever needs its points.
Result<std::shared_ptr<const Run>> OpenRunOf(const CatalogSnapshot& catalog,
                                             const Request& request);
// The series of the parameters `tag`, `rank` and `kind`.
Result<const Series*> SeriesOf(const Run& run, const Request& request);
Result<ContentKind> KindOf(std::string_view name);
// The runs that a query holds for, in the catalog's order; all without one.
Result<std::vector<const CatalogRun*>> Matching(const CatalogSnapshot& catalog,
                                                const std::string& query, double now);

// The body of a POST as JSON: an object, or kInvalidArgument.
Result<Body> BodyOf(const Request& request);

// Float64 columns after a JSON header ("S L S 1", docs/http_api.md).
Answer PackColumns(const Json& header, const std::vector<double>& columns);

// A tensor as the parameters `slice` and `detail` ask for it.
Result<Answer> TensorAnswer(const TensorData& whole, const HeavyPoint& point, const Target& target);

}  // namespace sightline::dashboard
