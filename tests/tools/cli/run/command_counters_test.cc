#include "sightline/tools/cli/run/command_counters.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <map>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::Contains;
using ::testing::Key;
using ::testing::Not;
using ::testing::Pair;
using testing::TempDir;
using testing::WriteFileOrDie;

constexpr std::int64_t kSecond = 1'000'000'000;

class CommandCountersTest : public ::testing::Test {
 protected:
  // Ticks are those of the process, of which a second has 100 here.
  void AddProcess(int id, int parent, int ticks, int pages, char state = 'S', int begin = 7) const {
    std::filesystem::create_directories(dir_.File(std::to_string(id)));
    WriteFileOrDie(dir_.File(std::to_string(id) + "/stat"),
                   std::to_string(id) + " (a) b) " + state + " " + std::to_string(parent) +
                       " 1 1 0 -1 0 0 0 0 0 " + std::to_string(ticks) + " 0 0 0 20 0 1 0 " +
                       std::to_string(begin) + " 4096 " + std::to_string(pages) + " 0 0\n");
  }
  std::map<std::string, double> Sample(CommandCounters& counters, int second) const {
    std::map<std::string, double> values;
    const auto sample = counters.Sample(second * kSecond);
    for (const ResourceValue& each : sample.value()) values.emplace(each.name, each.value);
    return values;
  }

  const TempDir dir_;
  const double page_ = static_cast<double>(sysconf(_SC_PAGESIZE));
};

TEST_F(CommandCountersTest, AllProcessesOfTheCommandCount) {
  AddProcess(10, 1, 100, 1);
  AddProcess(11, 10, 100, 2);
  AddProcess(12, 11, 100, 3);
  AddProcess(13, 1, 100, 100);
  CommandCounters counters(10, false, dir_.path());
  const auto first = Sample(counters, 1);
  EXPECT_THAT(first, Not(Contains(Key("command/cpu_percent"))));
  EXPECT_THAT(first, Contains(Pair("command/processes", 3.0)));
  EXPECT_THAT(first, Contains(Pair("command/memory_bytes", 6 * page_)));
  AddProcess(12, 11, 400, 3);
  EXPECT_THAT(Sample(counters, 3), Contains(Pair("command/cpu_percent", 150.0)));
}

TEST_F(CommandCountersTest, OfACommandThatEndedThereIsNone) {
  AddProcess(10, 1, 100, 1);
  CommandCounters counters(10, false, dir_.path());
  EXPECT_TRUE(counters.Sample(1));
  AddProcess(10, 1, 100, 1, 'Z');
  EXPECT_FALSE(counters.Sample(2));
  AddProcess(10, 1, 0, 1, 'S', 8);  // Another process, with its number.
  EXPECT_FALSE(counters.Sample(3));
  std::filesystem::remove_all(dir_.File("10"));
  EXPECT_FALSE(counters.Sample(4));
}

TEST_F(CommandCountersTest, WhatTheMachineUsesIsAShareOfAllProcessors) {
  AddProcess(10, 1, 100, 1);
  WriteFileOrDie(dir_.File("stat"), "cpu  100 0 0 100 0 0 0 0 0 0\ncpu0 1\n");
  WriteFileOrDie(dir_.File("meminfo"), "MemTotal:  8 kB\nMemAvailable:    5 kB\nOther: 1 kB\n");
  CommandCounters counters(10, true, dir_.path());
  EXPECT_THAT(Sample(counters, 1), Contains(Pair("machine/memory_available_bytes", 5120.0)));
  WriteFileOrDie(dir_.File("stat"), "cpu  110 0 20 110 60 0 0 0 0 0\ncpu0 1\n");
  EXPECT_THAT(Sample(counters, 2), Contains(Pair("machine/cpu_percent", 30.0)));
}

TEST_F(CommandCountersTest, WithoutNumbersTheyAreMissing) {
  std::filesystem::create_directories(dir_.File("10"));
  WriteFileOrDie(dir_.File("10/stat"), "10 (a");
  CommandCounters counters(10, true, dir_.path());
  EXPECT_FALSE(counters.Sample(1));
}

}  // namespace
}  // namespace sightline
