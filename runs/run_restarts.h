// RunRestarts: TensorBoard's word for a training that goes on from a step - a session log START, as
// TensorFlow and PyTorch's purge_step write it - wherever it stands in the files of a run.
//
// TensorBoard drops what it read before of that step and later ones (event_accumulator.py,
// _CheckForRestartAndMaybePurge, of files of version 2), and so do those values not count here. A
// START of our own files concerns other programs' files only: among ours the sessions tell, which
// know the ranks (run_sessions.h).
//
// Which values a START concerns is known only after them: first all STARTs are noted, then asked
// for. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace sightline {

class RunRestarts {
 public:
  // Where an event stands: its file's number in reading order, and how many STARTs of that file
  // stand up to it.
  struct Place {
    std::size_t file = 0;
    std::uint64_t segment = 0;
    bool ours = false;  // Whether the file names a session of Sightline's.
    bool operator<(const Place& other) const {
      return file != other.file ? file < other.file : segment < other.segment;
    }
  };

  // The next one, in reading order.
  void NoteStart(const Place& place, std::int64_t step);
  // There are no more.
  void FinishNoting();
  // Values at `place` of this step and later ones do not count. Nothing before FinishNoting.
  std::optional<std::int64_t> SupersededFrom(const Place& place) const;

 private:
  struct Start {
    Place place;
    std::int64_t step = 0;
    // The smallest step of this one and those after it: of all, and of other programs' only.
    std::int64_t smallest = 0;
    std::optional<std::int64_t> smallest_foreign;
  };

  std::vector<Start> starts_;
  bool noted_ = false;
};

}  // namespace sightline
