#include "sightline/profiler/record/profile_writer.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <utility>

#include "sightline/base/process_rank.h"
#include "sightline/base/utf8.h"
#include "sightline/profiler/record/thread_events.h"

namespace sightline::profiler {
namespace {

// If more bytes than this are encoded, they are written in the middle of a round.
constexpr std::size_t kMostUnwritten = std::size_t{1} << 20U;

std::int64_t ReadNanos(clockid_t id) {
  timespec now{};
  clock_gettime(id, &now);
  return now.tv_sec * std::int64_t{1'000'000'000} + now.tv_nsec;
}

std::string ProcessName() {
  std::ifstream file("/proc/self/comm");
  std::string name;
  std::getline(file, name);
  return ToUtf8(name);
}

// By it `sightline profile cluster` knows whose profile it is; ui.perfetto.dev shows it.
std::string RankLabel() {
  const auto rank = RankOfEnvironment();
  const auto world_size = WorldSizeOfEnvironment();
  if (!rank || world_size.value_or(1) <= 1) return "";
  return fmt::format("rank {} of {}", *rank, *world_size);
}

}  // namespace

ProfileWriter::ProfileWriter(std::unique_ptr<WritableFile> file) : file_(std::move(file)) {}

void ProfileWriter::Start() {
  // Two anchors before the first event. A millisecond between them gives the rate within 0.1 %;
  // the first round's anchor gives it exactly, before anything is converted.
  const TickTimeline::Anchor first = TickTimeline::Read();
  TickTimeline::Anchor second = TickTimeline::Read();
  while (second.ticks <= first.ticks || second.nanos <= first.nanos) {
    second = TickTimeline::Read();
  }
  timeline_.Start(first, second);
  encoder_.Start({.process_id = getpid(),
                  .process_name = ProcessName(),
                  .process_label = RankLabel(),
                  .monotonic_nanos = ReadNanos(CLOCK_MONOTONIC),
                  .boot_nanos = ReadNanos(CLOCK_BOOTTIME),
                  .wall_nanos = ReadNanos(CLOCK_REALTIME)});
  Flush();
}

void ProfileWriter::AddNewRings() {
  for (std::shared_ptr<EventRing>& ring : TakeNewRings()) {
    const std::size_t thread = threads_.fetch_add(1, std::memory_order_relaxed);
    sources_.push_back({std::move(ring), thread, 0});
  }
}

double ProfileWriter::Drain() {
  AddNewRings();
  double fullest = 0;
  // All ends are read before the anchor, so that the events before them were recorded before it as
  // well.
  for (Source& source : sources_) {
    source.end = source.ring->head.load(std::memory_order_acquire);
    const std::uint64_t waiting = source.end - source.ring->tail.load(std::memory_order_relaxed);
    fullest = std::max(fullest,
                       static_cast<double>(waiting) / static_cast<double>(source.ring->capacity()));
  }
  timeline_.Add(TickTimeline::Read());
  for (Source& source : sources_) DrainRing(source);
  CountDropped();
  return fullest;
}

void ProfileWriter::DrainRing(Source& source) {
  EventRing& ring = *source.ring;
  std::uint64_t position = ring.tail.load(std::memory_order_relaxed);
  if (position == 0 && source.end != 0) {
    encoder_.AddThread(source.thread, ring.thread_id(), ToUtf8(ring.name()),
                       timeline_.Nanos(ring.At(0).first));
  }
  constexpr std::uint64_t kSlotsAtOnce = 4096;
  std::uint64_t published = position;
  TraceEvent event;
  while (position != source.end) {
    decoder_.Decode(ring, position, event);
    event.nanos = timeline_.Nanos(ring.At(position).first);
    position += 1 + event.head.more_slots;
    encoder_.Add(source.thread, event);
    ++events_in_out_;
    if (position - published >= kSlotsAtOnce) {
      ring.tail.store(position, std::memory_order_release);
      published = position;
      if (out_.size() > kMostUnwritten) Flush();
    }
  }
  ring.tail.store(position, std::memory_order_release);
}

void ProfileWriter::CountDropped() {
  std::uint64_t dropped = EventsWithoutRing();
  std::erase_if(sources_, [&](const Source& source) {
    // In this order, since a thread sets `finished` last.
    const bool finished = source.ring->finished.load(std::memory_order_acquire);
    const std::uint64_t its_dropped = source.ring->dropped.load(std::memory_order_relaxed);
    dropped += its_dropped;
    const bool empty = source.ring->head.load(std::memory_order_relaxed) ==
                       source.ring->tail.load(std::memory_order_relaxed);
    if (!finished || !empty) return false;
    dropped_by_ended_ += its_dropped;
    dropped -= its_dropped;
    return true;
  });
  dropped_.store(dropped + dropped_by_ended_, std::memory_order_relaxed);
}

void ProfileWriter::Keep(const Status& status) {
  if (status_.ok()) status_ = status;
}

void ProfileWriter::Flush() {
  if (out_.empty()) return;
  const std::uint64_t at = bytes_.load(std::memory_order_relaxed);
  if (status_.ok()) {
    Keep(file_->WriteAt(at, out_));
    // If half a packet was written, the file is cut after the last whole one.
    if (!status_.ok()) (void)file_->Truncate(at);
  }
  if (status_.ok()) {
    bytes_.store(at + out_.size(), std::memory_order_relaxed);
    events_.fetch_add(events_in_out_, std::memory_order_relaxed);
  } else {
    lost_.fetch_add(events_in_out_, std::memory_order_relaxed);
  }
  events_in_out_ = 0;
  out_.clear();
}

Status ProfileWriter::Finish() {
  Drain();
  Flush();
  Keep(file_->Close());
  return status_;
}

ProfileWriter::Counts ProfileWriter::counts() const {
  return {
      .events = events_.load(std::memory_order_relaxed),
      .dropped = dropped_.load(std::memory_order_relaxed) + lost_.load(std::memory_order_relaxed),
      .bytes = bytes_.load(std::memory_order_relaxed),
      .threads = threads_.load(std::memory_order_relaxed)};
}

}  // namespace sightline::profiler
