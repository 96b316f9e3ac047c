#include "sightline/recorder/recorder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <deque>
#include <exception>

#include "sightline/base/crc32c.h"
#include "sightline/recorder/recorder_access.h"
#include "sightline/recorder/recorder_impl.h"

namespace sightline {
namespace {

constexpr char kNoMemory[] = "there is no memory left";

// At most so many lines go to the user.
constexpr std::size_t kMostSaid = 100;

// If an event is larger than the buffer, its values of at least this size are lent, not copied.
constexpr std::uint64_t kLendBytes = std::uint64_t{16} << 10;

std::string_view TextOf(const Tag& tag, std::string& storage) {
  if (tag.clean() || IsCleanTag(tag.text())) return tag.text();
  storage = CleanTag(tag.text());
  return storage;
}

// `lend`: large values stay with the caller.
bool IsExternal(const Value& value, bool lend) { return lend && DataBytes(value) >= kLendBytes; }

// Writes an entry's body at `out`; returns its checksum.
std::uint32_t PutEvent(char* out, const EntryEventHeader& header,
                       std::span<const TaggedValue> values, bool lend) {
  char* at = PutEntryEventHeader(out, header);
  std::uint32_t crc = crc32c::Value({out, sizeof(header)});
  for (const auto& [tag, value] : values)
    at = PutEntryValue(at, tag.text(), value, IsExternal(value, lend), crc);
  return crc;
}

}  // namespace

Status Recorder::Impl::Check(std::string_view tag, const Value& value) const {
  const auto& formats = options_.formats;
  if (value.kind == ValueKind::kTensorBoardEvent &&
      std::find(formats.begin(), formats.end(), Format::kTensorBoard) == formats.end()) {
    return Status(StatusCode::kInvalidArgument,
                  fmt::format("{}: only TensorBoard's dialect has a form for it, and this recorder "
                              "writes MindSpore's; add Format::kTensorBoard to formats",
                              tag.empty() ? "a TensorBoard event" : tag));
  }
  return CheckValue(tag, value);
}

bool Recorder::Impl::NeedsCare(const TaggedValue& tagged) const {
  const auto& [tag, value] = tagged;
  const bool fit = value.kind == ValueKind::kScalar || Check(tag.text(), value).ok();
  return !fit || (!tag.clean() && !IsCleanTag(tag.text()));
}

TagId Recorder::Impl::Intern(std::string_view text) {
  if (!usable()) return TagId();
  const std::string clean = CleanTag(text);
  const std::lock_guard lock(intern_mutex_);
  return TagId(*interned_.insert(clean).first);
}

Outcome Recorder::Impl::Reject(std::uint64_t values, const Status& status, std::string_view cause) {
  // Close has said what was refused.
  if (!usable() || journal_->sealed()) return Outcome::kClosed;
  faults_.Note(status);
  invalid_values_.fetch_add(values, std::memory_order_relaxed);
  Say(cause.empty() ? status.message() : cause, status.message());
  return Outcome::kInvalid;
}

void Recorder::Impl::Say(std::string_view cause, std::string_view message) noexcept {
  try {
    SayOrThrow(cause, message);
  } catch (const std::exception&) {  // It was counted; there is no memory for a message.
  }
}

void Recorder::Impl::SayOrThrow(std::string_view cause, std::string_view message) {
  {
    const std::lock_guard lock(said_mutex_);
    if (first_refused_.empty()) first_refused_ = message;
    if (said_.size() == kMostSaid || !said_.emplace(cause).second) return;
  }
  if (options_.writing.on_refused) {
    options_.writing.on_refused(
        fmt::format("not recorded: {}; more of this kind is only counted", message));
  }
}

Status Recorder::Impl::refusals() const {
  if (!usable()) return {};  // As in Stats, a lock may be held for ever.
  const std::uint64_t refused = invalid_values_.load(std::memory_order_relaxed);
  const std::uint64_t dropped = dropped_values_.load(std::memory_order_relaxed);
  if (refused == 0 && dropped == 0) return {};
  std::string text =
      refused == 0   ? fmt::format("values that were dropped: {}", dropped)
      : dropped == 0 ? fmt::format("values that were refused: {}", refused)
                     : fmt::format("values that were refused: {}, dropped: {}", refused, dropped);
  const std::lock_guard lock(said_mutex_);
  if (!first_refused_.empty()) text += "; first: " + first_refused_;
  return Status(refused == 0 ? StatusCode::kResourceExhausted : StatusCode::kInvalidArgument, text);
}

bool Recorder::Impl::HasRoom(std::size_t bytes) const {
  if (!usable()) return true;  // A call that does nothing does not wait.
  if (options_.writing.sync == SyncPolicy::kEveryRecord) return false;
  return options_.writing.on_buffer_full == OnBufferFull::kDrop || journal_->HasRoom(bytes);
}

Outcome Recorder::Impl::Drop(std::uint64_t values, const char* why) noexcept {
  dropped_values_.fetch_add(values, std::memory_order_relaxed);
  if (why != nullptr) {
    try {
      faults_.Note(Status(StatusCode::kResourceExhausted, why));
    } catch (const std::exception&) {
      faults_.Note(drain_->no_memory());
    }
    Say(why, why);
  } else {
    Say("dropped", drain_->stalled()
                       ? "recording is paused and the buffer is full: values are dropped"
                       : "the buffer is full: values are dropped");
  }
  return Outcome::kDropped;
}

Outcome Recorder::Impl::Stage(Tag tag, const Value& value) {
  if (!usable() || journal_->sealed()) return Outcome::kClosed;
  std::string storage;
  const std::string_view text = TextOf(tag, storage);
  if (const Status status = Check(text, value); !status.ok()) return Reject(1, status);
  {
    const std::lock_guard lock(staging_mutex_);
    if (staging_.Add(text, value)) return Outcome::kAccepted;
  }
  return Drop(1,
              "staged values fill an eighth of buffer_bytes: call RecordStaged(step) after each "
              "step, or raise buffer_bytes");
}

Outcome Recorder::Impl::RecordStaged(std::int64_t step) {
  if (!usable()) return Outcome::kClosed;
  const double wall_time = options_.writing.clock->WallSeconds();
  const std::lock_guard lock(staging_mutex_);
  if (staging_.empty()) return Outcome::kAccepted;
  const std::string_view values = staging_.bytes();
  Outcome outcome = Outcome::kClosed;
  const EntrySize size{sizeof(EntryEventHeader) + values.size(), staging_.count(),
                       staging_.given_bytes(), staging_.large_bytes()};
  ExternalValues::Prepared external;
  try {
    if (size.external != 0) external = ExternalValues::Prepare(staging_.large(), size.external);
  } catch (const std::exception&) {  // Values that stayed would be recorded with the next step.
    staging_.Clear();
    return Drop(size.values, kNoMemory);
  }
  const auto reservation = Reserve(size, outcome);
  if (reservation.entry == nullptr) {
    staging_.Clear();
    return outcome;
  }
  char* const begin = reservation.body.data();
  char* const out = PutEntryEventHeader(begin, size.Header(step, wall_time));
  const std::uint32_t header_crc = crc32c::Value({begin, sizeof(EntryEventHeader)});
  std::memcpy(out, values.data(), values.size());
  const std::uint32_t crc = crc32c::Combine(header_crc, staging_.checksum(), values.size());
  if (size.external != 0) drain_->external_values().Hold(reservation.sequence, std::move(external));
  outcome = Finish(reservation, crc);
  staging_.Clear();
  return outcome;
}

Recorder::Impl::EntrySize Recorder::Impl::Measure(std::span<const TaggedValue> values, bool lend) {
  EntrySize size{sizeof(EntryEventHeader), values.size(), 0, 0};
  for (const auto& [tag, value] : values) {
    const bool external = IsExternal(value, lend);
    size.body += EntryValueBytes(tag.text(), value, external);
    size.given += tag.text().size() + DataBytes(value);
    size.external += external ? DataBytes(value) : 0;
  }
  return size;
}

Outcome Recorder::Impl::RecordValues(std::int64_t step, double wall_time,
                                     std::span<const TaggedValue> values) {
  if (!usable() || journal_->sealed()) return Outcome::kClosed;
  if (values.empty()) return Outcome::kAccepted;
  const auto needs_care = [this](const TaggedValue& tagged) { return NeedsCare(tagged); };
  if (std::any_of(values.begin(), values.end(), needs_care))
    return RecordWithCare(step, wall_time, values);
  const EntrySize size = Measure(values, false);
  if (size.body > journal_->MaxBodyBytes()) return RecordLent(step, wall_time, values);
  Outcome outcome = Outcome::kClosed;
  const auto reservation = Reserve(size, outcome);
  if (reservation.entry == nullptr) return outcome;
  const EntryEventHeader header = size.Header(step, wall_time);
  return Finish(reservation, PutEvent(reservation.body.data(), header, values, false));
}

// Records an event that is larger than the buffer. The caller waits until the lent values are
// written.
Outcome Recorder::Impl::RecordLent(std::int64_t step, double wall_time,
                                   std::span<const TaggedValue> values) {
  if (options_.writing.on_buffer_full == OnBufferFull::kDrop) {
    return Drop(values.size(),
                "an event is larger than the buffer: raise buffer_bytes, or let callers wait");
  }
  const EntrySize size = Measure(values, true);
  if (size.body > journal_->MaxBodyBytes()) {
    return Reject(values.size(),
                  Status(StatusCode::kInvalidArgument,
                         fmt::format("an event of {} values in {} bytes does not fit into a buffer "
                                     "of {}: raise buffer_bytes",
                                     values.size(), size.given, options_.writing.buffer_bytes)));
  }
  auto prepared = ExternalValues::Prepare(nullptr, size.external);
  Outcome outcome = Outcome::kClosed;
  const auto reservation = Reserve(size, outcome);
  if (reservation.entry == nullptr) return outcome;
  const EntryEventHeader header = size.Header(step, wall_time);
  const std::uint32_t crc = PutEvent(reservation.body.data(), header, values, true);
  ExternalValues& external = drain_->external_values();
  external.Hold(reservation.sequence, std::move(prepared));
  outcome = Finish(reservation, crc);
  Wake(Wish::kAtOnce);
  return external.WaitUntilWritten(reservation.sequence) ? outcome : Drop(values.size(), nullptr);
}

// Records values of which some cannot be recorded as they are: leaves out bad values, and makes
// tags UTF-8.
Outcome Recorder::Impl::RecordWithCare(std::int64_t step, double wall_time,
                                       std::span<const TaggedValue> values) {
  std::deque<std::string> tags;  // A deque, since its elements do not move.
  std::vector<TaggedValue> good;
  Outcome worst = Outcome::kAccepted;
  for (const auto& [tag, value] : values) {
    const std::string_view text =
        tags.emplace_back(tag.clean() ? std::string(tag.text()) : CleanTag(tag.text()));
    if (const Status status = Check(text, value); !status.ok()) {
      worst = Reject(1, status);
    } else {
      good.push_back({Tag(TagId(text)), value});
    }
  }
  const Outcome outcome = RecordValues(step, wall_time, good);
  return outcome == Outcome::kAccepted ? worst : outcome;
}

Outcome Recorder::Impl::RecordScalar(Tag tag, std::int64_t step, double value) {
  if (!usable()) return Outcome::kClosed;
  const double wall_time = options_.writing.clock->WallSeconds();
  std::string storage;
  const std::string_view text = TextOf(tag, storage);
  Outcome outcome = Outcome::kClosed;
  const EntrySize size{ScalarEntryBytes(text.size()), 1, text.size() + sizeof(double), 0};
  const auto reservation = Reserve(size, outcome);
  if (reservation.entry == nullptr) return outcome;
  const std::span<char> body = reservation.body;
  PutScalarEntry(body.data(), step, wall_time, text, value);
  return Finish(reservation, crc32c::Value({body.data(), body.size()}));
}

Outcome Recorder::Impl::RecordTensorBoard(Tag tag, std::int64_t step,
                                          const Result<std::string>& event) {
  if (!usable()) return Outcome::kClosed;
  if (!event) return Reject(1, event.error().WithContext(CleanTag(tag.text())));
  const TaggedValue one{tag, Value::Message(ValueKind::kTensorBoardEvent, *event)};
  return RecordValues(step, Now(), std::span(&one, 1));
}

Journal::Reservation Recorder::Impl::Reserve(const EntrySize& size, Outcome& outcome) {
  auto reservation = journal_->Reserve(size.body, size.values, size.given);
  if (reservation.entry != nullptr) [[likely]]
    return reservation;
  if (reservation.wake_writer) Wake();
  return WaitForRoom(size, outcome);
}

Journal::Reservation Recorder::Impl::WaitForRoom(const EntrySize& size, Outcome& outcome) {
  const std::int64_t begin = options_.writing.clock->MonotonicNanos();
  Journal::Reservation reservation;
  std::unique_lock lock(room_mutex_);
  room_waiters_.fetch_add(1, std::memory_order_seq_cst);
  for (;;) {
    reservation = journal_->Reserve(size.body, size.values, size.given);
    if (reservation.entry != nullptr) break;
    outcome = journal_->sealed() ? Outcome::kClosed : Outcome::kDropped;
    if (reservation.wake_writer) Wake();
    if (journal_->sealed() || options_.writing.on_buffer_full == OnBufferFull::kDrop ||
        drain_->stalled())
      break;
    room_.wait(lock);
  }
  room_waiters_.fetch_sub(1, std::memory_order_seq_cst);
  blocked_nanos_.fetch_add(options_.writing.clock->MonotonicNanos() - begin,
                           std::memory_order_relaxed);
  lock.unlock();
  if (reservation.entry == nullptr && outcome == Outcome::kDropped)
    (void)Drop(size.values, nullptr);
  return reservation;
}

Outcome Recorder::Impl::Finish(const Journal::Reservation& reservation, std::uint32_t checksum) {
  Journal::Commit(reservation, checksum);
  if (reservation.wake_writer) [[unlikely]]
    Wake();
  if (options_.writing.sync == SyncPolicy::kEveryRecord) (void)Flush(FlushTo::kDisk).ok();
  return Outcome::kAccepted;
}

void Recorder::Impl::Wake(Wish wish) {
  {
    const std::lock_guard lock(wake_mutex_);
    woken_ = true;
    wanted_at_once_ = wanted_at_once_ || wish == Wish::kAtOnce;
  }
  wake_.notify_one();
}

RecorderStats Recorder::Impl::Stats() const {
  RecorderStats stats;
  // A child that was forked while another thread held a lock would wait for that lock for ever.
  if (!usable()) return stats;
  const Journal::Tally accepted = journal_->tally();
  stats.accepted_events = accepted.entries;
  stats.accepted_values = accepted.values;
  stats.accepted_bytes = accepted.bytes;
  stats.written_events = written_events_.load(std::memory_order_relaxed);
  stats.written_bytes = written_bytes_.load(std::memory_order_relaxed);
  stats.dropped_values = dropped_values_.load(std::memory_order_relaxed);
  // Each format's files stop at their own limit.
  for (const auto& left_out : left_out_values_)
    stats.left_out_values = std::max(stats.left_out_values, left_out.load());
  stats.invalid_values = invalid_values_.load(std::memory_order_relaxed);
  stats.lost_values = drain_->counters().lost_values.load(std::memory_order_relaxed) +
                      unspeakable_values_.load(std::memory_order_relaxed);
  stats.duplicate_tags = drain_->counters().duplicate_tags.load(std::memory_order_relaxed);
  stats.unprotected_bytes = drain_->external_values().Bytes();
  stats.errors = faults_.count();
  stats.first_error = faults_.first();
  stats.paused = drain_->paused();
  stats.kill_safe = journal_->kill_safe();
  constexpr double kNano = 1e-9;
  stats.caller_seconds =
      static_cast<double>(blocked_nanos_.load(std::memory_order_relaxed)) * kNano;
  stats.worker_seconds = static_cast<double>(writer_cpu_nanos_.load(std::memory_order_relaxed) +
                                             drain_->worker_cpu_nanos()) *
                         kNano;
  const std::lock_guard lock(files_mutex_);
  stats.files = files_;
  return stats;
}

namespace {

// Lets no exception reach a training loop. Only std::bad_alloc is expected; it counts as dropped
// values.
template <typename Impl, typename Call>
Outcome Guard(Impl& impl, std::uint64_t values, Call&& call) noexcept {
  try {
    return call();
  } catch (const std::exception&) {
    return impl.Drop(values, kNoMemory);
  }
}

}  // namespace

TagId Recorder::Intern(std::string_view text) { return impl_->Intern(text); }

Outcome Recorder::Stage(Tag tag, const Value& value) noexcept {
  return Guard(*impl_, 1, [&] { return impl_->Stage(tag, value); });
}

Outcome Recorder::RecordStaged(std::int64_t step) noexcept {
  return Guard(*impl_, 1, [&] { return impl_->RecordStaged(step); });
}

Outcome Recorder::Record(std::int64_t step, std::span<const TaggedValue> values) noexcept {
  return Guard(*impl_, values.size(),
               [&] { return impl_->RecordValues(step, impl_->Now(), values); });
}

Outcome Recorder::Record(std::int64_t step, double wall_time,
                         std::span<const TaggedValue> values) noexcept {
  return Guard(*impl_, values.size(), [&] {
    if (std::isfinite(wall_time)) return impl_->RecordValues(step, wall_time, values);
    return impl_->Reject(values.size(), Status(StatusCode::kInvalidArgument,
                                               fmt::format("step {}: wall_time is {}; it must be "
                                                           "finite, in Unix seconds",
                                                           step, wall_time)));
  });
}

Outcome Recorder::Add(Tag tag, std::int64_t step, const Value& value) noexcept {
  return Guard(*impl_, 1, [&] {
    const TaggedValue one{tag, value};
    return impl_->RecordValues(step, impl_->Now(), std::span(&one, 1));
  });
}

Outcome Recorder::AddScalar(Tag tag, std::int64_t step, double value) noexcept {
  return Guard(*impl_, 1, [&] { return impl_->RecordScalar(tag, step, value); });
}

Outcome Recorder::AddHistogram(Tag tag, std::int64_t step, const TensorView& values) noexcept {
  return Add(tag, step, Value::Histogram(values));
}

Outcome Recorder::AddTensor(Tag tag, std::int64_t step, const TensorView& values) noexcept {
  return Add(tag, step, Value::Tensor(values));
}

Outcome Recorder::AddImage(Tag tag, std::int64_t step, const TensorView& nchw) noexcept {
  return Add(tag, step, Value::Image(nchw));
}

Outcome Recorder::AddMessage(Tag tag, std::int64_t step, ValueKind kind,
                             std::string_view serialized) noexcept {
  return Add(tag, step, Value::Message(kind, serialized));
}

Outcome Recorder::AddText(Tag tag, std::int64_t step, std::string_view text) noexcept {
  return Guard(*impl_, 1, [&] {
    return impl_->RecordTensorBoard(tag, step, SerializeText(tag.text(), text));
  });
}

Outcome Recorder::AddAudio(Tag tag, std::int64_t step, const TensorView& samples,
                           double sample_rate) noexcept {
  return Guard(*impl_, 1, [&] {
    return impl_->RecordTensorBoard(tag, step, SerializeAudio(tag.text(), samples, sample_rate));
  });
}

Outcome Recorder::AddPrCurve(Tag tag, std::int64_t step, const PrCurve& curve) noexcept {
  return Guard(*impl_, 1, [&] {
    return impl_->RecordTensorBoard(tag, step, SerializePrCurve(tag.text(), curve));
  });
}

Outcome Recorder::AddMesh(Tag tag, std::int64_t step, const Mesh& mesh) noexcept {
  return Guard(*impl_, 1, [&] {
    return impl_->RecordTensorBoard(tag, step, SerializeMesh(tag.text(), mesh));
  });
}

Outcome Recorder::AddHyperParameters(std::int64_t step, std::span<const HyperParameter> parameters,
                                     std::span<const std::string> metrics) noexcept {
  return Guard(*impl_, 1, [&] {
    return impl_->RecordTensorBoard("", step, SerializeHyperParameters(parameters, metrics));
  });
}

bool Recorder::paused() const noexcept { return impl_->paused(); }
Status Recorder::Flush(FlushTo to) noexcept { return impl_->Flush(to); }
Status Recorder::Close() noexcept { return impl_->Close(); }
RecorderStats Recorder::Stats() const { return impl_->Stats(); }
const std::string& Recorder::directory() const { return impl_->directory(); }
const std::string& Recorder::session_id() const { return impl_->run().session_id; }

const std::string& Recorder::continues_session() const { return impl_->run().continues_session; }

void RecorderAccess::Refuse(Recorder& recorder, const Status& why,
                            std::string_view cause) noexcept {
  Recorder::Impl& impl = *recorder.impl_;
  (void)Guard(impl, 1, [&] { return impl.Refuse(why, cause); });
}

Status RecorderAccess::Refusals(const Recorder& recorder) { return recorder.impl_->refusals(); }

bool RecorderAccess::HasRoom(const Recorder& recorder, std::size_t bytes) noexcept {
  return recorder.impl_->HasRoom(bytes);
}

}  // namespace sightline
