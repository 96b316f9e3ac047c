// The paths below /api/v1/profile of docs/http_api.md: the list of profiles, and their contents.
// Times are nanoseconds since the profile's first span (`origin` is its time).
//
// The functions may be called from any thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/dashboard/api/api_json.h"
#include "sightline/dashboard/http/http_message.h"
#include "sightline/dashboard/http/service.h"
#include "sightline/dashboard/store/catalog.h"
#include "sightline/dashboard/store/profile_store.h"
#include "sightline/profiler/analysis/summary.h"

namespace sightline::dashboard {

// Adds all these paths to `service`. `catalog` and `store` must outlive it.
void AddProfileApi(Service& service, const Catalog& catalog, ProfileStore& store);

// The list of profiles, each with the run in whose directory it is.
Result<Response> ProfilesResponse(const CatalogSnapshot& catalog, const ProfileStore& store);

// About one profile.
Result<Response> ProfileResponse(const ReadProfile& of, const Request& request);
Result<Response> OperatorsResponse(const ReadProfile& of, const Request& request);
Result<Response> StepsResponse(const ReadProfile& of, const Request& request);
Result<Response> DataPipelineResponse(const ReadProfile& of, const Request& request);
Result<Response> ProfileSummaryResponse(const ReadProfile& of, const Request& request);
Result<Response> CounterResponse(const ReadProfile& of, const Request& request);
// A comparison of two profiles. `other` is the earlier one.
Result<Response> ComparisonResponse(const ReadProfile& of, const ReadProfile& other);

Result<Response> FlameResponse(const ReadProfile& of, const Request& request);
// A range of its time as a Perfetto trace.
Result<Response> TraceResponse(const ReadProfile& of, const Request& request);
// What `sightline profile cluster --json` prints.
Response ClusterResponse(const ReadCluster& read);

// About its timeline.
Result<Response> TimelineResponse(const ReadProfile& of, const Request& request);
Result<Response> SpanResponse(const ReadProfile& of, const Request& request);
Result<Response> SpanSearchResponse(const ReadProfile& of, const Request& request);
Result<Response> SelectionResponse(const ReadProfile& of, const Request& request);
Result<Response> FlowsResponse(const ReadProfile& of, const Request& request);

// Helpers that several files use.
std::string LaneName(const ReadProfile& of, profiler::NameId name, profiler::NameId id);
// The range of the parameters `from` and `to`, on the profile's own clock. Without them, it is the
// whole profile. kInvalidArgument for an empty range.
Result<profiler::TimeRange> RangeOf(const ReadProfile& of, const Target& target);

}  // namespace sightline::dashboard
