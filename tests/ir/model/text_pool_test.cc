#include "sightline/ir/model/text_pool.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "sightline/ir/model/line_cache.h"

namespace sightline::ir {
namespace {

TEST(TextPool, GivesEqualTextsOneId) {
  TextPool texts;
  const TextId conv = texts.Intern("Conv2D");
  const TextId relu = texts.Intern("ReLU");
  EXPECT_NE(conv, relu);
  EXPECT_EQ(texts.Intern(std::string("Conv") + "2D"), conv);
  EXPECT_EQ(texts[conv], "Conv2D");
  EXPECT_EQ(texts[relu], "ReLU");
  EXPECT_EQ(texts.bytes(), 10);
}

TEST(TextPool, HasTheEmptyTextFromTheStart) {
  TextPool texts;
  EXPECT_EQ(texts.Intern(""), kNoText);
  EXPECT_EQ(texts[kNoText], "");
}

TEST(TextPool, StoresAppendedTextsEachForItself) {
  TextPool texts;
  EXPECT_NE(texts.Append("line"), texts.Append("line"));
}

TEST(TextPool, TellsManyTextsApart) {
  TextPool texts;
  std::map<std::string, TextId> ids;
  // Lengths around every width that the hash reads at once, differing in one byte.
  for (std::size_t size = 1; size < 80; ++size) {
    for (std::size_t at = 0; at < size; ++at) {
      std::string text(size, 'a');
      text[at] = 'b';
      ids[text] = texts.Intern(text);
    }
  }
  EXPECT_EQ(texts.size(), ids.size() + 1);
  for (const auto& [text, id] : ids) {
    EXPECT_EQ(texts[id], text);
    EXPECT_EQ(texts.Intern(text), id);
  }
}

TEST(TextPool, KeepsItsTextsWhenItIsCompacted) {
  TextPool texts;
  const TextId before = texts.Intern("Conv2D");
  texts.Compact();
  EXPECT_EQ(texts[before], "Conv2D");
  EXPECT_EQ(texts[texts.Intern("ReLU")], "ReLU");
}

TEST(LineCache, FindsWhatWasInsertedAndNothingElse) {
  std::vector<std::string> texts;
  for (int i = 0; i < 5000; ++i) texts.push_back("      # line " + std::to_string(i));
  LineCache<int> cache;
  for (int i = 0; i < 5000; i += 2) {
    const std::string& text = texts[static_cast<std::size_t>(i)];
    ASSERT_EQ(cache.Find(text), nullptr);
    cache.Insert(text, i);
  }
  for (int i = 0; i < 5000; ++i) {
    const int* found = cache.Find(std::string(texts[static_cast<std::size_t>(i)]));
    ASSERT_EQ(found != nullptr, i % 2 == 0) << i;
    if (found != nullptr) {
      EXPECT_EQ(*found, i);
    }
  }
}

}  // namespace
}  // namespace sightline::ir
