// Which runs lie below a directory: those in and below it that hold event files, of either dialect
// or of both. A run's name is its path below the directory ("." for itself), as MindInsight and
// TensorBoard have it.
//
// A plain function, callable from any thread.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "sightline/base/file_system.h"
#include "sightline/base/status.h"
#include "sightline/runs/event_source.h"

namespace sightline {

struct RunDirectory {
  std::string name;
  std::string path;
  std::vector<EventSource> sources;  // In reading order.
  bool may_have_journals = true;     // It had some when it was listed.
};

// What one directory holds now. Errors: it cannot be listed.
Result<RunDirectory> ListRunDirectory(FileSystem& file_system, std::string name, std::string path);

// Sorted by name. Directories are followed kMaxRunDepth deep (a link may lead round in a circle);
// those that cannot be listed are left out, except `directory` itself. `visit` is called for each
// one before it is listed.
Result<std::vector<RunDirectory>> FindRunDirectories(
    FileSystem& file_system, const std::string& directory,
    const std::function<void(const std::string& path)>& visit = {});
inline constexpr int kMaxRunDepth = 12;

// The event files that `path` stands for: the file itself, or those in and below a directory.
// kNotFound if there are none.
Result<std::vector<EventSource>> EventSourcesAt(FileSystem& file_system, const std::string& path);

}  // namespace sightline
