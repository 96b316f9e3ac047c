// /api/v1/profile/flame, flows, cluster, export.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sightline/dashboard/api/api_profile.h"
#include "sightline/profiler/analysis/flame.h"
#include "sightline/profiler/cluster/cluster_findings.h"
#include "sightline/profiler/export/trace_export.h"

namespace sightline::dashboard {
namespace {

constexpr std::size_t kMaxStacks = 20'000;
constexpr std::int64_t kMaxFlows = 20'000;

// Whether the end is within the range and, unless `span` is negative, within that span.
bool Touches(const ReadProfile& of, const FlowArrow::End& end, const profiler::TimeRange& range,
             std::int64_t span) {
  if (end.time < range.from || end.time > range.to) return false;
  if (span < 0) return true;
  const auto number = static_cast<std::size_t>(span);
  const profiler::Spans& spans = of.profile.model.spans;
  return end.lane == spans.lane[number] && end.row == spans.depth[number] &&
         end.time >= spans.start[number] && end.time <= spans.end(number);
}

}  // namespace

Result<Response> FlameResponse(const ReadProfile& of, const Request& /*request*/) {
  std::vector<profiler::FoldedStack> stacks = profiler::FoldStacks(of.profile.model);
  std::int64_t total = 0;
  for (const profiler::FoldedStack& stack : stacks) total = profiler::AddTimes(total, stack.nanos);
  const std::size_t all = stacks.size();
  std::stable_sort(stacks.begin(), stacks.end(),
                   [](const auto& a, const auto& b) { return a.nanos > b.nanos; });
  stacks.resize(std::min(all, kMaxStacks));
  Json json = {{"total", total}, {"left_out", all - stacks.size()}, {"stacks", Json::array()}};
  for (const profiler::FoldedStack& stack : stacks) {
    json["stacks"].push_back(
        {{"stack", stack.stack}, {"nanos", stack.nanos}, {"count", stack.count}});
  }
  return JsonResponse(json);
}

Result<Response> FlowsResponse(const ReadProfile& of, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const profiler::TimeRange range, RangeOf(of, target));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit, target.Integer("limit", 2000, 1, kMaxFlows));
  const profiler::Model& model = of.profile.model;
  SIGHTLINE_ASSIGN_OR_RETURN(
      const std::int64_t span,
      target.Integer("span", -1, -1, std::numeric_limits<std::int64_t>::max()));
  if (span >= 0 && static_cast<std::size_t>(span) >= model.spans.size())
    return Error(StatusCode::kNotFound, fmt::format("there is no span {}", span));
  Json flows = Json::array();
  std::int64_t total = 0;
  for (const FlowArrow& arrow : of.arrows) {
    if (!Touches(of, arrow.from, range, span) && !Touches(of, arrow.to, range, span)) continue;
    if (++total > limit) continue;
    flows.push_back({{"id", model.names[arrow.id]},
                     {"name", model.names[arrow.name]},
                     {"from", arrow.from.time - of.extent.from},
                     {"from_lane", static_cast<std::uint32_t>(arrow.from.lane)},
                     {"from_row", arrow.from.row},
                     {"to", arrow.to.time - of.extent.from},
                     {"to_lane", static_cast<std::uint32_t>(arrow.to.lane)},
                     {"to_row", arrow.to.row}});
  }
  return JsonResponse({{"total", total}, {"flows", std::move(flows)}});
}

Result<Response> TraceResponse(const ReadProfile& of, const Request& request) {
  SIGHTLINE_ASSIGN_OR_RETURN(const profiler::TimeRange range, RangeOf(of, request.target));
  Response response;
  response.content_type = "application/octet-stream";
  response.body = profiler::ExportPerfetto(of.profile.model, range);
  response.headers.emplace_back("Content-Disposition",
                                "attachment; filename=\"profile.perfetto-trace\"");
  return response;
}

Response ClusterResponse(const ReadCluster& read) {
  return JsonResponse(
      profiler::ClusterToJson(read.cluster, profiler::FindInCluster(read.cluster), read.unread));
}

}  // namespace sightline::dashboard
