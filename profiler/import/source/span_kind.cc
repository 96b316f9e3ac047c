#include "sightline/profiler/import/source/span_kind.h"

#include <algorithm>
#include <array>
#include <optional>

namespace sightline::profiler {
namespace {

struct Word {
  std::string_view text;
  SpanKind kind;
};

constexpr std::array<Word, 21> kCategories = {{{"cpu_op", SpanKind::kOperator},
                                               {"operator", SpanKind::kOperator},
                                               {"op", SpanKind::kOperator},
                                               {"kernel", SpanKind::kKernel},
                                               {"gpu_memcpy", SpanKind::kKernel},
                                               {"gpu_memset", SpanKind::kKernel},
                                               {"python_function", SpanKind::kPython},
                                               {"cuda_runtime", SpanKind::kRuntime},
                                               {"cuda_driver", SpanKind::kRuntime},
                                               {"runtime", SpanKind::kRuntime},
                                               {"user_annotation", SpanKind::kAnnotation},
                                               {"gpu_user_annotation", SpanKind::kAnnotation},
                                               {"annotation", SpanKind::kAnnotation},
                                               {"communication", SpanKind::kCommunication},
                                               {"step", SpanKind::kStep},
                                               {"data_wait", SpanKind::kDataWait},
                                               {"data", SpanKind::kDataWait},
                                               {"queue", SpanKind::kDataWait},
                                               {"scope", SpanKind::kScope},
                                               {"Trace", SpanKind::kAnnotation},
                                               {"phase", SpanKind::kAnnotation}}};

// Collective operators: NCCL's, Gloo's and HCCL's names.
bool IsCommunication(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "nccl",      "ncclKernel", "c10d::",        "gloo:",    "hcom_",      "Hccl",
      "AllReduce", "AllGather",  "ReduceScatter", "AlltoAll", "all_reduce", "Broadcast-op"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

struct LaneMeaning {
  LaneKind lane;
  SpanKind span;
};

bool StartsWithDigit(std::string_view text) {
  return !text.empty() && text.front() >= '0' && text.front() <= '9';
}

// By MindSpore's layers (profiler/common/constant.py of 2.7; 2.0's timeline_analyser) and XLA's
// planes.
std::optional<LaneMeaning> FindMeaning(std::string_view process_name, std::string_view labels,
                                       std::string_view thread, std::string_view thread_name) {
  if (process_name == "CPU OP" || thread.starts_with("HostCpuOps"))
    return LaneMeaning{LaneKind::kThread, SpanKind::kOperator};
  if (process_name == "Scope Layer" || (thread == "100001" && labels == "Host CPU OP"))
    return LaneMeaning{LaneKind::kScope, SpanKind::kScope};
  if (thread_name == "Steps") return LaneMeaning{LaneKind::kStep, SpanKind::kStep};
  // Sums of other lanes (computing, communication, free time), not work of their own.
  if (process_name == "Overlap Analysis" || labels == "Op Overlap Analyse")
    return LaneMeaning{LaneKind::kScope, SpanKind::kScope};
  if (process_name == "Ascend Hardware" || thread_name == "XLA Ops")
    return LaneMeaning{LaneKind::kStream, SpanKind::kKernel};
  if (process_name == "HCCL" || process_name == "Communication" || labels == "Communication Op")
    return LaneMeaning{LaneKind::kStream, SpanKind::kCommunication};
  if (process_name == "CANN") return LaneMeaning{LaneKind::kThread, SpanKind::kRuntime};
  if (labels.starts_with("GPU")) return LaneMeaning{LaneKind::kStream, SpanKind::kOther};
  if (process_name.starts_with("/device:") && StartsWithDigit(thread_name))
    return LaneMeaning{LaneKind::kStream, SpanKind::kKernel};
  return std::nullopt;
}

}  // namespace

SpanKind ClassifySpan(std::string_view category, std::string_view name) {
  if (name.starts_with("ProfilerStep")) return SpanKind::kStep;
  if (name.starts_with("enumerate(DataLoader)")) return SpanKind::kDataWait;
  if (category.empty()) {
    if (IsCommunication(name)) return SpanKind::kCommunication;
    // XLA's tracer of Python writes "$file.py:12 function".
    return name.starts_with('$') ? SpanKind::kPython : SpanKind::kOther;
  }
  const auto* found = std::find_if(kCategories.begin(), kCategories.end(),
                                   [&](const Word& word) { return word.text == category; });
  if (found == kCategories.end()) return SpanKind::kOther;
  const bool executes = found->kind == SpanKind::kOperator || found->kind == SpanKind::kKernel;
  return executes && IsCommunication(name) ? SpanKind::kCommunication : found->kind;
}

void ClassifyByLane(Model& model) {
  for (Lane& lane : model.lanes) {
    if (lane.kinds_known) continue;
    const auto meaning = FindMeaning(model.names[lane.process_name], model.names[lane.labels],
                                     model.names[lane.thread], model.names[lane.thread_name]);
    if (!meaning) continue;
    lane.kind = meaning->lane;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      SpanKind& kind = model.spans.kind[i];
      // Spans on a lane of steps or scopes are neither operators nor work.
      const bool derived = meaning->span == SpanKind::kStep || meaning->span == SpanKind::kScope;
      if (kind == SpanKind::kOther || derived) kind = meaning->span;
    }
  }
}

}  // namespace sightline::profiler
