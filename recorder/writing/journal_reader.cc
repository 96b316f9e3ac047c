#include "sightline/recorder/writing/journal_reader.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <new>

#include "sightline/recorder/journal/journal.h"
#include "sightline/recorder/journal/journal_map.h"
#include "sightline/recorder/writing/event_batch.h"
#include "sightline/recorder/writing/journal_replay.h"
#include "sightline/recorder/writing/run_config.h"

namespace sightline {
namespace {

// A slot changes at most a few thousand times a second, and a read takes microseconds.
constexpr int kSlotTries = 1000;

// A journal as it was at one instant.
struct Snapshot {
  RunConfig config;
  std::vector<SinkProgress> progress;
  std::uint64_t begin = 0;  // Ring position of the first byte in `ring`.
  std::uint64_t head = 0;
  std::unique_ptr<std::uint64_t[]> ring;  // Of this type for the alignment of entries.
};

Status ReadExactly(const ReadableFile& file, std::uint64_t offset, void* to, std::size_t bytes) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::size_t got,
                             file.ReadAt(offset, {static_cast<char*>(to), bytes}));
  return got == bytes ? Status() : Status(StatusCode::kDataLoss, "the journal is cut");
}

Status ReadHeader(const ReadableFile& file, JournalHeader& header) {
  SIGHTLINE_ASSIGN_OR_RETURN(const std::uint64_t size, file.Size());
  SIGHTLINE_RETURN_IF_ERROR(ReadExactly(file, 0, static_cast<void*>(&header), sizeof(header)));
  return CheckJournalHeader(header, size);
}

// Reads the valid half of each slot. The recorder writes only the other half, so the valid one is
// whole if the generation is the same before and after it is read. Each read of the file is a copy
// by the kernel, whose loads may be in any order, so each is one step, with a fence between them.
Status ReadProgress(const ReadableFile& file, JournalHeader& header,
                    std::vector<SinkProgress>& progress) {
  const auto read_again = [&] {
    std::atomic_thread_fence(std::memory_order_acquire);
    return ReadExactly(file, 0, static_cast<void*>(&header), sizeof(header));
  };
  SIGHTLINE_RETURN_IF_ERROR(read_again());
  for (std::size_t sink = 0; sink < header.sink_count; ++sink) {
    const SinkSlot& slot = header.sinks[sink];
    Status status(StatusCode::kUnavailable, "the journal changes too fast");
    for (int tries = 0; tries < kSlotTries && !status.ok(); ++tries) {
      const std::uint64_t generation = slot.generation.load(std::memory_order_relaxed);
      SIGHTLINE_RETURN_IF_ERROR(read_again());
      const SinkProgress half = slot.half[generation & 1U];
      SIGHTLINE_RETURN_IF_ERROR(read_again());
      if (slot.generation.load(std::memory_order_relaxed) != generation) continue;
      progress.push_back(half);
      status = Status();
    }
    SIGHTLINE_RETURN_IF_ERROR(status);
  }
  return {};
}

Status CopyRing(const ReadableFile& file, std::uint64_t ring_bytes, Snapshot& snapshot) {
  const std::uint64_t bytes = snapshot.head - snapshot.begin;
  if (bytes > ring_bytes || bytes % kEntryAlignment != 0) {
    return Status(StatusCode::kDataLoss, "the journal's positions are not valid");
  }
  snapshot.ring = std::make_unique<std::uint64_t[]>(bytes / sizeof(std::uint64_t) + 1);
  char* out = reinterpret_cast<char*>(snapshot.ring.get());
  const std::uint64_t from = snapshot.begin % ring_bytes;
  const std::uint64_t first = std::min(bytes, ring_bytes - from);
  SIGHTLINE_RETURN_IF_ERROR(ReadExactly(file, kJournalRingOffset + from, out, first));
  return ReadExactly(file, kJournalRingOffset, out + first, bytes - first);
}

// Takes a snapshot of a journal. A live recorder may change the journal between any two reads:
// - The head is read before the sinks' places, so there is never more than one ring between them. A
//   sink that has overtaken that head has nothing left in the snapshot.
// - The ring is copied before the sinks' places are read for the last time. What the recorder
//   overwrites during the copy is before those places.
Status Take(FileSystem& file_system, const std::string& path, Snapshot& snapshot) {
  auto file = file_system.OpenForRead(path);
  if (!file) return file.error();
  auto header = std::make_unique<JournalHeader>();
  SIGHTLINE_RETURN_IF_ERROR(ReadHeader(**file, *header));
  SIGHTLINE_ASSIGN_OR_RETURN(
      snapshot.config, ParseManifest(std::string_view(header->manifest, header->manifest_bytes)));
  if (SinkCount(snapshot.config) != header->sink_count || header->sink_count == 0) {
    return Status(StatusCode::kDataLoss, "the journal's manifest does not fit its header");
  }
  snapshot.head = header->head.load(std::memory_order_relaxed);
  SIGHTLINE_RETURN_IF_ERROR(ReadProgress(**file, *header, snapshot.progress));
  const auto before = [](const SinkProgress& a, const SinkProgress& b) {
    return a.position < b.position;
  };
  snapshot.begin =
      std::min_element(snapshot.progress.begin(), snapshot.progress.end(), before)->position;
  if (snapshot.begin > header->head.load(std::memory_order_relaxed)) {
    return Status(StatusCode::kDataLoss, "the journal's sinks are ahead of its head");
  }
  snapshot.begin = std::min(snapshot.begin, snapshot.head);
  SIGHTLINE_RETURN_IF_ERROR(CopyRing(**file, header->ring_bytes, snapshot));
  snapshot.progress.clear();
  SIGHTLINE_RETURN_IF_ERROR(ReadProgress(**file, *header, snapshot.progress));
  for (const SinkProgress& progress : snapshot.progress)
    SIGHTLINE_RETURN_IF_ERROR(CheckPlace(progress));
  return {};
}

// The payloads of a snapshot's entries from `progress` on, in the form of `dialect`.
std::vector<std::string> Payloads(const Snapshot& snapshot, const SinkProgress& progress,
                                  const Dialect& dialect) {
  std::vector<std::string> texts;
  FaultLog faults;
  EventBatch::Counters counters;
  WorkerPool pool(0);
  EventBatch batch(faults, counters);
  std::vector<Payload> payloads;
  JournalCursor cursor{progress.position, progress.sequence};
  const char* ring = reinterpret_cast<const char*>(snapshot.ring.get());
  while (cursor.position >= snapshot.begin && cursor.position < snapshot.head) {
    const auto& at =
        *reinterpret_cast<const EntryHeader*>(ring + (cursor.position - snapshot.begin));
    Journal::Entry entry;
    const auto peek = Journal::Inspect(at, cursor.position, cursor.sequence, snapshot.head, entry);
    if (peek == Journal::Peek::kDamaged || peek == Journal::Peek::kEmpty) break;
    cursor = {entry.end, entry.sequence + 1};
    if (peek == Journal::Peek::kInFlight || !Journal::Intact(entry)) continue;
    batch.Clear();
    batch.Add(entry, cursor, true);
    batch.Prepare(pool);
    if (batch.items().front().skip) continue;
    std::size_t count = 0;
    (void)dialect.Encode(batch.items().front().event, payloads, count).ok();
    for (std::size_t i = 0; i < count; ++i) {
      std::string& text = texts.emplace_back();
      payloads[i].ForEachChunk([&](const Payload::Chunk& chunk) { text.append(chunk.bytes); });
    }
  }
  return texts;
}

}  // namespace

Result<std::vector<JournalTail>> ReadJournalTails(FileSystem& file_system,
                                                  const std::string& directory) {
  std::vector<JournalTail> tails;
  if (const auto names = file_system.List(directory); !names) return Error(names.error());
  for (const std::string& path : FindJournals(directory, file_system)) {
    Snapshot snapshot;
    if (!Take(file_system, path, snapshot).ok()) continue;
    const auto dialects = DialectsOf(snapshot.config);
    for (std::size_t i = 0; i < dialects.size(); ++i) {
      const SinkProgress& progress = snapshot.progress[i];
      JournalTail tail;
      tail.file_name =
          progress.segment == 0 ? dialects[i]->FileName(progress.file_digits) : progress.file_name;
      tail.visible_bytes = progress.file_offset;
      if (progress.stopped == 0) tail.payloads = Payloads(snapshot, progress, *dialects[i]);
      const auto parsed = ParseEventFileName(tail.file_name);
      if (!parsed || (progress.segment == 0 && tail.payloads.empty())) continue;
      tail.kind = parsed->kind;
      tails.push_back(std::move(tail));
    }
  }
  return tails;
}

std::optional<ProcessRank> RankOfJournal(FileSystem& file_system, const std::string& path) {
  auto file = file_system.OpenForRead(path);
  if (!file) return std::nullopt;
  auto header = std::make_unique<JournalHeader>();
  if (!ReadHeader(**file, *header).ok()) return std::nullopt;
  const auto config = ParseManifest(std::string_view(header->manifest, header->manifest_bytes));
  if (!config) return std::nullopt;
  return ProcessRank{config->run.rank, config->run.world_size};
}

}  // namespace sightline
