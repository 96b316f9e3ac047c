#include "sightline/profiler/analysis/steps.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <string_view>
#include <utility>

#include "sightline/base/ascii.h"

namespace sightline::profiler {
namespace {

using Indices = ColumnVector<std::uint32_t>;  // Of spans.

// The spans of this kind on all lanes, ordered by start.
Indices InOrder(const Model& model, SpanKind kind) {
  Indices found;
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    MemoryLimit::Keep(i);
    if (model.spans.kind[i] == kind) found.push_back(static_cast<std::uint32_t>(i));
  }
  std::stable_sort(found.begin(), found.end(), [&](std::uint32_t a, std::uint32_t b) {
    return model.spans.start[a] < model.spans.start[b];
  });
  return found;
}

// The host's operators, which are what divides the host's steps; a device's, if it is alone.
Indices OperatorsInOrder(const Model& model) {
  Indices found = InOrder(model, SpanKind::kOperator);
  return found.empty() ? InOrder(model, SpanKind::kKernel) : found;
}

// Whether an operator runs within another one of its lane.
bool OperatorsNest(const Model& model) {
  for (const Lane& lane : model.lanes) {
    std::int64_t end = -kMaxTime;
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      MemoryLimit::Keep(i);
      if (model.spans.kind[i] != SpanKind::kOperator) continue;
      if (model.spans.start[i] < end) return true;
      end = model.spans.end(i);
    }
  }
  return false;
}

StepTable FromRecords(const Profile& profile) {
  StepTable table;
  table.source = StepSource::kRecorded;
  table.forward_operator = profile.forward_operator;
  table.backward_operator = profile.backward_operator;
  for (const StepRecord& record : profile.steps) {
    Step step;
    step.number = record.number;
    step.start = record.start;
    step.end = record.end;
    step.gap = record.forward_start - record.start;
    const std::int64_t backward_end = record.backward_end.value_or(record.end);
    step.work = backward_end - record.forward_start;
    step.tail = record.end - backward_end;
    for (const auto& one : record.communication) step.communication += one.end - one.start;
    table.steps.push_back(step);
  }
  return table;
}

// The number at the end of "ProfilerStep#12" or "12"; 0 if it is missing.
std::int64_t StepNumber(std::string_view name) {
  std::int64_t number = 0;
  std::size_t at = name.size();
  while (at > 0 && std::isdigit(static_cast<unsigned char>(name[at - 1])) != 0) --at;
  for (const char c : name.substr(at, 15)) number = number * 10 + (c - '0');
  return number;
}

bool SaysBackward(std::string_view name) { return ContainsIgnoringCase(name, "backward"); }

// Lanes by their process and thread.
using LanesById = std::map<std::pair<NameId, NameId>, const Lane*>;

// The thread whose steps this lane shows: the lane's own thread, or the thread of Sightline's track
// "<thread> steps".
const Lane& FindThread(const Model& model, const LanesById& lanes, const Lane& marks) {
  constexpr std::string_view kTrack = " steps";
  std::string_view thread = model.names[marks.thread];
  if (!thread.ends_with(kTrack)) return marks;
  thread.remove_suffix(kTrack.size());
  const auto found = lanes.find({marks.process, model.names.Find(thread)});
  return found != lanes.end() ? *found->second : marks;
}

// Divides a step without operators by the user's spans on its thread: the gap ends with the first
// span that does not wait for data, and the tail begins after the last backward span.
void DivideBySpans(const Model& model, const Lane& thread, Step& step) {
  const Spans& spans = model.spans;
  const auto begin = spans.start.begin() + static_cast<std::ptrdiff_t>(thread.first);
  const auto end = begin + static_cast<std::ptrdiff_t>(thread.count);
  std::int64_t waited_until = step.start;
  std::optional<std::int64_t> forward_start;
  std::optional<std::int64_t> backward_end;
  auto at =
      static_cast<std::size_t>(std::lower_bound(begin, end, step.start) - spans.start.begin());
  for (; at < thread.first + thread.count && spans.start[at] < step.end; ++at) {
    if (spans.kind[at] == SpanKind::kStep || spans.start[at] < waited_until) continue;
    if (spans.kind[at] == SpanKind::kDataWait) {
      waited_until = spans.end(at);
      continue;
    }
    if (!forward_start) forward_start = spans.start[at];
    if (SaysBackward(model.names[spans.name[at]]))
      backward_end = std::max(backward_end.value_or(0), spans.end(at));
  }
  const std::int64_t work_start = std::min(forward_start.value_or(waited_until), step.end);
  const std::int64_t work_end = std::clamp(backward_end.value_or(step.end), work_start, step.end);
  step.gap = work_start - step.start;
  step.work = work_end - work_start;
  step.tail = step.end - work_end;
}

// Divides a step by its operators, [first, last) of `operators`, which must not be empty.
void Divide(const Model& model, const Indices& operators, std::size_t first, std::size_t last,
            const StepOptions& options, Step& step) {
  const Spans& spans = model.spans;
  const auto name = [&](std::size_t at) { return model.names[spans.name[operators[at]]]; };
  std::optional<std::size_t> forward, backward;
  for (std::size_t at = first; at < last; ++at) {
    if (!forward && !options.forward_operator.empty() && name(at) == options.forward_operator)
      forward = at;
    const bool named = options.backward_operator.empty() ? name(at).starts_with("Gradients/")
                                                         : name(at) == options.backward_operator;
    if (named) backward = at;
  }
  const std::int64_t forward_start = spans.start[operators[forward.value_or(first)]];
  std::int64_t backward_end = step.end;
  if (backward) backward_end = spans.end(operators[*backward]);
  backward_end = std::clamp(backward_end, std::min(forward_start, step.end), step.end);
  step.gap = forward_start - step.start;
  step.work = backward_end - forward_start;
  step.tail = step.end - backward_end;
}

// Gives each step the sum of the communications that begin in it.
void AddCommunication(const Model& model, std::vector<Step>& steps) {
  const Indices found = InOrder(model, SpanKind::kCommunication);
  for (Step& step : steps) {
    auto at = std::partition_point(found.begin(), found.end(), [&](std::size_t i) {
      return model.spans.start[i] < step.start;
    });
    for (; at != found.end() && model.spans.start[*at] < step.end; ++at)
      step.communication = AddTimes(step.communication, model.spans.duration[*at]);
  }
}

StepTable FromMarks(const Model& model, const StepOptions& options) {
  StepTable table;
  const Indices marks = InOrder(model, SpanKind::kStep);
  if (marks.empty()) return table;
  table.source = StepSource::kMarked;
  const Indices operators = OperatorsInOrder(model);
  const auto at = [&](std::int64_t time) {
    return static_cast<std::size_t>(
        std::partition_point(operators.begin(), operators.end(),
                             [&](std::size_t i) { return model.spans.start[i] < time; }) -
        operators.begin());
  };
  LanesById lanes;
  for (const Lane& lane : model.lanes) lanes[{lane.process, lane.thread}] = &lane;
  for (const std::size_t mark : marks) {
    Step step;
    step.number = StepNumber(model.names[model.spans.name[mark]]);
    step.start = model.spans.start[mark];
    step.end = model.spans.end(mark);
    const std::size_t first = at(step.start);
    const std::size_t last = at(step.end);
    if (first == last) {
      DivideBySpans(model, FindThread(model, lanes, model.lane_of(mark)), step);
    } else {
      Divide(model, operators, first, last, options, step);
    }
    table.steps.push_back(step);
  }
  return table;
}

StepTable FromOperators(const Model& model, const StepOptions& options) {
  StepTable table;
  const Indices operators = InOrder(model, SpanKind::kOperator);
  const auto& kinds = model.spans.kind;
  const bool has_kernels = std::find(kinds.begin(), kinds.end(), SpanKind::kKernel) != kinds.end();
  if (operators.empty() || has_kernels || OperatorsNest(model)) return table;
  table.source = StepSource::kInferred;
  const NameId first_name = model.spans.name[operators.front()];
  std::optional<std::int64_t> previous_end;
  for (std::size_t first = 0; first < operators.size();) {
    std::size_t last = first + 1;
    while (last < operators.size() && model.spans.name[operators[last]] != first_name) ++last;
    Step step;
    step.number = static_cast<std::int64_t>(table.steps.size()) + 1;
    const std::int64_t begin = model.spans.start[operators[first]];
    step.end = begin;
    for (std::size_t at = first; at < last; ++at)
      step.end = std::max(step.end, model.spans.end(operators[at]));
    // The time between two steps is the gap of the second one.
    step.start = std::min(previous_end.value_or(begin), begin);
    Divide(model, operators, first, last, options, step);
    previous_end = step.end;
    table.steps.push_back(step);
    first = last;
  }
  return table;
}

// No value if no span has this name.
std::string NameInUse(const Model& model, const std::string& name) {
  const NameId id = model.names.Find(name);
  const auto& used = model.spans.name;
  const bool is_used = id != kNoName && std::find(used.begin(), used.end(), id) != used.end();
  return is_used ? name : std::string();
}

}  // namespace

std::string_view StepSourceName(StepSource source) {
  switch (source) {
    case StepSource::kRecorded:
      return "recorded by the profiler";
    case StepSource::kMarked:
      return "marked in the trace";
    case StepSource::kListed:
      return "listed by the profiler, without the times at which they begin";
    case StepSource::kInferred:
      return "inferred from the operators: a step begins where the first of them runs again";
    case StepSource::kNone:
      return "none";
  }
  return "";
}

StepTable AnalyzeSteps(const Profile& profile, const StepOptions& options) {
  if (!profile.steps.empty()) return FromRecords(profile);
  const StepOptions points = {NameInUse(profile.model, options.forward_operator),
                              NameInUse(profile.model, options.backward_operator)};
  StepTable table = FromMarks(profile.model, points);
  if (table.source == StepSource::kNone) {
    const bool listed = std::any_of(profile.device_steps.begin(), profile.device_steps.end(),
                                    [](const DeviceStep& row) { return row.number.has_value(); });
    if (listed) {
      return {.steps = {},
              .source = StepSource::kListed,
              .forward_operator = {},
              .backward_operator = {}};
    }
    table = FromOperators(profile.model, points);
  }
  AddCommunication(profile.model, table.steps);
  table.forward_operator = points.forward_operator;
  table.backward_operator = points.backward_operator;
  return table;
}

std::vector<StepCommunication> FindCommunication(const Profile& profile, const StepTable& table,
                                                 const Step& step) {
  std::vector<StepCommunication> found;
  if (table.source == StepSource::kRecorded) {
    for (const StepRecord& record : profile.steps) {
      if (record.number != step.number || record.start != step.start) continue;
      for (const auto& one : record.communication)
        found.push_back({one.name, "", one.start, one.end});
    }
  } else {
    const Model& model = profile.model;
    for (std::size_t i = 0; i < model.spans.size(); ++i) {
      const std::int64_t start = model.spans.start[i];
      if (model.spans.kind[i] != SpanKind::kCommunication || start < step.start ||
          start >= step.end)
        continue;
      const Lane& lane = model.lane_of(i);
      const NameId name = lane.thread_name != kNoName ? lane.thread_name : lane.thread;
      found.push_back({std::string(model.names[model.spans.name[i]]),
                       std::string(model.names[name]), start, model.spans.end(i)});
    }
  }
  std::stable_sort(
      found.begin(), found.end(),
      [](const StepCommunication& a, const StepCommunication& b) { return a.start < b.start; });
  return found;
}

StepMean Mean(const std::vector<Step>& steps, bool without_first) {
  StepMean mean;
  const std::size_t first = without_first && steps.size() > 1 ? 1 : 0;
  if (steps.empty()) return mean;
  for (std::size_t i = first; i < steps.size(); ++i) {
    mean.total += static_cast<double>(steps[i].total());
    mean.gap += static_cast<double>(steps[i].gap);
    mean.work += static_cast<double>(steps[i].work);
    mean.tail += static_cast<double>(steps[i].tail);
    mean.communication += static_cast<double>(steps[i].communication);
  }
  const auto count = static_cast<double>(steps.size() - first);
  for (double* part : {&mean.total, &mean.gap, &mean.work, &mean.tail, &mean.communication})
    *part /= count;
  return mean;
}

}  // namespace sightline::profiler
