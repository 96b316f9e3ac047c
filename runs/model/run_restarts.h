// RunRestarts: finds the values that a restarted training made invalid. A session log START, as
// TensorFlow and PyTorch's purge_step write it, tells TensorBoard that a training continues from a
// step. It may stand anywhere in the files of a run.
//
// TensorBoard then drops what it has read for that step and later ones (event_accumulator.py,
// _CheckForRestartAndMaybePurge, for files of version 2). Those values do not count here, either,
// with one exception: the first START of a file affects earlier files only. What precedes it in its
// own file belongs to the same training, whose writer recorded values before the session began.
//
// A START in a file that Sightline wrote affects only files of other programs. Among Sightline's
// own files the sessions decide, since they know the ranks (run_sessions.h).
//
// A START affects the values before it. So note all STARTs first, then ask. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sightline {

class RunRestarts {
 public:
  // The place of an event: the number of its file in reading order, and how many STARTs of that
  // file precede it (a START counts itself).
  struct Place {
    std::size_t file = 0;
    std::uint64_t segment = 0;
    bool ours = false;  // The file names a session of Sightline's.
    bool operator<(const Place& other) const {
      return file != other.file ? file < other.file : segment < other.segment;
    }
  };

  // Notes the next START, in reading order.
  void NoteStart(const Place& place, std::int64_t step);
  // Call this after the last NoteStart.
  void FinishNoting();
  // Values at `place` of the returned step and later ones do not count. Returns nothing before
  // FinishNoting was called, or if all count.
  std::optional<std::int64_t> SupersededFrom(const Place& place) const;

 private:
  struct Start {
    Place place;
    std::int64_t step = 0;
    // The smallest step of this START and all later ones: of any program, and of other programs
    // only.
    std::int64_t smallest = 0;
    std::optional<std::int64_t> smallest_foreign;
  };

  std::vector<Start> starts_;
  bool noted_ = false;
};

}  // namespace sightline
