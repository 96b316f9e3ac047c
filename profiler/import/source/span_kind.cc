#include "sightline/profiler/import/source/span_kind.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "sightline/base/ascii.h"

namespace sightline::profiler {
namespace {

struct Word {
  std::string_view text;
  SpanKind kind;
};

// Kineto's names (libkineto/include/ActivityType.h), those of torch 1.8 and 1.9 without their
// capitals, and our recorder's.
constexpr std::array<Word, 26> kCategories = {{{"cpu_op", SpanKind::kOperator},
                                               {"operator", SpanKind::kOperator},
                                               {"op", SpanKind::kOperator},
                                               {"kernel", SpanKind::kKernel},
                                               {"concurrent_kernel", SpanKind::kKernel},
                                               {"gpu_memcpy", SpanKind::kKernel},
                                               {"gpu_memset", SpanKind::kKernel},
                                               {"memcpy", SpanKind::kKernel},
                                               {"memset", SpanKind::kKernel},
                                               {"mtia_ccp_events", SpanKind::kKernel},
                                               {"hpu_op", SpanKind::kKernel},
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
                                               {"trace", SpanKind::kAnnotation},
                                               {"phase", SpanKind::kAnnotation}}};

// The kind of a category, which may be the first of several: "kernel, gpu". Every device has a
// runtime and a driver of its own: "xpu_runtime", "privateuse1_driver".
std::optional<SpanKind> KindOfCategory(std::string_view category) {
  const std::string first = LowerCase(category.substr(0, category.find(',')));
  const auto* found = std::find_if(kCategories.begin(), kCategories.end(),
                                   [&](const Word& word) { return word.text == first; });
  if (found != kCategories.end()) return found->kind;
  if (first.ends_with("_runtime") || first.ends_with("_driver")) return SpanKind::kRuntime;
  if (first.ends_with("_kernel")) return SpanKind::kKernel;
  return std::nullopt;
}

bool HasAny(std::string_view name, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(), [&](std::string_view part) {
    return name.find(part) != std::string_view::npos;
  });
}

// Collective operators: NCCL's, Gloo's and HCCL's names.
bool IsCommunication(std::string_view name) {
  constexpr std::array<std::string_view, 12> kNames = {
      "nccl",      "ncclKernel", "c10d::",        "gloo:",    "hcom_",      "Hccl",
      "AllReduce", "AllGather",  "ReduceScatter", "AlltoAll", "all_reduce", "Broadcast-op"};
  return std::any_of(kNames.begin(), kNames.end(),
                     [&](std::string_view start) { return name.starts_with(start); });
}

// A kernel's name has its result and its namespaces in front: "void vllm::cross_device_reduce...".
bool CommunicatesAsKernel(std::string_view name) {
  return IsCommunication(name) ||
         HasAny(name, {"nccl", "rccl", "multimem_", "cross_device_reduce", "deep_ep", "nvshmem"});
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
  // XLA's streams: "13(Compute)" in its JSON, "Stream #13(Compute)" in its xplanes.
  if (process_name.starts_with("/device:") &&
      (StartsWithDigit(thread_name) || thread_name.starts_with("Stream #")))
    return LaneMeaning{LaneKind::kStream, SpanKind::kKernel};
  return std::nullopt;
}

}  // namespace

bool IsOfDevice(std::string_view category) { return KindOfCategory(category) == SpanKind::kKernel; }

SpanKind ClassifySpan(std::string_view category, std::string_view name) {
  // Kineto draws what the host marked over the kernels that it launched, too.
  if (category == "gpu_user_annotation") return SpanKind::kAnnotation;
  if (name.starts_with("ProfilerStep")) return SpanKind::kStep;
  if (name.starts_with("enumerate(DataLoader)")) return SpanKind::kDataWait;
  if (category.empty()) {
    if (IsCommunication(name)) return SpanKind::kCommunication;
    // XLA's tracer of Python writes "$file.py:12 function".
    return name.starts_with('$') ? SpanKind::kPython : SpanKind::kOther;
  }
  const SpanKind kind = KindOfCategory(category).value_or(SpanKind::kOther);
  if (kind == SpanKind::kOperator && IsCommunication(name)) return SpanKind::kCommunication;
  if (kind != SpanKind::kKernel) return kind;
  // A stream that waits for another one does no work.
  if (name == "event_wait") return SpanKind::kOther;
  return CommunicatesAsKernel(name) ? SpanKind::kCommunication : kind;
}

std::string NameOfStep(std::string_view name, std::int64_t number) {
  return std::string(name) + " " + std::to_string(number);
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

SpanKind SpanKinds::Find(const ModelBuilder& builder, NameId category, NameId name) {
  const std::uint64_t both =
      std::uint64_t{static_cast<std::uint32_t>(category)} << 32 | static_cast<std::uint32_t>(name);
  const auto [found, is_new] = kinds_.try_emplace(both);
  if (is_new) found->second = ClassifySpan(builder.Name(category), builder.Name(name));
  return found->second;
}

}  // namespace sightline::profiler
