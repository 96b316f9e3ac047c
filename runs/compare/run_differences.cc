#include "sightline/runs/compare/run_differences.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "sightline/base/text/number_text.h"

namespace sightline {
namespace {

constexpr std::array kKinds = {DifferenceKind::kSetting, DifferenceKind::kCode,
                               DifferenceKind::kPackage, DifferenceKind::kMachine,
                               DifferenceKind::kLaunch};

// The facts of one kind, by name.
using Facts = std::map<DifferenceKind, std::map<std::string, std::string>>;

std::string TextOf(const LineageValue& value) {
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  return NumberText(std::get<double>(value));
}

bool BeginsWithAny(std::string_view name, std::initializer_list<std::string_view> beginnings) {
  return std::any_of(beginnings.begin(), beginnings.end(),
                     [&](std::string_view one) { return name.starts_with(one); });
}

// "NAME==VERSION NAME==VERSION"
void AddPackages(std::string_view list, std::map<std::string, std::string>& packages) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(' '));
    list.remove_prefix(std::min(list.size(), one.size() + 1));
    const std::size_t sign = one.find("==");
    if (sign != std::string_view::npos) packages.emplace(one.substr(0, sign), one.substr(sign + 2));
  }
}

// The kind of the fact run.<name>; none if it tells nothing about the training.
std::optional<DifferenceKind> KindOfFact(std::string_view name) {
  if (name.starts_with("git.")) return DifferenceKind::kCode;
  if (name == "command") return DifferenceKind::kLaunch;
  if (name == "python.version") return DifferenceKind::kPackage;
  // Where it ran; what other recorders call it, and how it ended.
  constexpr std::string_view kNone[] = {
      "directory", "folder", "python.path", "artifacts", "entity", "error",
      "exit_code", "group",  "id",          "job_type",  "name",   "notes",
      "outcome",   "parent", "project",     "sweep",     "tags",   "user"};
  if (std::find(std::begin(kNone), std::end(kNone), name) != std::end(kNone)) return std::nullopt;
  if (name.starts_with("env.")) {
    name.remove_prefix(4);
    if (name.ends_with("RANK") || name.ends_with("RANK_ID") || name.ends_with("DEVICE_ID") ||
        BeginsWithAny(name, {"SLURM_", "OMPI_", "PMI", "TORCHELASTIC_", "MASTER_"})) {
      return std::nullopt;
    }
    return DifferenceKind::kLaunch;
  }
  return DifferenceKind::kMachine;
}

Facts FactsOf(const RunLineage& lineage) {
  Facts facts;
  const bool has_summary = lineage.contains("run.id");  // Of W&B's, which are results.
  for (const auto& [key, value] : lineage) {
    if (!key.starts_with("run.")) {
      if (key != "loss" && !(has_summary && key.starts_with("summary.")))
        facts[DifferenceKind::kSetting][key] = TextOf(value);
      continue;
    }
    const std::string name = key.substr(4);
    if (name == "packages") {
      AddPackages(TextOf(value), facts[DifferenceKind::kPackage]);
    } else if (const auto kind = KindOfFact(name)) {
      facts[*kind][name] = TextOf(value);
    }
  }
  // The version of a framework is also that of its package.
  for (const auto& [name, version] : facts[DifferenceKind::kPackage])
    facts[DifferenceKind::kMachine].erase(name);
  return facts;
}

void Compare(DifferenceKind kind, const std::map<std::string, std::string>& a,
             const std::map<std::string, std::string>& b, std::vector<RunDifference>& all) {
  std::map<std::string, std::pair<std::string, std::string>> both;
  for (const auto& [name, text] : a) both[name].first = text;
  for (const auto& [name, text] : b) both[name].second = text;
  for (auto& [name, texts] : both) {
    if (texts.first == texts.second) continue;
    all.push_back({kind, name, std::move(texts.first), std::move(texts.second)});
  }
}

}  // namespace

std::string_view DifferenceKindName(DifferenceKind kind) {
  switch (kind) {
    case DifferenceKind::kSetting:
      return "setting";
    case DifferenceKind::kCode:
      return "code";
    case DifferenceKind::kPackage:
      return "package";
    case DifferenceKind::kMachine:
      return "machine";
    case DifferenceKind::kLaunch:
      return "launch";
  }
  return "";
}

RunDifferences DifferencesOf(const RunLineage& a, const RunLineage& b) {
  Facts in_a = FactsOf(a);
  Facts in_b = FactsOf(b);
  RunDifferences found;
  for (const DifferenceKind kind : kKinds) {
    const auto& of_a = in_a[kind];
    const auto& of_b = in_b[kind];
    if (of_a.empty() != of_b.empty()) {
      (of_a.empty() ? found.unknown_in_a : found.unknown_in_b).push_back(kind);
    } else {
      Compare(kind, of_a, of_b, found.all);
    }
  }
  return found;
}

}  // namespace sightline
