#include "sightline/ir/read/statement_scanner.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StatementScannerTest : public ::testing::Test {
 protected:
  // The operands of each reading that can be scanned, in order.
  std::vector<std::vector<std::string>> Readings(const std::string& text) {
    std::vector<std::vector<std::string>> readings;
    text_ = text;
    scanner_.Start(text_);
    do {
      if (scanner_.Scan())
        readings.emplace_back(scanner_.operands().begin(), scanner_.operands().end());
    } while (scanner_.NextReading());
    return readings;
  }
  bool Scan(const std::string& text) {
    text_ = text;
    scanner_.Start(text_);
    return scanner_.Scan();
  }

  std::string text_;
  StatementScanner scanner_;
};

TEST_F(StatementScannerTest, SplitsCalleeOperandsAndAttributes) {
  ASSERT_TRUE(
      Scan("Cast(%0, I64(30), (1, 2)) {instance name: a} cnode_attrs: {k: [x, y], e: }\n..."));
  EXPECT_EQ(scanner_.callee(), "Cast");
  EXPECT_THAT(scanner_.operands(), ElementsAre("%0", "I64(30)", "(1, 2)"));
  EXPECT_EQ(scanner_.tail(), " {instance name: a} cnode_attrs: {k: [x, y], e: }");
  ASSERT_EQ(scanner_.groups().size(), 2);
  EXPECT_EQ(scanner_.groups()[0].name, "");
  EXPECT_EQ(scanner_.groups()[1].name, "cnode_attrs");
  EXPECT_EQ(scanner_.groups()[1].size, 2);
  EXPECT_THAT(scanner_.attributes(), ElementsAre("instance name: a", "k: [x, y]", "e: "));
  EXPECT_EQ(scanner_.size(), text_.find('\n'));
}

TEST_F(StatementScannerTest, TakesBracketsThatBelongToTheCallee) {
  ASSERT_TRUE(Scan("$(@G:CNode_3)[@Partial(@H)](%1)"));
  EXPECT_EQ(scanner_.callee(), "$(@G:CNode_3)[@Partial(@H)]");
  ASSERT_TRUE(Scan("HyperMap[add]{fn: M{(A, B)}}(%1, %2)"));
  EXPECT_EQ(scanner_.callee(), "HyperMap[add]{fn: M{(A, B)}}");
  EXPECT_THAT(scanner_.operands(), ElementsAre("%1", "%2"));
}

TEST_F(StatementScannerTest, GoesOnOverTheLinesOfAConstant) {
  ASSERT_TRUE(Scan("Add(%0, Tensor(value=\n[[1 2]\n [3 4]]))\n      : (a)"));
  EXPECT_THAT(scanner_.operands(), ElementsAre("%0", "Tensor(value=\n[[1 2]\n [3 4]])"));
  EXPECT_EQ(scanner_.newlines(), 2);
}

TEST_F(StatementScannerTest, EndsAStringInFrontOfPunctuationOnly) {
  ASSERT_TRUE(Scan(R"(F("a "quoted" (word", %1))"));
  EXPECT_THAT(scanner_.operands(), ElementsAre(R"("a "quoted" (word")", "%1"));
}

TEST_F(StatementScannerTest, ReadsAStringThatHoldsItsOwnEndInEveryWay) {
  EXPECT_THAT(Readings(R"(F("a", b", %1))"),
              ElementsAre(ElementsAre(R"("a")", R"(b")", "%1"), ElementsAre(R"("a", b")", "%1")));
}

TEST_F(StatementScannerTest, TakesALineThatLooksLikeAStatementIntoAString) {
  ASSERT_TRUE(Scan("F(\"a\n  %1(b) = G()\n      : () -> (<null>)\", %0)\n"));
  EXPECT_EQ(scanner_.operands().size(), 2);
  EXPECT_EQ(scanner_.newlines(), 2);
}

TEST_F(StatementScannerTest, FailsWhereABracketIsNotClosedBeforeTheNextLineOfTheStatement) {
  EXPECT_FALSE(Scan("Add(%0, (%1)\n      : (<null>) -> (<null>)\n"));
  EXPECT_STREQ(scanner_.failure(), "a bracket is not closed");
  EXPECT_EQ(scanner_.failed_at(), 12);
}

TEST_F(StatementScannerTest, FailsOnBracketsThatDoNotMatch) {
  EXPECT_FALSE(Scan("Add(%0])"));
  EXPECT_EQ(scanner_.failed_at(), 6);
  EXPECT_FALSE(Scan("Add(%0) attrs: {a: (1}}"));
}

TEST_F(StatementScannerTest, FailsOnWhatIsNoGroupOfAttributes) {
  for (const char* text :
       {"F() x", "F()x: {}", "F() x {}", "F() : {}", "F() x: {} y", "F() x: (1)"})
    EXPECT_FALSE(Scan(text)) << text;
}

TEST_F(StatementScannerTest, FailsWithoutCalleeOrArguments) {
  for (const char* text : {"", "F", "(%0)", "F\n(%0)"}) EXPECT_FALSE(Scan(text)) << text;
}

TEST_F(StatementScannerTest, FailsOnDeepBracketsWithoutRecursion) {
  EXPECT_FALSE(Scan("F(" + std::string(100'000, '[')));
  EXPECT_STREQ(scanner_.failure(), "too many brackets are open");
}

TEST_F(StatementScannerTest, HasNoReadingWhereAStringIsNotClosed) {
  EXPECT_THAT(Readings("F(\"a, %1)\n"), IsEmpty());
}

}  // namespace
}  // namespace sightline::ir
