#include "sightline/base/digest/sha256.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace sightline {
namespace {

// FIPS 180-4's example.
TEST(Sha256Test, OfAText) {
  const std::string digest = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
  EXPECT_EQ(Sha256Hex("abc"), digest);
  EXPECT_EQ(HexOf(Sha256("abc")), digest);
  Sha256Stream stream;
  stream.Add("a");
  stream.Add("bc");
  EXPECT_EQ(stream.FinishHex(), digest);
}

// RFC 4231, test cases 2 and 6; and with nothing to sign, as Feishu's bots do (Python's hmac).
TEST(Sha256Test, HmacOfAKeyAndAText) {
  EXPECT_EQ(HexOf(HmacSha256("Jefe", "what do ya want for nothing?")),
            "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843");
  EXPECT_EQ(HexOf(HmacSha256(std::string(131, '\xaa'),
                             "Test Using Larger Than Block-Size Key - Hash Key First")),
            "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54");
  EXPECT_EQ(HexOf(HmacSha256("key", "")),
            "5d5d139563c95b5967b9bd9a8c9b233a9dedb45072794cd232dc1b74832607d0");
}

}  // namespace
}  // namespace sightline
