#include "sightline/base/system/resource_sampler.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "sightline/base/system/gpu_library.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;

constexpr std::int64_t kSecond = 1'000'000'000;

// A folder with the kernel's files as they look at one moment.
class ResourceSamplerTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::create_directories(dir_.path() + "/self/net");
    std::filesystem::create_directories(dir_.path() + "/self/task/7");
    Write("self/statm", "500 20 10 1 0 5 0\n");
  }
  void Write(const std::string& name, const std::string& text) {
    testing::WriteFileOrDie(dir_.path() + "/" + name, text);
  }
  // A "stat" line: the numbers of fields 10, 12, 14 and 15 of proc(5).
  static std::string Stat(const std::string& name, long minor, long major, long user, long kernel) {
    return "7 (" + name + ") R 1 1 1 0 -1 0 " + std::to_string(minor) + " 0 " +
           std::to_string(major) + " 0 " + std::to_string(user) + " " + std::to_string(kernel) +
           " 0 0 20 0 1 0 7 4096 5 0\n";
  }
  static std::map<std::string, double> Values(ResourceSampler& sampler, std::int64_t nanos) {
    std::map<std::string, double> values;
    for (const ResourceValue& value : sampler.SampleAt(nanos)) values[value.name] = value.value;
    return values;
  }

  testing::TempDir dir_;
  ResourceSampler sampler_{{.proc = dir_.path(), .threads = true, .devices = false}};
};

TEST_F(ResourceSamplerTest, MemoryIsThereAtOnceAndRatesFromTheSecondSample) {
  const auto page = static_cast<double>(sysconf(_SC_PAGESIZE));
  const long hertz = sysconf(_SC_CLK_TCK);
  Write("self/stat", Stat("a ) b", 100, 2, hertz, 0));
  Write("self/io", "rchar: 5\nwchar: 6\nread_bytes: 4096\nwrite_bytes: 0\n");
  Write("self/status", "Name:\tx\nvoluntary_ctxt_switches:\t5\nnonvoluntary_ctxt_switches:\t1\n");
  Write("self/net/dev",
        "Inter-|   Receive\n face |bytes    packets\n"
        "    lo: 999 1 0 0 0 0 0 0 999 1 0 0 0 0 0 0\n"
        "  eth0: 100 1 0 0 0 0 0 0 40 1 0 0 0 0 0 0\n"
        "  eth1: 10 1 0 0 0 0 0 0 4 1 0 0 0 0 0 0\n");
  Write("self/task/7/stat", Stat("loader", 0, 0, hertz / 2, hertz / 2));
  EXPECT_THAT(Values(sampler_, kSecond), ElementsAre(Pair("system/memory_bytes", 20 * page)));

  Write("self/stat", Stat("a ) b", 300, 2, 2 * hertz, hertz));
  Write("self/io", "rchar: 5\nread_bytes: 8192\nwrite_bytes: 100\n");
  Write("self/status", "Name:\tx\nvoluntary_ctxt_switches:\t9\nnonvoluntary_ctxt_switches:\t1\n");
  Write("self/net/dev", "eth0: 300 1 0 0 0 0 0 0 60 1 0 0 0 0 0 0\n");
  Write("self/task/7/stat", Stat("loader", 0, 0, hertz, hertz));
  EXPECT_THAT(
      Values(sampler_, 3 * kSecond),
      ElementsAre(Pair("system/context_switches_per_second", 2), Pair("system/cpu_percent", 100),
                  Pair("system/disk_read_bytes_per_second", 2048),
                  Pair("system/disk_write_bytes_per_second", 50),
                  Pair("system/forced_switches_per_second", 0),
                  Pair("system/major_faults_per_second", 0), Pair("system/memory_bytes", 20 * page),
                  Pair("system/minor_faults_per_second", 100),
                  Pair("system/network_received_bytes_per_second", 95),
                  Pair("system/network_sent_bytes_per_second", 8),
                  Pair("system/thread/loader-7/cpu_percent", 50)));
}

TEST_F(ResourceSamplerTest, WhatIsMissingOrBrokenIsLeftOut) {
  Write("self/statm", "");
  Write("self/stat", "7 (x) R 1 2");
  Write("self/task/7/stat", ")(");
  Write("self/net/dev", "eth0:");
  EXPECT_THAT(sampler_.SampleAt(0), IsEmpty());
  ResourceSampler nowhere({.proc = dir_.path() + "/none", .threads = true, .devices = false});
  EXPECT_THAT(nowhere.SampleAt(0), IsEmpty());
}

TEST_F(ResourceSamplerTest, ACountThatFallsGivesNoRate) {
  Write("self/stat", Stat("x", 100, 0, 0, 0));
  (void)sampler_.SampleAt(0);
  Write("self/stat", Stat("x", 50, 0, 0, 0));
  EXPECT_EQ(Values(sampler_, kSecond).count("system/minor_faults_per_second"), 0U);
}

TEST(ResourceSamplerOfThisProcessTest, FindsItsMemory) {
  ResourceSampler sampler;
  bool found = false;
  for (const ResourceValue& value : sampler.Sample()) {
    if (value.name == "system/memory_bytes") found = value.value > 1e5;
  }
  EXPECT_TRUE(found);
}

TEST(GpuLibraryTest, AMissingOrForeignLibraryIsNone) {
  EXPECT_EQ(GpuLibrary::Load("libsightline-no-such-library.so.1"), nullptr);
  EXPECT_EQ(GpuLibrary::Load("libm.so.6"), nullptr);
}

}  // namespace
}  // namespace sightline
