#include "sightline/profiler/cluster/trace_collectives.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/device/launches.h"
#include "sightline/profiler/import/ascend/cluster_output.h"
#include "sightline/profiler/import/chrome/json_cursor.h"
#include "sightline/profiler/model/lane_search.h"

namespace sightline::profiler {
namespace {

constexpr std::int64_t kMostRanks = 1'000'000;  // A forged world size must not take memory.
constexpr std::string_view kWorld = "all ranks";

std::vector<std::int64_t> AllRanks(const Profile& profile) {
  std::vector<std::int64_t> ranks;
  for (const auto& [key, text] : profile.model.attributes) {
    if (key != "distributedInfo") continue;
    const auto size = ParseNumber<std::int64_t>(JsonField(text, "world_size")).value_or(0);
    if (size > kMostRanks) return {};
    for (std::int64_t rank = 0; rank < size; ++rank) ranks.push_back(rank);
    break;
  }
  return ranks;
}

// The bytes of an element of a torch type, as c10 names it; 0 if it is another one.
std::int64_t BytesOfType(std::string_view type) {
  constexpr auto kTypes =
      std::to_array<std::pair<std::string_view, std::int64_t>>({{"Float", 4},
                                                                {"BFloat16", 2},
                                                                {"Half", 2},
                                                                {"Double", 8},
                                                                {"Byte", 1},
                                                                {"Char", 1},
                                                                {"Bool", 1},
                                                                {"Short", 2},
                                                                {"Int", 4},
                                                                {"Long", 8},
                                                                {"ComplexFloat", 8},
                                                                {"ComplexDouble", 16},
                                                                {"Float8_e4m3fn", 1},
                                                                {"Float8_e5m2", 1}});
  const auto* const found = std::find_if(kTypes.begin(), kTypes.end(),
                                         [&](const auto& one) { return one.first == type; });
  return found == kTypes.end() ? 0 : found->second;
}

// "all-gather" of "_allgather_base", "all_gather_into_tensor_coalesced" and others.
std::string KindOf(std::string_view collective) {
  constexpr auto kKinds = std::to_array<std::pair<std::string_view, std::string_view>>(
      {{"allreduce", "all-reduce"},
       {"allgather", "all-gather"},
       {"reducescatter", "reduce-scatter"},
       {"alltoall", "all-to-all"}});
  std::string letters;
  for (const char c : collective)
    if (IsLetter(c)) letters += LowerCase(c);
  for (const auto& [written, kind] : kKinds)
    if (letters.find(written) != std::string::npos) return std::string(kind);
  return std::string(collective);
}

std::int64_t BytesOf(std::string_view detail, std::string_view kind) {
  const std::string_view count =
      JsonField(detail, kind == "all-gather" ? "Out msg nelems" : "In msg nelems");
  const std::int64_t elements = ParseNumber<std::int64_t>(count).value_or(0);
  const std::int64_t each = BytesOfType(JsonField(detail, "dtype"));
  std::int64_t bytes = 0;
  return elements < 0 || __builtin_mul_overflow(elements, each, &bytes) ? 0 : bytes;
}

class Reader {
 public:
  Reader(const Profile& profile, const StepTable& steps, RankPart& part)
      : profile_(profile), model_(profile.model), steps_(steps), launches_(model_), part_(part) {}

  void Read() {
    std::vector<const Lane*> streams;
    for (const Lane& lane : model_.lanes) {
      if (lane.kind == LaneKind::kStream && HasSpan(model_, lane, SpanKind::kCommunication))
        streams.push_back(&lane);
    }
    for (const Lane* lane : streams) ReadStream(*lane, streams.size() == 1);
  }

 private:
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
      const std::string_view collective = JsonField(detail, "Collective name");
      one.point_to_point = collective == "send" || collective == "recv";
      one.kind = KindOf(collective);
      one.bytes = BytesOf(detail, one.kind);
      const std::string_view name = model_.names[model_.spans.name[i]];
      one.name = std::string(name.substr(0, name.find('('))) + ' ' +
                 std::to_string(++counts_[{one.group, one.step}]);
      part_.communication.push_back(std::move(one));
    }
  }

  std::string GroupOf(std::string_view detail, bool is_only_one) {
    const std::string_view name = JsonField(detail, "Process Group Name");
    if (name.empty() && !is_only_one) return {};
    std::string id(name.empty() ? kWorld : name);
    if (!groups_.insert(id).second) return id;
    // Kineto shortens long lists, "[0, 1, ..., 7]", which are none.
    std::vector<std::int64_t> ranks =
        name.empty() ? AllRanks(profile_) : RanksInTuple(JsonField(detail, "Process Group Ranks"));
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
