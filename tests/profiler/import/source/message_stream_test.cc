#include "sightline/profiler/import/source/message_stream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::IsOk;
using testing::IsStatus;
using wire::Field;

// A message {1: 7, 2: {1: 8, 3: "text"}, 4: <8 bytes>, 5: 9}.
std::string Message(std::string_view text) {
  std::string inner;
  wire::AppendInt(inner, 1, 8);
  wire::AppendBytes(inner, 3, text);
  std::string message;
  wire::AppendInt(message, 1, 7);
  wire::AppendBytes(message, 2, inner);
  wire::AppendDouble(message, 4, 0.5);
  wire::AppendInt(message, 5, 9);
  return message;
}

// The fields of a file in the order of the walk, which enters field 2, and takes field 3 if asked.
struct Walk {
  std::vector<std::string> fields;
  Status status;
};

Walk WalkThrough(const std::string& bytes, bool take) {
  testing::MemoryFileSystem files;
  files.Put("file", bytes);
  const auto source = OpenByteSource(files, "file");
  MessageStream stream(**source);
  Walk walk;
  Field field;
  while (stream.Next(field)) {
    walk.fields.push_back(std::to_string(field.number));
    if (field.number != 2) continue;
    stream.Enter();
    while (stream.Next(field)) {
      walk.fields.push_back("2." + std::to_string(field.number));
      if (field.number == 3 && take) walk.fields.back() += std::string(stream.Take().substr(0, 9));
    }
  }
  walk.status = stream.status();
  return walk;
}

TEST(MessageStreamTest, WalksFieldsOfMessagesInMessages) {
  const Walk walk = WalkThrough(Message("text") + Message("more"), true);
  EXPECT_THAT(walk.fields, ElementsAre("1", "2", "2.1", "2.3text", "4", "5", "1", "2", "2.1",
                                       "2.3more", "4", "5"));
  EXPECT_THAT(walk.status, IsOk());
}

TEST(MessageStreamTest, SkipsAFieldThatIsLargerThanItsWindow) {
  const std::string large(ByteWindow::kMaxWindow + 1, 'x');
  const Walk walk = WalkThrough(Message(large), false);
  EXPECT_THAT(walk.fields, ElementsAre("1", "2", "2.1", "2.3", "4", "5"));
  EXPECT_THAT(walk.status, IsOk());
  EXPECT_THAT(WalkThrough(Message(large), true).status,
              IsStatus(StatusCode::kResourceExhausted, "64 MB"));
}

TEST(MessageStreamTest, AFileThatIsCutAnywhereButBetweenFieldsIsDamaged) {
  const std::string whole = Message("text");
  std::vector<std::size_t> sound;
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    const Walk walk = WalkThrough(whole.substr(0, size), true);
    if (walk.status.ok()) {
      sound.push_back(size);
    } else {
      EXPECT_THAT(walk.status, IsStatus(StatusCode::kDataLoss, "at byte"));
    }
  }
  EXPECT_THAT(sound, ElementsAre(0, 2, 12, 21, 23)) << "between the outer fields";
}

TEST(MessageStreamTest, AFieldThatReachesBeyondItsMessageIsDamage) {
  std::string bytes = Message("text");
  bytes[7] = 100;  // The size of "text".
  EXPECT_THAT(WalkThrough(bytes, false).status, IsStatus(StatusCode::kDataLoss, "at byte"));
  // Nothing of the next message is given as this one's.
  const Walk walk = WalkThrough(bytes + Message(std::string(200, 'x')), true);
  EXPECT_THAT(walk.fields, ElementsAre("1", "2", "2.1"));
  EXPECT_THAT(walk.status, IsStatus(StatusCode::kDataLoss, "at byte"));
  EXPECT_THAT(WalkThrough(std::string(64, '\xff'), false).status,
              IsStatus(StatusCode::kDataLoss, "at byte"));
}

}  // namespace
}  // namespace sightline::profiler
