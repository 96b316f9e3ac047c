#include "sightline/runs/reading/first_texts.h"

#include <algorithm>
#include <map>

#include "sightline/runs/reading/literal_settings.h"

namespace sightline {
namespace {

// So many texts at one step are not written to be read.
constexpr std::size_t kManyTexts = 20;

// Keys of MindFormers' configurations whose values are dicts: those of graph mode, and those of
// PyNative.
constexpr std::string_view kMindFormersKeys[] = {
    "context",         "model",        "moe_config",     "monitor",
    "parallel",        "lr_scheduler", "parallelism",    "checkpoint",
    "parallel_config", "lr_schedule",  "runner_config",  "optimizer",
    "train_dataset",   "training",     "runner_wrapper", "recompute_config"};

// tensorboardX and PyTorch append this to the tags of texts.
std::string_view NameOfTag(std::string_view tag) {
  constexpr std::string_view kSuffix = "/text_summary";
  if (tag.size() > kSuffix.size() && tag.ends_with(kSuffix)) tag.remove_suffix(kSuffix.size());
  return tag;
}

bool IsMindFormersKey(std::string_view name) {
  return std::find(std::begin(kMindFormersKeys), std::end(kMindFormersKeys), name) !=
         std::end(kMindFormersKeys);
}

// Whether all texts are settings, whatever they are.
bool AllAreSettings(const std::map<std::string_view, std::string_view>& texts) {
  if (texts.size() >= kManyTexts) return true;
  return std::count_if(texts.begin(), texts.end(), [](const auto& text) {
           return IsMindFormersKey(text.first) && IsDict(text.second);
         }) >= 2;
}

std::map<std::string_view, std::string_view> ByName(const FirstTexts& first) {
  std::map<std::string_view, std::string_view> texts;
  for (const auto& [tag, text] : first.texts) texts.insert_or_assign(NameOfTag(tag), text);
  return texts;
}

}  // namespace

void FirstTexts::Add(std::int64_t at_step, std::string_view tag, std::string_view text) {
  if (ended) return;
  std::size_t bytes = tag.size() + text.size();
  for (const auto& [known_tag, known] : texts) bytes += known_tag.size() + known.size();
  if (at_step != step.value_or(at_step) || bytes > kMostBytes || texts.size() == kMostTexts) {
    ended = true;
    if (!AreConfiguration()) texts = {};  // They would be kept for nothing.
    return;
  }
  step = at_step;
  texts.emplace_back(tag, text);
}

bool FirstTexts::AreConfiguration() const {
  const auto by_name = ByName(*this);
  return AllAreSettings(by_name) ||
         std::any_of(by_name.begin(), by_name.end(),
                     [](const auto& text) { return IsDict(text.second); });
}

void FirstTexts::AddSettingsTo(RunLineage& settings) const {
  const auto by_name = ByName(*this);
  const bool all = AllAreSettings(by_name);
  for (const auto& [name, text] : by_name) {
    if (all || IsDict(text)) AddSettings(name, text, settings);
  }
}

}  // namespace sightline
