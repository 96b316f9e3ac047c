// The end of the interpreter, and children made by fork.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "sightline/base/process_registry.h"

namespace sightline::python {

// When the interpreter ends, calls `close` without the GIL, unless `target` no longer exists then.
// Needs the GIL.
void CloseAtExit(const std::shared_ptr<void>& target, std::function<void()> close);

// Calls all of them, in the order of the calls of CloseAtExit. For Python's atexit; needs the GIL.
void CloseAll();

// The process in which this was made, and a recorder was open then or before.
class HomeProcess {
 public:
  bool here() const { return generation_ == ProcessGeneration(); }

 private:
  std::uint32_t generation_ = ProcessGeneration();
};

}  // namespace sightline::python
