// Small helpers that every test folder uses.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "sightline/base/status.h"

namespace sightline::testing {

// The path of a file or folder below tests/corpus.
std::string CorpusPath(std::string_view relative);

// The path of a file or folder of ../shared, beside the repository: real files that may not be
// committed. Continuous integration has it. A test that needs it names it when it is missing:
//   const std::string path = SharedPath("corpus/ascend");
//   if (!std::filesystem::exists(path)) GTEST_SKIP() << path << " is missing";
std::string SharedPath(std::string_view relative);

// Whole files, by the real file system; a failure fails the test that called.
std::string ReadFileOrDie(const std::string& path);
void WriteFileOrDie(const std::string& path, std::string_view bytes);

// A new empty directory, removed with its contents at the end of the scope.
class TempDir {
 public:
  TempDir();
  ~TempDir();
  TempDir(const TempDir&) = delete;
  TempDir& operator=(const TempDir&) = delete;

  const std::string& path() const { return path_; }
  std::string File(std::string_view name) const { return path_ + "/" + std::string(name); }

 private:
  std::string path_;
};

MATCHER(IsOk, "is OK") {
  if constexpr (requires { arg.ok(); }) {
    if (!arg.ok()) *result_listener << arg.ToString();
    return arg.ok();
  } else {
    if (!arg.has_value()) *result_listener << arg.error().ToString();
    return arg.has_value();
  }
}

// Of a Status: this code, and a message that contains `text`.
MATCHER_P2(IsStatus, code, text, "") {
  *result_listener << arg.ToString();
  return arg.code() == code && arg.message().find(text) != std::string_view::npos;
}

}  // namespace sightline::testing
