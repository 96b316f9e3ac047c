#include "sightline/profiler/import/snapshot/snapshot_reader.h"

#include <memory>
#include <utility>

#include "sightline/profiler/import/snapshot/memory_replay.h"
#include "sightline/profiler/import/snapshot/pickle_machine.h"
#include "sightline/profiler/import/snapshot/snapshot_objects.h"
#include "sightline/profiler/import/source/byte_window.h"

namespace sightline::profiler {
namespace {

// An event and its list of frames take some 55 bytes.
constexpr std::uint64_t kBytesAnObject = 24;

// A function of its own, so that the machine's memory is free when the events are replayed.
Result<MemorySnapshot> Unpickle(ByteSource& source, std::uint64_t bytes, ModelBuilder& builder) {
  const std::size_t objects_hint = bytes / kBytesAnObject;
  ByteWindow window(source);
  SnapshotObjects objects(builder, objects_hint);
  SIGHTLINE_ASSIGN_OR_RETURN(const PickleValue value,
                             PickleMachine(window, objects, objects_hint).Run());
  return std::move(objects).Take(value);
}

}  // namespace

Status ReadMemorySnapshot(ByteSource& source, std::uint64_t bytes, ModelBuilder& builder,
                          Profile& profile) {
  SIGHTLINE_ASSIGN_OR_RETURN(MemorySnapshot snapshot, Unpickle(source, bytes, builder));
  ReplayMemory(std::move(snapshot), builder, profile);
  return {};
}

bool IsPickle(std::string_view begin) {
  return begin.size() >= 2 && begin[0] == '\x80' && begin[1] >= 2 && begin[1] <= 5;
}

}  // namespace sightline::profiler
