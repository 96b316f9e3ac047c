// /api/v1/profiles, profile, profile/operators, steps, data, counter, compare.
#include "sightline/dashboard/api/api_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "sightline/profiler/analysis/comparison.h"
#include "sightline/profiler/analysis/data_pipeline.h"
#include "sightline/profiler/analysis/device_use.h"
#include "sightline/profiler/analysis/disagreements.h"
#include "sightline/profiler/analysis/finding_json.h"
#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/profiler/analysis/summary.h"
#include "sightline/profiler/device/host_work.h"

namespace sightline::dashboard {
namespace {

using profiler::Counter;
using profiler::Lane;
using profiler::Model;
using profiler::OperatorGrouping;
using profiler::OperatorRow;

constexpr std::int64_t kMaxRows = 10'000;
constexpr std::size_t kMaxSteps = 100'000;
constexpr std::int64_t kMaxColumns = 10'000;
constexpr std::size_t kMaxQueueSamples = 2000;

// The profile that two parameters name.
Result<Opened<ReadProfile>> Open(ProfileStore& store, const Request& request, const char* parameter,
                                 const char* rank_parameter) {
  const auto id = request.target.Find(parameter);
  if (!id) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("name a profile with the parameter {}", parameter));
  }
  std::optional<std::int64_t> rank;
  if (request.target.Find(rank_parameter)) {
    SIGHTLINE_ASSIGN_OR_RETURN(
        rank, request.target.Integer(rank_parameter, 0, 0, std::numeric_limits<int>::max()));
  }
  return store.Open(std::string(*id), rank);
}

// A response about one profile, which is imported first.
Result<Response> RespondOnceRead(ProfileStore& store, const Request& request,
                                 Result<Response> (*respond)(const ReadProfile&, const Request&)) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto of, Open(store, request, "profile", "rank"));
  if (of.value == nullptr) return ImportingResponse(of.progress);
  return respond(*of.value, request);
}

Result<Response> RespondCluster(ProfileStore& store, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto read, store.Cluster(request.target.Get("profile")));
  if (read.value == nullptr) return ImportingResponse(read.progress);
  return ClusterResponse(*read.value);
}

// Both profiles are imported at the same time.
Result<Response> RespondComparison(ProfileStore& store, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto of, Open(store, request, "profile", "rank"));
  SIGHTLINE_ASSIGN_OR_RETURN(const auto other, Open(store, request, "before", "before_rank"));
  if (of.value == nullptr || other.value == nullptr)
    return ImportingResponse(Sum(of.progress, other.progress));
  return ComparisonResponse(*of.value, *other.value);
}

// The run whose directory is nearest above the profile; null if there is none.
Json RunOfProfile(const CatalogSnapshot& catalog, const std::string& path) {
  const CatalogRun* nearest = nullptr;
  std::size_t longest = 0;
  for (const CatalogRun& run : catalog.runs) {
    const std::string& directory = run.run->directory();
    const bool holds = path == directory || path.starts_with(directory + "/");
    if (!holds || directory.size() < longest) continue;
    nearest = &run;
    longest = directory.size();
  }
  return nearest == nullptr ? Json() : Json(nearest->id);
}

// The time of a lane's spans. One with many spans counts as a lane of the whole profile, since
// looking at each of them would take long.
profiler::TimeRange ExtentOf(const ReadProfile& of, const Lane& lane) {
  constexpr std::size_t kMaxSpans = 4096;
  if (lane.count == 0 || lane.count > kMaxSpans) return of.extent;
  const profiler::Spans& spans = of.profile.model.spans;
  profiler::TimeRange range{spans.start[lane.first], spans.end(lane.first)};
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i)
    range.to = std::max(range.to, spans.end(i));
  return range;
}

Json LanesOf(const ReadProfile& of) {
  const Model& model = of.profile.model;
  std::vector<std::size_t> order;
  for (std::size_t i = 0; i < model.lanes.size(); ++i)
    if (model.lanes[i].count > 0) order.push_back(i);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    const auto key = [&](const Lane& lane) {
      // Steps come first; the lanes of a process are adjacent.
      return std::tuple(lane.kind != profiler::LaneKind::kStep, lane.process_sort, lane.process,
                        lane.thread_sort);
    };
    return key(model.lanes[a]) < key(model.lanes[b]);
  });
  Json lanes = Json::array();
  for (const std::size_t i : order) {
    const Lane& lane = model.lanes[i];
    const auto [from, to] = ExtentOf(of, lane);
    lanes.push_back({{"lane", i},
                     {"process", LaneName(of, lane.process_name, lane.process)},
                     {"thread", LaneName(of, lane.thread_name, lane.thread)},
                     {"kind", LaneKindName(lane.kind)},
                     {"spans", lane.count},
                     {"rows", lane.depths},
                     {"from", from - of.extent.from},
                     {"to", to - of.extent.from}});
  }
  return lanes;
}

Json CountersOf(const ReadProfile& of) {
  Json counters = Json::array();
  const Model& model = of.profile.model;
  for (std::size_t i = 0; i < model.counters.size(); ++i) {
    const Counter& counter = model.counters[i];
    if (counter.value.empty()) continue;
    const auto [least, most] = std::minmax_element(counter.value.begin(), counter.value.end());
    const Lane& lane = model.lanes[static_cast<std::uint32_t>(counter.lane)];
    counters.push_back(
        {{"counter", i},
         {"name", model.names[counter.name]},
         {"process", LaneName(of, lane.process_name, lane.process)},
         {"samples", counter.value.size()},
         {"first", JsonOf(counter.value.front())},
         {"last", JsonOf(counter.value.back())},
         {"min", JsonOf(*least)},
         {"max", JsonOf(*most)},
         {"max_at",
          counter.time[static_cast<std::size_t>(most - counter.value.begin())] - of.extent.from}});
  }
  return counters;
}

Json FilesOf(const profiler::Profile& profile) {
  Json files = Json::array();
  for (const profiler::SourceFile& file : profile.files) {
    files.push_back({{"file", BaseName(file.path)},
                     {"bytes", file.bytes},
                     {"events", file.events},
                     {"modelled", file.modelled},
                     {"unseen", file.untested},
                     {"unread", file.unread},
                     {"error", file.status.message()}});
  }
  return files;
}

Json ToJson(const OperatorRow& row) {
  return {{"name", row.name},
          {"type", row.type},
          {"shapes", row.shapes},
          {"count", row.count},
          {"total", row.total},
          {"self", row.self},
          {"share", row.share},
          {"flops", row.flops},
          {"on_device", row.of_device},
          {"device", row.device},
          {"device_self", row.device_self}};
}

Json ToJson(const profiler::StepMean& mean) {
  return {{"total", mean.total},
          {"gap", mean.gap},
          {"work", mean.work},
          {"tail", mean.tail},
          {"communication", mean.communication}};
}

Json ToJson(const profiler::DeviceUse& use) {
  return {{"total", use.total},
          {"computing", use.computing},
          {"communication", use.communication},
          {"communication_alone", use.communication_alone},
          {"copy_alone", use.copy_alone},
          {"idle", use.idle}};
}

// Of the whole profile, with the reasons for which its devices were idle.
Json ToJson(const profiler::DeviceUseTable& uses) {
  if (!uses.known) return {};
  Json json = ToJson(uses.all);
  json["idle_causes"] = Json();
  if (uses.has_launches) {
    json["idle_causes"] = {{"for_host", uses.all.idle_for_host},
                           {"between_kernels", uses.all.idle_between},
                           {"other", uses.all.idle_other()}};
  }
  return json;
}

Json ToJson(const profiler::HostActivity& activity) {
  return {{"doing", HostDoingId(activity.doing)},
          {"time", activity.time},
          {"call", activity.call},
          {"call_time", activity.call_time}};
}

Json ToJson(const profiler::ComparedPart& part) {
  return {
      {"name", part.name}, {"before", part.before}, {"after", part.after}, {"share", part.share}};
}

// At most kMaxQueueSamples of a queue's depths, evenly spaced.
Json SamplesOf(const std::vector<std::int64_t>& sizes) {
  const std::size_t every = sizes.size() / kMaxQueueSamples + 1;
  Json samples = Json::array();
  for (std::size_t i = 0; i < sizes.size(); i += every) samples.push_back(sizes[i]);
  return samples;
}

Json ToJson(const profiler::QueueUse& use) {
  Json json = {{"id", use.of->id},
               {"type", use.of->type},
               {"workers", use.of->workers},
               {"parent", use.of->parent ? Json(*use.of->parent) : Json()},
               {"capacity", use.of->queue_capacity},
               {"usage", use.usage ? Json(*use.usage) : Json()},
               {"average", use.average},
               {"empty", use.empty},
               {"cpu_percent", use.of->cpu_percent ? Json(*use.of->cpu_percent) : Json()},
               {"samples", SamplesOf(use.of->queue_sizes)}};
  return json;
}

}  // namespace

std::string LaneName(const ReadProfile& of, profiler::NameId name, profiler::NameId id) {
  const profiler::NamePool& names = of.profile.model.names;
  return std::string(names[name].empty() ? names[id] : names[name]);
}

Result<profiler::TimeRange> RangeOf(const ReadProfile& of, const Target& target) {
  constexpr auto kLargest = std::numeric_limits<std::int64_t>::max();
  const std::int64_t length = std::max<std::int64_t>(1, of.extent.to - of.extent.from);
  // A window may extend beyond both ends.
  const std::int64_t margin = std::min(length, (kLargest - length) / 2);
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t from,
                             target.Integer("from", 0, -margin, length + margin));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t to,
                             target.Integer("to", length, -margin, length + margin));
  if (from >= to) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("from {} is not before to {}", from, to));
  }
  return profiler::TimeRange{of.extent.from + from, of.extent.from + to};
}

Result<Response> ProfilesResponse(const CatalogSnapshot& catalog, const ProfileStore& store) {
  Json json = {{"profiles", Json::array()}};
  for (const ListedProfile& listed : store.List()) {
    json["profiles"].push_back({{"profile", listed.id},
                                {"format", SourceFormatName(listed.format)},
                                {"run", RunOfProfile(catalog, listed.path)}});
  }
  return JsonResponse(json);
}

Result<Response> ProfileResponse(const ReadProfile& of, const Request& request) {
  const profiler::Profile& profile = of.profile;
  Json json = {{"profile", request.target.Get("profile")},
               {"format", SourceFormatName(profile.format)},
               {"rank", profile.rank ? Json(*profile.rank) : Json()},
               {"ranks", profile.ranks},
               {"origin", fmt::to_string(of.extent.from)},
               {"duration", of.extent.to - of.extent.from},
               {"events", profile.model.events_in},
               {"modelled", profile.model.events_modelled},
               {"spans", profile.model.spans.size()},
               {"flow_points", profile.model.flows.size()},
               {"lanes", LanesOf(of)},
               {"counters", CountersOf(of)},
               {"files", FilesOf(profile)},
               {"attributes", Json::object()},
               {"not_understood", Json::array()}};
  for (const auto& [key, text] : profile.model.attributes) json["attributes"][key] = text;
  for (const profiler::NotUnderstood& one : profile.model.not_understood) {
    json["not_understood"].push_back(
        {{"reason", one.reason}, {"count", one.count}, {"example", one.example}});
  }
  return JsonResponse(json);
}

Result<Response> OperatorsResponse(const ReadProfile& of, const Request& request) {
  const Target& target = request.target;
  const std::string by = target.Get("by", "type");
  if (by != "type" && by != "name")
    return Error(StatusCode::kInvalidArgument, "by must be type or name");
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit, target.Integer("limit", 200, 1, kMaxRows));
  profiler::OperatorTable table = profiler::AnalyzeOperators(
      of.profile, by == "type" ? OperatorGrouping::kByType : OperatorGrouping::kByName);
  const std::size_t all = table.rows.size();
  if (const std::string text = target.Get("text"); !text.empty())
    table = Matching(std::move(table), text);
  if (const auto type = target.Find("type"))
    std::erase_if(table.rows, [&](const OperatorRow& row) { return row.type != *type; });
  Json json = {{"source", OperatorSourceName(table.source)},
               {"inferred", table.inferred},
               {"nested", table.nested},
               {"has_launches", table.has_launches},
               {"total", table.total},
               {"count", table.count},
               {"all", all},
               {"matched", table.rows.size()},
               {"rows", Json::array()}};
  for (const OperatorRow& row : table.rows) {
    if (json["rows"].size() == static_cast<std::size_t>(limit)) break;
    json["rows"].push_back(ToJson(row));
  }
  return JsonResponse(json);
}

Result<Response> StepsResponse(const ReadProfile& of, const Request& request) {
  const profiler::StepTable table =
      AnalyzeSteps(of.profile, {request.target.Get("fp_point"), request.target.Get("bp_point")});
  // A recorded step trace has a clock of its own.
  const bool own_clock = table.source == profiler::StepSource::kRecorded;
  const std::int64_t origin =
      own_clock && !table.steps.empty() ? table.steps.front().start : of.extent.from;
  Json json = {{"source", StepSourceName(table.source)},
               {"inferred", table.source == profiler::StepSource::kInferred},
               {"own_clock", own_clock},
               {"forward_operator", table.forward_operator},
               {"backward_operator", table.backward_operator},
               {"count", table.steps.size()},
               {"mean", ToJson(Mean(table.steps, false))},
               {"mean_without_first", ToJson(Mean(table.steps, true))}};
  const profiler::DeviceUseTable uses = MeasureDeviceUse(of.profile, table);
  json["use"] = ToJson(uses);
  json["host_while_idle"] = Json::array();
  for (const profiler::HostActivity& one : HostWhileIdle(of.profile.model, uses.devices))
    json["host_while_idle"].push_back(ToJson(one));
  for (const char* column : {"number", "start", "total", "gap", "work", "tail", "communication",
                             "computing", "communication_alone", "idle"})
    json[column] = Json::array();
  for (std::size_t i = 0; i < std::min(kMaxSteps, table.steps.size()); ++i) {
    const profiler::Step& step = table.steps[i];
    json["number"].push_back(step.number);
    json["start"].push_back(step.start - origin);
    json["total"].push_back(step.total());
    json["gap"].push_back(step.gap);
    json["work"].push_back(step.work);
    json["tail"].push_back(step.tail);
    json["communication"].push_back(step.communication);
    if (i >= uses.steps.size()) continue;
    json["computing"].push_back(uses.steps[i].computing);
    json["communication_alone"].push_back(uses.steps[i].communication_alone);
    json["idle"].push_back(uses.steps[i].idle);
  }
  return JsonResponse(json);
}

Result<Response> DataPipelineResponse(const ReadProfile& of, const Request& /*request*/) {
  const profiler::DataReport report = AnalyzeDataPipeline(of.profile);
  Json json = {{"batches", report.batches},
               {"empty_batches", report.empty_batches},
               {"full_batches", report.full_batches},
               {"get_mean", report.get_mean},
               {"push_mean", report.push_mean},
               {"total_mean", report.total_mean},
               {"device_queue", of.profile.data.has_device_queue},
               {"get_next", report.get_next},
               {"empty_get_next", report.empty_get_next},
               {"machine_busy_percent", report.machine_busy ? Json(*report.machine_busy) : Json()},
               {"sampling_interval_ms", of.profile.data.sampling_interval},
               {"operators", Json::array()},
               {"advice", Json::array()}};
  for (const profiler::QueueUse& use : report.queues) json["operators"].push_back(ToJson(use));
  for (const profiler::Advice& advice : report.advice) {
    json["advice"].push_back({{"rule", advice.rule},
                              {"subject", advice.subject},
                              {"evidence", advice.evidence},
                              {"change", advice.change}});
  }
  return JsonResponse(json);
}

Result<Response> ProfileSummaryResponse(const ReadProfile& of, const Request& /*request*/) {
  Json json = {{"findings", Json::array()}};
  for (const profiler::Finding& finding : Summarize(of.profile))
    json["findings"].push_back(FindingToJson(finding));
  if (const auto disagreement = profiler::DisagreementFinding(of.profile))
    json["findings"].push_back(FindingToJson(*disagreement));
  return JsonResponse(json);
}

Result<Response> CounterResponse(const ReadProfile& of, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const profiler::TimeRange range, RangeOf(of, target));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t columns,
                             target.Integer("columns", 1000, 1, kMaxColumns));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t number,
                             target.Integer("counter", 0, 0, std::numeric_limits<int>::max()));
  if (static_cast<std::size_t>(number) >= of.profile.model.counters.size())
    return Error(StatusCode::kNotFound, fmt::format("there is no counter {}", number));
  const Counter& counter = of.profile.model.counters[static_cast<std::size_t>(number)];
  const double width = static_cast<double>(range.to - range.from) / static_cast<double>(columns);
  std::vector<double> times;
  std::vector<double> least;
  std::vector<double> most;
  std::int64_t last_column = -1;
  for (std::size_t i = 0; i < counter.time.size(); ++i) {
    if (counter.time[i] < range.from || counter.time[i] > range.to) continue;
    const auto column =
        static_cast<std::int64_t>(static_cast<double>(counter.time[i] - range.from) / width);
    const double value = counter.value[i];
    if (column == last_column) {
      least.back() = std::fmin(least.back(), value);
      most.back() = std::fmax(most.back(), value);
      continue;
    }
    last_column = column;
    times.push_back(static_cast<double>(counter.time[i] - of.extent.from));
    least.push_back(value);
    most.push_back(value);
  }
  const Json header = {{"counter", number}, {"length", times.size()}};
  times.insert(times.end(), least.begin(), least.end());
  times.insert(times.end(), most.begin(), most.end());
  return PackColumns(header, times);
}

Result<Response> ComparisonResponse(const ReadProfile& of, const ReadProfile& other) {
  const profiler::Comparison comparison = Compare(other.profile, of.profile);
  Json json = {{"step_before", comparison.step_before},
               {"step_after", comparison.step_after},
               {"steps_before", comparison.steps_before},
               {"steps_after", comparison.steps_after},
               {"phases", Json::array()},
               {"operators", Json::array()}};
  for (const profiler::ComparedPart& part : comparison.phases)
    json["phases"].push_back(ToJson(part));
  for (const profiler::ComparedPart& part : comparison.operators) {
    if (json["operators"].size() == static_cast<std::size_t>(kMaxRows)) break;
    json["operators"].push_back(ToJson(part));
  }
  return JsonResponse(json);
}

void AddProfileApi(Service& service, const Catalog& catalog, ProfileStore& store) {
  const auto add = [&](const char* path,
                       Result<Response> (*respond)(const ReadProfile&, const Request&)) {
    service.Add(path, [&store, respond](const Request& request) {
      return ToResponse(RespondOnceRead(store, request, respond));
    });
  };
  service.Add("/api/v1/profiles", [&catalog, &store](const Request& /*request*/) {
    return ToResponse(ProfilesResponse(*catalog.snapshot(), store));
  });
  add("/api/v1/profile", ProfileResponse);
  add("/api/v1/profile/operators", OperatorsResponse);
  add("/api/v1/profile/steps", StepsResponse);
  add("/api/v1/profile/data", DataPipelineResponse);
  add("/api/v1/profile/summary", ProfileSummaryResponse);
  add("/api/v1/profile/counter", CounterResponse);
  add("/api/v1/profile/timeline", TimelineResponse);
  add("/api/v1/profile/span", SpanResponse);
  add("/api/v1/profile/search", SpanSearchResponse);
  add("/api/v1/profile/selection", SelectionResponse);
  add("/api/v1/profile/flame", FlameResponse);
  add("/api/v1/profile/flows", FlowsResponse);
  add("/api/v1/profile/export", TraceResponse);
  service.Add("/api/v1/profile/cluster", [&store](const Request& request) {
    return ToResponse(RespondCluster(store, request));
  });
  service.Add("/api/v1/profile/compare", [&store](const Request& request) {
    return ToResponse(RespondComparison(store, request));
  });
}

}  // namespace sightline::dashboard
