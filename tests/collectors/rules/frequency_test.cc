#include "sightline/collectors/rules/frequency.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/collectors/rules/frequency_table.h"

namespace sightline {
namespace {

std::string Fault(const Frequency& frequency) {
  return std::string(CheckFrequencies({frequency}).message());
}

TEST(FrequencyTest, TheFirstEntryThatFitsCounts) {
  const FrequencyTable table({{.kind = ValueKind::kTensor, .tag = "grad/.*", .every_steps = 2},
                              {.tag = "grad/", .every_steps = 3},
                              {.kind = ValueKind::kHistogram, .every_steps = 4}});
  EXPECT_EQ(table.Find(ValueKind::kTensor, "grad/fc"), 0);
  EXPECT_EQ(table.Find(ValueKind::kScalar, "grad/norm"), 1);
  EXPECT_EQ(table.Find(ValueKind::kHistogram, "grad/fc/auto"), 1);
  EXPECT_EQ(table.Find(ValueKind::kHistogram, "fc/auto"), 2);
  EXPECT_EQ(table.Find(ValueKind::kTensor, "logits"), FrequencyTable::kNone);
  EXPECT_EQ(table.Find(ValueKind::kScalar, "a/grad/"), FrequencyTable::kNone);
}

TEST(FrequencyTest, ATagThatIsTooCostlyToMatchIsReportedOnce) {
  std::vector<std::string> lines;
  const FrequencyTable table(
      {{.tag = "a", .every_steps = 2}, {.tag = "(x*)*[yz]", .every_steps = 3}},
      [&lines](std::string_view line) { lines.emplace_back(line); });
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(table.Find(ValueKind::kScalar, std::string(40, 'x')), FrequencyTable::kNone);
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0], ::testing::StartsWith("frequencies[1].tag is '(x*)*[yz]', which is too "
                                              "costly to match with 'xxxx"));
}

TEST(FrequencyTest, CoversAKindWhereItNamesNoTag) {
  EXPECT_TRUE((Frequency{.kind = ValueKind::kImage}.Covers(ValueKind::kImage)));
  EXPECT_FALSE((Frequency{.kind = ValueKind::kImage}.Covers(ValueKind::kTensor)));
  EXPECT_FALSE((Frequency{.kind = ValueKind::kImage, .tag = ".*"}.Covers(ValueKind::kImage)));
}

TEST(FrequencyTest, EachFaultIsNamed) {
  constexpr auto kKind = ValueKind::kTensor;
  EXPECT_EQ(Fault({.kind = kKind, .every_steps = 1}), "");
  EXPECT_EQ(Fault({.every_steps = 1}),
            "frequencies[0] has neither kind nor tag, but must say of which values it is");
  EXPECT_EQ(Fault({.kind = ValueKind::kGraph, .every_steps = 1}),
            "frequencies[0].kind must be scalar, histogram, image or tensor");
  EXPECT_EQ(Fault({.kind = kKind}),
            "frequencies[0] has none of every_steps, every_seconds and first_steps");
  EXPECT_EQ(Fault({.kind = kKind, .every_steps = 0}),
            "frequencies[0].every_steps is 0, but must be at least 1 step");
  EXPECT_EQ(Fault({.kind = kKind, .first_steps = -1}),
            "frequencies[0].first_steps is -1, but must be at least 1 step");
  for (const double seconds : {0.0, -1.0, 1e10, std::numeric_limits<double>::quiet_NaN()}) {
    EXPECT_NE(Fault({.kind = kKind, .every_seconds = seconds}).find("every_seconds is"),
              std::string::npos);
  }
  EXPECT_NE(Fault({.tag = "(", .every_steps = 1}).find("frequencies[0].tag is '('"),
            std::string::npos);
}

TEST(FrequencyTest, MoreThan64AreRefused) {
  const Frequency frequency{.kind = ValueKind::kTensor, .every_steps = 1};
  EXPECT_TRUE(CheckFrequencies(std::vector(64, frequency)).ok());
  EXPECT_EQ(std::string(CheckFrequencies(std::vector(65, frequency)).message()),
            "frequencies has 65 entries, but can have 64");
}

}  // namespace
}  // namespace sightline
