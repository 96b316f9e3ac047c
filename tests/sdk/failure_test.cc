// Codes, and the words of a thread's last failure.
#include "sightline/sdk/failure.h"

#include <stdexcept>
#include <string>
#include <thread>

#include "sightline/base/version.h"
#include "sightline/tests/support/support.h"

namespace sightline::sdk {
namespace {

using ::testing::StrEq;

const int kOne = 1;  // Handles are any addresses.
const int kOther = 2;

TEST(SdkFailure, BelongsToAHandle) {
  EXPECT_EQ(Fail(&kOne, SIGHTLINE_CLOSED, "one"), SIGHTLINE_CLOSED);
  EXPECT_THAT(sightline_error(&kOne), StrEq("one"));
  EXPECT_THAT(sightline_error(&kOther), StrEq(""));
  EXPECT_THAT(sightline_error(nullptr), StrEq("one"));
  Forget(&kOther);
  EXPECT_THAT(sightline_error(&kOne), StrEq("one"));
  Forget(&kOne);
  EXPECT_THAT(sightline_error(&kOne), StrEq(""));
}

TEST(SdkFailure, BelongsToAThread) {
  Fail(&kOne, SIGHTLINE_CLOSED, "here");
  std::string there;
  std::thread([&] {
    there = sightline_error(&kOne);
    Fail(&kOne, SIGHTLINE_CLOSED, "there");
  }).join();
  EXPECT_EQ(there, "");
  EXPECT_THAT(sightline_error(&kOne), StrEq("here"));
}

TEST(SdkFailure, CutsLongWords) {
  Fail(&kOne, SIGHTLINE_INTERNAL, std::string(5000, 'x'));
  EXPECT_EQ(sightline_error(&kOne), std::string(1023, 'x'));
}

TEST(SdkFailure, LetsNoExceptionOut) {
  EXPECT_EQ(Guarded(&kOne, []() -> sightline_code { throw std::bad_alloc(); }),
            SIGHTLINE_NO_MEMORY);
  EXPECT_THAT(sightline_error(&kOne), StrEq("there is no memory left"));
  EXPECT_EQ(Guarded(&kOne, []() -> sightline_code { throw std::runtime_error("why"); }),
            SIGHTLINE_INTERNAL);
  EXPECT_THAT(sightline_error(&kOne), StrEq("why"));
  EXPECT_EQ(Guarded(&kOne, []() -> sightline_code { throw 5; }), SIGHTLINE_INTERNAL);
}

TEST(SdkFailure, HasACodeForEachStatus) {
  EXPECT_EQ(Done(&kOne, {}), SIGHTLINE_OK);
  for (int code = 1; code <= static_cast<int>(StatusCode::kIoError); ++code) {
    const Status status(static_cast<StatusCode>(code), "words");
    EXPECT_EQ(Done(&kOne, status), code);
    EXPECT_THAT(sightline_code_name(code), StrEq(std::string(StatusCodeName(status.code()))));
  }
  EXPECT_THAT(sightline_code_name(SIGHTLINE_CLOSED), StrEq("closed"));
  EXPECT_THAT(sightline_code_name(SIGHTLINE_INTERNAL), StrEq("internal"));
  EXPECT_THAT(sightline_code_name(-1), StrEq("unknown code"));
  EXPECT_THAT(sightline_code_name(SIGHTLINE_INTERNAL + 1), StrEq("unknown code"));
}

TEST(SdkFailure, NamesTheVersion) {
  EXPECT_EQ(std::string(sightline_version()), std::string(Version()));
}

}  // namespace
}  // namespace sightline::sdk
