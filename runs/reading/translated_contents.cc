#include "sightline/runs/reading/translated_contents.h"

#include "sightline/runs/reading/literal_settings.h"

namespace sightline {
namespace {

constexpr std::size_t kLargestSetting = std::size_t{1} << 20U;

}  // namespace

void TranslatedContents::Add(const Translation& translation) {
  for (const std::string& kind : translation.unread) ++unread[kind];
  for (const Translation::Setting& setting : translation.settings) {
    const std::string below = setting.name + '.';
    auto at = settings.lower_bound(below);
    while (at != settings.end() && at->first.starts_with(below)) at = settings.erase(at);
    if (setting.json.empty()) {
      settings.erase(setting.name);
    } else if (setting.json.size() > kLargestSetting ||
               (settings.size() >= kMostSettings && !settings.contains(setting.name))) {
      ++unread["setting beyond the limits"];
    } else {
      settings[setting.name] = {setting.json, setting.of_series};
    }
  }
  ended = ended || translation.ends;
}

// From the last name to the first: "optimizer.name" is newer than what "optimizer" says of it.
void TranslatedContents::AddSettingsTo(const std::unordered_set<std::string_view>& tags,
                                       RunLineage& lineage) const {
  auto at = settings.rbegin();
  while (at != settings.rend()) {
    const auto& [name, setting] = *at++;
    if (setting.of_series.empty() || !tags.contains(setting.of_series))
      AddLiteral(name, setting.json, lineage);
  }
}

}  // namespace sightline
