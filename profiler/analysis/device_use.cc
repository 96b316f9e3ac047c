#include "sightline/profiler/analysis/device_use.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace sightline::profiler {
namespace {

struct Interval {
  std::int64_t from = 0;
  std::int64_t to = 0;
};
using Intervals = ColumnVector<Interval>;

// Sorted, with intervals that overlap or touch merged into one.
void Merge(Intervals& intervals) {
  std::sort(intervals.begin(), intervals.end(),
            [](const Interval& a, const Interval& b) { return a.from < b.from; });
  std::size_t last = 0;
  for (std::size_t i = 1; i < intervals.size(); ++i) {
    if (intervals[i].from <= intervals[last].to) {
      intervals[last].to = std::max(intervals[last].to, intervals[i].to);
    } else {
      intervals[++last] = intervals[i];
    }
  }
  if (!intervals.empty()) intervals.resize(last + 1);
}

// The intersection of two merged lists, or the first without the second.
Intervals Combine(const Intervals& first, const Intervals& second, bool in_both) {
  Intervals result;
  std::size_t at = 0;
  for (const Interval& one : first) {
    while (at < second.size() && second[at].to <= one.from) ++at;
    std::int64_t from = one.from;
    for (std::size_t i = at; i < second.size() && second[i].from < one.to; ++i) {
      const Interval both = {std::max(one.from, second[i].from), std::min(one.to, second[i].to)};
      if (in_both) result.push_back(both);
      if (!in_both && both.from > from) result.push_back({from, both.from});
      from = both.to;
    }
    if (!in_both && from < one.to) result.push_back({from, one.to});
  }
  return result;
}

// How much of [0, t) the merged intervals cover, for any t.
class Cover {
 public:
  explicit Cover(Intervals intervals) : intervals_(std::move(intervals)) {
    before_.reserve(intervals_.size() + 1);
    before_.push_back(0);
    for (const Interval& one : intervals_) before_.push_back(before_.back() + one.to - one.from);
  }

  std::int64_t Within(std::int64_t from, std::int64_t to) const { return Until(to) - Until(from); }
  std::int64_t all() const { return before_.back(); }

 private:
  std::int64_t Until(std::int64_t time) const {
    const auto behind = std::partition_point(intervals_.begin(), intervals_.end(),
                                             [&](const Interval& one) { return one.to <= time; });
    const auto index = static_cast<std::size_t>(behind - intervals_.begin());
    const bool within = behind != intervals_.end() && behind->from < time;
    return before_[index] + (within ? time - behind->from : 0);
  }

  Intervals intervals_;
  ColumnVector<std::int64_t> before_;
};

bool Has(const Model& model, SpanKind kind) {
  return std::find(model.spans.kind.begin(), model.spans.kind.end(), kind) !=
         model.spans.kind.end();
}

// The spans that compute: those nearest to the hardware that the profile has.
enum class Computing : std::uint8_t { kKernels, kOperators, kSpans };

Computing FindComputing(const Model& model) {
  if (Has(model, SpanKind::kKernel)) return Computing::kKernels;
  return Has(model, SpanKind::kOperator) ? Computing::kOperators : Computing::kSpans;
}

bool Computes(Computing computing, SpanKind kind) {
  switch (computing) {
    case Computing::kKernels:
      return kind == SpanKind::kKernel;
    case Computing::kOperators:
      return kind == SpanKind::kOperator;
    case Computing::kSpans:
      return kind == SpanKind::kOther || kind == SpanKind::kAnnotation;
  }
  return false;
}

// Adds the computing and communication of a lane.
void AddLane(const Model& model, const Lane& lane, Computing computing, Intervals& computes,
             Intervals& communicates) {
  Intervals work;
  Intervals interrupted;
  for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
    MemoryLimit::Keep(i);
    const Interval span = {model.spans.start[i], model.spans.end(i)};
    if (span.to <= span.from) continue;
    const SpanKind kind = model.spans.kind[i];
    if (kind == SpanKind::kCommunication) communicates.push_back(span);
    if (kind == SpanKind::kCommunication || kind == SpanKind::kDataWait) {
      interrupted.push_back(span);
    } else if (Computes(computing, kind)) {
      work.push_back(span);
    }
  }
  Merge(work);
  Merge(interrupted);
  const Intervals left = Combine(work, interrupted, false);
  computes.insert(computes.end(), left.begin(), left.end());
}

DeviceUseTable FromTrace(const Model& model, const StepTable& steps) {
  const Computing computing = FindComputing(model);
  Intervals computes;
  Intervals communicates;
  for (const Lane& lane : model.lanes) AddLane(model, lane, computing, computes, communicates);
  DeviceUseTable table;
  if (computes.empty() && communicates.empty()) return table;
  Merge(computes);
  Merge(communicates);
  const Cover both(Combine(computes, communicates, true));
  const Cover computing_cover(std::move(computes));
  const Cover communication_cover(std::move(communicates));
  const auto use_of = [&](std::int64_t from, std::int64_t to) {
    DeviceUse use;
    use.total = to - from;
    use.computing = computing_cover.Within(from, to);
    use.communication = communication_cover.Within(from, to);
    use.communication_alone = use.communication - both.Within(from, to);
    use.idle = use.total - use.computing - use.communication_alone;
    return use;
  };
  const TimeRange extent = Extent(model);
  table.known = true;
  table.all = use_of(extent.from, extent.to);
  // A recorded step trace has a clock of its own.
  if (steps.source == StepSource::kRecorded) return table;
  for (const Step& step : steps.steps) table.steps.push_back(use_of(step.start, step.end));
  return table;
}

DeviceUse UseFromTable(const DeviceStep& row) {
  DeviceUse use;
  use.computing = row.computing;
  use.communication = row.communication;
  use.communication_alone = row.communication_alone;
  use.idle = row.idle;
  use.total = AddTimes(AddTimes(use.computing, use.communication_alone), use.idle);
  return use;
}

void Add(DeviceUse& sum, const DeviceUse& use) {
  sum.total = AddTimes(sum.total, use.total);
  sum.computing = AddTimes(sum.computing, use.computing);
  sum.communication = AddTimes(sum.communication, use.communication);
  sum.communication_alone = AddTimes(sum.communication_alone, use.communication_alone);
  sum.idle = AddTimes(sum.idle, use.idle);
}

DeviceUseTable FromRows(const Profile& profile, const StepTable& steps) {
  DeviceUseTable table;
  table.listed = table.known = true;
  const std::vector<DeviceStep>& rows = profile.device_steps;
  const bool has_idle =
      std::any_of(rows.begin(), rows.end(), [](const DeviceStep& row) { return row.idle > 0; });
  for (const Step& step : steps.steps) {
    const auto row = std::find_if(rows.begin(), rows.end(),
                                  [&](const DeviceStep& one) { return one.number == step.number; });
    if (row == rows.end()) {
      table.steps.clear();
      break;
    }
    DeviceUse use = UseFromTable(*row);
    if (!has_idle && use.total < step.total()) {
      use.idle = step.total() - use.total;
      use.total = step.total();
    }
    table.steps.push_back(use);
  }
  // Without idle time in the table, only the steps tell how long it was.
  if (!has_idle && table.steps.size() == rows.size()) {
    for (const DeviceUse& use : table.steps) Add(table.all, use);
  } else {
    for (const DeviceStep& row : rows) Add(table.all, UseFromTable(row));
  }
  return table;
}

}  // namespace

DeviceUseTable MeasureDeviceUse(const Profile& profile, const StepTable& steps) {
  DeviceUseTable table = FromTrace(profile.model, steps);
  const bool in_trace = table.known && (table.steps.size() == steps.steps.size());
  if (in_trace || profile.device_steps.empty()) return table;
  return FromRows(profile, steps);
}

}  // namespace sightline::profiler
