// A folder of runs in memory, and an index of it that is a file, for tests of the index.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/counting_file_system.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

inline std::string TextOf(const RunGroup& group) {
  std::string text;
  for (const auto& run : group.runs()) text += Text(*run);
  return text;
}

inline std::string ManyScalars(int first, int count) {
  std::string bytes;
  for (int step = first; step < first + count; ++step)
    bytes += TensorBoardScalar("loss", step, static_cast<float>(step) / 3);
  return bytes;
}

// Scalars t0, t1, ... of the given steps.
inline std::string ManyTags(int tags, int first, int count) {
  std::string bytes;
  for (int step = first; step < first + count; ++step) {
    for (int tag = 0; tag < tags; ++tag)
      bytes += TensorBoardScalar("t" + std::to_string(tag), step, static_cast<float>(step + tag));
  }
  return bytes;
}

// A folder of runs in memory, and an index that is a file.
class IndexedRuns : public ::testing::Test {
 protected:
  RunGroup OpenWith(const std::optional<std::string>& folder) {
    auto group =
        RunGroup::Open({"root"}, {.file_system = &fs_, .threads = 2, .index_folder = folder});
    EXPECT_THAT(group, IsOk());
    return *std::move(group);
  }
  RunGroup Open() { return OpenWith(index_.path()); }
  // Opens, and writes the index, as a program does. Returns its notes.
  std::vector<std::string> Use() { return Open().WriteIndex(); }
  std::string Anew() { return TextOf(OpenWith(std::nullopt)); }

  // The one file of the index.
  std::string File() const {
    for (const auto& entry : std::filesystem::directory_iterator(index_.path()))
      return entry.path().string();
    return "";
  }
  void Execute(const std::string& sql) const {
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open(File().c_str(), &database), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(database);
  }
  // The number in the first column of the first row.
  int Number(const std::string& sql) const {
    sqlite3* database = nullptr;
    EXPECT_EQ(sqlite3_open(File().c_str(), &database), SQLITE_OK);
    int number = -1;
    const auto note = [](void* to, int /*columns*/, char** values, char** /*names*/) {
      *static_cast<int*>(to) = std::stoi(values[0]);
      return 0;
    };
    EXPECT_EQ(sqlite3_exec(database, sql.c_str(), note, &number, nullptr), SQLITE_OK);
    sqlite3_close(database);
    return number;
  }
  // How many bytes of event files an opening reads.
  std::uint64_t BytesOfOpening() {
    fs_.TakeBytesRead();
    Open();
    return fs_.TakeBytesRead();
  }
  void Append(const std::string& bytes) { fs_.Put(path_, fs_.Get(path_) + bytes); }

  CountingFileSystem fs_;
  TempDir index_;
  const std::string path_ = std::string("root/a/") + kTensorBoardName;
};

}  // namespace sightline::testing
