// The index of runs after a power loss, which may leave each page of its file as it was at another
// time: nothing of it is synced.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::ReadFileOrDie;
using testing::TempDir;
using testing::WriteFileOrDie;

constexpr std::size_t kPageBytes = 4096;

class RunIndexPowerLossTest : public ::testing::Test {
 protected:
  std::string Show(const std::optional<std::string>& folder) {
    auto group =
        RunGroup::Open({"root"}, {.file_system = &fs_, .threads = 1, .index_folder = folder});
    EXPECT_THAT(group, IsOk());
    std::string text;
    for (const auto& run : group->runs()) text += testing::Text(*run);
    group->WriteIndex();
    return text;
  }

  void Append(const std::string& run, int first, int count) {
    const std::string path = "root/" + run + "/" + testing::kTensorBoardName;
    std::string bytes = fs_.Get(path);
    for (int step = first; step < first + count; ++step)
      bytes += testing::TensorBoardScalar("loss", step, static_cast<float>(step) / 3);
    fs_.Put(path, bytes);
  }

  // The one file of the index.
  std::string File() const {
    return std::filesystem::directory_iterator(index_.path())->path().string();
  }

  testing::MemoryFileSystem fs_;
  TempDir index_;
};

TEST_F(RunIndexPowerLossTest, ShowsWhatReadingShowsWhateverTheAgesOfItsPages) {
  std::vector<std::string> ages = {""};  // Of the file, from before it was.
  for (int i = 0; i < 8; ++i) {
    for (int run = 0; run <= i; ++run) Append("run" + std::to_string(run), i * 100, 100);
    Show(index_.path());
    ages.push_back(ReadFileOrDie(File()));
  }
  const std::string anew = Show(std::nullopt);
  std::mt19937 random(20261124);
  const auto any_age = [&]() -> const std::string& {
    return ages[std::uniform_int_distribution<std::size_t>(0, ages.size() - 1)(random)];
  };
  for (int loss = 0; loss < 60; ++loss) {
    const std::size_t size = any_age().size();
    std::string left;
    for (std::size_t at = 0; at < size; at += kPageBytes) {
      const std::string& age = any_age();
      if (at < age.size()) left += age.substr(at, kPageBytes);
      left.resize(std::min(at + kPageBytes, size), '\0');
    }
    WriteFileOrDie(File(), left);
    ASSERT_EQ(Show(index_.path()), anew) << "loss " << loss;
    ASSERT_EQ(Show(index_.path()), anew) << "after loss " << loss;
  }
}

}  // namespace
}  // namespace sightline
