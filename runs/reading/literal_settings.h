// Settings from the text of a configuration: Python's repr, or JSON.
//
//   AddSettings("model", "{'model_config': {'num_layers': 2, 'dtype': <class 'float'>}}",
//   settings);
//   // model.model_config.num_layers 2, model.model_config.dtype "<class 'float'>"
//
// Private to this folder. Pure functions, in time in proportion to the text.
#pragma once

#include <cstddef>
#include <string_view>

#include "sightline/runs/model/run.h"

namespace sightline {

// Bounds of what is read: levels of nesting, below which a value is a text; and names in all.
inline constexpr std::size_t kDeepestSetting = 32;
inline constexpr std::size_t kMostSettings = 2000;

// Whether the whole text is a dict or a JSON object: complete, with at least one name.
bool IsDict(std::string_view text);

// Adds what `text` says, as `name` and names below it. A dict adds its keys, and a list of dicts
// its positions. Numbers are numbers. True and False are "true" and "false", as in TensorBoard's
// hyper-parameters. Everything else is a text: other lists, None, what is no literal
// (<class 'float'>), and a text that is no complete literal, as a whole.
//
// In names, what is no letter, digit, '_', '.' or '/' becomes '_', so that queries can name them.
// A name that `settings` has already keeps its value. Adds nothing beyond kMostSettings.
void AddSettings(std::string_view name, std::string_view text, RunLineage& settings);

}  // namespace sightline
