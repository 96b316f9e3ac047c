#include "sightline/profiler/analysis/operators.h"

#include <algorithm>
#include <limits>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/device/launches.h"

namespace sightline::profiler {
namespace {

// Sums by name or type. Find is called for each of millions of spans, so it only reads a vector.
class Sums {
 public:
  Sums(const NamePool& names, OperatorGrouping grouping)
      : names_(names), grouping_(grouping), first_(names.size(), kNone) {}

  std::size_t Find(NameId name, NameId type, bool of_device) {
    const bool by_name = grouping_ == OperatorGrouping::kByName;
    std::size_t& first = first_[static_cast<std::uint32_t>(by_name ? name : type)];
    if (first == kNone) first = Add(by_name ? name : kNoName, type, of_device);
    if (rows[first].of_device == of_device && (!by_name || types_[first] == type)) return first;
    // One name with several types, or on both sides.
    const auto [found, added] =
        others_.try_emplace({by_name ? name : kNoName, type, of_device}, rows.size());
    if (added) Add(by_name ? name : kNoName, type, of_device);
    return found->second;
  }

  std::vector<OperatorRow> rows;

 private:
  static constexpr std::size_t kNone = ~std::size_t{0};

  std::size_t Add(NameId name, NameId type, bool of_device) {
    rows.emplace_back();
    rows.back().of_device = of_device;
    rows.back().name = names_[name];
    rows.back().type = names_[type];
    types_.push_back(type);
    return rows.size() - 1;
  }

  const NamePool& names_;
  OperatorGrouping grouping_;
  std::vector<std::size_t> first_;
  std::vector<NameId> types_;
  std::map<std::tuple<NameId, NameId, bool>, std::size_t> others_;
};

// Floating-point operations of one execution, from its span or else from the source's table.
class Flops {
 public:
  explicit Flops(const Profile& profile)
      : names_(profile.model.names), in_detail_(names_.size(), kUnknown) {
    if (profile.flops.empty()) return;
    of_name_.assign(names_.size(), 0);
    for (const OperatorFlops& one : profile.flops)
      of_name_[static_cast<std::uint32_t>(one.name)] = one.flops;
  }

  double Find(NameId name, NameId detail) {
    if (detail != kNoName) {
      double& known = in_detail_[static_cast<std::uint32_t>(detail)];
      if (known == kUnknown) known = FlopsIn(names_[detail]);
      if (known > 0) return known;
    }
    return of_name_.empty() ? 0 : of_name_[static_cast<std::uint32_t>(name)];
  }

 private:
  static constexpr double kUnknown = -1;

  // The number in {"flops": 512}; 0 if the member is missing or not such a number.
  static double FlopsIn(std::string_view detail) {
    for (const std::string_view key : {"\"flops\"", "\"FLOPs\""}) {
      std::size_t at = detail.find(key);
      if (at == std::string_view::npos) continue;
      at = detail.find_first_not_of(" \t:\"", at + key.size());
      if (at == std::string_view::npos) continue;
      std::string_view number = detail.substr(at);
      const double flops = TakeNumber<double>(number).value_or(0);
      if (flops > 0 && flops < 1e30) return flops;
    }
    return 0;
  }

  const NamePool& names_;
  std::vector<double> in_detail_;
  std::vector<double> of_name_;
};

bool Executes(SpanKind kind) {
  return kind == SpanKind::kOperator || kind == SpanKind::kKernel ||
         kind == SpanKind::kCommunication;
}

// For traces whose writer marks no span as an operator.
bool MayBeOperator(SpanKind kind) {
  return kind == SpanKind::kOther || kind == SpanKind::kRuntime || kind == SpanKind::kAnnotation;
}

// A task of a device, by the call that launched it.
struct Launched {
  LaneId lane{};  // Of the call.
  std::int64_t start = 0;
  std::int64_t duration = 0;  // Of the task.
};

// The tasks of the devices whose launches are recorded, by the lanes and times of these.
class LaunchedTasks {
 public:
  LaunchedTasks(const Model& model, const Launches& launches) {
    if (launches.empty()) return;
    for (const Lane& lane : model.lanes) {
      if (lane.kind != LaneKind::kStream) continue;
      for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
        MemoryLimit::Keep(i);
        if (!Executes(model.spans.kind[i])) continue;
        const std::int64_t duration = model.spans.duration[i];
        if (const Launches::Call* call = launches.Of(i)) {
          tasks_.push_back({call->lane, call->start, duration});
        } else {
          unlaunched_ = AddTimes(unlaunched_, duration);
        }
      }
    }
    std::sort(tasks_.begin(), tasks_.end(), [](const Launched& a, const Launched& b) {
      return std::tie(a.lane, a.start) < std::tie(b.lane, b.start);
    });
  }

  std::span<const Launched> Of(LaneId lane) const {
    const auto [from, to] =
        std::equal_range(tasks_.begin(), tasks_.end(), Launched{.lane = lane},
                         [](const Launched& a, const Launched& b) { return a.lane < b.lane; });
    return {from, to};
  }
  std::int64_t unlaunched() const { return unlaunched_; }

 private:
  ColumnVector<Launched> tasks_;
  std::int64_t unlaunched_ = 0;
};

// The operators of one lane. The time of a span within another is subtracted from the outer one's
// self time.
//
// PyTorch's overloads call each other under one name: mean() is an aten::mean within which another
// aten::mean runs. If nothing else runs within it, both are one execution, as in PyTorch's own
// table.
class LaneSums {
 public:
  LaneSums(Sums& sums, Flops& flops) : sums_(sums), flops_(flops) {}

  // `tasks`: those that the lane's calls launched.
  void BeginLane(std::span<const Launched> tasks) { tasks_ = tasks; }

  void Add(const Spans& spans, std::size_t i, bool of_device) {
    MemoryLimit::Keep(i);
    const std::int64_t start = spans.start[i];
    const std::int64_t end = spans.end(i);
    AddTasksBefore(start);
    while (!open_.empty() && open_.back().end <= start) CloseInnermost();
    const NameId type = spans.type[i] == kNoName ? spans.name[i] : spans.type[i];
    const Execution one = {.row = sums_.Find(spans.name[i], type, of_device),
                           .time = end - start,
                           .flops = flops_.Find(spans.name[i], spans.detail[i])};
    OperatorRow& sum = sums_.rows[one.row];
    ++sum.count;
    sum.total = AddTimes(sum.total, one.time);
    sum.self = AddTimes(sum.self, one.time);
    sum.flops += one.flops;
    if (!open_.empty()) {
      Open& outer = open_.back();
      sums_.rows[outer.own.row].self -= std::min(end, outer.end) - start;
      nested_ = true;
      ++outer.inner_count;
      outer.inner = one;
      outer.forwards =
          spans.kind[i] == SpanKind::kOperator && spans.name[i] == outer.name && end <= outer.end;
    }
    open_.push_back({.name = spans.name[i], .end = end, .own = one});
  }
  void CloseLane() {
    AddTasksBefore(std::numeric_limits<std::int64_t>::max());
    while (!open_.empty()) CloseInnermost();
  }
  bool nested() const { return nested_; }
  // The time of tasks that were launched outside of all operators.
  std::int64_t outside() const { return outside_; }

 private:
  struct Execution {
    std::size_t row = 0;
    std::int64_t time = 0;
    double flops = 0;
  };
  struct Open {
    NameId name;
    std::int64_t end;
    Execution own;
    std::size_t inner_count = 0;  // Spans directly within it.
    Execution inner = {};         // The last of these.
    bool forwards = false;        // It has the same name.
  };

  // Adds the tasks that were launched before then to the operators that were open.
  void AddTasksBefore(std::int64_t time) {
    for (; !tasks_.empty() && tasks_.front().start < time; tasks_ = tasks_.subspan(1)) {
      const Launched& task = tasks_.front();
      while (!open_.empty() && open_.back().end <= task.start) CloseInnermost();
      if (open_.empty()) {
        outside_ = AddTimes(outside_, task.duration);
        continue;
      }
      OperatorRow& innermost = sums_.rows[open_.back().own.row];
      innermost.device_self = AddTimes(innermost.device_self, task.duration);
      for (std::size_t i = 0; i < open_.size(); ++i) {
        // An operator within another of its row has the task once.
        const std::size_t row = open_[i].own.row;
        const bool has_it =
            std::any_of(open_.begin(), open_.begin() + static_cast<std::ptrdiff_t>(i),
                        [&](const Open& outer) { return outer.own.row == row; });
        if (!has_it) sums_.rows[row].device = AddTimes(sums_.rows[row].device, task.duration);
      }
    }
  }

  void CloseInnermost() {
    const Open& done = open_.back();
    if (done.inner_count == 1 && done.forwards) {
      OperatorRow& sum = sums_.rows[done.inner.row];
      --sum.count;
      sum.total -= done.inner.time;
      sum.flops -= std::min(done.own.flops, done.inner.flops);
    }
    open_.pop_back();
  }

  Sums& sums_;
  Flops& flops_;
  std::vector<Open> open_;
  bool nested_ = false;
  std::span<const Launched> tasks_;  // Of the lane, those that are left.
  std::int64_t outside_ = 0;
};

OperatorTable FromTrace(const Profile& profile, OperatorGrouping grouping) {
  const Model& model = profile.model;
  OperatorTable table;
  table.source = OperatorSource::kTrace;
  const auto& kinds = model.spans.kind;
  table.inferred = std::none_of(kinds.begin(), kinds.end(), Executes);
  Sums sums(model.names, grouping);
  Flops flops(profile);
  LaneSums lane_sums(sums, flops);
  const Launches launches(model);
  const LaunchedTasks tasks(model, launches);
  for (const Lane& lane : model.lanes) {
    const auto id = static_cast<LaneId>(&lane - model.lanes.data());
    if (lane.kind != LaneKind::kStream) lane_sums.BeginLane(tasks.Of(id));
    for (std::size_t i = lane.first; i < lane.first + lane.count; ++i) {
      if (table.inferred ? MayBeOperator(kinds[i]) : Executes(kinds[i]))
        lane_sums.Add(model.spans, i, lane.kind == LaneKind::kStream);
    }
    lane_sums.CloseLane();
  }
  table.nested = lane_sums.nested();
  table.has_launches = !launches.empty();
  table.device_unlaunched = AddTimes(tasks.unlaunched(), lane_sums.outside());
  table.rows = std::move(sums.rows);
  return table;
}

void Finish(OperatorTable& table) {
  const auto of_device = [](const OperatorRow& row) { return row.of_device; };
  const bool has_both = std::any_of(table.rows.begin(), table.rows.end(), of_device) &&
                        !std::all_of(table.rows.begin(), table.rows.end(), of_device);
  const auto total_of = [&](const OperatorRow& row) -> std::int64_t& {
    return has_both && row.of_device ? table.device_total : table.total;
  };
  for (const OperatorRow& row : table.rows) {
    total_of(row) = AddTimes(total_of(row), row.total);
    (has_both && row.of_device ? table.device_count : table.count) += row.count;
  }
  for (OperatorRow& row : table.rows) {
    if (total_of(row) > 0)
      row.share = static_cast<double>(row.total) / static_cast<double>(total_of(row));
  }
  std::sort(table.rows.begin(), table.rows.end(), [](const OperatorRow& a, const OperatorRow& b) {
    if (a.total != b.total) return a.total > b.total;
    if (a.name != b.name) return a.name < b.name;
    if (a.type != b.type) return a.type < b.type;
    return a.of_device < b.of_device;
  });
}

OperatorTable FromList(const Profile& profile, OperatorGrouping grouping) {
  OperatorTable table;
  table.source = profile.operator_source;
  Sums sums(profile.model.names, grouping);
  Flops flops(profile);
  for (const ListedOperator& listed : profile.operators) {
    OperatorRow& row = sums.rows[sums.Find(listed.name, listed.type, false)];
    row.count += listed.count;
    row.total = AddTimes(row.total, listed.total);
    row.self = row.total;
    row.flops += flops.Find(listed.name, kNoName) * static_cast<double>(listed.count);
    if (grouping == OperatorGrouping::kByName) row.shapes = profile.model.names[listed.shapes];
  }
  table.rows = std::move(sums.rows);
  return table;
}

}  // namespace

OperatorTable AnalyzeOperators(const Profile& profile, OperatorGrouping grouping) {
  OperatorTable table;
  const bool listed = !profile.operators.empty();
  if (listed && profile.operator_source != OperatorSource::kCsv) {
    table = FromList(profile, grouping);
  } else {
    table = FromTrace(profile, grouping);
    if (listed && (table.rows.empty() || table.inferred)) table = FromList(profile, grouping);
  }
  Finish(table);
  return table;
}

OperatorTable OfDevice(OperatorTable table) {
  if (!table.has_both()) return table;
  std::erase_if(table.rows, [](const OperatorRow& row) { return !row.of_device; });
  table.total = std::exchange(table.device_total, 0);
  table.count = std::exchange(table.device_count, 0);
  table.nested = false;
  return table;
}

OperatorTable Matching(OperatorTable table, std::string_view text) {
  const std::string wanted = LowerCase(text);
  std::erase_if(table.rows, [&](const OperatorRow& row) {
    return !ContainsIgnoringCase(row.name, wanted) && !ContainsIgnoringCase(row.type, wanted);
  });
  return table;
}

}  // namespace sightline::profiler
