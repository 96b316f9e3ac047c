// Reads the folders that MindSpore's profiler writes. Decides which of their files are read, and in
// which order.
#pragma once

#include <optional>
#include <string>

#include "sightline/profiler/import/source/read_source.h"

namespace sightline::profiler {

// A folder *_ascend_ms of MindSpore 2.7 and 2.10 (*_ascend_pt of torch_npu): its FRAMEWORK/ and
// ASCEND_PROFILER_OUTPUT/. `for_ranks`: ImportOptions::for_ranks. kNotFound if nothing in it can be
// read.
Status ReadMindSporeFolder(const ImportTarget& target, const std::string& path, bool for_ranks);

// A folder profiler/ of MindSpore 2.0 and before. `rank`: which one to read; default: the lowest.
Status ReadOldMindSporeFolder(const ImportTarget& target, const std::string& path,
                              std::optional<std::int64_t> rank);

}  // namespace sightline::profiler
