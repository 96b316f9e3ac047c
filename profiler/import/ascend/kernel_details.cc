#include "sightline/profiler/import/ascend/kernel_details.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/ascend/device_tasks.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

constexpr int kMicrosecondScale = 3;

struct Columns {
  explicit Columns(const CsvRows& header)
      : step(header.FindColumn({"Step Id"})),
        device(header.FindColumn({"Device_id"})),
        stream(header.FindColumn({"Stream ID", "stream_id"})),
        name(header.FindColumn({"Name", "Op Name", "kernel_name"})),
        type(header.FindColumn({"Type", "OP Type", "kernel_name"})),
        core(header.FindColumn({"Accelerator Core", "Task Type", "kernel_type"})),
        start(header.FindColumn({"Start Time(us)", "Task Start Time(us)", "task_start(us)"})),
        duration(header.FindColumn({"Duration(us)", "Task Duration(us)", "task_time(us)"})),
        shapes(header.FindColumn({"Input Shapes"})),
        blocks(header.FindColumn({"Block Dim", "Block Num"})),
        has_waits(header.FindColumn({"kernel_type"}) != CsvRows::kNoColumn) {}
  std::size_t step, device, stream, name, type, core, start, duration, shapes, blocks;
  bool has_waits;  // Not only kernels and collectives have rows.
};

SpanKind KindOf(const Columns& columns, std::string_view core, std::string_view name) {
  if (core == "COMMUNICATION" || core == "HCCL") return SpanKind::kCommunication;
  if (!columns.has_waits) return SpanKind::kKernel;
  if (name.starts_with("hcom_")) return SpanKind::kCommunication;
  const bool computes = core.starts_with("KERNEL_") || TaskComputes(core, name);
  return computes ? SpanKind::kKernel : SpanKind::kRuntime;
}

// The columns "..._ratio" of a header.
class UnitColumns {
 public:
  UnitColumns(const CsvRows& header, KernelList& kernels) : kernels_(kernels) {
    for (std::size_t column = 0; column < header.cells().size(); ++column) {
      const std::size_t unit = kernels.UnitOfColumn(header.cell(column));
      if (unit != KernelList::kLeftOut) columns_.emplace_back(column, unit);
    }
  }
  void AddRow(const CsvRows& row, std::size_t kind, std::int64_t duration) {
    for (const auto& [column, unit] : columns_) {
      if (const auto ratio = ParseNumber<double>(row.cell(column)))
        kernels_.AddBusy(kind, unit, *ratio, duration);
    }
  }

 private:
  KernelList& kernels_;
  std::vector<std::pair<std::size_t, std::size_t>> columns_;  // With their units.
};

std::string ProcessOf(std::string_view device) {
  return device.empty() ? "Ascend" : "Ascend " + std::string(device);
}

// The lanes of devices and their streams: "Ascend 0", "stream 4".
class DeviceLanes {
 public:
  explicit DeviceLanes(ModelBuilder& builder) : builder_(builder) {}

  LaneId Find(std::string_view device, std::string_view stream) {
    if (!has_lane_ || device != device_ || stream != stream_) {
      device_ = device;
      stream_ = stream;
      has_lane_ = true;
      lane_ = builder_.AddLane(ProcessOf(device),
                               stream == "N/A" ? "communication" : "stream " + stream_);
      builder_.lane(lane_).kind = LaneKind::kStream;
    }
    return lane_;
  }

  // Of the last row's device.
  LaneId Steps() { return StepLane(device_, builder_); }

 private:
  ModelBuilder& builder_;
  std::string device_, stream_;
  LaneId lane_{};
  bool has_lane_ = false;
};

struct StepRange {
  std::int64_t from = kMaxTime;
  std::int64_t to = -kMaxTime;
};

void AddSteps(const std::map<std::int64_t, StepRange>& steps, DeviceLanes& lanes,
              ModelBuilder& builder) {
  for (const auto& [number, range] : steps) {
    builder.AddSpan({.start = range.from,
                     .duration = range.to - range.from,
                     .name = builder.Intern("step " + std::to_string(number)),
                     .lane = lanes.Steps(),
                     .kind = SpanKind::kStep});
  }
}

}  // namespace

LaneId StepLane(std::string_view device, ModelBuilder& builder) {
  const LaneId lane = builder.AddLane(ProcessOf(device), "steps");
  builder.lane(lane).kind = LaneKind::kStep;
  builder.lane(lane).thread_sort = -1;
  return lane;
}

void ReadKernelDetails(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                       OperatorList& operators, KernelList& kernels) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const Columns columns(rows);
  UnitColumns units(rows, kernels);
  DeviceLanes lanes(builder);
  std::map<std::int64_t, StepRange> steps;
  while (rows.Next()) {
    const auto start = ParseDecimal(rows.cell(columns.start), kMicrosecondScale);
    const auto duration = ParseDuration(rows.cell(columns.duration), kMicrosecondScale);
    if (!start || !duration || !IsTime(*start) || !IsTime(*start + *duration) ||
        rows.cell(columns.name).empty()) {
      builder.NotUnderstand("a row without name, start and duration", rows.cell(0));
      continue;
    }
    const std::string_view core = rows.cell(columns.core);
    const SpanKind kind = KindOf(columns, core, rows.cell(columns.name));
    const NameId name = builder.Intern(rows.cell(columns.name));
    const std::string_view shapes_text = rows.cell(columns.shapes);
    const NameId shapes = shapes_text == "N/A" ? kNoName : builder.Intern(shapes_text);
    const NameId type = builder.Intern(rows.cell(columns.type));
    if (kind == SpanKind::kKernel) {
      operators.AddExecution(name, type, shapes, *duration);
      const auto blocks = ParseNumber<std::int64_t>(rows.cell(columns.blocks)).value_or(0);
      units.AddRow(rows, kernels.Add(type, shapes, builder.Intern(core), blocks, *duration),
                   *duration);
    }
    builder.CountEvent();
    if (const auto number = ParseNumber<std::int64_t>(rows.cell(columns.step))) {
      StepRange& step = steps[*number];
      step.from = std::min(step.from, *start);
      step.to = std::max(step.to, *start + *duration);
    }
    if (!add_spans) continue;
    builder.AddSpan({.start = *start,
                     .duration = *duration,
                     .name = name,
                     .type = type,
                     .detail = shapes,
                     .lane = lanes.Find(rows.cell(columns.device), rows.cell(columns.stream)),
                     .kind = kind});
  }
  if (!builder.has_steps()) AddSteps(steps, lanes, builder);
}

}  // namespace sightline::profiler
