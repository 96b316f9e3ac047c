// StaticFiles: the files of the page, web/dist, which are compiled into the program.
//
// A request's path is looked up in a table, and never used as a path on disk. Immutable; may be
// called from any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sightline/dashboard/http/http_message.h"

namespace sightline::dashboard {

struct StaticFile {
  std::string_view path;  // "/assets/index-1a2b.js"; "/index.html" is "/" too.
  std::string_view bytes;
};

// The compiled-in files, sorted by path. They live as long as the program.
std::span<const StaticFile> EmbeddedFiles();

class StaticFiles {
 public:
  // `files` must outlive it.
  explicit StaticFiles(std::span<const StaticFile> files = EmbeddedFiles()) : files_(files) {}

  // No value if there is no such file. Clients may cache files under /assets/ forever, since their
  // names contain their checksums.
  std::optional<Response> Find(std::string_view path) const;

 private:
  std::span<const StaticFile> files_;
};

}  // namespace sightline::dashboard
