#include "sightline/recorder/journal/host.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

const std::string kDigits = "0123456789abcdef0123456789abcdef";

TEST(HostTest, MachinesOfOneImageAreToldApartByTheirNames) {
  EXPECT_NE(MachineId(kDigits, "node-1"), MachineId(kDigits, "node-2"));
  EXPECT_EQ(MachineId(kDigits, "node-1"), MachineId(kDigits, "node-1"));
  EXPECT_THAT(MachineId(kDigits, "node-1"), ::testing::SizeIs(32));
}

// Many are called "localhost".
TEST(HostTest, ANameAloneIsNoMachine) { EXPECT_EQ(MachineId("", "localhost"), ""); }

TEST(HostTest, KnowsItsBootAndWhatLiesInMemory) {
  EXPECT_THAT(Host::This().boot_id, ::testing::SizeIs(32));
  EXPECT_GT(Host::This().started_at, 0);
  EXPECT_FALSE(StorageOf("/proc").in_memory);
  EXPECT_TRUE(StorageOf("/dev/shm").in_memory);
}

}  // namespace
}  // namespace sightline
