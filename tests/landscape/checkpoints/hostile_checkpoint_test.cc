// Forged checkpoints never take memory beyond what their own bytes describe. Counts all that
// operator new gives: more than was ever alive at once.
#include "sightline/landscape/checkpoints/checkpoint.h"
#include "sightline/tests/landscape/checkpoint_bytes.h"
#include "sightline/tests/support/allocations.h"
#include "sightline/tests/support/support.h"

namespace sightline::landscape {
namespace {

using sightline::testing::MindSporeTensor;
using sightline::testing::MindSporeValue;
using sightline::testing::Safetensors;
using sightline::testing::Zip;

// A message about it, a name, a shape.
constexpr std::size_t kForAnyFile = 16384;
// A tensor of no elements has a few bytes of its own in the file, and a few more in memory.
constexpr std::size_t kForAByte = 32;

struct Hostile {
  std::string name;
  std::string bytes;
};

class HostileCheckpoint : public ::testing::TestWithParam<Hostile> {};

TEST_P(HostileCheckpoint, IsRefusedInLittleMemory) {
  const std::string& bytes = GetParam().bytes;
  const std::uint64_t before = testing::AllocatedBytes();
  const auto checkpoint = Checkpoint::Parse("forged", bytes, nullptr);
  const std::uint64_t allocated = testing::AllocatedBytes() - before;
  EXPECT_FALSE(checkpoint.has_value());
  EXPECT_LE(allocated, kForAnyFile + kForAByte * bytes.size());
}

std::string Npy(const std::string& shape) {
  std::string header = "{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + ", }";
  header.resize(117, ' ');
  return std::string("\x93NUMPY\x01\x00v\x00", 10) + header + "\n";
}

// One tensor after another that claims the same thousand bytes.
std::string SharedBytes() {
  std::string header = "{";
  for (int i = 0; i < 1000; ++i) {
    header += (i == 0 ? "\"" : ",\"") + std::to_string(i) +
              R"(":{"dtype":"F32","shape":[250],"data_offsets":[0,1000]})";
  }
  return Safetensors(header + "}", std::string(1000, '\0'));
}

std::vector<Hostile> Forged() {
  const std::int64_t many = std::int64_t{1} << 40;
  std::string no_entries = Zip({{"w.npy", Npy("(1,)") + "1234"}});
  no_entries[no_entries.size() - 12] = no_entries[no_entries.size() - 14] = '\xff';
  no_entries[no_entries.size() - 11] = no_entries[no_entries.size() - 13] = '\xfe';
  std::string long_header = Safetensors("{}", "");
  long_header.replace(0, 8, "\xff\xff\xff\xff\xff\xff\x00\x00", 8);
  return {
      {"MindSporeLargeShape", MindSporeTensor("w", {many}, {1, 2})},
      {"MindSporeShapeThatOverflows", MindSporeTensor("w", {many, many, many}, {1, 2})},
      {"MindSporeManyDimensions", MindSporeTensor("w", std::vector<std::int64_t>(100'000, 1), {1})},
      {"MindSporeSlicesOfNothing", MindSporeTensor("w", {many}, {1}) +
                                       MindSporeTensor("w", {many}, {1}) +
                                       MindSporeTensor("w", {many}, {1})},
      {"MindSporeUnknownType", MindSporeValue(std::string(100'000, 'w'), {many}, "Float128", "") +
                                   MindSporeTensor("v", {many}, {})},
      {"NpzLargeShape", Zip({{"w.npy", Npy("(1099511627776,)") + "1234"}})},
      {"NpzShapeThatOverflows", Zip({{"w.npy", Npy("(4294967296, 4294967296, 4)") + "1234"}})},
      {"NpzMoreEntriesThanThereAre", no_entries},
      {"SafetensorsLargeShape",
       Safetensors(R"({"a":{"dtype":"F32","shape":[1099511627776],"data_offsets":[0,8]}})",
                   "12345678")},
      {"SafetensorsLongHeader", long_header},
      {"SafetensorsSharedBytes", SharedBytes()},
      {"SafetensorsDeep", Safetensors(std::string(100'000, '['), "")},
      {"SafetensorsLongShape",
       Safetensors(R"({"a":{"dtype":"F32","shape":[1)" + std::string(100'000, '0') +
                       R"(],"data_offsets":[0,8]}})",
                   "12345678")},
  };
}

INSTANTIATE_TEST_SUITE_P(Formats, HostileCheckpoint, ::testing::ValuesIn(Forged()),
                         [](const auto& forged) { return forged.param.name; });

}  // namespace
}  // namespace sightline::landscape
