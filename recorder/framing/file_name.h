// The names of event files. A name tells who wrote the file and when, and in which order a run's
// files are read.
//
//   events.out.events.summary.<seconds>.<device id>.<hostname>_MS        MindSpore, summary
//   events.out.events.summary.<seconds>.<device id>.<hostname>_lineage   MindSpore, lineage
//   events.out.tfevents.<seconds>.<hostname>[.<anything>]                TensorBoard
//   run-<id>.wandb                                                       W&B
//   backup.swanlab, run-<id>.swanlab                                     SwanLab
//
// Names are parsed as tolerantly as MindInsight and TensorBoard do: a MindSpore file has
// "summary.<digits>" anywhere in its name (older versions wrote no device id), and a TensorBoard
// file has "tfevents".
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
  kWandb,             // W&B's; translated into TensorBoard's events (recorder/translation).
  kSwanLab,           // SwanLab's; the same.
};

// Whether files of this kind are another recorder's, whose records are translated into events of
// TensorBoard's dialect.
constexpr bool IsTranslated(EventFileKind kind) {
  return kind == EventFileKind::kWandb || kind == EventFileKind::kSwanLab;
}
// The kind that tells the dialect of a file's events.
constexpr EventFileKind DialectOf(EventFileKind kind) {
  return IsTranslated(kind) ? EventFileKind::kTensorBoard : kind;
}

// "MindSpore summary", for messages and tables.
std::string_view EventFileKindName(EventFileKind kind);

struct EventFileName {
  EventFileKind kind = EventFileKind::kMindSporeSummary;
  // Unix seconds, raised if the name was taken; 0 if the name has none.
  std::uint64_t seconds = 0;
  std::optional<std::uint32_t> device_id;  // MindSpore's only.
  std::string hostname;                    // TensorBoard's: everything after the seconds.
};

// Parses a name without its path; no value if it is not the name of an event file. TensorBoard and
// MindInsight would also read the following, which here are not event files: hidden files, which
// rsync, editors and macOS make beside the file that they copy or open; backups, which end in "~";
// files that end in "_explain", which nothing writes any more, and those in ".json" or ".jsonl",
// which people use for the output of `sightline cat` next to its input.
std::optional<EventFileName> ParseEventFileName(std::string_view name);

// Makes the name of a new file. Bytes of the hostname that have a meaning in a path or a name
// become '-'. Without a device id, the name has 0.
std::string MakeEventFileName(const EventFileName& name);

// Whether file a is read before file b of the same directory: ordered by seconds, then by name.
bool ReadsBefore(std::string_view name_a, std::string_view name_b);

}  // namespace sightline
