// TranslatedContents: what a file of another recorder holds besides events (recorder/translation).
// Private to this folder. Plain data; one thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_set>

#include "sightline/recorder/translation/translation.h"
#include "sightline/runs/model/run.h"

namespace sightline {

struct TranslatedContents {
  struct Setting {
    std::string json;
    std::string of_series;  // Translation::Setting.
  };

  // Takes over all but the event.
  void Add(const Translation& translation);
  // Adds the settings to `lineage`, unless it has their names: without those that were made of a
  // series that the run has, one of `tags`.
  void AddSettingsTo(const std::unordered_set<std::string_view>& tags, RunLineage& lineage) const;

  TranslatorState state;
  std::map<std::string, Setting, std::less<>> settings;
  std::map<std::string, std::uint64_t, std::less<>> unread;  // Number by kind.
  bool ended = false;
};

}  // namespace sightline
