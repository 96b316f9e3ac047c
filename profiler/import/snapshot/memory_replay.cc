#include "sightline/profiler/import/snapshot/memory_replay.h"

#include <algorithm>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace sightline::profiler {
namespace {

constexpr std::int64_t kMicrosecond = 1000;

class Replay {
 public:
  Replay(MemorySnapshot& snapshot, std::size_t device, ModelBuilder& builder, Profile& profile)
      : snapshot_(snapshot),
        device_(device),
        builder_(builder),
        profile_(profile),
        name_("device " + std::to_string(device)),
        device_name_(builder.Intern(name_)) {
    if (device < snapshot.devices.size()) range_ = snapshot.devices[device];
  }

  void Run() {
    SetTimes();
    for (std::uint32_t i = 0; i < range_.count; ++i) Apply(Event(i));
    AddHeldAtEnd();
    AddCounters();
  }

 private:
  MemoryEvent& Event(std::uint32_t i) { return snapshot_.events[range_.first + i]; }

  // In nanoseconds. Events of one microsecond are put 1 ns apart, so that they keep their order.
  void SetTimes() {
    std::int64_t last = 0;
    const std::int64_t first = range_.count == 0 ? 0 : Event(0).time;
    for (std::uint32_t i = 0; i < range_.count; ++i) {
      MemoryEvent& event = Event(i);
      event.time = snapshot_.has_clock ? event.time * kMicrosecond : event.time - first + 1;
      if (i > 0) event.time = std::max(event.time, last + 1);
      last = event.time;
    }
    before_ = range_.count == 0 ? 0 : Event(0).time - 1;
  }

  // Afterwards event.bytes is what it changed, with its sign.
  void Apply(MemoryEvent& event) {
    switch (event.action) {
      case MemoryAction::kAllocate:
        held_[event.address] = profile_.allocations.size();
        AddAllocation(event.bytes, event.time, event.stack);
        break;
      case MemoryAction::kFree:
        if (!Release(event)) {
          AddAllocation(event.bytes, before_, 0);
          profile_.allocations.back().released = event.time;
          allocated_before_ += event.bytes;
        }
        event.bytes = -event.bytes;
        break;
      case MemoryAction::kDropSegment:
        event.bytes = -event.bytes;
        [[fallthrough]];
      case MemoryAction::kAddSegment:
        reserved_change_ += event.bytes;
        break;
      case MemoryAction::kOutOfMemory:
      case MemoryAction::kNone:
      case MemoryAction::kUnknown:
        break;
    }
  }

  // Ends the allocation at this event's address; false if there is none.
  bool Release(const MemoryEvent& event) {
    const auto held = held_.find(event.address);
    if (held == held_.end()) return false;
    profile_.allocations[held->second].released = event.time;
    held_.erase(held);
    return true;
  }

  void AddAllocation(std::int64_t bytes, std::int64_t time, std::uint32_t stack) {
    NameId name = kNoName;
    if (stack != 0) {
      name = snapshot_.stacks.frames[snapshot_.stacks[stack].front()].function;
    } else {
      name = builder_.Intern(time == before_ ? "(allocated before the events)" : "(no stack)");
    }
    profile_.allocations.push_back({.name = name,
                                    .device = device_name_,
                                    .stack = stack,
                                    .bytes = static_cast<double>(bytes),
                                    .time = time,
                                    .released = std::nullopt});
  }

  // Adds what was held all the time.
  void AddHeldAtEnd() {
    for (const MemorySegment& segment : snapshot_.segments) {
      if (!IsOfDevice(segment)) continue;
      reserved_at_end_ += segment.bytes;
      for (std::uint32_t i = 0; i < segment.blocks.count; ++i) {
        const MemoryBlock& block = snapshot_.blocks[segment.blocks.first + i];
        if (!block.held || held_.contains(block.address)) continue;
        AddAllocation(block.bytes, before_, block.stack);
        allocated_before_ += block.bytes;
      }
    }
  }

  bool IsOfDevice(const MemorySegment& segment) const {
    return segment.device == static_cast<std::int64_t>(device_);
  }

  void AddCounters() {
    const LaneId lane = builder_.AddLane("memory", name_);
    const NameId allocated = builder_.Intern("Allocated memory, " + name_);
    const NameId reserved = builder_.Intern("Reserved memory, " + name_);
    auto bytes = static_cast<double>(allocated_before_);
    auto reserved_bytes = static_cast<double>(reserved_at_end_ - reserved_change_);
    builder_.AddCounter(lane, allocated, before_, bytes);
    // Without segments it is not known how much was reserved before.
    const bool knows_reserved = !snapshot_.segments.empty() && reserved_bytes >= 0;
    if (knows_reserved) builder_.AddCounter(lane, reserved, before_, reserved_bytes);
    for (std::uint32_t i = 0; i < range_.count; ++i) {
      const MemoryEvent& event = Event(i);
      const std::int64_t time = event.time;
      if (event.action == MemoryAction::kAllocate || event.action == MemoryAction::kFree) {
        builder_.AddCounter(lane, allocated, time, bytes += static_cast<double>(event.bytes));
      } else if (event.action == MemoryAction::kAddSegment ||
                 event.action == MemoryAction::kDropSegment) {
        reserved_bytes += static_cast<double>(event.bytes);
        if (knows_reserved) builder_.AddCounter(lane, reserved, time, reserved_bytes);
      } else if (event.action == MemoryAction::kOutOfMemory) {
        builder_.AddInstant({.time = time, .name = builder_.Intern("out of memory"), .lane = lane});
      }
    }
  }

  MemorySnapshot& snapshot_;
  std::size_t device_;
  ModelBuilder& builder_;
  Profile& profile_;
  std::string name_;
  NameId device_name_;
  IndexRange range_;
  std::int64_t before_ = 0;                              // Right before the first event.
  std::unordered_map<std::uint64_t, std::size_t> held_;  // Allocations by their address.
  std::int64_t allocated_before_ = 0;
  std::int64_t reserved_at_end_ = 0;
  std::int64_t reserved_change_ = 0;
};

// Devices without events and segments are left out.
std::set<std::size_t> UsedDevices(const MemorySnapshot& snapshot) {
  constexpr auto kMost = static_cast<std::int64_t>(kMaxDevices);
  std::set<std::size_t> used;
  for (std::size_t i = 0; i < snapshot.devices.size(); ++i)
    if (snapshot.devices[i].count > 0) used.insert(i);
  for (const MemorySegment& segment : snapshot.segments) {
    if (segment.device >= 0 && segment.device < kMost)
      used.insert(static_cast<std::size_t>(segment.device));
  }
  return used;
}

}  // namespace

void ReplayMemory(MemorySnapshot snapshot, ModelBuilder& builder, Profile& profile) {
  builder.CountEvent(snapshot.modelled);
  profile.has_clock = snapshot.has_clock;
  profile.allocations.reserve(static_cast<std::size_t>(std::count_if(
      snapshot.events.begin(), snapshot.events.end(),
      [](const MemoryEvent& event) { return event.action == MemoryAction::kAllocate; })));
  for (const std::size_t device : UsedDevices(snapshot))
    Replay(snapshot, device, builder, profile).Run();
  profile.stacks = std::move(snapshot.stacks);
}

}  // namespace sightline::profiler
