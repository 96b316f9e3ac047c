// ConsoleRelay: what a command prints, on its way. It is read from the command's pipes or terminal,
// recorded in one file, and passed on to where it would have gone without us.
//
//   ConsoleRelay relay({{pipe, STDOUT_FILENO}}, console, Say);
//   if (fork() == 0) relay.RelayToEnd();  // Killed at any moment,
//   wait(nullptr);
//   relay.TakeOver();                     // it leaves all that it had to do to its parent.
//   relay.RelayToEnd();
//
// Processes that were forked from the one that made it share its state, and one of them at a time
// may use it. What was read is in memory that they share, so nothing is lost if a process is killed
// between any two instructions, and nothing is recorded twice. What was passed on is passed on
// again only if the kill came between a call of write(2) and the next instruction; it is written in
// pieces that a pipe takes as a whole.
//
// The one exception: bytes 0xFF, which no text has, at the end of what a process read last before
// it was killed there.
#pragma once

#include <poll.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/base/clock.h"

namespace sightline {

// Open files; -1: none.
struct ConsoleFiles {
  int console = -1;
  int times = -1;  // That of runs/console/console_times.h.
};

class ConsoleRelay {
 public:
  // What the command prints into `source` goes to the descriptor `target`.
  struct Stream {
    int source = -1;
    int target = -1;
  };
  static constexpr std::size_t kMostStreams = 2;

  // After what a process may be killed; tests do.
  enum class Stage : std::uint8_t { kRead, kNoted, kRecorded, kPassedOn, kDone };

  // The console gets the bytes as they were read, at its end, with one write(2) each. `say` gets a
  // line if they no longer can be recorded; they are passed on nevertheless. A target that takes
  // nothing any more, such as a closed pipe, gets nothing more. REQUIRES: at most kMostStreams. The
  // descriptors stay the caller's.
  ConsoleRelay(std::vector<Stream> streams, ConsoleFiles files,
               std::function<void(const std::string&)> say, const Clock& clock = Clock::System());
  // Called in the process that relays; for tests.
  void OnStage(std::function<void(Stage)> hook) { hook_ = std::move(hook); }

  // Does what the process that relayed before had begun. Call it once it has ended.
  void TakeOver();

  // What to poll for: an entry for each stream; its descriptor is -1 once it has ended.
  std::vector<pollfd> Polled() const;
  // Relays what is there, of each stream that `polled` says something about: at most one read(2) of
  // each. Waits as long as a target takes nothing. Returns the number of bytes.
  std::size_t Relay(const std::vector<pollfd>& polled);
  // Relays what was printed before the call, and maybe some that was printed since.
  void RelayWhatIsThere();
  // Relays until no process can print any more.
  void RelayToEnd();
  // Whether that is so.
  bool AtEnd() const;

 private:
  static constexpr std::size_t kMostBytes = std::size_t{64} << 10U;

  // What is on its way. At rest: no size, nothing passed on, and every byte is 0xFF.
  struct OnItsWay {
    std::atomic<std::uint32_t> size;
    std::atomic<std::uint32_t> passed_on;
    char bytes[kMostBytes];
  };
  struct Shared {
    std::atomic<std::uint64_t> recorded;  // The size of the console.
    std::atomic<std::uint64_t> begin;     // Where in it what is on its way begins.
    std::atomic<bool> is_recording;
    std::atomic<std::uint64_t> times;  // The size of their file.
    std::atomic<double> last_time;     // Of the last row there.
    std::atomic<bool> target_is_gone[kMostStreams];
    OnItsWay on_its_way[kMostStreams];
  };

  void Finish(std::size_t stream);
  void Record(std::string_view bytes);
  void RecordTime();
  void Reached(Stage stage) const {
    if (hook_) hook_(stage);
  }

  std::vector<Stream> streams_;  // The source is -1 at its end.
  ConsoleFiles files_;
  const Clock& clock_;
  std::function<void(const std::string&)> say_;
  std::function<void(Stage)> hook_;
  std::shared_ptr<Shared> shared_;
};

}  // namespace sightline
