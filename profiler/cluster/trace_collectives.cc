#include "sightline/profiler/cluster/trace_collectives.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/device/launches.h"

namespace sightline::profiler {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000;  // A forged world size must not take memory.
constexpr std::string_view kWorld = "all ranks";

// The text or number of a member of a flat JSON object: `"key": "text"`; empty if it is missing.
std::string_view Member(std::string_view json, std::string_view key) {
  const std::string quoted = '"' + std::string(key) + '"';
  std::size_t at = json.find(quoted);
  if (at == std::string_view::npos) return {};
  at = json.find_first_not_of(" \t\r\n:", at + quoted.size());
  if (at == std::string_view::npos) return {};
  const bool is_text = json[at] == '"';
  const std::size_t from = is_text ? at + 1 : at;
  const std::size_t to = is_text ? json.find('"', from) : json.find_first_of(",}", from);
  return json.substr(from, to - from);
}

// "[0, 1, 2]"; empty if it is no such list. Kineto shortens long ones: "[0, 1, ..., 7]".
std::vector<std::int64_t> RanksIn(std::string_view list) {
  std::vector<std::int64_t> ranks;
  if (!list.starts_with('[') || !list.ends_with(']')) return ranks;
  list = list.substr(1, list.size() - 2);
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(','), list.size());
    std::string_view one = list.substr(0, end);
    one.remove_prefix(std::min(one.find_first_not_of(' '), one.size()));
    const auto rank = ParseNumber<std::int64_t>(one);
    if (!rank) return {};
    ranks.push_back(*rank);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return ranks;
}

std::vector<std::int64_t> AllRanks(const Profile& profile) {
  std::vector<std::int64_t> ranks;
  for (const auto& [key, text] : profile.model.attributes) {
    if (key != "distributedInfo") continue;
    const auto size = ParseNumber<std::int64_t>(Member(text, "world_size")).value_or(0);
    if (size > kMostRanks) return {};
    for (std::int64_t rank = 0; rank < size; ++rank) ranks.push_back(rank);
    break;
  }
  return ranks;
}

class Reader {
 public:
  Reader(const Profile& profile, const StepTable& steps, RankPart& part)
      : profile_(profile), model_(profile.model), steps_(steps), launches_(model_), part_(part) {}

  void Read() {
    std::vector<const Lane*> streams;
    for (const Lane& lane : model_.lanes)
      if (lane.kind == LaneKind::kStream && HasCollectives(lane)) streams.push_back(&lane);
    for (const Lane* lane : streams) ReadStream(*lane, streams.size() == 1);
  }

 private:
  bool HasCollectives(const Lane& lane) const {
    const auto begin = model_.spans.kind.begin() + static_cast<std::ptrdiff_t>(lane.first);
    const auto end = begin + static_cast<std::ptrdiff_t>(lane.count);
    return std::find(begin, end, SpanKind::kCommunication) != end;
  }

  void ReadStream(const Lane& lane, bool is_only_one) {
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      if (model_.spans.kind[i] != SpanKind::kCommunication) continue;
      const std::string_view detail = model_.names[model_.spans.detail[i]];
      PartCommunication one;
      one.group = GroupOf(detail, is_only_one);
      one.step = StepOf(i);
      one.start = model_.spans.start[i];
      one.duration = model_.spans.duration[i];
      const std::string_view collective = Member(detail, "Collective name");
      one.point_to_point = collective == "send" || collective == "recv";
      const std::string_view name = model_.names[model_.spans.name[i]];
      one.name = std::string(name.substr(0, name.find('('))) + ' ' +
                 std::to_string(++counts_[{one.group, one.step}]);
      part_.communication.push_back(std::move(one));
    }
  }

  std::string GroupOf(std::string_view detail, bool is_only_one) {
    const std::string_view name = Member(detail, "Process Group Name");
    if (name.empty() && !is_only_one) return {};
    std::string id(name.empty() ? kWorld : name);
    if (!groups_.insert(id).second) return id;
    std::vector<std::int64_t> ranks =
        name.empty() ? AllRanks(profile_) : RanksIn(Member(detail, "Process Group Ranks"));
    if (!ranks.empty()) part_.groups.push_back({.id = id, .ranks = std::move(ranks)});
    return id;
  }

  // The step that launched it.
  std::optional<std::int64_t> StepOf(std::size_t span) const {
    const Launches::Call* call = launches_.Of(span);
    const std::int64_t when = call != nullptr ? call->start : model_.spans.start[span];
    const auto step = std::partition_point(steps_.steps.begin(), steps_.steps.end(),
                                           [&](const Step& one) { return one.end <= when; });
    if (step == steps_.steps.end() || when < step->start) return std::nullopt;
    return step->number;
  }

  const Profile& profile_;
  const Model& model_;
  const StepTable& steps_;
  const Launches launches_;
  RankPart& part_;
  std::set<std::string> groups_;  // That were seen.
  std::map<std::pair<std::string, std::optional<std::int64_t>>, std::uint64_t> counts_;
};

}  // namespace

void AddCollectivesOfTrace(const Profile& profile, const StepTable& steps, RankPart& part) {
  if (!profile.communication.empty() || steps.source == StepSource::kRecorded) return;
  if (profile.format != SourceFormat::kChromeTrace) return;
  Reader(profile, steps, part).Read();
}

}  // namespace sightline::profiler
