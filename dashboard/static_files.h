// StaticFiles: the page, as it was compiled into the program from dashboard/web/dist.
//
// The address is looked up in a table, so no path on a disk is ever made of it. Immutable; callable
// from any thread.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "sightline/dashboard/http_message.h"

namespace sightline::dashboard {

struct StaticFile {
  std::string_view path;  // "/assets/index-1a2b.js"; "/index.html" is "/" too.
  std::string_view bytes;
};

// What CMake compiled in, sorted by path; lives forever.
std::span<const StaticFile> EmbeddedFiles();

class StaticFiles {
 public:
  // `files` must outlive it.
  explicit StaticFiles(std::span<const StaticFile> files = EmbeddedFiles()) : files_(files) {}

  // Nothing where there is no such file. Those under /assets/ may be kept for good: their names
  // hold their checksums.
  std::optional<Answer> Find(std::string_view path) const;

 private:
  std::span<const StaticFile> files_;
};

}  // namespace sightline::dashboard
