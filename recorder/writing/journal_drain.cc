#include "sightline/recorder/writing/journal_drain.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <limits>

namespace sightline {
namespace {

constexpr std::size_t kBatchEvents = 256;
constexpr std::uint64_t kBatchBytes = std::uint64_t{1} << 20;
// The free space is checked after this many bytes of the journal, and at every drain.
constexpr std::uint64_t kSpaceCheckBytes = std::uint64_t{8} << 20;

}  // namespace

JournalDrain::JournalDrain(Journal& journal, Source source,
                           std::vector<std::unique_ptr<Sink>> sinks, SpaceLimit space, int workers,
                           FaultLog& faults)
    : journal_(journal),
      source_(source),
      space_(std::move(space)),
      faults_(faults),
      pool_(workers),
      batch_(faults, counters_) {
  for (auto& sink : sinks) outputs_.push_back({std::move(sink), {}});
}

Status JournalDrain::Drain() {
  try {
    return DrainAll();
  } catch (const std::exception&) {
    StallForMemory();
    return no_memory_;
  }
}

// Makes all sinks stall. The next Drain makes again what they have not flushed.
void JournalDrain::StallForMemory() {
  if (!paused()) faults_.Note(no_memory_);
  for (Output& output : outputs_) {
    output.error = no_memory_;
    output.sink->Rollback();
  }
  UpdateState();
}

Status JournalDrain::DrainAll() {
  SIGHTLINE_RETURN_IF_ERROR(CheckSpace());
  std::vector<Output*> healthy;
  for (Output& output : outputs_) {
    if (output.error.ok()) healthy.push_back(&output);
  }
  if (!healthy.empty()) DrainInto(healthy);
  // The stalled outputs follow, each from its own place.
  for (Output& output : outputs_) {
    if (std::find(healthy.begin(), healthy.end(), &output) != healthy.end()) continue;
    const Status before = std::exchange(output.error, Status());
    DrainInto({&output});
    if (!output.error.ok()) output.error = before;
  }
  AbandonWhatBlocks();
  UpdateState();
  if (!space_error_.ok()) return space_error_;
  for (const Output& output : outputs_) SIGHTLINE_RETURN_IF_ERROR(output.error);
  return {};
}

Status JournalDrain::CheckSpace() {
  space_checked_at_ = done().position;
  const bool was_short = !space_error_.ok();
  space_error_ = Status();
  if (space_.min_free_bytes == 0) return {};
  const auto free = space_.file_system->FreeBytes(space_.directory);
  if (free && *free < space_.min_free_bytes) {
    space_error_ =
        Status(StatusCode::kResourceExhausted,
               fmt::format("recording is paused: only {} bytes are free in {}, less than "
                           "min_free_disk_bytes = {}; it continues when there is space",
                           *free, space_.directory, space_.min_free_bytes));
    if (!was_short) faults_.Note(space_error_);
  }
  UpdateState();
  return space_error_;
}

void JournalDrain::DrainInto(const std::vector<Output*>& outputs) {
  JournalCursor cursor = outputs.front()->sink->taken();
  for (const Output* output : outputs) {
    if (output->sink->taken().sequence < cursor.sequence) cursor = output->sink->taken();
  }
  const std::uint64_t unflushed_limit = journal_.map().ring_bytes() / 8;
  std::uint64_t flushed_at = cursor.position;
  // Callers may record as fast as this drains, so it ends at the present head.
  const std::uint64_t end = journal_.head();
  while (FillScalars(cursor, end) || FillBatch(cursor, end)) {
    if (scalars_.empty()) batch_.Prepare(pool_);
    bool any_healthy = false;
    for (Output* output : outputs) {
      if (output->error.ok()) Deliver(*output);
      any_healthy = any_healthy || output->error.ok();
    }
    // Lent values are returned at once, and room is made before the buffer is full.
    if (batch_external_ || cursor.position - flushed_at > unflushed_limit) {
      FlushAndRelease(outputs, More::kFollows);
      flushed_at = cursor.position;
    }
    if (!any_healthy) break;
    if (cursor.position - space_checked_at_ > kSpaceCheckBytes && !CheckSpace().ok()) break;
  }
  FlushAndRelease(outputs, More::kNone);
}

bool JournalDrain::FillScalars(JournalCursor& cursor, std::uint64_t end) {
  scalars_.clear();
  batch_external_ = false;
  Journal::Entry entry;
  while (scalars_.size() < kBatchEvents) {
    PlacedScalar scalar;
    if (journal_.PeekAt(cursor.position, cursor.sequence, end, entry) != Journal::Peek::kEntry ||
        !ParseScalarEntry(entry.body, scalar.event))
      break;
    // FillBatch reports the damage.
    if (source_ == Source::kDead && !Journal::Intact(entry)) break;
    scalar.behind = cursor = {entry.end, entry.sequence + 1};
    scalars_.push_back(scalar);
  }
  return !scalars_.empty();
}

bool JournalDrain::FillBatch(JournalCursor& cursor, std::uint64_t end) {
  batch_.Clear();
  const std::uint64_t begin = cursor.position;
  while (batch_.size() < kBatchEvents && cursor.position - begin < kBatchBytes) {
    Journal::Entry entry;
    const Journal::Peek peek = journal_.PeekAt(cursor.position, cursor.sequence, end, entry);
    if (peek == Journal::Peek::kEmpty ||
        (peek == Journal::Peek::kInFlight && source_ == Source::kLive))
      break;
    if (peek == Journal::Peek::kDamaged) {
      faults_.Note(Status(StatusCode::kDataLoss,
                          "the journal is damaged; everything after the damage is lost"));
      cursor.position = end;
      batch_.AddSkipped(cursor);
      break;
    }
    const JournalCursor behind{entry.end, entry.sequence + 1};
    if (peek == Journal::Peek::kInFlight) {
      batch_.AddSkipped(behind);
    } else if (source_ == Source::kDead && !Journal::Intact(entry)) {
      faults_.Note(
          Status(StatusCode::kDataLoss, "an entry of the journal fails its checksum; it is lost"));
      batch_.AddSkipped(behind);
    } else {
      const bool external = HasExternalValues(entry.body);
      // The memory of a dead process is gone, whatever the entry says.
      const bool lost =
          source_ == Source::kDead || (external && !external_values_.Pin(entry.sequence));
      batch_.Add(entry, behind, lost);
      batch_external_ = batch_external_ || external;
    }
    cursor = behind;
  }
  return batch_.size() != 0;
}

void JournalDrain::Deliver(Output& output) {
  if (scalars_.empty()) {
    DeliverBatch(output);
  } else {
    DeliverScalars(output);
  }
}

void JournalDrain::DeliverScalars(Output& output) {
  const std::uint64_t taken = output.sink->taken().sequence;
  const auto first =
      std::find_if(scalars_.begin(), scalars_.end(),
                   [&](const PlacedScalar& scalar) { return scalar.behind.sequence > taken; });
  if (first == scalars_.end()) return;
  const Status status = output.sink->AppendScalars({first, scalars_.end()});
  if (!status.ok()) Fail(output, status);
}

void JournalDrain::DeliverBatch(Output& output) {
  for (const EventBatch::Item& item : batch_.items()) {
    if (output.sink->taken().sequence >= item.behind.sequence) continue;
    // If values are lost, their record may be in the file already, so the sink must look for it.
    if (item.skip && !item.event.incomplete) {
      output.sink->Skip(item.behind);
      continue;
    }
    if (const Status status = output.sink->Append(item.event, item.behind); !status.ok()) {
      Fail(output, status);
      return;
    }
  }
}

void JournalDrain::Flush(Output& output) {
  if (!output.error.ok()) return;
  if (const Status status = output.sink->Flush(); !status.ok()) Fail(output, status);
}

void JournalDrain::FlushAndRelease(const std::vector<Output*>& outputs, More more) {
  for (Output* output : outputs) Flush(*output);
  Release(more);
}

// Waking a caller costs as much as writing 100 KB. So callers that wait for room are woken when
// there is much room, not for every piece.
void JournalDrain::Release(More more) {
  const JournalCursor all = done();
  journal_.Release(all.position);
  external_values_.Written(all.sequence);
  const bool over_half = journal_.head() - all.position > journal_.map().ring_bytes() / 2;
  if (on_release_ && !(over_half && more == More::kFollows)) on_release_();
}

void JournalDrain::Fail(Output& output, const Status& status) {
  output.error = status.WithContext(output.sink->name());
  output.sink->Rollback();
  faults_.Note(output.error);
}

JournalCursor JournalDrain::done() const {
  JournalCursor done = outputs_.front().sink->done();
  for (const Output& output : outputs_) {
    if (output.sink->done().sequence < done.sequence) done = output.sink->done();
  }
  return done;
}

// Keeps an expendable sink that fails from filling the buffer: it loses what it has not taken.
void JournalDrain::AbandonWhatBlocks() {
  if (journal_.head() - done().position < journal_.map().ring_bytes() / 2) return;
  JournalCursor others{journal_.head(), std::numeric_limits<std::uint64_t>::max()};
  for (const Output& output : outputs_) {
    const bool blocks = !output.error.ok() && output.sink->expendable();
    if (!blocks && output.sink->done().sequence < others.sequence) others = output.sink->done();
  }
  for (Output& output : outputs_) {
    if (output.error.ok() || !output.sink->expendable()) continue;
    const std::uint64_t at = output.sink->done().sequence;
    if (at >= others.sequence) continue;
    counters_.lost_values.fetch_add(others.sequence - at, std::memory_order_relaxed);
    output.sink->Skip(others);
    // Nothing is buffered, so this only stores the progress in the journal.
    (void)output.sink->Flush().ok();
  }
  Release(More::kNone);
}

void JournalDrain::UpdateState() {
  bool any = !space_error_.ok();
  bool needed = any;
  for (const Output& output : outputs_) {
    any = any || !output.error.ok();
    needed = needed || (!output.error.ok() && !output.sink->expendable());
  }
  stalled_.store(needed, std::memory_order_release);
  paused_.store(any, std::memory_order_release);
  if (any) {
    external_values_.Stall();
  } else {
    external_values_.Resume();
  }
}

Status JournalDrain::Sync() {
  Status first;
  for (Output& output : outputs_) {
    if (const Status status = output.sink->Sync(); !status.ok()) {
      faults_.Note(status.WithContext(output.sink->name()));
      if (first.ok()) first = status;
    }
  }
  return first;
}

void JournalDrain::LoseTheRest() {
  JournalCursor cursor = done();
  Journal::Entry entry;
  while (journal_.PeekAt(cursor.position, cursor.sequence, journal_.head(), entry) ==
         Journal::Peek::kEntry) {
    counters_.lost_values.fetch_add(EntryValueCount(entry.body), std::memory_order_relaxed);
    cursor = {entry.end, entry.sequence + 1};
  }
}

Status JournalDrain::Close() {
  Status first;
  for (Output& output : outputs_) {
    const Status status = output.sink->Close();
    faults_.Note(status);
    if (first.ok()) first = status;
  }
  return first;
}

}  // namespace sightline
