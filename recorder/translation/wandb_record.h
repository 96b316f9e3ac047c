// Records of W&B's `.wandb` files as translations.
//
// The form is W&B's own, wandb_internal.Record of its Python package 0.31. Field numbers were
// learnt from the descriptors in that package. A record holds one of: history (values of a step),
// stats (the machine), configuration, summary, the run, its environment, its end, a piece of the
// console, and others, which are counted by kind.
//
// Private to this folder. A plain function; one thread.
#pragma once

#include <string_view>

#include "sightline/recorder/translation/translation.h"

namespace sightline {

// Replaces `translation`. False if `record` is not a protobuf message.
//
// - A nested name is joined by dots, as W&B's page does: {"train": {"loss": 1}} is train.loss.
// - Numbers are values; true and false are 1 and 0; NaN, Infinity and -Infinity are values, too,
//   in quotes as older versions wrote them as well. Texts are texts; null is nothing.
// - Values of a machine are "system/<name>", at the step of the history before them.
bool TranslateWandb(std::string_view record, TranslatorState& state, Translation& translation);

}  // namespace sightline
