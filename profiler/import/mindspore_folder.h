// The folders that MindSpore's profiler writes: which of their files are read, in which order.
#pragma once

#include <optional>
#include <string>

#include "sightline/profiler/import/read_source.h"

namespace sightline::profile {

// *_ascend_ms of MindSpore 2.7 and 2.10 (*_ascend_pt of torch_npu): FRAMEWORK/ and
// ASCEND_PROFILER_OUTPUT/. kNotFound where nothing in it can be read.
Status ReadMindSporeFolder(const ImportTarget& target, const std::string& path);

// profiler/ of MindSpore 2.0 and before. The rank is the wanted one, or the lowest.
Status ReadOldMindSporeFolder(const ImportTarget& target, const std::string& path,
                              std::optional<std::int64_t> rank);

}  // namespace sightline::profile
