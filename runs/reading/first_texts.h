// FirstTexts: the texts of a file's first step with texts, since some programs write their whole
// configuration there. Private to this folder. Plain data; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/runs/model/run.h"

namespace sightline {

struct FirstTexts {
  static constexpr std::size_t kMostBytes = std::size_t{1} << 20U;  // Of tags and texts together.
  static constexpr std::size_t kMostTexts = 2000;

  // Adds the next text of the file. The first of another step, or beyond the bounds, is not added
  // and ends them.
  void Add(std::int64_t at_step, std::string_view tag, std::string_view text);
  // Whether they are a configuration, in a form that is known:
  // - MindFormers': two or more of its keys ("model", "parallel", ...) hold dicts. It writes each
  //   key of its configuration as a text;
  // - Megatron's: 20 or more texts, one for each argument;
  // - at least one text that is a JSON object (Transformers) or Python dict.
  bool AreConfiguration() const;
  // Adds their settings: of all texts in the first two forms, and of the objects in the third. A
  // later text of the same tag counts.
  void AddSettingsTo(RunLineage& settings) const;

  std::optional<std::int64_t> step;
  bool ended = false;
  std::vector<std::pair<std::string, std::string>> texts;  // Tag and text.
};

}  // namespace sightline
