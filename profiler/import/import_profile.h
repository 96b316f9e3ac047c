// Reads a profile, whichever program wrote it, into one model.
//
//   auto profile = profiler::ImportProfile("./data/vm_1_ascend_ms");
//   if (!profile) return profile.error();    // Nothing could be read.
//   for (const SourceFile& file : profile->files) Print(file.path, file.status);
//
// docs/profiles.md lists what is read. Any thread may call it. It needs the memory of the model and
// at most 64 MB more.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

struct ImportOptions {
  // Which rank to read, if a folder holds several. Default: the lowest.
  std::optional<std::int64_t> rank = std::nullopt;
  // Only what ranks are compared by (analysis/ranks.h). Of an NPU's folder these are small files,
  // if its profiler lists the steps; everything else is read in full.
  bool for_ranks = false;
  FileSystem* file_system = &FileSystem::Local();
};

// `path`: a file, the folder of a profile, or a folder with one profile somewhere in it.
// kInvalidArgument if the folder has several profiles (the message names some); kNotFound if it has
// none.
Result<Profile> ImportProfile(const std::string& path, const ImportOptions& options = {});

// Calls `use` with the profile at `path`; or, if it has several ranks (MindSpore 2.0's folders,
// cluster_analysis_output), with that of each rank, in their order. What all ranks share is read
// once, if the format has such files. options.rank does not count.
void ImportRanks(const std::string& path, const ImportOptions& options,
                 const std::function<void(Result<Profile>)>& use);

}  // namespace sightline::profiler
