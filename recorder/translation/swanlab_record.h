// Records of SwanLab's `.swanlab` files as translations: version 1 (`backup.swanlab`, JSON) and
// version 2 (`run-<id>.swanlab`, protobuf).
//
// The forms are SwanLab's own. Names and field numbers were learnt from what its Python packages
// 0.7 and 0.10 write, and from the descriptors in the latter (swanlab.record.v1.Record).
//
// Private to this folder. A plain function; one thread.
#pragma once

#include <string_view>

#include "sightline/recorder/translation/translation.h"

namespace sightline {

// Replaces `translation`. False if `record` is neither a JSON object nor a protobuf message.
//
// - A scalar is a value of its step and time. Version 1 writes infinities of both signs as "INF",
//   which is +infinity here.
// - What SwanLab records of the machine ("__swanlab__.cpu.pct") is "system/cpu.pct", at the step of
//   the scalar before it.
bool TranslateSwanLab(std::string_view record, TranslatorState& state, Translation& translation);

}  // namespace sightline
