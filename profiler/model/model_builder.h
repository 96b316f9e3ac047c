// ModelBuilder: builds a Model event by event; the events may come in any order of time.
//
//   ModelBuilder builder;
//   const LaneId lane = builder.AddLane("1", "7");
//   builder.AddSpan({.start = 0, .duration = 5, .name = builder.Intern("step"), .lane = lane});
//   builder.CountEvent();
//   Model model = std::move(builder).Finish();
//
// One thread at a time.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "sightline/profiler/model/model.h"
#include "sightline/profiler/model/span_appender.h"

namespace sightline::profiler {

class ModelBuilder {
 public:
  NameId Intern(std::string_view text) { return model_.names.Intern(text); }
  std::string_view Name(NameId id) const { return model_.names[id]; }

  // The lane of this thread of this process. Adds it if there is none.
  LaneId AddLane(std::string_view process, std::string_view thread);
  Lane& lane(LaneId id) { return model_.lanes[static_cast<std::uint32_t>(id)]; }

  // These apply to all lanes of the process, including those that are added later. Of several calls
  // the last one counts.
  void NameProcess(std::string_view process, std::string_view name);
  void LabelProcess(std::string_view process, std::string_view labels);
  void SortProcess(std::string_view process, std::int64_t index);

  // Reserves room for `count` spans; a guess is enough. The system gives the memory only once spans
  // are added. Call it before the first AddSpan.
  void ReserveSpans(std::uint64_t count);
  // Returns false and adds nothing if the duration is negative, or a time is out of range (IsTime).
  bool AddSpan(const NewSpan& span);
  // Whether a span of kStep was added.
  bool has_steps() const { return has_steps_; }
  void AddInstant(const Instant& instant) { model_.instants.push_back(instant); }
  void AddCounter(LaneId lane, NameId name, std::int64_t time, double value);
  void AddFlow(const FlowPoint& point) { model_.flows.push_back(point); }
  void AddAttribute(std::string_view key, std::string_view text);
  bool HasAttribute(std::string_view key) const;

  // Call one of these for each event of the source.
  void CountEvent(std::uint64_t events = 1) {
    model_.events_in += events;
    model_.events_modelled += events;
  }
  void NotUnderstand(std::string_view reason, std::string_view example, std::uint64_t events = 1);

  std::uint64_t events_in() const { return model_.events_in; }
  std::uint64_t events_modelled() const { return model_.events_modelled; }

  // Orders the columns and computes the depths. The builder is empty afterwards.
  Model Finish() &&;

 private:
  struct ProcessInfo {
    NameId name = kNoName;
    NameId labels = kNoName;
    std::int64_t sort = 0;
  };

  Model model_;
  SpanAppender spans_;
  bool has_steps_ = false;
  std::unordered_map<std::uint64_t, LaneId> lane_ids_;  // By the ids of process and thread.
  std::unordered_map<std::uint32_t, ProcessInfo> processes_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::size_t> counter_ids_;
};

}  // namespace sightline::profiler
