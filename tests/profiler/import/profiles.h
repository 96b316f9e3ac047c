// Profiles out of texts and of the corpus.
#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>

#include "sightline/profiler/import/import_profile.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

// The profile that is read from a file of this name and text.
inline Result<profiler::Profile> Import(const std::string& name, std::string_view text) {
  MemoryFileSystem files;
  files.Put(name, std::string(text));
  return profiler::ImportProfile(name, {.file_system = &files});
}

// A Chrome trace with these events; a failure fails the test and gives an empty profile.
inline profiler::Profile ImportEvents(const std::string& events) {
  auto profile = Import("trace.json", "[" + events + "]");
  EXPECT_THAT(profile, IsOk());
  return profile ? *std::move(profile) : profiler::Profile();
}

// One of the corpus, below tests/corpus/profiler.
inline profiler::Profile ImportCorpus(const std::string& path) {
  auto profile = profiler::ImportProfile(CorpusPath("profiler/" + path));
  EXPECT_THAT(profile, IsOk());
  return profile ? *std::move(profile) : profiler::Profile();
}

// Call it in SetUp of tests that read this folder of ../shared, which may not be committed: without
// it, they are skipped, and name it.
inline void NeedShared(const std::string& name) {
  const std::string path = SharedPath(name);
  if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
}

}  // namespace sightline::testing
