// Structs of an older and of a newer header than the library's.
#include "sightline/sdk/sized_struct.h"

#include <cstdint>
#include <cstring>

#include "sightline/tests/support/support.h"

namespace sightline::sdk {
namespace {

using ::sightline::testing::IsOk;
using ::sightline::testing::IsStatus;

struct Options {  // The library's.
  std::size_t struct_size;
  std::int64_t first;
  std::int64_t second;  // Since the second release.
};
constexpr std::size_t kFirstSize = offsetof(Options, second);

struct NewerOptions {
  Options known;
  std::int64_t third;
};

TEST(SizedStruct, ReadsWhatAnOlderProgramHas) {
  Options given{kFirstSize, 5, 77};
  Options taken{};
  EXPECT_THAT(TakeStruct(&given, "options", taken, kFirstSize), IsOk());
  EXPECT_EQ(taken.first, 5);
  EXPECT_EQ(taken.second, 0);
}

TEST(SizedStruct, TakesANewerOneThatSetsNothingNew) {
  NewerOptions given{{sizeof(NewerOptions), 5, 6}, 0};
  Options taken{};
  EXPECT_THAT(TakeStruct(&given.known, "options", taken, kFirstSize), IsOk());
  EXPECT_EQ(taken.second, 6);
  given.third = 1;
  EXPECT_THAT(TakeStruct(&given.known, "options", taken, kFirstSize),
              IsStatus(StatusCode::kUnimplemented, "options: a field is set"));
}

TEST(SizedStruct, RefusesASizeThatNoReleaseHad) {
  for (const std::size_t size : {std::size_t{0}, kFirstSize - 1, kMostStructBytes + 1, SIZE_MAX}) {
    const Options given{size, 5, 6};
    Options taken{};
    EXPECT_THAT(TakeStruct(&given, "options", taken, kFirstSize),
                IsStatus(StatusCode::kInvalidArgument, "options: struct_size is "));
  }
}

TEST(SizedStruct, FillsNoMoreThanTheCallerHas) {
  Options wanted{kFirstSize, 0, 77};
  EXPECT_THAT(GiveStruct(Options{0, 5, 6}, "options", &wanted, kFirstSize), IsOk());
  EXPECT_EQ(wanted.struct_size, kFirstSize);
  EXPECT_EQ(wanted.first, 5);
  EXPECT_EQ(wanted.second, 77);
}

}  // namespace
}  // namespace sightline::sdk
