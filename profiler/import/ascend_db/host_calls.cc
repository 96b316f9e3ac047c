#include "sightline/profiler/import/ascend_db/host_calls.h"

#include <array>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/profiler/import/source/span_kind.h"

namespace sightline::profiler {
namespace {

// ENUM_API_TYPE, whose numbers are the same in all databases.
constexpr std::int64_t kQueueCall = 50002;
constexpr std::int64_t kTraceCall = 50003;
constexpr std::int64_t kMarkCall = 50004;
constexpr std::int64_t kCannSort = 7;
constexpr std::int64_t kMarksSort = 6;
constexpr std::size_t kMaxStack = 256;  // Frames.

// A thread's number has that of its process in the upper half.
struct Thread {
  explicit Thread(std::int64_t global)
      : process(std::to_string(static_cast<std::uint64_t>(global) >> 32U)),
        thread(std::to_string(static_cast<std::uint64_t>(global) & 0xffffffffU)) {}
  std::string process, thread;
};

// The lanes of one process name, by the thread's number.
class ThreadLanes {
 public:
  // `kind`: "CANN", whose lanes are apart from those of the process itself; empty for that.
  ThreadLanes(ModelBuilder& builder, std::string_view kind, std::int64_t sort)
      : builder_(builder), kind_(kind), sort_(sort) {}

  LaneId Find(std::int64_t global) {
    const auto [found, added] = lanes_.try_emplace(global);
    if (!added) return found->second;
    const Thread thread(global);
    const bool own = kind_.empty();
    const std::string process = own ? thread.process : std::string(kind_) + ' ' + thread.process;
    found->second = NamedLane(builder_, process, own ? "Python" : kind_, sort_, thread.thread,
                              "Thread " + thread.thread);
    builder_.LabelProcess(process, "CPU");
    return found->second;
  }

 private:
  ModelBuilder& builder_;
  std::string_view kind_;
  std::int64_t sort_;
  std::unordered_map<std::int64_t, LaneId> lanes_;
};

// PYTORCH_CALLCHAINS: the stack of each number as one text, the innermost frame first.
class CallStacks {
 public:
  Status Read(DatabaseTarget& target) {
    struct Frame {
      std::int64_t stack = 0;
      std::int64_t depth = 0;
      NameId name = kNoName;
    };
    ColumnVector<Frame> frames;
    Status status = target.file.Scan(
        "PYTORCH_CALLCHAINS", {"id", "stack", "stackDepth"}, [&](const SqliteRow& row) {
          const auto stack = row.Integer(0);
          const NameId name = target.names.Find(row.Integer(1));
          if (!stack || name == kNoName) {
            return target.builder.NotUnderstand("a row of PYTORCH_CALLCHAINS without id and stack",
                                                row.Text(0));
          }
          frames.push_back({*stack, row.Integer(2).value_or(0), name});
          target.builder.CountEvent();
        });
    std::stable_sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) {
      return std::pair(a.stack, a.depth) < std::pair(b.stack, b.depth);
    });
    for (std::size_t at = 0; at < frames.size();) {
      const std::int64_t stack = frames[at].stack;
      std::string text;
      for (std::size_t depth = 0; at < frames.size() && frames[at].stack == stack; ++at, ++depth) {
        if (depth >= kMaxStack) continue;
        if (depth > 0) text += ";\n";
        text += target.builder.Name(frames[at].name);
      }
      texts_.emplace(stack, target.builder.Intern(text));
    }
    return status;
  }

  NameId Find(std::optional<std::int64_t> stack) const {
    const auto found = stack ? texts_.find(*stack) : texts_.end();
    return found != texts_.end() ? found->second : kNoName;
  }

 private:
  std::unordered_map<std::int64_t, NameId> texts_;
};

class HostReader {
 public:
  explicit HostReader(DatabaseTarget& target)
      : target_(target), builder_(target.builder), python_(builder_, "", 0) {}

  Status Read() {
    Status status = stacks_.Read(target_);
    KeepFirst(status, ReadPyTorch());
    KeepFirst(status, ReadCann());
    KeepFirst(status, ReadMarks());
    KeepFirst(status, ReadThreads("OSRT_API", "OS runtime"));
    KeepFirst(status, ReadThreads("GC_RECORD", "Garbage collection"));
    KeepFirst(status, ReadSteps());
    AddBackwardFlows();
    return status;
  }

 private:
  Status ReadPyTorch() {
    return target_.file.Scan("PYTORCH_API",
                             {"startNs", "endNs", "globalTid", "connectionId", "name", "type",
                              "inputShapes", "inputDtypes", "callchainId"},
                             [&](const SqliteRow& row) { AddPyTorch(row); });
  }

  void AddPyTorch(const SqliteRow& row) {
    const auto times = TimesIn(row, 0, 1);
    const auto thread = row.Integer(2);
    if (!times || !thread) {
      return builder_.NotUnderstand("a row of PYTORCH_API without start, end and thread",
                                    row.Text(0));
    }
    const NameId name = target_.names.Find(row.Integer(4));
    const std::int64_t type = row.Integer(5).value_or(0);
    const LaneId lane = python_.Find(*thread);
    NewSpan span{.start = times->start,
                 .duration = times->duration,
                 .name = name,
                 .category = Category(type),
                 .lane = lane};
    span.kind = ClassifySpan(builder_.Name(span.category), builder_.Name(name));
    if (span.kind == SpanKind::kStep) has_steps_ = true;
    // It starts a communication, which the device executes.
    if (span.kind == SpanKind::kCommunication) span.kind = SpanKind::kOperator;
    span.detail = PyTorchDetail(row);
    builder_.AddSpan(span);
    builder_.CountEvent();
    AddCallFlows(row.Integer(3), type, builder_.Name(name), times->start, lane);
  }

  NameId Category(std::int64_t type) {
    switch (type) {
      case kQueueCall:
        return builder_.Intern("queue_task");
      case kTraceCall:
        return builder_.Intern("python_function");
      case kMarkCall:
        return builder_.Intern("user_annotation");
      default:
        return builder_.Intern("cpu_op");
    }
  }

  // Calls repeat a few combinations of shapes, types and stacks.
  NameId PyTorchDetail(const SqliteRow& row) {
    const Detail detail = {target_.names.Find(row.Integer(6)), target_.names.Find(row.Integer(7)),
                           stacks_.Find(row.Integer(8))};
    const auto [found, added] = details_.try_emplace(detail, kNoName);
    if (added) found->second = DetailText(detail);
    return found->second;
  }

  using Detail = std::array<NameId, 3>;

  NameId DetailText(const Detail& detail) {
    constexpr std::array<std::string_view, 3> kKeys = {"Input Dims", "Input type", "Call stack"};
    std::string json;
    for (std::size_t i = 0; i < kKeys.size(); ++i) {
      if (detail[i] != kNoName) AddMember(kKeys[i], builder_.Name(detail[i]), false, json);
    }
    return json.empty() ? kNoName : builder_.Intern(json + '}');
  }

  void AddCallFlows(std::optional<std::int64_t> call, std::int64_t type, std::string_view name,
                    std::int64_t time, LaneId lane) {
    if (!call) return;
    const auto& of_calls = target_.connections.of_calls;
    const auto [first, last] =
        std::equal_range(of_calls.begin(), of_calls.end(), Connections::Call{.call = *call});
    for (auto it = first; it != last; ++it) {
      if (type == kQueueCall) {
        const bool enters = name.starts_with("Enqueue");
        AddFlow(builder_, "async_task_queue", it->connection, time, lane,
                enters ? FlowPhase::kStart : FlowPhase::kEnd);
      } else if (Contains(target_.connections.to_device, it->connection)) {
        AddFlow(builder_, "async_npu", it->connection, time, lane, FlowPhase::kStart);
      } else {
        between_calls_.push_back({it->connection, time, lane});
      }
    }
  }

  // Two operators with the same connection, and nothing on the device: an operator of the forward
  // pass, and that of its gradient.
  void AddBackwardFlows() {
    std::sort(between_calls_.begin(), between_calls_.end(), [](const Point& a, const Point& b) {
      return std::pair(a.connection, a.time) < std::pair(b.connection, b.time);
    });
    for (std::size_t i = 0; i < between_calls_.size(); ++i) {
      const Point& point = between_calls_[i];
      const auto same = [&](std::size_t other) {
        return other < between_calls_.size() &&
               between_calls_[other].connection == point.connection;
      };
      const bool has_before = i > 0 && same(i - 1);
      if (!has_before && !same(i + 1)) continue;
      AddFlow(builder_, "fwdbwd", point.connection, point.time, point.lane,
              has_before ? FlowPhase::kEnd : FlowPhase::kStart);
    }
  }

  Status ReadCann() {
    EnumNames levels;
    Status status = levels.Read(target_.file, "ENUM_API_TYPE");
    ThreadLanes lanes(builder_, "CANN", kCannSort);
    std::unordered_map<std::int64_t, std::string> before;  // "AscendCL@", by the level's number.
    KeepFirst(status,
              target_.file.Scan(
                  "CANN_API", {"startNs", "endNs", "globalTid", "type", "name", "connectionId"},
                  [&](const SqliteRow& row) {
                    const auto times = TimesIn(row, 0, 1);
                    const auto thread = row.Integer(2);
                    if (!times || !thread) {
                      return builder_.NotUnderstand(
                          "a row of CANN_API without start, end and thread", row.Text(0));
                    }
                    const auto level = row.Integer(3);
                    auto [start, added] = before.try_emplace(level.value_or(0));
                    if (added) start->second = LevelName(levels.Find(level));
                    const LaneId lane = lanes.Find(*thread);
                    const std::string_view name = builder_.Name(target_.names.Find(row.Integer(4)));
                    builder_.AddSpan({.start = times->start,
                                      .duration = times->duration,
                                      .name = builder_.Intern(start->second + std::string(name)),
                                      .lane = lane,
                                      .kind = SpanKind::kRuntime});
                    builder_.CountEvent();
                    AddDeviceFlow(row.Integer(5), times->start, lane);
                  }));
    return status;
  }

  // As msprof writes the levels before the names in its traces.
  static std::string LevelName(const std::string& level) {
    if (level.empty()) return {};
    if (level == "acl") return "AscendCL@";
    std::string name = level + '@';
    if (name.front() >= 'a' && name.front() <= 'z') name.front() -= 'a' - 'A';
    return name;
  }

  Status ReadMarks() {
    ThreadLanes lanes(builder_, "MSTX", kMarksSort);
    return target_.file.Scan(
        "MSTX_EVENTS", {"startNs", "endNs", "globalTid", "message", "domainId", "connectionId"},
        [&](const SqliteRow& row) {
          const auto times = TimesIn(row, 0, 1);
          const auto thread = row.Integer(2);
          if (!times || !thread) {
            return builder_.NotUnderstand("a row of MSTX_EVENTS without start, end and thread",
                                          row.Text(0));
          }
          builder_.CountEvent();
          const LaneId lane = lanes.Find(*thread);
          const NameId name = target_.names.Find(row.Integer(3));
          AddDeviceFlow(row.Integer(5), times->start, lane);
          if (times->duration == 0)
            return builder_.AddInstant({.time = times->start, .name = name, .lane = lane});
          builder_.AddSpan({.start = times->start,
                            .duration = times->duration,
                            .name = name,
                            .category = target_.names.Find(row.Integer(4)),
                            .lane = lane,
                            .kind = SpanKind::kAnnotation});
        });
  }

  // Other calls of threads: a name may be missing.
  Status ReadThreads(std::string_view table, std::string_view what) {
    ThreadLanes lanes(builder_, what, kMarksSort);
    return target_.file.Scan(
        table, {"startNs", "endNs", "globalTid", "name"}, [&](const SqliteRow& row) {
          const auto times = TimesIn(row, 0, 1);
          if (!times) {
            return builder_.NotUnderstand(
                "a row of " + std::string(table) + " without start and end", row.Text(0));
          }
          const NameId name = target_.names.Find(row.Integer(3));
          builder_.AddSpan({.start = times->start,
                            .duration = times->duration,
                            .name = name != kNoName ? name : builder_.Intern(what),
                            .lane = lanes.Find(row.Integer(2).value_or(0)),
                            .kind = SpanKind::kRuntime});
          builder_.CountEvent();
        });
  }

  // The steps, if the calls do not mark them.
  Status ReadSteps() {
    return target_.file.Scan("STEP_TIME", {"id", "startNs", "endNs"}, [&](const SqliteRow& row) {
      const auto number = row.Integer(0);
      const auto times = TimesIn(row, 1, 2);
      if (!number || !times)
        return builder_.NotUnderstand("a row of STEP_TIME without id, start and end", row.Text(0));
      builder_.CountEvent();
      if (has_steps_) return;
      const LaneId lane = NamedLane(builder_, "Steps", "Steps", 0, "Steps", "Steps");
      builder_.lane(lane).kind = LaneKind::kStep;
      builder_.AddSpan({.start = times->start,
                        .duration = times->duration,
                        .name = builder_.Intern("ProfilerStep#" + std::to_string(*number)),
                        .lane = lane,
                        .kind = SpanKind::kStep});
    });
  }

  // The start of an arrow to what the call started on the device.
  void AddDeviceFlow(std::optional<std::int64_t> connection, std::int64_t time, LaneId lane) {
    if (connection && Contains(target_.connections.to_device, *connection))
      AddFlow(builder_, "HostToDevice", *connection, time, lane, FlowPhase::kStart);
  }

  struct Point {
    std::int64_t connection = 0;
    std::int64_t time = 0;
    LaneId lane{};
  };

  DatabaseTarget& target_;
  ModelBuilder& builder_;
  ThreadLanes python_;
  CallStacks stacks_;
  std::map<Detail, NameId> details_;
  ColumnVector<Point> between_calls_;
  bool has_steps_ = false;
};

}  // namespace

Status ReadConnections(DatabaseTarget& target) {
  Connections& connections = target.connections;
  Status status =
      target.file.Scan("CONNECTION_IDS", {"id", "connectionId"}, [&](const SqliteRow& row) {
        const auto call = row.Integer(0);
        const auto connection = row.Integer(1);
        if (!call || !connection) {
          return target.builder.NotUnderstand("a row of CONNECTION_IDS without id and connectionId",
                                              row.Text(0));
        }
        connections.of_calls.push_back({*call, *connection});
        connections.from_calls.push_back(*connection);
        target.builder.CountEvent();
      });
  std::stable_sort(connections.of_calls.begin(), connections.of_calls.end());
  Order(connections.from_calls);
  return status;
}

Status ReadHostCalls(DatabaseTarget& target) { return HostReader(target).Read(); }

}  // namespace sightline::profiler
