// /api/v1/profile/timeline, span, search, selection.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/json/foreign_json.h"
#include "sightline/dashboard/api/api_profile.h"

namespace sightline::dashboard {
namespace {

using profiler::Lane;
using profiler::Model;
using profiler::NameId;
using profiler::TimelineCell;
using profiler::TimelineRow;
using profiler::TimeRange;

constexpr std::int64_t kMaxColumns = 10'000;
constexpr std::int64_t kMaxRows = 64;                       // Of a lane.
constexpr std::size_t kMaxLanes = 256;                      // Of a request.
constexpr std::size_t kMaxNumbers = std::size_t{4} << 20U;  // 32 MB.
constexpr std::size_t kMaxNames = 50;
constexpr std::int64_t kMaxMatches = 1000;

Result<std::vector<std::size_t>> LanesOf(const ReadProfile& of, const Target& target) {
  const std::size_t count = of.profile.model.lanes.size();
  std::vector<std::size_t> lanes;
  for (const std::string& text : target.All("lane")) {
    const Target one{{}, {{"lane", text}}};
    SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t lane,
                               one.Integer("lane", 0, 0, std::numeric_limits<int>::max()));
    if (static_cast<std::size_t>(lane) >= count)
      return Error(StatusCode::kNotFound, fmt::format("there is no lane {}", lane));
    lanes.push_back(static_cast<std::size_t>(lane));
  }
  if (lanes.empty()) {
    lanes.resize(count);
    std::iota(lanes.begin(), lanes.end(), std::size_t{0});
  }
  if (lanes.size() > kMaxLanes) {
    return Error(StatusCode::kInvalidArgument,
                 fmt::format("{} lanes at once; ask for {} at most", lanes.size(), kMaxLanes));
  }
  return lanes;
}

// The names of spans in a response, which contains each combination of name, type and kind once.
class SpanNames {
 public:
  explicit SpanNames(const Model& model) : model_(model) {}

  std::size_t Of(std::size_t span) {
    const profiler::Spans& spans = model_.spans;
    const auto [found, added] =
        places_.try_emplace(std::uint64_t{static_cast<std::uint32_t>(spans.name[span])} << 32U |
                                static_cast<std::uint32_t>(spans.type[span]),
                            list_.size());
    if (added) {
      list_.push_back({model_.names[spans.name[span]], model_.names[spans.type[span]],
                       SpanKindName(spans.kind[span])});
    }
    return found->second;
  }
  Json Take() { return std::move(list_); }

 private:
  const Model& model_;
  std::unordered_map<std::uint64_t, std::size_t> places_;
  Json list_ = Json::array();
};

Json SpanJson(const ReadProfile& of, std::size_t span) {
  const Model& model = of.profile.model;
  return {{"span", span},
          {"name", model.names[model.spans.name[span]]},
          {"type", model.names[model.spans.type[span]]},
          {"kind", SpanKindName(model.spans.kind[span])},
          {"lane", static_cast<std::uint32_t>(model.spans.lane[span])},
          {"row", model.spans.depth[span]},
          {"start", model.spans.start[span] - of.extent.from},
          {"duration", model.spans.duration[span]}};
}

// Calls `use` with each span of the lane that overlaps the range, and with the overlap.
template <typename Use>
void ForEachIn(const Model& model, const Lane& lane, TimeRange range, const Use& use) {
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    if (model.spans.start[i] >= range.to) break;
    const std::int64_t from = std::max(model.spans.start[i], range.from);
    const std::int64_t to = std::min(model.spans.end(i), range.to);
    if (to > from || (model.spans.duration[i] == 0 && model.spans.start[i] >= range.from))
      use(i, TimeRange{from, to});
  }
}

}  // namespace

Result<Response> TimelineResponse(const ReadProfile& of, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_RETURN(const TimeRange range, RangeOf(of, target));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t columns,
                             target.Integer("columns", 1000, 1, kMaxColumns));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t most, target.Integer("rows", 8, 1, kMaxRows));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::size_t> lanes, LanesOf(of, target));
  const profiler::Spans& spans = of.profile.model.spans;
  const std::vector<std::int64_t> edges =
      profiler::ColumnEdges(range, static_cast<std::uint32_t>(columns));
  // Among dense spans TimelineIndex moves the edges of columns a little, so a column may contain
  // more time than its width.
  const auto share = [&](const TimelineCell& cell) {
    const std::int64_t width = edges[cell.column + 1] - edges[cell.column];
    return std::min(1.0, static_cast<double>(cell.covered) / static_cast<double>(width));
  };
  SpanNames names(of.profile.model);
  std::vector<double> numbers;
  Json rows = Json::array();
  for (const std::size_t lane : lanes) {
    const auto of_lane =
        of.timeline.Look(profiler::LaneId{static_cast<std::uint32_t>(lane)}, range,
                         static_cast<std::uint32_t>(columns), static_cast<std::size_t>(most));
    for (std::size_t depth = 0; depth < of_lane.size(); ++depth) {
      const TimelineRow& row = of_lane[depth];
      if (numbers.size() + 4 * row.spans.size() + 3 * row.cells.size() > kMaxNumbers)
        return Error(StatusCode::kInvalidArgument, "too much at once; ask for fewer lanes");
      rows.push_back({{"lane", lane},
                      {"row", depth},
                      {"offset", numbers.size()},
                      {"wide", row.spans.size()},
                      {"narrow", row.cells.size()}});
      for (const std::size_t i : row.spans)
        numbers.push_back(static_cast<double>(spans.start[i] - of.extent.from));
      for (const std::size_t i : row.spans)
        numbers.push_back(static_cast<double>(spans.duration[i]));
      for (const std::size_t i : row.spans) numbers.push_back(static_cast<double>(names.Of(i)));
      for (const std::size_t i : row.spans) numbers.push_back(static_cast<double>(i));
      for (const TimelineCell& cell : row.cells) numbers.push_back(cell.column);
      for (const TimelineCell& cell : row.cells) numbers.push_back(cell.count);
      for (const TimelineCell& cell : row.cells) numbers.push_back(share(cell));
    }
  }
  const Json header = {{"from", range.from - of.extent.from},
                       {"to", range.to - of.extent.from},
                       {"columns", edges.size() - 1},
                       {"names", names.Take()},
                       {"rows", std::move(rows)}};
  return PackColumns(header, numbers);
}

Result<Response> SpanResponse(const ReadProfile& of, const Request& request) {
  const Model& model = of.profile.model;
  SIGHTLINE_ASSIGN_OR_RETURN(
      const std::int64_t number,
      request.target.Integer("span", 0, 0, std::numeric_limits<std::int64_t>::max()));
  if (static_cast<std::size_t>(number) >= model.spans.size())
    return Error(StatusCode::kNotFound, fmt::format("there is no span {}", number));
  const auto span = static_cast<std::size_t>(number);
  const Lane& lane = model.lane_of(span);
  Json json = SpanJson(of, span);
  json["category"] = model.names[model.spans.category[span]];
  json["process"] = LaneName(of, lane.process_name, lane.process);
  json["thread"] = LaneName(of, lane.thread_name, lane.thread);
  const std::string_view detail = model.names[model.spans.detail[span]];
  Json parsed = ParseForeignJson<Json>(detail);
  json["detail"] = parsed.is_discarded() ? Json(detail) : std::move(parsed);
  return JsonResponse(json);
}

Result<Response> SpanSearchResponse(const ReadProfile& of, const Request& request) {
  const Model& model = of.profile.model;
  SIGHTLINE_ASSIGN_OR_RETURN(const std::int64_t limit,
                             request.target.Integer("limit", 200, 1, kMaxMatches));
  const std::string wanted = LowerCase(request.target.Get("text"));
  if (wanted.empty()) return Error(StatusCode::kInvalidArgument, "the parameter text is missing");
  std::vector<bool> matches(model.names.size());
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const NameId name{static_cast<std::uint32_t>(i)};
    matches[i] = ContainsIgnoringCase(model.names[name], wanted);
  }
  ColumnVector<std::uint32_t> found;  // There may be as many as spans.
  std::int64_t total_time = 0;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    MemoryLimit::Keep(i);
    if (!matches[static_cast<std::uint32_t>(model.spans.name[i])]) continue;
    found.push_back(static_cast<std::uint32_t>(i));
    total_time = profiler::AddTimes(total_time, model.spans.duration[i]);
  }
  // The longest first: among many, somebody most likely looks for those.
  const auto shown = std::min(found.size(), static_cast<std::size_t>(limit));
  std::partial_sort(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(shown), found.end(),
                    [&](std::uint32_t a, std::uint32_t b) {
                      const auto& duration = model.spans.duration;
                      return duration[a] != duration[b] ? duration[a] > duration[b] : a < b;
                    });
  Json json = {{"total", found.size()}, {"total_time", total_time}, {"matches", Json::array()}};
  for (std::size_t i = 0; i < shown; ++i) json["matches"].push_back(SpanJson(of, found[i]));
  return JsonResponse(json);
}

Result<Response> SelectionResponse(const ReadProfile& of, const Request& request) {
  const Model& model = of.profile.model;
  SIGHTLINE_ASSIGN_OR_RETURN(const TimeRange range, RangeOf(of, request.target));
  SIGHTLINE_ASSIGN_OR_RETURN(const std::vector<std::size_t> lanes, LanesOf(of, request.target));
  struct Sum {
    std::uint64_t count = 0;
    std::int64_t time = 0;
  };
  std::unordered_map<std::uint32_t, Sum> by_name;
  std::uint64_t count = 0;
  Json of_lanes = Json::array();
  for (const std::size_t number : lanes) {
    std::int64_t busy = 0;
    std::int64_t covered_to = range.from;
    std::uint64_t in_lane = 0;
    ForEachIn(model, model.lanes[number], range, [&](std::size_t span, TimeRange part) {
      ++in_lane;
      busy += std::max<std::int64_t>(0, part.to - std::max(part.from, covered_to));
      covered_to = std::max(covered_to, part.to);
      Sum& sum = by_name[static_cast<std::uint32_t>(model.spans.name[span])];
      ++sum.count;
      sum.time = profiler::AddTimes(sum.time, part.to - part.from);
    });
    count += in_lane;
    if (in_lane > 0) of_lanes.push_back({{"lane", number}, {"spans", in_lane}, {"busy", busy}});
  }
  std::vector<std::pair<std::uint32_t, Sum>> names(by_name.begin(), by_name.end());
  const auto shown = std::min(names.size(), kMaxNames);
  std::partial_sort(names.begin(), names.begin() + static_cast<std::ptrdiff_t>(shown), names.end(),
                    [](const auto& a, const auto& b) {
                      return a.second.time != b.second.time ? a.second.time > b.second.time
                                                            : a.first < b.first;
                    });
  Json json = {{"from", range.from - of.extent.from},
               {"to", range.to - of.extent.from},
               {"spans", count},
               {"lanes", std::move(of_lanes)},
               {"names_in_all", names.size()},
               {"names", Json::array()}};
  for (std::size_t i = 0; i < shown; ++i) {
    json["names"].push_back({{"name", model.names[NameId{names[i].first}]},
                             {"count", names[i].second.count},
                             {"time", names[i].second.time}});
  }
  return JsonResponse(json);
}

}  // namespace sightline::dashboard
