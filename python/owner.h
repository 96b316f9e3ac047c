// Owner: keeps a Python object alive for as long as the recorder reads its memory.
//
// The recorder lets go on a thread of its own, which has no business with the GIL: a thread that
// holds it may be waiting for the recorder, and at the interpreter's end taking it ends the thread.
// So the object is put on a list there, and the reference is dropped by a thread that has the GIL
// anyway: at the interpreter's next opportunity, in a later call, or when everything is closed.
#pragma once

#include <nanobind/nanobind.h>

#include <memory>

namespace sightline::python {

// A reference to `object` that may be released on any thread. Needs the GIL.
std::shared_ptr<const void> KeepAlive(nanobind::object object);

// Drops the references that were released since the last call. Needs the GIL.
void DropReleased() noexcept;

// The interpreter ends: what is released from now on is left to the end of the process.
void StopDropping() noexcept;

}  // namespace sightline::python
