// ExternalValues: what journal entries name but do not hold: values larger than the buffer, which
// their callers lend until they are written, and the copies of large staged ones.
//
// A lent value is pinned while the writer reads it; its caller may give up waiting only while it is
// not.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>

namespace sightline {

class ExternalValues {
 public:
  struct Held {
    std::shared_ptr<const void> owner;  // Of a copy; nullptr for what is lent.
    std::uint64_t bytes = 0;
    bool pinned = false;
    bool taken_back = false;
  };
  using Prepared = std::map<std::uint64_t, Held>::node_type;

  // --- Callers ---
  // Before Reserve, since it may throw for want of memory, and a reserved entry must be committed.
  static Prepared Prepare(std::shared_ptr<const void> owner, std::uint64_t bytes);
  // Between Reserve and Commit of the entry; allocates nothing.
  void Hold(std::uint64_t sequence, Prepared prepared);

  // Until the lent entry is written (true), or writing is stalled (false; the value is taken back).
  bool WaitUntilWritten(std::uint64_t sequence);

  // --- The writer ---
  // False when the entry's external values were taken back.
  bool Pin(std::uint64_t sequence);
  // The sinks failed and will read the values again later, or never.
  void Stall();
  void Resume();
  // Entries before `sequence` are in all files: copies are released.
  void Written(std::uint64_t sequence);

  std::uint64_t Bytes() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Held> held_;
  bool stalled_ = false;
};

}  // namespace sightline
