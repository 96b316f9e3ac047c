// What the host did while a device was idle, as far as the names of its calls tell.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/profiler/device/intervals.h"
#include "sightline/profiler/model/model.h"

namespace sightline::profiler {

// What to try where a host waits for its device too often, or collects garbage.
inline constexpr std::string_view kWaitLess =
    "fewer calls that wait for the device: .item(), bool(tensor) and printing only every hundred "
    "steps";
inline constexpr std::string_view kCollectLess =
    "gc.freeze() after the start, or gc.disable() and gc.collect() every thousand steps";

struct IdleCause {
  std::string what;    // "the host compiled operators"
  std::string calls;   // "AscendCL@aclopCompileAndExecute, 19 calls, 14.05 ms": the longest ones.
  std::string change;  // What to try.
  std::int64_t time = 0;  // Nanoseconds of the idle time that the cause explains.
};

// The causes that explain some of the idle time, the greatest first. They may overlap.
//
// - The host compiled operators, or collected garbage: it did so meanwhile.
// - The host waited for the device: the device is idle from the end of its last task on, and the
//   call that waited returned before the next one. All of such a gap counts.
//
// Calls of all threads count, except Python's functions, whose names can be anything. Names are
// those of PyTorch, CANN and CUDA.
std::vector<IdleCause> FindIdleCauses(const Model& model, const Intervals& idle);

// What a call does, by its name.
bool ReadsValue(std::string_view name);  // aten::item: waits for the device, too.
bool WaitsForDevice(std::string_view name);
bool CollectsGarbage(std::string_view name);

}  // namespace sightline::profiler
