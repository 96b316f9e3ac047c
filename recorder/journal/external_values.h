// ExternalValues: what journal entries name but do not hold - values shared by an owner handle, and
// values larger than the buffer, which their callers lend until they are written.
//
// A lent value is pinned while the writer reads it; its caller may give up waiting only while it is
// not.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace sightline {

class ExternalValues {
 public:
  // --- Callers: between Reserve and Commit of the entry ---
  void Share(std::uint64_t sequence, std::vector<std::shared_ptr<const void>> owners,
             std::uint64_t bytes);
  void Lend(std::uint64_t sequence, std::vector<std::shared_ptr<const void>> owners,
            std::uint64_t bytes);

  // Until the lent entry is written (true), or writing is stalled (false; the value is taken back).
  bool WaitUntilWritten(std::uint64_t sequence);

  // --- The writer ---
  // False when the entry's external values were taken back.
  bool Pin(std::uint64_t sequence);
  // The sinks failed and will read the values again later, or never.
  void Stall();
  void Resume();
  // Entries before `sequence` are in all files: owners are released.
  void Written(std::uint64_t sequence);

  std::uint64_t Bytes() const;

 private:
  struct Held {
    std::vector<std::shared_ptr<const void>> owners;
    std::uint64_t bytes = 0;
    bool lent = false;
    bool pinned = false;
    bool taken_back = false;
  };

  void Hold(std::uint64_t sequence, Held held);

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::map<std::uint64_t, Held> held_;
  bool stalled_ = false;
};

}  // namespace sightline
