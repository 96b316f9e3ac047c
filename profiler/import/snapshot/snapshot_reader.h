// Reads a snapshot of an allocator's memory: torch.cuda.memory._dump_snapshot of PyTorch,
// torch_npu.npu.memory._dump_snapshot of torch_npu.
#pragma once

#include <cstdint>
#include <string_view>

#include "sightline/base/status.h"
#include "sightline/profiler/import/source/byte_source.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Fills the builder's counters and the profile's allocations. Nothing is read of a pickle that is
// damaged. kInvalidArgument if the pickle is no snapshot or has an opcode that is refused.
// `bytes`: the size of the file, from which the number of objects is guessed.
Status ReadMemorySnapshot(ByteSource& source, std::uint64_t bytes, ModelBuilder& builder,
                          Profile& profile);

// Whether these bytes begin a pickle of protocol 2 to 5.
bool IsPickle(std::string_view begin);

}  // namespace sightline::profiler
