// Progress: one line on a terminal that says how far something is, how fast, and how long it takes.
//
//   Progress progress("sightline export", bytes);
//   for (...) { progress.At(done); }   // Redrawn a few times a second.
//
// Written to standard error, and only where that is a terminal. The destructor removes the line;
// Clear does before anything else is printed. One thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace sightline {

class Progress {
 public:
  // Whether there is a terminal to show it.
  static bool HasTerminal();
  // `total`: bytes; 0: not known (yet), nothing is shown. What ends within `delay` shows nothing,
  // either.
  Progress(std::string name, std::uint64_t total,
           std::chrono::milliseconds delay = std::chrono::milliseconds(0));
  ~Progress() { Clear(); }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // For a total that becomes known later, or grows.
  void SetTotal(std::uint64_t total);
  bool shown() const { return shown_; }
  // `done` of the total, of all so far.
  void At(std::uint64_t done);
  void Clear();

 private:
  using Clock = std::chrono::steady_clock;

  std::string name_;
  std::uint64_t total_ = 0;
  bool shown_ = false;
  bool drawn_ = false;
  Clock::time_point begun_ = Clock::now();
  Clock::time_point next_;
};

// "45 %, 120 MB of 260 MB, 310 MB/s, 1 s left"; without a rate before anything is done. `seconds`:
// since the beginning.
std::string ProgressText(std::uint64_t done, std::uint64_t total, double seconds);

}  // namespace sightline
