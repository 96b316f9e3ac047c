// The names of event files: who wrote one, when, and in which order a run's files are read.
//
//   events.out.events.summary.<seconds>.<device id>.<hostname>_MS        MindSpore, summary
//   events.out.events.summary.<seconds>.<device id>.<hostname>_lineage   MindSpore, lineage
//   events.out.tfevents.<seconds>.<hostname>[.<anything>]                TensorBoard
//
// Reading is as tolerant as the peers are: MindSpore's files are known by "summary.<digits>"
// anywhere in the name (older versions wrote no device id), TensorBoard's by "tfevents".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace sightline {

enum class EventFileKind : std::uint8_t {
  kMindSporeSummary,  // Records are mindspore.Event.
  kMindSporeLineage,  // Records are mindspore.LineageEvent.
  kTensorBoard,       // Records are tensorboard.Event.
};

// "MindSpore summary", for messages and tables.
std::string_view EventFileKindName(EventFileKind kind);

struct EventFileName {
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  std::uint64_t seconds =
      0;  // Unix seconds, raised where a name was taken; 0 where the name has none.
  std::optional<std::uint32_t> device_id;  // MindSpore's only.
  std::string hostname;                    // TensorBoard's: everything after the seconds.
};

// What a name (without a path) says; nothing for a file that no reader takes for an event file. Two
// endings are none although the peers would try: "_explain", which nothing writes any more, and
// ".json" or ".jsonl", which is what people call the output of `sightline cat` beside its input.
std::optional<EventFileName> ParseEventFileName(std::string_view name);

// The inverse, for writers. Bytes of the hostname that mean something in a path or a name become
// '-'; without a device id it is 0.
std::string MakeEventFileName(const EventFileName& name);

// The order in which the files of one directory are read: by their seconds, then by name.
bool ReadsBefore(std::string_view name_a, std::string_view name_b);

}  // namespace sightline
