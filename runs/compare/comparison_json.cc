#include "sightline/runs/compare/comparison_json.h"

#include <string_view>

#include "sightline/base/json/number_json.h"

namespace sightline {
namespace {

using nlohmann::ordered_json;

ordered_json ToJson(const StepPair& pair) {
  return {{"step", pair.step}, {"a", NumberJson(pair.a)}, {"b", NumberJson(pair.b)}};
}

std::string_view NameOf(SeriesVerdict verdict) {
  switch (verdict) {
    case SeriesVerdict::kAlike:
      return "alike";
    case SeriesVerdict::kWithinNoise:
      return "within noise";
    case SeriesVerdict::kTooFewSteps:
      return "too few common steps";
    case SeriesVerdict::kLeaves:
      return "leaves";
  }
  return "";
}

std::string_view NameOf(RunVerdict verdict) {
  switch (verdict) {
    case RunVerdict::kAlike:
      return "alike";
    case RunVerdict::kDiffers:
      return "not alike";
    case RunVerdict::kNothingToCompare:
      return "nothing to compare";
  }
  return "";
}

ordered_json ToJson(const ComparedRank& rank) {
  const SeriesComparison& found = rank.found;
  ordered_json json = {
      {"rank", rank.rank},      {"rank_b", rank.rank_b},        {"verdict", NameOf(found.verdict)},
      {"joined", found.joined}, {"only_in_a", found.only_in_a}, {"only_in_b", found.only_in_b},
      {"beyond", found.beyond}, {"single", found.single}};
  if (found.leaves) json["leaves"] = ToJson(*found.leaves);
  if (found.first_single) json["first_single"] = ToJson(*found.first_single);
  if (found.last) json["last"] = ToJson(*found.last);
  if (found.mean_difference) json["mean_difference"] = NumberJson(*found.mean_difference);
  if (found.alike_if_shifted) json["alike_if_shifted"] = *found.alike_if_shifted;
  return json;
}

ordered_json ToJson(const ComparedTag& tag) {
  ordered_json json = {{"tag", tag.tag},
                       {"tag_b", tag.tag_b},
                       {"verdict", NameOf(tag.verdict())},
                       {"ranks", ordered_json::array()},
                       {"ranks_only_in_a", tag.only_in_a},
                       {"ranks_only_in_b", tag.only_in_b}};
  for (const ComparedRank& rank : tag.ranks) json["ranks"].push_back(ToJson(rank));
  return json;
}

ordered_json NamesOf(const std::vector<DifferenceKind>& kinds) {
  auto names = ordered_json::array();
  for (const DifferenceKind kind : kinds) names.push_back(DifferenceKindName(kind));
  return names;
}

}  // namespace

ordered_json ComparisonJson(const ComparisonReport& report) {
  const RunComparison& found = report.found;
  ordered_json json = {{"a", report.a},
                       {"b", report.b},
                       {"tolerance", report.tolerance},
                       {"like", report.like},
                       {"verdict", NameOf(found.verdict)},
                       {"tags", ordered_json::array()},
                       {"only_in_a", found.only_in_a},
                       {"only_in_b", found.only_in_b},
                       {"left_out", found.left_out},
                       {"differences", ordered_json::array()},
                       {"unknown_in_a", NamesOf(found.differences.unknown_in_a)},
                       {"unknown_in_b", NamesOf(found.differences.unknown_in_b)}};
  for (const ComparedTag& tag : found.tags) json["tags"].push_back(ToJson(tag));
  for (const RunDifference& one : found.differences.all) {
    json["differences"].push_back(
        {{"kind", DifferenceKindName(one.kind)}, {"name", one.name}, {"a", one.a}, {"b", one.b}});
  }
  return json;
}

}  // namespace sightline
