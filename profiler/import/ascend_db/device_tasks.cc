#include "sightline/profiler/import/ascend_db/device_tasks.h"

#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

namespace sightline::profiler {
namespace {

// The place of each process in a viewer, as torch_npu's traces have it.
constexpr std::int64_t kHardwareSort = 13;
constexpr std::int64_t kCommunicationSort = 15;
constexpr std::int64_t kNoRank = 4294967295;  // As in the files: -1 in 32 bits.

// What a table says of a task.
struct TaskInfo {
  std::int64_t task = 0;
  NameId name = kNoName;
  NameId type = kNoName;
  NameId shapes = kNoName;
  NameId detail = kNoName;
  LaneId plane{};
  // Of a kernel, also what its executions showed.
  NameId core = kNoName;
  std::int64_t blocks = 0;
  std::size_t kind = KernelList::kLeftOut;
  std::int64_t duration = 0;

  bool operator<(const TaskInfo& other) const { return task < other.task; }
};

class TaskInfos {
 public:
  void Add(const TaskInfo& info) { infos_.push_back(info); }
  void Order() {
    if (!std::is_sorted(infos_.begin(), infos_.end()))
      std::stable_sort(infos_.begin(), infos_.end());
  }
  TaskInfo* Find(std::optional<std::int64_t> task) {
    if (!task) return nullptr;
    const auto found = std::lower_bound(infos_.begin(), infos_.end(), TaskInfo{.task = *task});
    return found != infos_.end() && found->task == *task ? &*found : nullptr;
  }
  std::uint64_t size() const { return infos_.size(); }

 private:
  ColumnVector<TaskInfo> infos_;
};

// AddMember, unless the source has no value.
void AddKnownMember(std::string_view key, std::string_view value, bool is_number,
                    std::string& json) {
  if (!value.empty() && value != "N/A") AddMember(key, value, is_number, json);
}

class DeviceReader {
 public:
  DeviceReader(DatabaseTarget& target, const DeviceParts& wanted, OperatorList& operators,
               KernelList& kernels)
      : target_(target),
        builder_(target.builder),
        wanted_(wanted),
        operators_(operators),
        kernels_(kernels) {}

  Status Read() {
    Status status = ReadComputing();
    if (wanted_.timeline) {
      KeepFirst(status, ReadSchedules());
      KeepFirst(status, ReadPlanes());
      KeepFirst(status, ReadCommunication());
    }
    KeepFirst(status, ReadTasks());
    if (wanted_.operators) KeepFirst(status, ReadUnits());
    NumberSet& ends = target_.connections.to_device;
    ends.insert(ends.end(), of_communication_.begin(), of_communication_.end());
    profiler::Order(ends);
    return status;
  }

 private:
  Status ReadComputing() {
    Status status = target_.file.Scan(
        "COMPUTE_TASK_INFO",
        {"globalTaskId", "name", "opType", "taskType", "blockDim", "inputShapes", "inputDataTypes",
         "inputFormats", "outputShapes", "outputDataTypes", "outputFormats"},
        [&](const SqliteRow& row) {
          const auto task = row.Integer(0);
          const NameId name = target_.names.Find(row.Integer(1));
          if (!task || name == kNoName) {
            return builder_.NotUnderstand("a row of COMPUTE_TASK_INFO without task and name",
                                          row.Text(1));
          }
          const auto text = [&](std::size_t column) {
            return builder_.Name(target_.names.Find(row.Integer(column)));
          };
          std::string detail;
          AddKnownMember("Task Type", text(3), false, detail);
          const auto blocks = row.Integer(4);
          if (blocks) AddKnownMember("Block Dim", std::to_string(*blocks), true, detail);
          AddKnownMember("Input Shapes", text(5), false, detail);
          AddKnownMember("Input Data Types", text(6), false, detail);
          AddKnownMember("Input Formats", text(7), false, detail);
          AddKnownMember("Output Shapes", text(8), false, detail);
          AddKnownMember("Output Data Types", text(9), false, detail);
          AddKnownMember("Output Formats", text(10), false, detail);
          const std::string_view shapes = text(5);
          computing_.Add({.task = *task,
                          .name = name,
                          .type = target_.names.Find(row.Integer(2)),
                          .shapes = shapes == "N/A" ? kNoName : builder_.Intern(shapes),
                          .detail = detail.empty() ? kNoName : builder_.Intern(detail + '}'),
                          .core = target_.names.Find(row.Integer(3)),
                          .blocks = blocks.value_or(0)});
        });
    computing_.Order();
    return status;
  }

  // The names of tasks of the AI CPU that communicate.
  Status ReadSchedules() {
    Status status = target_.file.Scan("COMMUNICATION_SCHEDULE_TASK_INFO", {"globalTaskId", "name"},
                                      [&](const SqliteRow& row) {
                                        if (const auto task = row.Integer(0))
                                          schedules_.Add({.task = *task, .name = Name(row, 1)});
                                      });
    schedules_.Order();
    return status;
  }

  Status ReadPlanes() {
    Status status = transports_.Read(target_.file, "ENUM_HCCL_TRANSPORT_TYPE");
    KeepFirst(status, links_.Read(target_.file, "ENUM_HCCL_LINK_TYPE"));
    KeepFirst(status, target_.file.Scan("COMMUNICATION_TASK_INFO",
                                        {"globalTaskId", "taskType", "groupName", "planeId",
                                         "srcRank", "dstRank", "transportType", "linkType", "size"},
                                        [&](const SqliteRow& row) { AddPlaneTask(row); }));
    planes_.Order();
    return status;
  }

  void AddPlaneTask(const SqliteRow& row) {
    const auto task = row.Integer(0);
    const auto plane = row.Integer(3);
    if (!task || !plane) {
      return builder_.NotUnderstand("a row of COMMUNICATION_TASK_INFO without task and plane",
                                    row.Text(0));
    }
    std::string detail;
    if (const auto rank = row.Integer(4); rank && *rank != kNoRank)
      AddKnownMember("src rank", std::to_string(*rank), true, detail);
    if (const auto rank = row.Integer(5); rank && *rank != kNoRank)
      AddKnownMember("dst rank", std::to_string(*rank), true, detail);
    AddKnownMember("transport type", transports_.Find(row.Integer(6)), false, detail);
    AddKnownMember("link type", links_.Find(row.Integer(7)), false, detail);
    if (const auto bytes = row.Integer(8))
      AddKnownMember("size(Byte)", std::to_string(*bytes), true, detail);
    planes_.Add({.task = *task,
                 .name = Name(row, 1),
                 .detail = detail.empty() ? kNoName : builder_.Intern(detail + '}'),
                 .plane = PlaneLane(Group(Name(row, 2)), *plane)});
  }

  Status ReadCommunication() {
    Status status = data_types_.Read(target_.file, "ENUM_HCCL_DATA_TYPE");
    KeepFirst(status, target_.file.Scan("COMMUNICATION_OP",
                                        {"startNs", "endNs", "opName", "groupName", "connectionId",
                                         "dataType", "algType", "count"},
                                        [&](const SqliteRow& row) { AddCommunication(row); }));
    profiler::Order(of_communication_);
    return status;
  }

  void AddCommunication(const SqliteRow& row) {
    const auto times = TimesIn(row, 0, 1);
    if (!times)
      return builder_.NotUnderstand("a row of COMMUNICATION_OP without start and end", row.Text(0));
    std::string detail;
    AddKnownMember("data_type", data_types_.Find(row.Integer(5)), false, detail);
    AddKnownMember("alg_type", builder_.Name(Name(row, 6)), false, detail);
    if (const auto count = row.Integer(7))
      AddKnownMember("count", std::to_string(*count), true, detail);
    const NameId group = Name(row, 3);
    AddKnownMember("group", builder_.Name(group), false, detail);
    const LaneId lane = GroupLane(Group(group));
    builder_.AddSpan({.start = times->start,
                      .duration = times->duration,
                      .name = Name(row, 2),
                      .detail = detail.empty() ? kNoName : builder_.Intern(detail + '}'),
                      .lane = lane,
                      .kind = SpanKind::kCommunication});
    builder_.CountEvent();
    const auto connection = row.Integer(4);
    if (!connection) return;
    of_communication_.push_back(*connection);
    AddFlowEnds(*connection, times->start, lane);
  }

  Status ReadTasks() {
    std::uint64_t described = 0;
    Status status = target_.file.Scan(
        "TASK",
        {"startNs", "endNs", "globalTaskId", "taskType", "deviceId", "streamId", "connectionId"},
        [&](const SqliteRow& row) {
          const auto times = TimesIn(row, 0, 1);
          if (!times)
            return builder_.NotUnderstand("a row of TASK without start and end", row.Text(0));
          builder_.CountEvent();
          TaskInfo* const computing = computing_.Find(row.Integer(2));
          if (computing != nullptr) {
            ++described;
            if (wanted_.operators) CountExecution(*computing, times->duration);
          }
          if (wanted_.timeline) AddTask(row, *times, computing, described);
        });
    const std::uint64_t infos = computing_.size() + planes_.size();
    builder_.CountEvent(std::min(described, infos));
    if (described < infos) {
      builder_.NotUnderstand(
          "a row of COMPUTE_TASK_INFO or COMMUNICATION_TASK_INFO without its task", "",
          infos - described);
    }
    profiler::Order(target_.connections.to_device);
    return status;
  }

  void CountExecution(TaskInfo& kernel, std::int64_t duration) {
    operators_.AddExecution(kernel.name, kernel.type, kernel.shapes, duration);
    kernel.kind = kernels_.Add(kernel.type, kernel.shapes, kernel.core, kernel.blocks, duration);
    kernel.duration = AddTimes(kernel.duration, duration);
  }

  // For which share of a kernel's time each unit of the cores was busy, and more, which is not
  // read. There are many rows: some 25 for each task, which follow each other.
  Status ReadUnits() {
    std::unordered_map<std::int64_t, std::size_t> units;  // By the numbers of their columns' names.
    std::optional<std::int64_t> task;
    const TaskInfo* kernel = nullptr;
    return target_.file.Scan(
        "TASK_PMU_INFO", {"globalTaskId", "name", "value"}, [&](const SqliteRow& row) {
          builder_.CountEvent();
          const auto name = row.Integer(1);
          if (!name) return;
          const auto [unit, is_new] = units.try_emplace(*name, KernelList::kLeftOut);
          if (is_new) unit->second = kernels_.UnitOfColumn(builder_.Name(Name(row, 1)));
          if (unit->second == KernelList::kLeftOut) return;
          if (const auto of = row.Integer(0); of != task) {
            task = of;
            kernel = computing_.Find(of);
          }
          const auto ratio = row.Number(2);
          if (kernel != nullptr && ratio)
            kernels_.AddBusy(kernel->kind, unit->second, *ratio, kernel->duration);
        });
  }

  void AddTask(const SqliteRow& row, const RowTimes& times, const TaskInfo* computing,
               std::uint64_t& described) {
    const LaneId lane = StreamLane(row.Integer(4).value_or(0), row.Integer(5).value_or(0));
    const TaskInfo* schedule = schedules_.Find(row.Integer(2));
    NewSpan span{.start = times.start,
                 .duration = times.duration,
                 .name = schedule != nullptr ? schedule->name : Name(row, 3),
                 .lane = lane,
                 .kind = SpanKind::kRuntime};
    if (computing != nullptr) {
      span.name = computing->name;
      span.type = computing->type;
      span.detail = computing->detail;
      span.kind = SpanKind::kKernel;
    }
    builder_.AddSpan(span);
    const auto connection = row.Integer(6);
    const TaskInfo* plane = planes_.Find(row.Integer(2));
    if (plane != nullptr) {
      ++described;
      span.name = plane->name;
      span.detail = plane->detail;
      span.lane = plane->plane;
      builder_.AddSpan(span);
    } else if (connection && *connection != kNoRank && !Contains(of_communication_, *connection)) {
      target_.connections.to_device.push_back(*connection);
      AddFlowEnds(*connection, times.start, lane);
    }
  }

  void AddFlowEnds(std::int64_t connection, std::int64_t time, LaneId lane) {
    AddFlow(builder_, "HostToDevice", connection, time, lane, FlowPhase::kEnd);
    if (Contains(target_.connections.from_calls, connection))
      AddFlow(builder_, "async_npu", connection, time, lane, FlowPhase::kEnd);
  }

  LaneId StreamLane(std::int64_t device, std::int64_t stream) {
    if (has_stream_ && stream_of_ == std::pair(device, stream)) return stream_lane_;
    const std::string process = "Ascend Hardware " + std::to_string(device);
    stream_lane_ = NamedLane(builder_, process, "Ascend Hardware", kHardwareSort,
                             std::to_string(stream), "Stream " + std::to_string(stream));
    Lane& lane = builder_.lane(stream_lane_);
    lane.kind = LaneKind::kStream;
    lane.thread_sort = stream;
    builder_.LabelProcess(process, "NPU " + std::to_string(device));
    stream_of_ = {device, stream};
    has_stream_ = true;
    return stream_lane_;
  }

  // Groups are numbered in the order in which they appear.
  std::int64_t Group(NameId name) {
    return groups_.try_emplace(name, static_cast<std::int64_t>(groups_.size())).first->second;
  }

  LaneId GroupLane(std::int64_t group) {
    return CommunicationLane("Group " + std::to_string(group) + " Communication",
                             "Group " + std::to_string(group) + " Communication", group << 16U);
  }

  LaneId PlaneLane(std::int64_t group, std::int64_t plane) {
    const std::string name = "Plane " + std::to_string(plane);
    return CommunicationLane("Group " + std::to_string(group) + ' ' + name, name,
                             (group << 16U) + 1 + std::clamp<std::int64_t>(plane, 0, 65534));
  }

  LaneId CommunicationLane(std::string_view thread, std::string_view name, std::int64_t sort) {
    constexpr std::string_view kProcess = "Communication";
    const LaneId id = NamedLane(builder_, kProcess, kProcess, kCommunicationSort, thread, name);
    builder_.lane(id).kind = LaneKind::kStream;
    builder_.lane(id).thread_sort = sort;
    builder_.LabelProcess(kProcess, "NPU");
    return id;
  }

  NameId Name(const SqliteRow& row, std::size_t column) const {
    return target_.names.Find(row.Integer(column));
  }

  DatabaseTarget& target_;
  ModelBuilder& builder_;
  const DeviceParts& wanted_;
  OperatorList& operators_;
  KernelList& kernels_;
  TaskInfos computing_, planes_, schedules_;
  EnumNames transports_, links_, data_types_;
  NumberSet of_communication_;
  std::map<NameId, std::int64_t> groups_;
  std::pair<std::int64_t, std::int64_t> stream_of_;
  LaneId stream_lane_{};
  bool has_stream_ = false;
};

}  // namespace

Status ReadDeviceTasks(DatabaseTarget& target, const DeviceParts& wanted, OperatorList& operators,
                       KernelList& kernels) {
  return DeviceReader(target, wanted, operators, kernels).Read();
}

}  // namespace sightline::profiler
