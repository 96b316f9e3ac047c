#include "sightline/profiler/import/snapshot/snapshot_objects.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace sightline::profiler {

enum SnapshotObjects::Key : std::uint8_t {
  kNoKey,
  kAction,
  kAddr,
  kAddress,
  kBlocks,
  kDevice,
  kDeviceTraces,
  kFilename,
  kFrames,
  kLine,
  kName,
  kRequestedSize,
  kSegments,
  kSize,
  kState,
  kTimeUs,
  kTotalSize,
  kKeyCount,
};

// The items of a dict by their keys; null: the dict does not have it.
struct SnapshotObjects::Fields {
  std::array<const PickleValue*, kKeyCount> items{};

  bool Has(Key key) const { return items[key] != nullptr; }
  std::optional<std::int64_t> Number(Key key) const {
    if (!Has(key) || items[key]->kind != PickleValue::Kind::kNumber) return std::nullopt;
    return items[key]->bits;
  }
  std::int64_t Bytes(Key key) const {
    // Above this, sums could overflow.
    constexpr std::int64_t kMost = std::int64_t{1} << 50U;
    return std::clamp<std::int64_t>(Number(key).value_or(0), 0, kMost);
  }
  NameId Text(Key key) const {
    if (!Has(key) || items[key]->kind != PickleValue::Kind::kText) return kNoName;
    return NameId{items[key]->id()};
  }
};

namespace {

// In the order of SnapshotObjects::Key, from 1.
constexpr std::string_view kKeys[] = {"action", "addr",          "address",        "blocks",
                                      "device", "device_traces", "filename",       "frames",
                                      "line",   "name",          "requested_size", "segments",
                                      "size",   "state",         "time_us",        "total_size"};

constexpr std::pair<std::string_view, MemoryAction> kActions[] = {
    {"alloc", MemoryAction::kAllocate},
    {"free_requested", MemoryAction::kNone},
    {"free_completed", MemoryAction::kFree},
    {"segment_alloc", MemoryAction::kAddSegment},
    {"segment_map", MemoryAction::kAddSegment},
    {"segment_free", MemoryAction::kDropSegment},
    {"segment_unmap", MemoryAction::kDropSegment},
    {"oom", MemoryAction::kOutOfMemory},
    {"snapshot", MemoryAction::kNone},
    {"user_defined", MemoryAction::kNone},
};

// Python's recursion ends at 1,000 frames; those of C++ come on top.
constexpr std::size_t kMaxFrames = 16'384;
constexpr std::size_t kPickleBatch = 1000;
// Leaves room for a nanosecond an event.
constexpr std::int64_t kMostMicroseconds = kMaxTime / 1000 - 10'000'000;

constexpr std::uint64_t Mix(std::uint64_t hash, std::uint64_t value) {
  constexpr std::uint64_t kFactor = 0x9e37'79b9'7f4a'7c15;
  hash = (hash ^ value) * kFactor;
  return hash ^ (hash >> 29U);
}

std::uint64_t HashOf(std::span<const std::uint32_t> items) {
  std::uint64_t hash = items.size();
  for (const std::uint32_t item : items) hash = Mix(hash, item);
  return hash;
}

template <typename T>
void SetAt(std::vector<T>& table, NameId id, T value) {
  const auto at = static_cast<std::size_t>(id);
  if (table.size() <= at) table.resize(at + 1);
  table[at] = value;
}

template <typename Column>
std::uint32_t LastIndex(const Column& column) {
  return static_cast<std::uint32_t>(column.size() - 1);
}

}  // namespace

SnapshotObjects::SnapshotObjects(ModelBuilder& builder, std::size_t objects_hint)
    : builder_(builder) {
  objects_.reserve(objects_hint);
  snapshot_.events.reserve(objects_hint / 2);
  static_assert(std::size(kKeys) + 1 == kKeyCount);
  for (std::size_t i = 0; i < std::size(kKeys); ++i)
    SetAt(keys_, builder.Intern(kKeys[i]), static_cast<std::uint8_t>(i + 1));
  actions_.assign(keys_.size(), MemoryAction::kUnknown);
  for (const auto& [name, action] : kActions) {
    const NameId id = builder.Intern(name);
    if (actions_.size() <= static_cast<std::size_t>(id))
      actions_.resize(static_cast<std::size_t>(id) + 1, MemoryAction::kUnknown);
    actions_[static_cast<std::size_t>(id)] = action;
  }
}

std::uint32_t SnapshotObjects::Text(std::string_view text) {
  return static_cast<std::uint32_t>(builder_.Intern(text));
}

std::uint32_t SnapshotObjects::Add(Kind kind) {
  objects_.push_back({kind, 0});
  return LastIndex(objects_);
}

Status SnapshotObjects::SetItems(std::uint32_t dict, std::span<const PickleValue> items) {
  if (objects_[dict].kind != Kind::kNewDict) {
    if (objects_[dict].kind == Kind::kOther) return {};  // Only large dicts come in parts.
    return {StatusCode::kDataLoss, "an object is filled twice"};
  }
  Fields fields;
  for (std::size_t i = 0; i + 1 < items.size(); i += 2) {
    if (items[i].kind != PickleValue::Kind::kText || items[i].id() >= keys_.size()) continue;
    fields.items[keys_[items[i].id()]] = &items[i + 1];
  }
  fields.items[kNoKey] = nullptr;
  Object& object = objects_[dict];
  object.kind = Kind::kOther;
  if (fields.Has(kAction)) {
    object = MakeEvent(fields);
  } else if (fields.Has(kFilename) && fields.Has(kName)) {
    object = MakeFrame(fields);
  } else if (fields.Has(kState) && fields.Has(kSize)) {
    object = MakeBlock(fields);
  } else if (fields.Has(kBlocks) && fields.Has(kTotalSize)) {
    object = MakeSegment(fields);
  } else if (fields.Has(kSegments) || fields.Has(kDeviceTraces)) {
    if (fields.Has(kDeviceTraces) && KindOf(*fields.items[kDeviceTraces]) != Kind::kDevices)
      snapshot_.devices.clear();
    object.kind = Kind::kSnapshot;
  }
  return {};
}

Status SnapshotObjects::Append(std::uint32_t list, std::span<const PickleValue> items) {
  if (items.empty()) return {};
  Object& object = objects_[list];
  switch (KindOf(items.front())) {
    case Kind::kFrame:
      return FillStack(object, items);
    case Kind::kEvent:
    case Kind::kNoEvent:
      return FillRange(object, items, Kind::kEvent);
    case Kind::kBlock:
      return FillRange(object, items, Kind::kBlock);
    case Kind::kSegment:
      return FillRange(object, items, Kind::kSegment);
    case Kind::kNewList:
    case Kind::kRange:
      return FillDevices(object, items);
    case Kind::kNewDict:
    case Kind::kOther:
    case Kind::kStack:
    case Kind::kDevices:
    case Kind::kSnapshot:
      break;
  }
  object.kind = Kind::kOther;
  return {};
}

Status SnapshotObjects::FillStack(Object& list, std::span<const PickleValue> items) {
  CallStacks& stacks = snapshot_.stacks;
  const std::size_t first = stacks.items.size();
  if (list.kind == Kind::kStack) {
    // The next part of a long one. A pickle has parts of 1,000, so that few are copied.
    const std::size_t begin = stacks.ends[list.index - 1];
    const std::size_t count = stacks.ends[list.index] - begin;
    if (count % kPickleBatch != 0) return {StatusCode::kDataLoss, "a stack is filled twice"};
    for (std::size_t i = 0; i < count; ++i) {
      const std::uint32_t frame = stacks.items[begin + i];
      stacks.items.push_back(frame);
    }
  } else if (list.kind != Kind::kNewList) {
    return {StatusCode::kDataLoss, "a list of frames holds something else"};
  }
  for (const PickleValue& item : items) {
    if (KindOf(item) != Kind::kFrame)
      return {StatusCode::kDataLoss, "a list of frames holds something else"};
    stacks.items.push_back(objects_[item.id()].index);
  }
  if (stacks.items.size() - first > kMaxFrames)
    return {StatusCode::kDataLoss, "a stack of more than 16,384 frames"};
  list = {Kind::kStack, InternStack(first)};
  return {};
}

Status SnapshotObjects::FillRange(Object& list, std::span<const PickleValue> items, Kind of) {
  if (list.kind == Kind::kNewList) {
    ranges_.push_back({of, {objects_[items.front().id()].index, 0}});
    list = {Kind::kRange, LastIndex(ranges_)};
  }
  if (list.kind != Kind::kRange || ranges_[list.index].of != of)
    return {StatusCode::kDataLoss, "a list holds objects of several kinds"};
  IndexRange& range = ranges_[list.index].range;
  for (const PickleValue& item : items) {
    const Kind kind = KindOf(item);
    const bool changes_nothing = of == Kind::kEvent && kind == Kind::kNoEvent;
    const bool is_next = (kind == of || changes_nothing) &&
                         objects_[item.id()].index == std::uint64_t{range.first} + range.count;
    if (!is_next) return {StatusCode::kDataLoss, "a list does not hold its objects in their order"};
    if (!changes_nothing) ++range.count;
  }
  return {};
}

Status SnapshotObjects::FillDevices(Object& list, std::span<const PickleValue> items) {
  if (list.kind == Kind::kNewList) {
    snapshot_.devices.clear();
    list.kind = Kind::kDevices;
  }
  if (list.kind != Kind::kDevices)
    return {StatusCode::kDataLoss, "a list holds objects of several kinds"};
  if (snapshot_.devices.size() + items.size() > kMaxDevices)
    return {StatusCode::kDataLoss, "more than 256 devices"};
  for (const PickleValue& item : items) snapshot_.devices.push_back(RangeOf(item, Kind::kEvent));
  return {};
}

SnapshotObjects::Object SnapshotObjects::MakeFrame(const Fields& fields) {
  return {Kind::kFrame, InternFrame({.function = fields.Text(kName),
                                     .file = fields.Text(kFilename),
                                     .line = fields.Number(kLine).value_or(0)})};
}

SnapshotObjects::Object SnapshotObjects::MakeEvent(const Fields& fields) {
  const NameId name = fields.Text(kAction);
  const auto at = static_cast<std::size_t>(name);
  const MemoryAction action = at < actions_.size() ? actions_[at] : MemoryAction::kUnknown;
  if (action == MemoryAction::kUnknown) {
    builder_.NotUnderstand("an action of the allocator that is not known", builder_.Name(name));
  } else {
    ++snapshot_.modelled;
  }
  const std::uint32_t number = event_count_++;
  if (action == MemoryAction::kNone || action == MemoryAction::kUnknown)
    return {Kind::kNoEvent, static_cast<std::uint32_t>(snapshot_.events.size())};
  auto time = fields.Number(kTimeUs);
  if (time && (*time < -kMostMicroseconds || *time > kMostMicroseconds)) time.reset();
  if (!time) snapshot_.has_clock = false;
  snapshot_.events.push_back(
      {.address = static_cast<std::uint64_t>(fields.Number(kAddr).value_or(0)),
       .bytes = fields.Bytes(kSize),
       .time = time.value_or(number),
       .stack = StackOf(fields),
       .action = action});
  return {Kind::kEvent, LastIndex(snapshot_.events)};
}

SnapshotObjects::Object SnapshotObjects::MakeBlock(const Fields& fields) {
  // "active_allocated"; "active_pending_free" and "active_awaiting_free" are used until then.
  const bool held = builder_.Name(fields.Text(kState)).starts_with("active");
  snapshot_.blocks.push_back(
      {.address = static_cast<std::uint64_t>(fields.Number(kAddress).value_or(0)),
       .bytes = fields.Bytes(fields.Has(kRequestedSize) ? kRequestedSize : kSize),
       .stack = StackOf(fields),
       .held = held});
  return {Kind::kBlock, LastIndex(snapshot_.blocks)};
}

SnapshotObjects::Object SnapshotObjects::MakeSegment(const Fields& fields) {
  const std::int64_t device = fields.Number(kDevice).value_or(0);
  if (device < 0 || device >= static_cast<std::int64_t>(kMaxDevices)) {
    builder_.NotUnderstand("a segment of a device that is not from 0 to 255",
                           std::to_string(device));
  } else {
    ++snapshot_.modelled;
  }
  snapshot_.segments.push_back({.device = device,
                                .bytes = fields.Bytes(kTotalSize),
                                .blocks = RangeOf(*fields.items[kBlocks], Kind::kBlock)});
  return {Kind::kSegment, LastIndex(snapshot_.segments)};
}

std::uint32_t SnapshotObjects::InternFrame(const StackFrame& frame) {
  std::uint64_t hash =
      Mix(static_cast<std::uint64_t>(frame.function), static_cast<std::uint64_t>(frame.file));
  hash = Mix(hash, static_cast<std::uint64_t>(frame.line));
  const auto [from, to] = frame_ids_.equal_range(hash);
  for (auto it = from; it != to; ++it) {
    const StackFrame& known = snapshot_.stacks.frames[it->second];
    if (known.function == frame.function && known.file == frame.file && known.line == frame.line)
      return it->second;
  }
  snapshot_.stacks.frames.push_back(frame);
  const std::uint32_t id = LastIndex(snapshot_.stacks.frames);
  frame_ids_.emplace(hash, id);
  return id;
}

// The id of the stack whose items are the last ones, from `first_item` on. They are dropped if the
// stack is known.
std::uint32_t SnapshotObjects::InternStack(std::size_t first_item) {
  CallStacks& stacks = snapshot_.stacks;
  if (stacks.ends.size() * 2 >= stack_slots_.size()) {
    constexpr std::size_t kLeast = 1024;
    std::vector<std::uint32_t> slots(std::max(kLeast, stack_slots_.size() * 2));
    for (std::uint32_t id = 1; id < stacks.ends.size(); ++id) {
      std::size_t at = HashOf(stacks[id]) & (slots.size() - 1);
      while (slots[at] != 0) at = (at + 1) & (slots.size() - 1);
      slots[at] = id;
    }
    stack_slots_ = std::move(slots);
  }
  const std::span<const std::uint32_t> stack = std::span(stacks.items).subspan(first_item);
  std::size_t at = HashOf(stack) & (stack_slots_.size() - 1);
  for (; stack_slots_[at] != 0; at = (at + 1) & (stack_slots_.size() - 1)) {
    if (!std::ranges::equal(stacks[stack_slots_[at]], stack)) continue;
    stacks.items.resize(first_item);
    return stack_slots_[at];
  }
  stacks.ends.push_back(stacks.items.size());
  stack_slots_[at] = LastIndex(stacks.ends);
  return stack_slots_[at];
}

std::uint32_t SnapshotObjects::StackOf(const Fields& fields) const {
  if (!fields.Has(kFrames) || KindOf(*fields.items[kFrames]) != Kind::kStack) return 0;
  return objects_[fields.items[kFrames]->id()].index;
}

SnapshotObjects::Kind SnapshotObjects::KindOf(const PickleValue& value) const {
  return value.kind == PickleValue::Kind::kObject ? objects_[value.id()].kind : Kind::kOther;
}

IndexRange SnapshotObjects::RangeOf(const PickleValue& value, Kind of) const {
  if (KindOf(value) != Kind::kRange) return {};
  const Range& range = ranges_[objects_[value.id()].index];
  return range.of == of ? range.range : IndexRange{};
}

Result<MemorySnapshot> SnapshotObjects::Take(PickleValue value) && {
  if (KindOf(value) != Kind::kSnapshot) {
    return Error(StatusCode::kInvalidArgument,
                 "not a memory snapshot: the pickle is no dict with segments or device_traces");
  }
  return std::move(snapshot_);
}

}  // namespace sightline::profiler
