#include "sightline/runs/reading/first_texts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

using ::testing::IsEmpty;
using ::testing::Key;
using ::testing::SizeIs;
using ::testing::UnorderedElementsAre;

RunLineage SettingsOf(const FirstTexts& texts) {
  RunLineage settings;
  texts.AddSettingsTo(settings);
  return settings;
}

TEST(FirstTextsTest, MindFormersKeysMakeEveryTextASetting) {
  FirstTexts texts;
  texts.Add(1, "context/text_summary", "{'mode': 0}");
  texts.Add(1, "seed/text_summary", "42");
  EXPECT_THAT(SettingsOf(texts), UnorderedElementsAre(Key("context.mode")));
  texts.Add(1, "parallel/text_summary", "{'full_batch': True}");
  EXPECT_THAT(SettingsOf(texts),
              UnorderedElementsAre(Key("context.mode"), Key("seed"), Key("parallel.full_batch")));
}

TEST(FirstTextsTest, TwentyTextsAreSettingsAndNineteenAreNot) {
  FirstTexts texts;
  for (int i = 0; i < 19; ++i) texts.Add(0, "arg" + std::to_string(i), "text");
  EXPECT_THAT(SettingsOf(texts), IsEmpty());
  texts.Add(0, "arg19", "1.5");
  EXPECT_THAT(SettingsOf(texts), SizeIs(20));
}

TEST(FirstTextsTest, OfOtherTextsOnlyObjectsAreSettings) {
  FirstTexts texts;
  texts.Add(0, "args", R"({"learning_rate": 5e-05})");
  texts.Add(0, "note", "a text");
  EXPECT_THAT(SettingsOf(texts), UnorderedElementsAre(Key("args.learning_rate")));
}

TEST(FirstTextsTest, TheLaterTextOfATagCounts) {
  FirstTexts texts;
  texts.Add(0, "args", R"({"lr": 1})");
  texts.Add(0, "args", R"({"rate": 2})");
  EXPECT_THAT(SettingsOf(texts), UnorderedElementsAre(Key("args.rate")));
}

TEST(FirstTextsTest, ATextOfAnotherStepEndsThem) {
  FirstTexts texts;
  texts.Add(3, "args", R"({"lr": 1})");
  texts.Add(4, "more", R"({"lr": 2})");
  texts.Add(3, "late", R"({"lr": 3})");
  EXPECT_TRUE(texts.ended);
  EXPECT_THAT(SettingsOf(texts), UnorderedElementsAre(Key("args.lr")));
}

TEST(FirstTextsTest, TextsThatAreNoConfigurationAreNotKept) {
  FirstTexts texts;
  texts.Add(0, "sample", "Once upon a time");
  texts.Add(1, "sample", "there was");
  EXPECT_THAT(texts.texts, IsEmpty());
}

TEST(FirstTextsTest, TheyTakeAtMostAMegabyte) {
  FirstTexts texts;
  texts.Add(0, "args", R"({"lr": 1})");
  texts.Add(0, "large", std::string(FirstTexts::kMostBytes, 'a'));
  EXPECT_TRUE(texts.ended);
  EXPECT_THAT(texts.texts, SizeIs(1));
}

}  // namespace
}  // namespace sightline
