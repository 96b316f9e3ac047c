#include "sightline/watch/notify/outbox.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "sightline/tests/support/support.h"

namespace sightline::watch {
namespace {

using sightline::testing::IsOk;
using sightline::testing::TempDir;
using ::testing::HasSubstr;

// A pipe with a name: whoever opens it waits for the other side.
std::string Pipe(const TempDir& dir, const char* name) {
  std::string path = dir.File(name);
  EXPECT_EQ(mkfifo(path.c_str(), S_IRUSR | S_IWUSR), 0);
  return path;
}

Target Command(std::string name, std::vector<std::string> words) {
  return {.name = std::move(name), .kind = TargetKind::kCommand, .command = std::move(words)};
}

// What one writer says through the pipe. Read to its end and closed: a reader that opened while the
// last writer had not yet closed would see that writer's end and take it for the next one's.
std::string Told(const std::string& pipe) {
  std::ifstream from(pipe);
  return {std::istreambuf_iterator<char>(from), {}};
}

nlohmann::json Event(const char* id) { return {{"id", id}, {"rule", "nan"}, {"run", "a"}}; }

TEST(OutboxTest, ATargetThatDoesNotAnswerDelaysNoOther) {
  const TempDir dir;
  const std::string release = Pipe(dir, "release");
  const std::string told = Pipe(dir, "told");
  Outbox outbox({Command("slow", {"cat", release}), Command("quick", {"cp", "/dev/stdin", told})},
                nlohmann::json::array());
  ASSERT_THAT(outbox.Start(), IsOk());
  outbox.Add(Event("1"));
  EXPECT_THAT(Told(told), HasSubstr(R"("id":"1")"));
  outbox.Add(Event("2"));
  EXPECT_THAT(Told(told), HasSubstr(R"("id":"2")"));
  // The slow one has neither, and both are kept for it.
  int kept = 0;
  for (const auto& message : outbox.Content())
    kept += message.dump().find("slow") != std::string::npos ? 1 : 0;
  EXPECT_EQ(kept, 2);
  const std::ofstream released(release);
  std::filesystem::remove(release);  // The next try ends at once.
}

TEST(OutboxTest, WhatWasNotDeliveredIsSentByTheNextOne) {
  const TempDir dir;
  nlohmann::json left;
  {
    Outbox outbox({Command("team", {"false"})}, nlohmann::json::array());
    outbox.Add(Event("1"));
    left = outbox.Content();
  }
  const std::string told = Pipe(dir, "told");
  Outbox outbox({Command("team", {"cp", "/dev/stdin", told})}, left);
  ASSERT_THAT(outbox.Start(), IsOk());
  EXPECT_THAT(Told(told), HasSubstr(R"("id":"1")"));
}

}  // namespace
}  // namespace sightline::watch
