// The paths below /api/v1/profile of docs/http_api.md: which profiles there are, and what they
// contain. Times are nanoseconds since the profile's first span (`origin` is its time).
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
Result<Answer> AnswerProfiles(const CatalogSnapshot& catalog, const ProfileStore& store);

// About one profile.
Result<Answer> AnswerProfile(const ReadProfile& of, const Request& request);
Result<Answer> AnswerOperators(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSteps(const ReadProfile& of, const Request& request);
Result<Answer> AnswerDataPipeline(const ReadProfile& of, const Request& request);
Result<Answer> AnswerProfileSummary(const ReadProfile& of, const Request& request);
Result<Answer> AnswerCounter(const ReadProfile& of, const Request& request);
// A comparison of two profiles. `other` is the earlier one.
Result<Answer> AnswerComparison(const ReadProfile& of, const ReadProfile& other);

Result<Answer> AnswerFlame(const ReadProfile& of, const Request& request);
// A range of its time as a Perfetto trace.
Result<Answer> AnswerTrace(const ReadProfile& of, const Request& request);
// A comparison of all ranks in its folder, or of the profiles next to it. `id`: the profile's id.
Result<Answer> AnswerRanks(ProfileStore& store, const ReadProfile& of, const std::string& id);

// About its timeline.
Result<Answer> AnswerTimeline(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSpan(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSpanSearch(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSelection(const ReadProfile& of, const Request& request);
Result<Answer> AnswerFlows(const ReadProfile& of, const Request& request);

// Helpers that several files use.
Json FindingJson(const profile::Finding& finding);
std::string LaneName(const ReadProfile& of, profile::NameId name, profile::NameId id);
// The range of the parameters `from` and `to`, on the profile's own clock. Without them, it is the
// whole profile. kInvalidArgument for an empty range.
Result<profile::TimeRange> RangeOf(const ReadProfile& of, const Target& target);

}  // namespace sightline::dashboard
