// Source of the format: the Trace Event Format document of the Chromium project.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <set>
#include <string_view>
#include <utility>

#include "sightline/base/json/json_line.h"
#include "sightline/profiler/export/event_details.h"
#include "sightline/profiler/export/trace_export.h"

namespace sightline::profiler {
namespace {

using nlohmann::ordered_json;

class ChromeExport {
 public:
  ChromeExport(const Model& model, TimeRange range) : model_(model), range_(range) {}

  std::string Write() {
    const Spans& spans = model_.spans;
    for (std::size_t i = 0; i < spans.size(); ++i) {
      if (Touches(range_, spans.start[i], spans.end(i))) AddSpan(i);
    }
    for (const Instant& instant : model_.instants) AddInstant(instant);
    for (const Counter& counter : model_.counters) AddCounter(counter);
    for (const FlowPoint& point : model_.flows) AddPoint(point);
    return std::move(out_) + "\n]\n";
  }

 private:
  void Begin(char phase, std::string_view name, const Lane& lane) {
    out_ += first_ ? "[\n" : ",\n";
    first_ = false;
    fmt::format_to(std::back_inserter(out_), R"({{"ph":"{}","name":{},"pid":{},"tid":{})", phase,
                   Text(name), Number(lane.process), Number(lane.thread));
  }
  // The lane, whose first event is preceded by the names of its process and thread.
  const Lane& Used(LaneId id) {
    const Lane& lane = model_.lanes[static_cast<std::uint32_t>(id)];
    if (!used_.insert(id).second) return lane;
    Meta(lane, "process_name", lane.process_name);
    Meta(lane, "process_labels", lane.labels);
    Meta(lane, "thread_name", lane.thread_name);
    return lane;
  }
  void Meta(const Lane& lane, std::string_view kind, NameId text) {
    if (text == kNoName) return;
    Begin('M', kind, lane);
    const std::string_view key = kind == "process_labels" ? "labels" : "name";
    Arguments({{key, model_.names[text]}});
    out_ += '}';
  }
  // The format counts in microseconds.
  void Time(std::string_view key, std::int64_t nanos) {
    const std::uint64_t size =
        nanos < 0 ? -static_cast<std::uint64_t>(nanos) : static_cast<std::uint64_t>(nanos);
    fmt::format_to(std::back_inserter(out_), R"(,"{}":{}{}.{:03})", key, nanos < 0 ? "-" : "",
                   size / 1000, size % 1000);
  }
  void Arguments(const ordered_json& arguments) {
    if (!arguments.empty()) out_ += ",\"args\":" + JsonLine(arguments);
  }
  static std::string Text(std::string_view text) { return JsonLine(ordered_json(text)); }
  // The id of a process or thread, as a number if the text is one.
  std::string Number(NameId id) const {
    const std::string_view text = model_.names[id];
    const bool number = !text.empty() && text.size() < 16 && text[0] != '0' &&
                        text.find_first_not_of("0123456789") == std::string_view::npos;
    return number || text == "0" ? std::string(text) : Text(text);
  }

  void AddSpan(std::size_t i) {
    const Spans& spans = model_.spans;
    Begin('X', model_.names[spans.name[i]], Used(spans.lane[i]));
    if (spans.category[i] != kNoName) out_ += ",\"cat\":" + Text(model_.names[spans.category[i]]);
    Time("ts", spans.start[i]);
    Time("dur", spans.duration[i]);
    Arguments(EventArguments(model_, spans.name[i], spans.detail[i], spans.type[i]));
    out_ += '}';
  }

  void AddInstant(const Instant& instant) {
    if (!Touches(range_, instant.time, instant.time)) return;
    Begin('i', model_.names[instant.name], Used(instant.lane));
    Time("ts", instant.time);
    out_ += R"(,"s":"t")";
    Arguments(EventArguments(model_, instant.name, instant.detail, kNoName));
    out_ += '}';
  }

  // "memory/bytes" is the series "bytes" of "memory", since readers join the two names.
  void AddCounter(const Counter& counter) {
    const std::string_view name = model_.names[counter.name];
    const std::size_t slash = name.rfind('/');
    const bool divided = slash != std::string_view::npos;
    const std::string series = Text(divided ? name.substr(slash + 1) : "value");
    const ValueRange values = ValuesIn(counter, range_);
    for (std::size_t i = values.first; i < values.last; ++i) {
      if (!std::isfinite(counter.value[i])) continue;  // JSON has neither NaN nor infinity.
      Begin('C', name.substr(0, slash), Used(counter.lane));
      Time("ts", counter.time[i]);
      fmt::format_to(std::back_inserter(out_), R"(,"args":{{{}:{}}}}})", series, counter.value[i]);
    }
  }

  void AddPoint(const FlowPoint& point) {
    if (!Touches(range_, point.time, point.time)) return;
    const bool last = point.phase == FlowPhase::kEnd;
    const bool first = begun_.insert(point.id).second && !last;
    // The reader of Perfetto's traces interns "flow:17". Perfetto's engine takes numbers only, and
    // joins points of one name.
    constexpr std::string_view kNumbered = "flow:";
    const std::string_view id = model_.names[point.id];
    const bool numbered = id.starts_with(kNumbered);
    Begin(last    ? 'f'
          : first ? 's'
                  : 't',
          numbered ? "flow" : model_.names[point.name], Used(point.lane));
    Time("ts", point.time);
    fmt::format_to(std::back_inserter(out_), R"(,"cat":"flow","id":{}{}}})",
                   numbered ? std::string(id.substr(kNumbered.size())) : Text(id),
                   last ? R"(,"bp":"e")" : "");
  }

  const Model& model_;
  const TimeRange range_;
  std::set<LaneId> used_;
  std::set<NameId> begun_;  // Flows whose first point was written.
  bool first_ = true;
  std::string out_;
};

}  // namespace

std::string ExportChrome(const Model& model, TimeRange range) {
  std::string trace = ChromeExport(model, range).Write();
  return trace.starts_with('[') ? trace : "[" + trace;
}

}  // namespace sightline::profiler
