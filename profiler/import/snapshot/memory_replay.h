// Memory over time, and the allocations, from the events of an allocator and its state at their
// end.
#pragma once

#include "sightline/profiler/import/snapshot/snapshot_objects.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Adds to the model the counters "Allocated memory, device N" (bytes that the program asked for,
// from its request until the memory can be used again) and "Reserved memory, device N" (what the
// allocator took from the device), and to the profile the allocations with their stacks.
//
// The events may begin in the middle of the program (PyTorch keeps the last ones only). What was
// held before them follows from what is held after them and from what they free.
void ReplayMemory(MemorySnapshot snapshot, ModelBuilder& builder, Profile& profile);

}  // namespace sightline::profiler
