// ExternalValues: the values outside of the journal that its entries point to. They are values that
// are larger than the buffer, which their callers lend until they are written, and copies of large
// staged values.
//
// The writer pins a lent value while it reads it. The caller may give up waiting only while the
// value is not pinned.
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
    std::shared_ptr<const void> owner;  // Owns a copy; nullptr if the value is lent.
    std::uint64_t bytes = 0;
    bool pinned = false;
    bool taken_back = false;
  };
  using Prepared = std::map<std::uint64_t, Held>::node_type;

  // --- Callers ---
  // Allocates what Hold needs. Call it before Reserve, since it may throw std::bad_alloc, and a
  // reserved entry must be committed.
  static Prepared Prepare(std::shared_ptr<const void> owner, std::uint64_t bytes);
  // Holds the external values of an entry. Call it between Reserve and Commit; it allocates
  // nothing.
  void Hold(std::uint64_t sequence, Prepared prepared);

  // Waits until the entry with lent values is written. False if writing is stalled; the values are
  // then taken back.
  bool WaitUntilWritten(std::uint64_t sequence);

  // --- The writer ---
  // Pins the entry's external values. False if they were taken back.
  bool Pin(std::uint64_t sequence);
  // Unpins all values, since a sink failed. It will read them again later, or never.
  void Stall();
  void Resume();
  // Releases the values of the entries before `sequence`, since they are in all files.
  void Written(std::uint64_t sequence);

  // Bytes of all values that are held.
  std::uint64_t Bytes() const;

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Held> held_;
  bool stalled_ = false;
};

}  // namespace sightline
