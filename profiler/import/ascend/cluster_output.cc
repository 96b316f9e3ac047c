#include "sightline/profiler/import/ascend/cluster_output.h"

#include <algorithm>
#include <map>
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

}  // namespace

void ClusterSteps::AddStage(std::string_view index) {
  std::vector<std::int64_t> ranks = RanksInTuple(index);
  std::sort(ranks.begin(), ranks.end());
  if (!ranks.empty()) sets.insert(std::move(ranks));
}

std::optional<std::int64_t> ClusterSteps::StageOf(std::int64_t rank) const {
  if (const auto found = stages.find(rank); found != stages.end()) {
    // Where there is no pipeline, all have the number 0.
    const bool is_pipeline =
        std::any_of(stages.begin(), stages.end(), [](const auto& one) { return one.second != 0; });
    return is_pipeline ? std::optional(found->second) : std::nullopt;
  }
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

bool IsPointToPoint(std::string_view name) {
  return name.find("send") != std::string_view::npos ||
         name.find("Send") != std::string_view::npos ||
         name.find("receive") != std::string_view::npos ||
         name.find("recv") != std::string_view::npos;
}

// Goes through the text once.
class TextOfRanks::Reader {
 public:
  explicit Reader(TextOfRanks& out) : out_(out) {}

  Status Read() {
    ForEachMember(out_.text_, [&](std::string_view /*ranks*/, std::string_view steps) {
      ForEachMember(steps, [&](std::string_view step, std::string_view operators) {
        ForEachMember(operators, [&](std::string_view name, std::string_view parts) {
          AddOperator({step, name}, parts);
        });
      });
    });
    std::stable_sort(out_.pieces_.begin(), out_.pieces_.end(),
                     [](const Piece& a, const Piece& b) { return a.rank < b.rank; });
    if (sound_) return {};
    return {StatusCode::kDataLoss, "not the JSON object of a cluster, or cut off"};
  }

 private:
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

  void AddOperator(const Operator& one, std::string_view parts) {
    const std::size_t before = out_.pieces_.size();
    const auto number = static_cast<std::uint32_t>(out_.operators_.size());
    if (!parts.starts_with('{')) return;
    ForEachMember(parts, [&](std::string_view key, std::string_view value) {
      const auto rank = ParseNumber<std::int64_t>(key.substr(0, key.find('-')));
      if (!rank || *rank < 0 || !value.starts_with('{')) return;
      // A link keeps its key, and the quotation mark before it.
      const char* begin = out_.has_links_ ? key.data() - 1 : value.data();
      out_.pieces_.push_back({*rank, number, Offset(begin), Offset(value.data() + value.size())});
    });
    if (out_.pieces_.size() > before) out_.operators_.push_back(one);
  }

  // Texts are of 256 MB at most (ReadSourceText).
  std::uint32_t Offset(const char* place) const {
    return static_cast<std::uint32_t>(place - out_.text_.data());
  }

  TextOfRanks& out_;
  bool sound_ = true;
};

Status TextOfRanks::ReadCommunication(std::string text) {
  text_ = std::move(text);
  return Reader(*this).Read();
}

Status TextOfRanks::ReadLinks(std::string text) {
  text_ = std::move(text);
  has_links_ = true;
  return Reader(*this).Read();
}

std::vector<std::int64_t> TextOfRanks::ranks() const {
  std::vector<std::int64_t> ranks;
  for (const Piece& piece : pieces_)
    if (ranks.empty() || ranks.back() != piece.rank) ranks.push_back(piece.rank);
  return ranks;
}

std::string TextOfRanks::Of(std::int64_t rank) const {
  struct Step {
    std::string collective;
    std::string point_to_point;
  };
  std::map<std::string_view, Step> steps;
  const auto by_rank = [](const Piece& piece, std::int64_t one) { return piece.rank < one; };
  auto piece = std::lower_bound(pieces_.begin(), pieces_.end(), rank, by_rank);
  while (piece != pieces_.end() && piece->rank == rank) {
    const std::uint32_t number = piece->operator_number;
    const Operator& one = operators_[number];
    Step& step = steps[one.step];
    std::string& text = IsPointToPoint(one.name) ? step.point_to_point : step.collective;
    text.append(text.empty() ? "\"" : ",\"").append(one.name).append("\":");
    // What an operator has of the rank follows each other: one object, or any number of links.
    for (bool first = true;
         piece != pieces_.end() && piece->rank == rank && piece->operator_number == number;
         ++piece, first = false) {
      if (!first && !has_links_) continue;
      if (has_links_) text += first ? '{' : ',';
      text.append(text_, piece->begin, piece->end - piece->begin);
    }
    if (has_links_) text += '}';
  }
  std::string out = "{";
  for (const auto& [name, step] : steps) {
    if (out.size() > 1) out += ',';
    out.append(1, '"').append(name).append(R"(":{"collective":{)").append(step.collective);
    out.append(R"(},"p2p":{)").append(step.point_to_point).append("}}");
  }
  return out + '}';
}

}  // namespace sightline::profiler
