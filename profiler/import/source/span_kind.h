// Finds the kinds of spans by the names that the writers of traces use.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

// Whether spans of this category are tasks of a device: kernels, copies, collectives.
bool IsOfDevice(std::string_view category);

// The kind by category and name, for those of PyTorch (torch/csrc/profiler, torch-tb-profiler's
// trace.py) and of Sightline's profiler. kOther for all others.
SpanKind ClassifySpan(std::string_view category, std::string_view name);

// The name of a step that its source numbers apart from its name: "train 3".
std::string NameOfStep(std::string_view name, std::int64_t number);

// Sets the kinds of lanes, and of their spans that are kOther, by the names of processes and
// threads, since these tell the kind of a span in timelines of MindSpore and XLA.
void ClassifyByLane(Model& model);

// ClassifySpan for each category and name once, since a trace repeats few of them many times.
class SpanKinds {
 public:
  SpanKind Find(const ModelBuilder& builder, NameId category, NameId name);

 private:
  std::unordered_map<std::uint64_t, SpanKind> kinds_;  // By category and name.
};

}  // namespace sightline::profiler
