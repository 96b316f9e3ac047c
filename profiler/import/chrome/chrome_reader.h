// ChromeReader: reads Chrome's Trace Event JSON, in the forms that programs write.
//
// Source: "Trace Event Format" (Chromium's documentation), and the files of PyTorch
// (*.pt.trace.json), MindSpore (trace_view.json, cpu_timeline_display_0.json,
// RuntimeProfilerJson*.json) and XLA (*.trace.json). It accepts an object with "traceEvents" and a
// bare array; an array that does not end, several values after each other, a comma too many; and
// ts, dur, pid and tid as numbers or strings. It reads the phases X, B and E, b, n and e, S, T, p
// and F, i, I and R, C, s, t and f, M. Events of other phases are counted as not understood. So is
// one that is damaged, and reading goes on at the next event: a '{' that begins an object with a
// one-letter "ph".
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/profiler/import/chrome/json_cursor.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/import/source/span_kind.h"
#include "sightline/profiler/model/model_builder.h"

namespace sightline::profiler {

class ChromeReader {
 public:
  // Both must outlive the reader.
  ChromeReader(ByteSource& source, ModelBuilder& builder) : window_(source), builder_(builder) {}

  // Reads everything. kDataLoss, with the offset of the first such place, if the file ends within a
  // value, or contains something that is not JSON; the events around that are in the builder.
  // kInvalidArgument if nothing in the file is a trace.
  Status Read();

 private:
  // The members of an event, as they are written.
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
  // A B or an E; they are paired by their times.
  struct Mark {
    std::int64_t time = 0;
    NameId name = kNoName;
    NameId category = kNoName;
    NameId detail = kNoName;
    bool is_end = false;
  };

  bool NextCharacter(char& character);
  Status Damage(std::string_view what) const;
  Status ReadObject();
  Status ReadEvents();
  Status ReadElement();
  // Skips the damaged event at the window's start, and all after it that is no event. `cut`: it
  // has no end. Not OK if the source fails.
  Status SkipDamaged(bool cut);
  // Skips to the next event after the window's first character; false if there is none.
  bool FindEvent();
  static bool ReadRaw(JsonCursor& cursor, Raw& raw);

  void AddEvent(const Raw& raw, std::string_view text);
  void AddComplete(const Raw& raw, std::string_view text);
  void AddSpansAtZero();
  void AddMark(const Raw& raw, std::int64_t time);
  void PairMarks();
  // Ends open[which].
  bool AddEnd(NameId detail, std::int64_t time, OpenSpans& open, std::size_t which);
  bool AddAsync(const Raw& raw, std::int64_t time);
  void AddInstant(const Raw& raw, std::int64_t time);
  bool AddCounters(const Raw& raw, std::int64_t time);
  void AddFlow(const Raw& raw, std::int64_t time);
  bool AddMetadata(const Raw& raw);
  void CloseOpenSpans();

  NameId Text(std::string_view written);
  NameId DetailOf(const Raw& raw);
  LaneId FindLane(const Raw& raw);
  // What the arguments of an event tell about it.
  struct Told {
    NameId detail = kNoName;
    NameId type = kNoName;  // Of the operator.
    bool is_operator = false;
    std::optional<std::int64_t> step = std::nullopt;
  };
  const Told& ToldBy(NameId detail);

  ByteWindow window_;
  ModelBuilder& builder_;
  std::map<std::uint32_t, std::vector<Mark>> marks_;  // By lane, like the next.
  std::map<std::uint32_t, OpenSpans> open_;
  std::map<std::string, OpenSpans, std::less<>> async_open_;  // By process, category and id.
  std::map<NameId, double> allocated_;  // By counter; of allocators that do not tell their totals.
  std::vector<NewSpan> at_zero_;        // Complete events at the time 0.
  std::int64_t first_time_ = std::numeric_limits<std::int64_t>::max();  // Of the other ones.
  std::int64_t last_time_ = 0;
  Status damage_;             // The first.
  std::size_t searched_ = 0;  // Bytes that were parsed in vain.
  std::uint64_t values_ = 0;  // Arrays and objects with traceEvents.

  std::string last_process_, last_thread_;
  LaneId last_lane_{};
  bool has_last_lane_ = false;
  Told told_;  // By the last arguments; events that follow each other often have the same.
  SpanKinds kinds_;
};

}  // namespace sightline::profiler
