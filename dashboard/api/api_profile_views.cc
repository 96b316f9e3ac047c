// /api/v1/profile/flame, flows, ranks, export.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "sightline/dashboard/api/api_profile.h"
#include "sightline/profiler/analysis/flame.h"
#include "sightline/profiler/analysis/ranks.h"
#include "sightline/profiler/export/trace_export.h"

namespace sightline::dashboard {
namespace {

using profile::RankUse;

constexpr std::size_t kMaxStacks = 20'000;
constexpr std::int64_t kMaxFlows = 20'000;
constexpr std::size_t kMaxRanks = 64;

// Whether it lies in the time and, where one is asked for, in the span.
bool Touches(const ReadProfile& of, const FlowArrow::End& end, const profile::TimeRange& range,
             std::int64_t span) {
  if (end.time < range.from || end.time > range.to) return false;
  if (span < 0) return true;
  const auto number = static_cast<std::size_t>(span);
  const profile::Spans& spans = of.profile.model.spans;
  return end.lane == spans.lane[number] && end.row == spans.depth[number] &&
         end.time >= spans.start[number] && end.time <= spans.end(number);
}

// Those beside `id`: in its folder, else one of each folder beside its own.
std::vector<std::string> BesideOf(const std::vector<ListedProfile>& all, const ListedProfile& of) {
  const auto within = [&](const std::string& folder, int below) {
    std::vector<std::string> ids;
    for (const ListedProfile& other : all) {
      std::string above = DirectoryOf(other.path);
      if (below > 0) above = DirectoryOf(above);
      if (above == folder && ids.size() < kMaxRanks) ids.push_back(other.id);
    }
    return ids;
  };
  const std::string folder = DirectoryOf(of.path);
  std::vector<std::string> ids = within(folder, 0);
  return ids.size() > 1 ? ids : within(DirectoryOf(folder), 1);
}

Json ToJson(const RankUse& rank, const std::string& id) {
  return {{"rank", rank.rank},           {"profile", id},
          {"steps", rank.steps},         {"step", rank.step},
          {"data_wait", rank.data_wait}, {"communication", rank.communication},
          {"own", rank.own()},           {"communication_share", rank.communication_share()}};
}

}  // namespace

Result<Answer> AnswerFlame(const ReadProfile& of, const Request& /*request*/) {
  std::vector<profile::FoldedStack> stacks = profile::FoldedStacksOf(of.profile.model);
  std::int64_t total = 0;
  for (const profile::FoldedStack& stack : stacks) total = profile::AddTimes(total, stack.nanos);
  const std::size_t all = stacks.size();
  std::stable_sort(stacks.begin(), stacks.end(),
                   [](const auto& a, const auto& b) { return a.nanos > b.nanos; });
  stacks.resize(std::min(all, kMaxStacks));
  Json json = {{"total", total}, {"left_out", all - stacks.size()}, {"stacks", Json::array()}};
  for (const profile::FoldedStack& stack : stacks) {
    json["stacks"].push_back(
        {{"stack", stack.stack}, {"nanos", stack.nanos}, {"count", stack.count}});
  }
  return JsonAnswer(json);
}

Result<Answer> AnswerFlows(const ReadProfile& of, const Request& request) {
  const Target& target = request.target;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const profile::TimeRange range, RangeOf(of, target));
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const std::int64_t limit,
                                 target.Integer("limit", 2000, 1, kMaxFlows));
  const profile::Model& model = of.profile.model;
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(
      const std::int64_t span,
      target.Integer("span", -1, -1, std::numeric_limits<std::int64_t>::max()));
  if (span >= 0 && static_cast<std::size_t>(span) >= model.spans.size())
    return Error(StatusCode::kNotFound, fmt::format("span {} is not there", span));
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
  return JsonAnswer({{"total", total}, {"flows", std::move(flows)}});
}

Result<Answer> AnswerTrace(const ReadProfile& of, const Request& request) {
  SIGHTLINE_ASSIGN_OR_UNEXPECTED(const profile::TimeRange range, RangeOf(of, request.target));
  Answer answer;
  answer.content_type = "application/octet-stream";
  answer.body = profile::ExportPerfetto(of.profile.model, range);
  answer.headers.emplace_back("Content-Disposition",
                              "attachment; filename=\"profile.perfetto-trace\"");
  return answer;
}

Result<Answer> AnswerRanks(ProfileStore& store, const ReadProfile& of, const std::string& id) {
  std::vector<std::pair<std::string, RankUse>> ranks;
  const auto add = [&](const ReadProfile& read, const std::string& of_id) {
    ranks.emplace_back(of_id, RankUseOf(read.profile, static_cast<std::int64_t>(ranks.size())));
  };
  if (of.profile.ranks.size() > 1) {
    for (std::size_t i = 0; i < std::min(of.profile.ranks.size(), kMaxRanks); ++i) {
      SIGHTLINE_ASSIGN_OR_UNEXPECTED(const auto read, store.Open(id, of.profile.ranks[i]));
      add(*read, id);
    }
  } else {
    const std::vector<ListedProfile> all = store.List();
    const auto listed = std::find_if(all.begin(), all.end(),
                                     [&](const ListedProfile& one) { return one.id == id; });
    const std::vector<std::string> ids =
        listed == all.end() ? std::vector<std::string>{id} : BesideOf(all, *listed);
    // One that cannot be read does not keep the others from being shown.
    for (const std::string& beside : ids)
      if (const auto read = store.Open(beside, std::nullopt)) add(**read, beside);
  }
  std::stable_sort(ranks.begin(), ranks.end(),
                   [](const auto& a, const auto& b) { return a.second.rank < b.second.rank; });
  std::vector<RankUse> uses;
  Json json = {{"ranks", Json::array()}, {"finding", Json()}};
  for (const auto& [of_id, use] : ranks) {
    json["ranks"].push_back(ToJson(use, of_id));
    uses.push_back(use);
  }
  // The worst: of each stage of a pipeline the ranks are compared among themselves.
  const std::vector<profile::Finding> findings = FindingsOf(uses);
  if (!findings.empty()) json["finding"] = FindingJson(findings.front());
  return JsonAnswer(json);
}

}  // namespace sightline::dashboard
