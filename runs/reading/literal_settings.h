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

// At most so many levels of nesting are read; a value below them is a text.
inline constexpr std::size_t kDeepestSetting = 32;
// At most so many names are read.
inline constexpr std::size_t kMostSettings = 2000;

// Whether the whole text is a dict or a JSON object: complete, with at least one name.
bool IsDict(std::string_view text);

// Adds what `text` says, as `name` and names below it. A dict adds its keys, and a list of dicts
// its positions. Numbers are numbers. True and False are "true" and "false", as in TensorBoard's
// hyper-parameters. Everything else is a text: other lists, None, what is not a literal
// (<class 'float'>), and a text that is not a complete literal, as a whole.
//
// In names, every character but letters, digits, '_', '.' and '/' becomes '_', so that queries can
// name them. A name that `settings` has already keeps its value. Adds nothing beyond kMostSettings.
void AddSettings(std::string_view name, std::string_view text, RunLineage& settings);
// The same for a literal: what is in quotes is the text between them, whatever it looks like.
void AddLiteral(std::string_view name, std::string_view literal, RunLineage& settings);

}  // namespace sightline
