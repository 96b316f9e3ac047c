// Reads one file of a profile, and adds to profile.files what was read of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/profiler/import/source/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// Where a profile's files are read from, and where their content goes. The members must outlive it.
struct ImportTarget {
  FileSystem& file_system;
  ModelBuilder& builder;
  Profile& profile;
};

// Opens the file and calls `read`. Returns the file's status, also if it could not be opened; then
// it is in profile.files, too.
Status ReadSource(const ImportTarget& target, const std::string& path,
                  const std::function<Status(ByteSource&)>& read);

// The same for files that are read line by line.
Status ReadSourceLines(const ImportTarget& target, const std::string& path,
                       const std::function<void(ByteWindow&)>& read);

// The same for files that are read as a whole, of at most 256 MB.
Status ReadSourceText(const ImportTarget& target, const std::string& path,
                      const std::function<Status(std::string_view)>& read);

}  // namespace sightline::profiler
