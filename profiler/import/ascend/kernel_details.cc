#include "sightline/profiler/import/ascend/kernel_details.h"

#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

constexpr int kMicrosecondScale = 3;

struct Columns {
  explicit Columns(const CsvRows& header)
      : device(header.FindColumn({"Device_id"})),
        stream(header.FindColumn({"Stream ID"})),
        name(header.FindColumn({"Name"})),
        type(header.FindColumn({"Type"})),
        start(header.FindColumn({"Start Time(us)"})),
        duration(header.FindColumn({"Duration(us)"})),
        shapes(header.FindColumn({"Input Shapes"})) {}
  std::size_t device, stream, name, type, start, duration, shapes;
};

}  // namespace

void ReadKernelDetails(ByteWindow& window, bool add_spans, ModelBuilder& builder,
                       OperatorList& operators) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const Columns columns(rows);
  std::string last_device, last_stream;
  LaneId lane{};
  bool has_lane = false;
  while (rows.Next()) {
    const auto start = ParseDecimal(rows.cell(columns.start), kMicrosecondScale);
    const auto duration = ParseDecimal(rows.cell(columns.duration), kMicrosecondScale);
    const std::string_view name = rows.cell(columns.name);
    if (!start || !duration || !IsTime(*start) || !IsTime(*duration) || *duration < 0 ||
        name.empty()) {
      builder.NotUnderstand("a row without name, start and duration", rows.cell(0));
      continue;
    }
    ListedOperator& listed = operators.FindOrAdd(builder.Intern(name));
    listed.type = builder.Intern(rows.cell(columns.type));
    const std::string_view shapes_text = rows.cell(columns.shapes);
    const NameId shapes = shapes_text == "N/A" ? kNoName : builder.Intern(shapes_text);
    // The operator gets the shapes of its executions, if all have the same.
    if (listed.count == 0) listed.shapes = shapes;
    if (listed.shapes != shapes) listed.shapes = kNoName;
    ++listed.count;
    listed.total = AddTimes(listed.total, *duration);
    builder.CountEvent();
    if (!add_spans) continue;
    const std::string_view device = rows.cell(columns.device);
    const std::string_view stream = rows.cell(columns.stream);
    if (!has_lane || device != last_device || stream != last_stream) {
      last_device = device;
      last_stream = stream;
      has_lane = true;
      lane = builder.AddLane(device.empty() ? "device" : device, stream);
      builder.lane(lane).kind = LaneKind::kStream;
      builder.lane(lane).thread_name = builder.Intern("stream " + last_stream);
    }
    builder.AddSpan({.start = *start,
                     .duration = *duration,
                     .name = listed.name,
                     .type = listed.type,
                     .detail = shapes,
                     .lane = lane,
                     .kind = SpanKind::kKernel});
  }
}

}  // namespace sightline::profiler
