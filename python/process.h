// What concerns the whole process: the interpreter's end, and children that a fork made.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sightline/base/process_registry.h"

namespace sightline::python {

// When the interpreter ends, calls `close` without the GIL, unless `target` is gone by then. Needs
// the GIL.
void CloseAtExit(const std::shared_ptr<void>& target, std::function<void()> close);

// Does that for all, in the order of CloseAtExit's calls. For Python's atexit; needs the GIL.
void CloseAll();

// The process in which this was made, and a recorder was open then or before.
class HomeProcess {
 public:
  bool here() const { return generation_ == ProcessGeneration(); }

 private:
  std::uint32_t generation_ = ProcessGeneration();
};

}  // namespace sightline::python
