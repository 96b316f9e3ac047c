// Records of other recorders, field by field, and what becomes of their settings.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/wire.h"
#include "sightline/recorder/translation/translation.h"

namespace sightline::testing {

inline std::string Message(std::uint32_t number, std::string_view bytes) {
  std::string message;
  wire::AppendBytes(message, number, bytes);
  return message;
}

inline std::string Number(std::uint32_t number, std::int64_t value) {
  std::string message;
  wire::AppendInt(message, number, value);
  return message;
}

// "name=json" of each.
inline std::vector<std::string> SettingsOf(const Translation& translation) {
  std::vector<std::string> settings;
  settings.reserve(translation.settings.size());
  for (const auto& setting : translation.settings)
    settings.push_back(setting.name + "=" + setting.json);
  return settings;
}

}  // namespace sightline::testing
