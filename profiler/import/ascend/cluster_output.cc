#include "sightline/profiler/import/ascend/cluster_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/chrome/json_cursor.h"

namespace sightline::profiler {
namespace {

using nlohmann::json;

std::string TextIn(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// [0, 1], or its text "(0, 1)".
std::vector<std::int64_t> RanksIn(const json& object, const char* key) {
  const auto found = object.find(key);
  if (found == object.end()) return {};
  return RanksInTuple(found->is_string() ? found->get<std::string>() : found->dump());
}

// As msprof-analyze tells them apart.
bool IsPointToPoint(std::string_view name) {
  return name.find("send") != std::string_view::npos ||
         name.find("Send") != std::string_view::npos ||
         name.find("receive") != std::string_view::npos ||
         name.find("recv") != std::string_view::npos;
}

// The operators of a step, as the members of JSON objects.
struct StepTexts {
  std::string collective;
  std::string point_to_point;
};

// Takes of each operator, {"(0, 1)": {"step1": {"<operator>": {...}}}}, what `part` returns of its
// value, which is an object as it is written; nothing where that is empty.
class Regrouping {
 public:
  template <typename Part>
  Status Read(std::string_view text, Part part) {
    ForEachMember(text, [&](std::string_view /*ranks*/, std::string_view steps) {
      ForEachMember(steps, [&](std::string_view step, std::string_view operators) {
        ForEachMember(operators, [&](std::string_view name, std::string_view value) {
          Add(step, name, part(value));
        });
      });
    });
    if (sound_) return {};
    return {StatusCode::kDataLoss, "not the JSON object of a cluster, or cut off"};
  }

  // Calls `use` with the key and the value, as they are written, of each member of the object.
  template <typename Use>
  void ForEachMember(std::string_view object, Use use) {
    JsonCursor cursor(object);
    if (cursor.Take('{')) {
      for (std::string_view key, value; cursor.NextKey(key) && cursor.Value(value);)
        use(key, value);
    }
    if (cursor.state() != JsonCursor::State::kSound) sound_ = false;
  }

  std::string Take() && {
    std::string out = "{";
    for (const auto& [step, texts] : steps_) {
      if (out.size() > 1) out += ',';
      out += '"' + step + R"(":{"collective":{)" + texts.collective + R"(},"p2p":{)" +
             texts.point_to_point + "}}";
    }
    return out + '}';
  }

 private:
  void Add(std::string_view step, std::string_view name, std::string_view value) {
    if (!value.starts_with('{')) return;
    StepTexts& texts = steps_[std::string(step)];
    std::string& text = IsPointToPoint(name) ? texts.point_to_point : texts.collective;
    if (!text.empty()) text += ',';
    text.append(1, '"').append(name).append("\":").append(value);
  }

  std::map<std::string, StepTexts> steps_;
  bool sound_ = true;
};

}  // namespace

void ClusterSteps::AddStage(std::string_view index) {
  std::vector<std::int64_t> ranks = RanksInTuple(index);
  std::sort(ranks.begin(), ranks.end());
  if (!ranks.empty()) sets.insert(std::move(ranks));
}

std::optional<std::int64_t> ClusterSteps::StageOf(std::int64_t rank) const {
  if (const auto found = stages.find(rank); found != stages.end()) return found->second;
  std::set<std::int64_t> seen;
  std::optional<std::int64_t> stage;
  std::int64_t number = 0;
  for (const std::vector<std::int64_t>& ranks : sets) {
    for (const std::int64_t one : ranks) {
      if (!seen.insert(one).second) return std::nullopt;
      if (one == rank) stage = number;
    }
    ++number;
  }
  return number > 1 ? stage : std::nullopt;
}

std::vector<std::int64_t> RanksInTuple(std::string_view text) {
  constexpr std::string_view kEdges = " ()[]";
  std::vector<std::int64_t> ranks;
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view one = text.substr(0, comma);
    text = comma == std::string_view::npos ? std::string_view() : text.substr(comma + 1);
    one.remove_prefix(std::min(one.find_first_not_of(kEdges), one.size()));
    one = one.substr(0, one.find_last_not_of(kEdges) + 1);
    if (one.empty()) continue;  // "(0,)"
    const auto rank = ParseNumber<std::int64_t>(one);
    if (!rank || *rank < 0) return {};
    ranks.push_back(*rank);
  }
  return ranks;
}

std::vector<ClusterGroupRow> ClusterGroupsIn(std::string_view text) {
  std::vector<ClusterGroupRow> rows;
  const json parsed = ParseForeignJson<json>(text);
  if (!parsed.is_object()) return rows;
  const auto found = parsed.find("comm_group_parallel_info");
  if (found == parsed.end() || !found->is_array()) return rows;
  for (const json& info : *found) {
    if (!info.is_object()) continue;
    rows.push_back(
        {TextIn(info, "group_name"), TextIn(info, "pg_name"), RanksIn(info, "rank_set")});
  }
  return rows;
}

ParallelGroups GroupsOf(std::int64_t rank, const std::vector<ClusterGroupRow>& rows) {
  ParallelGroups groups;
  for (const ClusterGroupRow& row : rows) {
    const auto place = std::find(row.ranks.begin(), row.ranks.end(), rank);
    if (place == row.ranks.end() || row.hash.empty()) continue;
    groups.Add(row.hash, {row.name, place - row.ranks.begin(), row.ranks});
  }
  return groups;
}

std::set<std::int64_t> RanksInKeys(std::string_view text) {
  std::set<std::int64_t> ranks;
  Regrouping().ForEachMember(text, [&](std::string_view key, std::string_view /*value*/) {
    const std::vector<std::int64_t> some = RanksInTuple(key);
    ranks.insert(some.begin(), some.end());
  });
  return ranks;
}

Status CommunicationOfRank(std::string_view text, std::int64_t rank, std::string& out) {
  const std::string own = std::to_string(rank);
  Regrouping regrouping;
  Status status =
      regrouping.Read(text, [&](std::string_view of_ranks) { return JsonField(of_ranks, own); });
  out = std::move(regrouping).Take();
  return status;
}

Status LinksOfRank(std::string_view text, std::int64_t rank, std::string& out) {
  const std::string start = std::to_string(rank) + '-';
  Regrouping regrouping;
  Status status = regrouping.Read(text, [&](std::string_view links) {
    std::string own;
    regrouping.ForEachMember(links, [&](std::string_view link, std::string_view value) {
      if (!link.starts_with(start)) return;
      own.append(own.empty() ? "{\"" : ",\"").append(link).append("\":").append(value);
    });
    return own.empty() ? own : own + '}';
  });
  out = std::move(regrouping).Take();
  return status;
}

}  // namespace sightline::profiler
