#include "sightline/import/mlflow/imported_run.h"

#include <cmath>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/pattern/secrets.h"

namespace sightline {
namespace {

constexpr std::string_view kOfMlflow = "mlflow.";

// Names of tags: mlflow/utils/mlflow_tags.py.
constexpr std::pair<std::string_view, const char*> kFacts[] = {
    {"mlflow.user", "run.user"},
    {"mlflow.parentRunId", "run.parent"},
    {"mlflow.note.content", "run.notes"},
    {"mlflow.source.name", "run.source"},
    {"mlflow.source.git.commit", "run.git.commit"},
    {"mlflow.source.git.branch", "run.git.branch"},
    {"mlflow.source.git.repoURL", "run.git.remote"},
};

LineageValue ValueOf(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);

  const bool leading_zero = digits.size() > 1 && digits[0] == '0' && IsDigit(digits[1]);
  if (!leading_zero) {
    if (const auto number = ParseNumber<std::int64_t>(text)) return *number;
    const bool whole = digits.find_first_not_of("0123456789") == digits.npos;
    const auto number = whole ? std::nullopt : ParseNumber<double>(text);
    if (number && std::isfinite(*number)) return *number;
  }
  return std::string(text);
}

}  // namespace

void AddParameter(std::string_view name, std::string_view text, ImportedRun& run) {
  run.parameters.insert_or_assign(std::string(name), ValueOf(text));
}

void AddFact(const char* name, std::string_view text, ImportedRun& run) {
  if (!text.empty()) run.facts.try_emplace(name, HideSecrets(text));
}

void AddTag(std::string_view name, std::string_view text, ImportedRun& run, ImportReport& report) {
  if (!name.starts_with(kOfMlflow)) {
    run.facts.insert_or_assign("tags." + std::string(name), std::string(text));
    return;
  }
  if (name == "mlflow.runName") {  // Of the first versions; later ones have both.
    if (run.name.empty()) run.name = text;
    return;
  }
  for (const auto& [tag, fact] : kFacts)
    if (name == tag) return AddFact(fact, text, run);
  ++report.unread["tag of MLflow's own"];
}

CustomLineage LineageOf(const ImportedRun& run) {
  CustomLineage lineage = run.parameters;
  const auto add = [&lineage](const char* name, std::string text) {
    if (!text.empty()) lineage.try_emplace(name, std::move(text));
  };
  add("run.id", run.id);
  add("run.name", run.name);
  add("run.project", run.experiment);
  add("run.outcome", LowerCase(run.status));
  lineage.insert(run.facts.begin(), run.facts.end());
  return lineage;
}

}  // namespace sightline
