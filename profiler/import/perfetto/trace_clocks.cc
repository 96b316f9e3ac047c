#include "sightline/profiler/import/perfetto/trace_clocks.h"

#include "sightline/base/wire.h"
#include "sightline/profiler/model/model.h"
#include "sightline/profiler/trace/perfetto_fields.h"

namespace sightline::profiler {
namespace {

using wire::Field;
using wire::Scanner;
namespace clock = perfetto::clock;
namespace snapshot = perfetto::snapshot;

constexpr std::int64_t kMicrosecond = 1000;

bool IsBytes(const Field& field) { return field.type == wire::WireType::kBytes; }

}  // namespace

std::optional<std::int64_t> Scaled(std::int64_t value, std::int64_t unit, std::int64_t offset) {
  std::int64_t time = 0;
  if (__builtin_mul_overflow(value, unit, &time) || __builtin_add_overflow(time, offset, &time) ||
      !IsTime(time))
    return std::nullopt;
  return time;
}

void TraceClocks::ReadSnapshot(std::string_view bytes, SequenceClocks& sequence) {
  std::map<std::uint64_t, std::int64_t> system;  // Of clocks that all sequences share.
  std::map<std::uint64_t, SequenceClocks::Clock> own_clocks;
  std::uint64_t primary = 0;
  std::uint64_t first = 0;
  Field field;
  for (Scanner scan(bytes); scan.Next(field);) {
    if (field.number == snapshot::kPrimaryClock) primary = field.number_value;
    if (field.number != snapshot::kClock || !IsBytes(field)) continue;
    std::uint64_t id = 0;
    SequenceClocks::Clock clock;
    Field inner;
    for (Scanner one(field.bytes); one.Next(inner);) {
      if (inner.number == clock::kId) id = inner.number_value;
      if (inner.number == clock::kTimestamp) clock.time = inner.AsInt64();
      if (inner.number == clock::kIsIncremental) clock.incremental = inner.number_value != 0;
      if (inner.number == clock::kUnitNanos) clock.unit = inner.AsInt64();
    }
    if (id >= clock::kFirstOfSequence) own_clocks[id] = clock;
    if (id >= clock::kFirstOfSequence || !IsTime(clock.time)) continue;
    if (first == 0) first = id;
    system[id] = clock.time;
  }
  if (reference_ == 0) reference_ = system.contains(primary) ? primary : first;
  const std::optional<std::int64_t> reference = ReadSystemClocks(system);
  for (auto& [id, clock] : own_clocks) {
    const auto own = Scaled(clock.time, clock.unit, 0);
    if (reference && own) clock.offset = *reference - *own;
    sequence.clocks[id] = clock;
  }
}

std::optional<std::int64_t> TraceClocks::ReadSystemClocks(
    const std::map<std::uint64_t, std::int64_t>& system) {
  std::optional<std::int64_t> reference;
  if (const auto found = system.find(reference_); found != system.end()) {
    reference = found->second;
    for (const auto& [id, time] : system) to_reference_[id] = *reference - time;
  } else if (!system.empty()) {  // By a clock of which an earlier snapshot tells.
    const auto& [id, time] = *system.begin();
    const auto offset = to_reference_.find(id);
    reference = Scaled(time, 1, offset == to_reference_.end() ? 0 : offset->second);
  }
  const auto wall = system.find(clock::kRealtime);
  if (clock_ == TraceClock::kWall && !shift_known_ && wall != system.end() && reference) {
    shift_ = wall->second - *reference;
    shift_known_ = true;
  }
  return reference;
}

std::optional<std::int64_t> TraceClocks::Convert(std::uint64_t timestamp, std::uint64_t clock,
                                                 SequenceClocks& sequence) const {
  auto value = static_cast<std::int64_t>(timestamp);
  if (clock == 0) clock = sequence.by_default;
  if (clock < clock::kFirstOfSequence) {
    if (clock == 0) clock = clock::kBoot;  // Perfetto's default.
    if (clock == reference_) return Scaled(value, 1, shift_);
    const auto offset = to_reference_.find(clock);
    if (offset == to_reference_.end()) return Scaled(value, 1, shift_);
    const auto time = Scaled(value, 1, offset->second);
    return time ? Scaled(*time, 1, shift_) : time;
  }
  if (sequence.last.second == nullptr || sequence.last.first != clock) {
    const auto found = sequence.clocks.find(clock);
    if (found == sequence.clocks.end()) return Scaled(value, 1, shift_);
    sequence.last = {clock, &found->second};
  }
  SequenceClocks::Clock& own = *sequence.last.second;
  if (own.incremental && __builtin_add_overflow(value, own.time, &value)) return std::nullopt;
  std::optional<std::int64_t> time;
  if (value >= 0) time = Scaled(value, own.unit, own.offset);
  if (!time) return time;
  if (own.incremental) own.time = value;
  return Scaled(*time, 1, shift_);
}

std::optional<std::int64_t> TraceClocks::ConvertAbsolute(std::int64_t microseconds) const {
  return Scaled(microseconds, kMicrosecond, shift_);
}

std::optional<std::int64_t> TraceClocks::ConvertDelta(std::int64_t microseconds,
                                                      SequenceClocks& sequence) const {
  const auto time = Scaled(microseconds, kMicrosecond, sequence.legacy_time);
  if (!time) return time;
  sequence.legacy_time = *time;
  return Scaled(*time, 1, shift_);
}

}  // namespace sightline::profiler
