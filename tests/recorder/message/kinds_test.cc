#include "sightline/recorder/message/kinds.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// Journals that are on disk have these.
TEST(KindsTest, NumbersInJournalsStayAsTheyAre) {
  std::set<int> numbers;
  for (const ValueKind kind : kValueKinds) {
    EXPECT_TRUE(numbers.insert(static_cast<int>(kind)).second) << ValueKindName(kind);
    EXPECT_TRUE(IsValueKind(static_cast<std::uint8_t>(kind)));
  }
  EXPECT_EQ(numbers, (std::set<int>{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  EXPECT_FALSE(IsValueKind(0));
  EXPECT_FALSE(IsValueKind(12));
  EXPECT_EQ(static_cast<int>(ValueKind::kScalar), 1);
  EXPECT_EQ(static_cast<int>(ValueKind::kHistogram), 2);
  EXPECT_EQ(static_cast<int>(ValueKind::kTensor), 3);
  EXPECT_EQ(static_cast<int>(ValueKind::kImage), 4);
  EXPECT_EQ(static_cast<int>(ValueKind::kGraph), 5);
  EXPECT_EQ(static_cast<int>(ValueKind::kLandscape), 6);
  EXPECT_EQ(static_cast<int>(ValueKind::kTrainLineage), 7);
  EXPECT_EQ(static_cast<int>(ValueKind::kEvaluationLineage), 8);
  EXPECT_EQ(static_cast<int>(ValueKind::kDatasetGraph), 9);
  EXPECT_EQ(static_cast<int>(ValueKind::kCustomLineage), 10);
}

TEST(KindsTest, TheFormTellsWhereTheValueIs) {
  std::set<ValueKind> tensors;
  for (const ValueKind kind : kValueKinds) {
    EXPECT_EQ(FormOf(kind) == ValueForm::kNumber, kind == ValueKind::kScalar);
    if (FormOf(kind) == ValueForm::kTensor) tensors.insert(kind);
  }
  EXPECT_EQ(tensors, (std::set{ValueKind::kHistogram, ValueKind::kTensor, ValueKind::kImage}));
}

TEST(KindsTest, EveryKindHasItsOwnName) {
  std::set<std::string_view> names;
  for (const ValueKind kind : kValueKinds) EXPECT_TRUE(names.insert(ValueKindName(kind)).second);
  EXPECT_EQ(names.count("unknown"), 0U);
  names.clear();
  for (const ContentKind kind : kContentKinds) {
    EXPECT_TRUE(names.insert(ContentKindName(kind)).second);
    EXPECT_EQ(ContentKindNamed(ContentKindName(kind)), kind);
  }
  EXPECT_EQ(ContentKindNamed("unknown"), std::nullopt);
  EXPECT_EQ(ContentKindNamed(""), std::nullopt);
  names.clear();
  for (int i = 0; i <= static_cast<int>(EventKind::kOther); ++i)
    EXPECT_TRUE(names.insert(EventKindName(static_cast<EventKind>(i))).second) << i;
}

// If this fails, copy the expected text into the file and build the page anew.
TEST(KindsTest, ThePageHasTheSameKinds) {
  std::string expected =
      "// Made of recorder/message/kinds.def, and compared with it by kinds_test.cc, which prints "
      "this text.\n\n"
      "/** Each kind of value, by its name in the API, with the page that shows it. */\n"
      "export const pageOfKind = {\n";
#define SIGHTLINE_VALUE(number, kind, name, form, page) expected += "  " name ": \"" page "\",\n";
#define SIGHTLINE_TENSORBOARD_VALUE(kind, name, page) expected += "  " name ": \"" page "\",\n";
#include "sightline/recorder/message/kinds.def"
  expected += "} as const;\nexport type Kind = keyof typeof pageOfKind;\n";
  EXPECT_EQ(testing::ReadFileOrDie(testing::CorpusPath("../../web/src/core/kinds.ts")), expected);
}

}  // namespace
}  // namespace sightline
