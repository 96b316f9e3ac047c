// What is asked of a comparison, as text.
#include "sightline/runs/compare/comparison_request.h"

#include <gmock/gmock.h>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;

TEST(ComparisonRequestTest, AToleranceIsAShare) {
  EXPECT_DOUBLE_EQ(*ToleranceIn("tolerance", "2%"), 0.02);
  EXPECT_DOUBLE_EQ(*ToleranceIn("tolerance", "0.5 %"), 0.005);
  EXPECT_DOUBLE_EQ(*ToleranceIn("tolerance", "0.02"), 0.02);
  for (const char* text : {"", "%", "-1%", "nan", "inf", "2%%", "a tenth"}) {
    EXPECT_THAT(ToleranceIn("tolerance", text).error(),
                IsStatus(StatusCode::kInvalidArgument, "tolerance " + std::string(text) + ": give"))
        << text;
  }
}

TEST(ComparisonRequestTest, NoiseNeedsThreeRuns) {
  EXPECT_THAT(CheckLike("like", 0), IsOk());
  EXPECT_THAT(CheckLike("like", 3), IsOk());
  EXPECT_THAT(CheckLike("like", 2),
              IsStatus(StatusCode::kInvalidArgument, "like: 3 or more runs are needed"));
}

}  // namespace
}  // namespace sightline
