#include "sightline/recorder/writing/npy_sink.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sightline/tests/support/recorded_run.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using ::testing::UnorderedElementsAre;

constexpr std::uint64_t kSecond = 1'700'000'000;

class NpySinkTest : public ::testing::Test {
 protected:
  // A recorder's journal.
  static std::unique_ptr<Journal> NewJournal() {
    return std::make_unique<Journal>(
        JournalMap::CreatePrivate("s", std::size_t{1} << 16U, "", 1).value());
  }

  NpySink SinkOf(Journal& journal) {
    return NpySink(FileSystem::Local(), dir_.path(), kSecond, {}, journal, 0);
  }

  static void Write(NpySink& sink, const std::string& tag) {
    static const float kElement = 1;
    PreparedValue value;
    value.kind = ValueKind::kTensor;
    value.tag = tag;
    value.tensor = {DType::kFloat32, {}, &kElement};
    EXPECT_THAT(sink.Append({1, 1, {&value, 1}}, {8, 1}), IsOk());
    EXPECT_THAT(sink.Flush(), IsOk());
  }

  std::vector<std::string> FilesOf(const std::string& folder) {
    return FileSystem::Local()
        .List(dir_.File(folder + "/tensor"))
        .value_or(std::vector<std::string>());
  }

  testing::TempDir dir_;
};

TEST_F(NpySinkTest, RecordersOfOneSecondHaveFoldersOfTheirOwn) {
  std::vector<std::unique_ptr<Journal>> journals;
  for (int rank = 0; rank < 8; ++rank) {
    journals.push_back(NewJournal());
    NpySink sink = SinkOf(*journals.back());
    Write(sink, "t");
  }
  for (std::uint64_t rank = 0; rank < 8; ++rank) {
    EXPECT_THAT(FilesOf("export_" + std::to_string(kSecond + rank)),
                UnorderedElementsAre("t_1.npy"));
  }
}

TEST_F(NpySinkTest, AReplayGoesOnInTheFolderOfItsRecorder) {
  const auto other = NewJournal();
  NpySink first = SinkOf(*other);
  Write(first, "other");
  const auto journal = NewJournal();
  {
    NpySink killed = SinkOf(*journal);
    Write(killed, "a");
  }
  NpySink replay = SinkOf(*journal);
  Write(replay, "b");
  EXPECT_THAT(FilesOf("export_" + std::to_string(kSecond + 1)),
              UnorderedElementsAre("a_1.npy", "b_1.npy"));
}

}  // namespace
}  // namespace sightline
