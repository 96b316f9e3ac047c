// Reads a profile, whoever wrote it, into one model.
//
//   auto profile = profile::ImportProfile(FileSystem::Local(), "./data/vm_1_ascend_ms");
//   if (!profile) ...;                       // Nothing could be read: error() says why.
//   for (const SourceFile& file : profile->files) ...;  // What was read, and what of it was
//   damaged.
//
// docs/profiles.md lists what is read. Any thread; memory is what the model holds and at most 64
// MB.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sightline/base/file_system.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

struct ImportOptions {
  // Of a folder that holds several: this one, or else the lowest.
  std::optional<std::int64_t> rank;
};

// `path`: a file, a profile's folder, or one that holds a single profile at some depth.
// kInvalidArgument, which names some of them, where it holds several; kNotFound where it holds
// none.
Result<Profile> ImportProfile(FileSystem& files, const std::string& path,
                              const ImportOptions& options = {});

}  // namespace sightline::profile
