// SnapshotObjects: what the objects of a memory snapshot's pickle mean.
//
// Objects are told by their keys: a dict with `action` is an event of the allocator, one with
// `filename`, `name` and `line` a frame, a list of frames a stack, and so on. Each object is
// reduced to a number when it is filled, so that a snapshot of 1 GB takes some 40 bytes an event.
//
// Form: torch/csrc/cuda/memory_snapshot.cpp and torch/cuda/_memory_viz.py of PyTorch; torch_npu
// writes the same.
//
// One thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "sightline/base/memory/column_memory.h"
#include "sightline/profiler/import/snapshot/pickle_machine.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

enum class MemoryAction : std::uint8_t {
  kAllocate,
  kFree,         // It can be allocated again.
  kAddSegment,   // The allocator took memory from the device,
  kDropSegment,  // and gave it back.
  kOutOfMemory,
  kNone,  // Changes nothing: that the program gave memory back which a stream still uses, a mark.
  kUnknown,
};

// 32 bytes, since there are millions.
struct MemoryEvent {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;
  // Microseconds since 1970, or its number among all events if it has no time.
  std::int64_t time = 0;
  std::uint32_t stack = 0;
  MemoryAction action = MemoryAction::kNone;
};

struct MemoryBlock {
  std::uint64_t address = 0;
  std::int64_t bytes = 0;  // As the program asked for.
  std::uint32_t stack = 0;
  bool held = false;
};

// Neighbours in a column.
struct IndexRange {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct MemorySegment {
  std::int64_t device = 0;
  std::int64_t bytes = 0;
  IndexRange blocks;
};

inline constexpr std::size_t kMaxDevices = 256;

struct MemorySnapshot {
  std::uint64_t modelled = 0;        // Events and segments.
  ColumnVector<MemoryEvent> events;  // Those that change something.
  bool has_clock = true;             // Every event has a time.
  std::vector<IndexRange> devices;   // The events of each.
  std::vector<MemorySegment> segments;
  std::vector<MemoryBlock> blocks;
  CallStacks stacks;
};

class SnapshotObjects : public PickleObjects {
 public:
  // Texts go to `builder`; what is not understood is counted there.
  // `objects_hint` is as in PickleMachine.
  SnapshotObjects(ModelBuilder& builder, std::size_t objects_hint);

  std::uint32_t Text(std::string_view text) override;
  std::uint32_t NewDict() override { return Add(Kind::kNewDict); }
  std::uint32_t NewList() override { return Add(Kind::kNewList); }
  std::uint32_t NewTuple() override { return Add(Kind::kOther); }
  Status SetItems(std::uint32_t dict, std::span<const PickleValue> items) override;
  Status Append(std::uint32_t list, std::span<const PickleValue> items) override;

  // What the pickle's value is. kInvalidArgument if it is no snapshot.
  Result<MemorySnapshot> Take(PickleValue value) &&;

 private:
  enum class Kind : std::uint8_t {
    kNewDict,
    kNewList,  // Also a list that is empty.
    kOther,
    kFrame,     // index: in stacks.frames
    kStack,     // index: the stack's id
    kEvent,     // index: in events
    kNoEvent,   // An event that changes nothing; index: of the event after it
    kBlock,     // index: in blocks
    kSegment,   // index: in segments
    kRange,     // A list of events, blocks or segments; index: in ranges_
    kDevices,   // A list of lists of events, that of Take's devices
    kSnapshot,  // A dict with segments or device_traces
  };
  struct Object {
    Kind kind;
    std::uint32_t index;
  };
  struct Range {
    Kind of = Kind::kOther;
    IndexRange range;
  };
  enum Key : std::uint8_t;
  struct Fields;

  std::uint32_t Add(Kind kind);
  Status FillStack(Object& list, std::span<const PickleValue> items);
  Status FillRange(Object& list, std::span<const PickleValue> items, Kind of);
  Status FillDevices(Object& list, std::span<const PickleValue> items);
  Object MakeFrame(const Fields& fields);
  Object MakeEvent(const Fields& fields);
  Object MakeBlock(const Fields& fields);
  Object MakeSegment(const Fields& fields);
  std::uint32_t InternFrame(const StackFrame& frame);
  std::uint32_t InternStack(std::size_t first_item);
  std::uint32_t StackOf(const Fields& fields) const;
  Kind KindOf(const PickleValue& value) const;
  IndexRange RangeOf(const PickleValue& value, Kind of) const;

  ModelBuilder& builder_;
  std::vector<std::uint8_t> keys_;  // By NameId; 0: no key that matters.
  std::vector<MemoryAction> actions_;
  ColumnVector<Object> objects_;
  std::vector<Range> ranges_;
  std::uint32_t event_count_ = 0;
  MemorySnapshot snapshot_;
  std::unordered_multimap<std::uint64_t, std::uint32_t> frame_ids_;  // By hash.
  std::vector<std::uint32_t> stack_slots_;                           // Open addressing; 0: free.
};

}  // namespace sightline::profiler
