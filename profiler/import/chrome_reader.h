// Chrome's Trace Event JSON, in the forms that are met in the field.
//
// Source: "Trace Event Format" (Chromium's documentation), and what PyTorch (*.pt.trace.json),
// MindSpore (trace_view.json, cpu_timeline_display_0.json, RuntimeProfilerJson*.json) and XLA
// (*.trace.json) write. Read are an object with "traceEvents" and a bare array; arrays that do not
// end, several values behind each other, one comma too many; ts, dur, pid and tid as numbers or as
// strings. Phases X, B and E, b, n and e, i, I and R, C, s, t and f, M; of the rest each is counted
// as not understood. An event that is no JSON is counted so too and the next one is read.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/import/json_cursor.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profile {

class ChromeReader {
 public:
  // Both must outlive the reader.
  ChromeReader(ByteSource& source, ModelBuilder& builder) : window_(source), builder_(builder) {}

  // Reads everything. kDataLoss, which names the offset, where the file ends within a value or
  // something else than JSON comes; what was read before is in the builder. kInvalidArgument where
  // nothing of it is a trace.
  Status Read();

 private:
  // An event as it is written.
  struct Raw {
    std::string_view phase, name, category, process, thread, time, duration, id, args;
  };
  struct Open {
    std::int64_t start = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    NameId detail = kNoName;
    LaneId lane{};
  };
  using OpenSpans = std::vector<Open>;

  bool NextCharacter(char& character);
  Status Damage(std::string_view what) const;
  Status ReadObject();
  Status ReadEvents();
  Status ReadElement();
  Status SkipMalformed();
  static bool ReadRaw(JsonCursor& cursor, Raw& raw);

  void AddEvent(const Raw& raw, std::string_view text);
  void AddComplete(const Raw& raw, std::string_view text);
  void AddBegin(const Raw& raw, std::int64_t time, OpenSpans& open, LaneId lane);
  bool AddEnd(const Raw& raw, std::int64_t time, OpenSpans& open);
  bool AddAsync(const Raw& raw, std::int64_t time);
  void AddInstant(const Raw& raw, std::int64_t time);
  bool AddCounters(const Raw& raw, std::int64_t time);
  void AddFlow(const Raw& raw, std::int64_t time);
  bool AddMetadata(const Raw& raw);
  void CloseOpenSpans();

  NameId Text(std::string_view written);
  LaneId LaneOf(const Raw& raw);
  // The operator's type that the arguments name.
  NameId TypeOf(NameId detail, bool& is_operator);

  ByteWindow window_;
  ModelBuilder& builder_;
  std::map<std::uint32_t, OpenSpans> open_;                   // By lane.
  std::map<std::string, OpenSpans, std::less<>> async_open_;  // By process, category and id.
  std::int64_t last_time_ = 0;
  std::uint64_t values_ = 0;  // Arrays and objects with traceEvents.

  std::string last_process_, last_thread_;
  LaneId last_lane_{};
  bool has_last_lane_ = false;
  NameId last_detail_ = kNoName;
  NameId last_type_ = kNoName;
  bool last_is_operator_ = false;
};

}  // namespace sightline::profile
