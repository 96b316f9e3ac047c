#include "sightline/recorder/translation/translation.h"

#include <utility>

#include "sightline/base/json/json_text.h"

namespace sightline {

void Translation::AddText(std::string name, std::string_view text) {
  if (text.empty()) return;
  std::string json;
  AppendJsonText(text, json);
  settings.push_back({std::move(name), std::move(json)});
}

}  // namespace sightline
