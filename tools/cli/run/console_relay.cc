#include "sightline/tools/cli/run/console_relay.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

#include "sightline/base/status.h"
#include "sightline/base/system/write_all.h"
#include "sightline/runs/console/console_times.h"

namespace sightline {
namespace {

constexpr char kNothing = '\xff';
// A pipe takes so much as a whole or not at all (PIPE_BUF).
constexpr std::size_t kPiece = 4096;
// More than a pipe or a terminal holds.
constexpr std::size_t kMostInPipe = std::size_t{1} << 20U;

// The size of what is before the trailing bytes that say nothing.
std::uint32_t SizeOf(const char* bytes, std::size_t most) {
  while (most > 0 && bytes[most - 1] == kNothing) --most;
  return static_cast<std::uint32_t>(most);
}

std::optional<std::uint64_t> SizeOfFile(int file) {
  struct stat status = {};
  if (file < 0 || fstat(file, &status) != 0) return std::nullopt;
  return static_cast<std::uint64_t>(status.st_size);
}

template <typename T>
std::shared_ptr<T> MapShared() {
  void* const memory =
      mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  return {new (memory) T(), [](T* mapped) { munmap(mapped, sizeof(T)); }};
}

}  // namespace

ConsoleRelay::ConsoleRelay(std::vector<Stream> streams, ConsoleFiles files,
                           std::function<void(const std::string&)> say, const Clock& clock)
    : streams_(std::move(streams)),
      files_(files),
      clock_(clock),
      say_(std::move(say)),
      shared_(MapShared<Shared>()) {
  for (OnItsWay& way : shared_->on_its_way) std::memset(way.bytes, kNothing, kMostBytes);
  const auto size = SizeOfFile(files_.console);
  shared_->is_recording = size.has_value();
  shared_->recorded = shared_->begin = size.value_or(0);
  shared_->times = SizeOfFile(files_.times).value_or(0) / ConsoleTime::kBytes * ConsoleTime::kBytes;
  shared_->last_time = -1;
}

void ConsoleRelay::TakeOver() {
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    OnItsWay& way = shared_->on_its_way[i];
    if (way.size == 0) {  // It was read, but nobody noted how much.
      way.passed_on = 0;
      way.size = SizeOf(way.bytes, kMostBytes);
    }
    if (way.size != 0) Finish(i);
  }
}

std::vector<pollfd> ConsoleRelay::Polled() const {
  std::vector<pollfd> polled;
  polled.reserve(streams_.size());
  for (const Stream& stream : streams_) polled.push_back({stream.source, POLLIN, 0});
  return polled;
}

std::size_t ConsoleRelay::Relay(const std::vector<pollfd>& polled) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < streams_.size(); ++i) {
    if (streams_[i].source < 0 || polled[i].revents == 0) continue;
    OnItsWay& way = shared_->on_its_way[i];
    shared_->begin = shared_->recorded.load();
    const ssize_t got = read(streams_[i].source, way.bytes, kMostBytes);
    if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
    if (got <= 0) {  // EIO: nobody has the terminal open.
      streams_[i].source = -1;
      continue;
    }
    Reached(Stage::kRead);
    way.size = static_cast<std::uint32_t>(got);
    Reached(Stage::kNoted);
    Finish(i);
    total += static_cast<std::size_t>(got);
  }
  return total;
}

// Each step is done again, or not, by what the steps before it left.
void ConsoleRelay::Finish(std::size_t stream) {
  OnItsWay& way = shared_->on_its_way[stream];
  const std::size_t size = way.size;
  if (shared_->is_recording && shared_->recorded == shared_->begin) {
    RecordTime();
    Record({way.bytes, size});
    shared_->recorded = shared_->begin + size;
  }
  Reached(Stage::kRecorded);
  while (way.passed_on < size && !shared_->target_is_gone[stream]) {
    const std::size_t piece = std::min(kPiece, size - way.passed_on);
    if (WriteAll(streams_[stream].target, {way.bytes + way.passed_on, piece})) {
      way.passed_on += static_cast<std::uint32_t>(piece);
    } else {
      shared_->target_is_gone[stream] = true;
    }
    Reached(Stage::kPassedOn);
  }
  std::memset(way.bytes, kNothing, size);
  way.size = 0;
  way.passed_on = 0;
  Reached(Stage::kDone);
}

// At most one row a second. What cannot be written is left out: the console is what matters.
void ConsoleRelay::RecordTime() {
  const double now = clock_.WallSeconds();
  const double last = shared_->last_time;
  if (files_.times < 0 || (last >= 0 && now >= last && now < last + 1)) return;
  const std::string row = ConsoleTime{shared_->begin, now}.Serialize();
  const auto at = static_cast<off_t>(shared_->times.load());
  if (pwrite(files_.times, row.data(), row.size(), at) != static_cast<ssize_t>(row.size())) return;
  shared_->times += row.size();
  shared_->last_time = now;
}

void ConsoleRelay::Record(std::string_view bytes) {
  for (std::uint64_t at = shared_->begin; !bytes.empty();) {
    const ssize_t written =
        pwrite(files_.console, bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) {
      shared_->is_recording = false;
      say_("the console is no longer recorded: " +
           std::string(ErrnoStatus("writing it", written < 0 ? errno : ENOSPC).message()));
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(written));
    at += static_cast<std::uint64_t>(written);
  }
}

void ConsoleRelay::RelayWhatIsThere() {
  for (std::size_t total = 0; total < kMostInPipe && !AtEnd();) {
    std::vector<pollfd> polled = Polled();
    if (poll(polled.data(), polled.size(), 0) <= 0) return;
    total += Relay(polled);
  }
}

void ConsoleRelay::RelayToEnd() {
  while (!AtEnd()) {
    std::vector<pollfd> polled = Polled();
    if (poll(polled.data(), polled.size(), -1) > 0) Relay(polled);
  }
}

bool ConsoleRelay::AtEnd() const {
  return std::all_of(streams_.begin(), streams_.end(),
                     [](const Stream& stream) { return stream.source < 0; });
}

}  // namespace sightline
