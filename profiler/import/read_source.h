// Reads one file of a profile and notes in profile.files what came of it.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "sightline/base/file_system.h"
#include "sightline/profiler/import/byte_window.h"
#include "sightline/profiler/model/model_builder.h"
#include "sightline/profiler/model/profile.h"

namespace sightline::profile {

// What all readers of a profile's files share. The references must outlive it.
struct ImportTarget {
  FileSystem& files;
  ModelBuilder& builder;
  Profile& profile;
};

// A file that cannot be opened is noted too, with the error as its status, which is returned.
Status ReadSource(const ImportTarget& target, const std::string& path,
                  const std::function<Status(ByteSource&)>& read);

// The same for what is read line by line.
Status ReadSourceLines(const ImportTarget& target, const std::string& path,
                       const std::function<void(ByteWindow&)>& read);

// The same for what is read at once; at most 256 MB.
Status ReadSourceText(const ImportTarget& target, const std::string& path,
                      const std::function<Status(std::string_view)>& read);

}  // namespace sightline::profile
