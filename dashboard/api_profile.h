// The paths below /api/v1/profile of docs/http_api.md: which profiles there are, and what they say.
// Times are nanoseconds from the profile's first span on (`origin` says when that was).
//
// Plain functions, callable from any thread.
#pragma once

#include "sightline/base/status.h"
#include "sightline/dashboard/api_json.h"
#include "sightline/dashboard/catalog.h"
#include "sightline/dashboard/http_message.h"
#include "sightline/dashboard/profile_store.h"
#include "sightline/dashboard/service.h"
#include "sightline/profiler/analysis/summary.h"

namespace sightline::dashboard {

// Adds every path to `service`. The others must outlive it.
void AddProfileApi(Service& service, const Catalog& catalog, ProfileStore& store);

// The list: each with the run whose directory holds it.
Result<Answer> AnswerProfiles(const CatalogSnapshot& catalog, const ProfileStore& store);

// Of one profile.
Result<Answer> AnswerProfile(const ReadProfile& of, const Request& request);
Result<Answer> AnswerOperators(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSteps(const ReadProfile& of, const Request& request);
Result<Answer> AnswerDataPipeline(const ReadProfile& of, const Request& request);
Result<Answer> AnswerProfileSummary(const ReadProfile& of, const Request& request);
Result<Answer> AnswerCounter(const ReadProfile& of, const Request& request);
// Of two: `other` is the one before.
Result<Answer> AnswerComparison(const ReadProfile& of, const ReadProfile& other);

Result<Answer> AnswerFlame(const ReadProfile& of, const Request& request);
// A time of it as a Perfetto trace.
Result<Answer> AnswerTrace(const ReadProfile& of, const Request& request);
// Of all ranks of its folder, or of the profiles beside it. `id`: its own.
Result<Answer> AnswerRanks(ProfileStore& store, const ReadProfile& of, const std::string& id);

// Of its timeline.
Result<Answer> AnswerTimeline(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSpan(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSpanSearch(const ReadProfile& of, const Request& request);
Result<Answer> AnswerSelection(const ReadProfile& of, const Request& request);
Result<Answer> AnswerFlows(const ReadProfile& of, const Request& request);

// What several files use.
Json FindingJson(const profile::Finding& finding);
std::string LaneName(const ReadProfile& of, profile::NameId name, profile::NameId id);
// `from` and `to` in the profile's own clock; left out: all of it. kInvalidArgument for an empty
// range.
Result<profile::TimeRange> RangeOf(const ReadProfile& of, const Target& target);

}  // namespace sightline::dashboard
