#include "sightline/runs/query/query.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "sightline/runs/run_group.h"
#include "sightline/tests/runs/run_files.h"
#include "sightline/tests/support/manual_clock.h"
#include "sightline/tests/support/memory_file_system.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using testing::IsOk;
using testing::IsStatus;

// Three runs: a (LeNet5, 0.01, loss 3 2 1), b (ResNet, 0.1, loss NaN 5), c (no lineage, acc only).
class QueryTest : public ::testing::Test {
 protected:
  static std::string Lineage(const std::string& network, float rate, const std::string& note) {
    mindspore::LineageEvent event;
    event.set_wall_time(1);
    auto* train = event.mutable_train_lineage();
    train->mutable_algorithm()->set_network(network);
    train->mutable_hyper_parameters()->set_learning_rate(rate);
    mindspore::LineageEvent custom;
    custom.set_wall_time(1);
    (*custom.mutable_user_defined_info()->add_user_info()->mutable_map_str())["my note"] = note;
    return testing::FrameRecord(event.SerializeAsString()) +
           testing::FrameRecord(custom.SerializeAsString());
  }
  void SetUp() override {
    const auto put = [this](const std::string& run, const std::string& lineage,
                            const std::string& summary) {
      fs_.Put("root/" + run + "/" + testing::kMindSporeName, summary);
      if (!lineage.empty()) fs_.Put("root/" + run + "/" + testing::kLineageName, lineage);
    };
    const auto scalar = testing::MindSporeScalar;
    put("a", Lineage("LeNet5", 0.01F, "it's fine"),
        scalar("train/loss", 0, 3) + scalar("train/loss", 1, 2) + scalar("train/loss", 2, 1));
    put("b", Lineage("ResNet", 0.1F, "10"),
        scalar("train/loss", 0, std::numeric_limits<float>::quiet_NaN()) +
            scalar("train/loss", 9, 5));
    put("c", "", scalar("acc", 4, 0.5));
    auto group = RunGroup::Open({"root"}, {.file_system = &fs_});
    ASSERT_THAT(group, IsOk());
    group_ = *std::move(group);
  }
  static std::string Names(const RunGroup& group) {
    std::string names;
    for (const auto& run : group.runs()) names += run->name();
    return names;
  }
  std::string Where(std::string_view query) {
    const auto chosen = group_.Where(query, clock_);
    EXPECT_THAT(chosen, IsOk()) << query;
    return chosen ? Names(*chosen) : "error";
  }
  std::string ErrorOf(std::string_view query) {
    const auto parsed = Query::Parse(query);
    return parsed ? "no error" : std::string(parsed.error().message());
  }

  testing::MemoryFileSystem fs_;
  testing::ManualClock clock_{1e9};
  RunGroup group_ = RunGroup({});
};

TEST_F(QueryTest, ComparesNumbersAndText) {
  EXPECT_EQ(Where("lr == 0.01"), "a");
  EXPECT_EQ(Where("learning_rate > 0.01"), "b");
  EXPECT_EQ(Where("lr >= 1e-2"), "ab");
  EXPECT_EQ(Where("network == 'LeNet5'"), "a");
  EXPECT_EQ(Where("network = \"LeNet5\""), "a");
  EXPECT_EQ(Where("network < 'M'"), "a");
  EXPECT_EQ(Where("last_step <= 4 and last_step != 2"), "c");
  EXPECT_EQ(Where("state == 'ended'"), "abc");
  EXPECT_EQ(Where("damaged"), "");
  EXPECT_EQ(Where("duration > 5"), "ab");  // The lineage is from second 1.
}

TEST_F(QueryTest, GroupsRunsByAValueThoseWithoutOneLast) {
  const auto grouped = [&](std::string_view by) {
    const auto groups = group_.GroupedBy(by, clock_);
    EXPECT_THAT(groups, IsOk());
    std::string text;
    for (const auto& [key, runs] : *groups) text += QueryValueText(key) + ":" + Names(runs) + " ";
    return text;
  };
  EXPECT_EQ(grouped("lr"), "0.01:a 0.1:b :c ");
  EXPECT_EQ(grouped("state"), "ended:abc ");
  EXPECT_EQ(grouped("lr > 0.05"), "false:ac true:b ");
  EXPECT_THAT(group_.GroupedBy("lr >").error(), IsStatus(StatusCode::kInvalidArgument, "column"));
}

TEST(SpreadTest, IsOfTheFiniteNumbers) {
  const double infinity = std::numeric_limits<double>::infinity();
  const Spread spread = SpreadOf({1.0, 2.0, 6.0, std::string("7"), true, {}, infinity, NAN});
  EXPECT_EQ(spread.count, 3U);
  EXPECT_DOUBLE_EQ(spread.mean, 3);
  EXPECT_EQ(spread.min, 1);
  EXPECT_EQ(spread.max, 6);
  EXPECT_DOUBLE_EQ(spread.deviation, std::sqrt(7));
  EXPECT_TRUE(std::isnan(SpreadOf({2.0}).deviation));
  EXPECT_TRUE(std::isnan(SpreadOf({}).mean));
}

TEST_F(QueryTest, FunctionsOfTags) {
  EXPECT_EQ(Where("last(\"train/loss\") < 2"), "a");
  EXPECT_EQ(Where("last(train/loss) < 2"), "a");
  EXPECT_EQ(Where("min('train/loss') == 5 and max('train/loss') == 5"), "b");
  EXPECT_EQ(Where("count('train/loss') == 3"), "a");
  EXPECT_EQ(Where("step('train/loss') == 9"), "b");
  EXPECT_EQ(Where("first('train/loss') == 3"), "a");
  EXPECT_EQ(Where("last('train/loss')"), "ab");
  EXPECT_EQ(Where("mean('train/loss') == 2"), "a");
  EXPECT_EQ(Where("mean('train/loss', 2) == 1.5"), "a");
  EXPECT_EQ(Where("mean('train/loss') == 5 and first_nan('train/loss') == 0"), "b");
  EXPECT_EQ(Where("first_nan('train/loss')"), "b");
}

TEST_F(QueryTest, MissingValuesAreNeverTrue) {
  EXPECT_EQ(Where("lr != 0.01"), "b");
  EXPECT_EQ(Where("not lr == 0.01"), "bc");
  EXPECT_EQ(Where("not lr"), "c");
  EXPECT_EQ(Where("nothing < 1 or nothing >= 1"), "");
  EXPECT_EQ(Where("first('train/loss') != 3"), "b");  // NaN is unequal, and not smaller or larger.
  EXPECT_EQ(Where("first('train/loss') < 9"), "a");
}

TEST_F(QueryTest, BindsNotThenAndThenOr) {
  EXPECT_EQ(Where("name == 'a' or name == 'b' and lr == 0.01"), "a");
  EXPECT_EQ(Where("(name == 'a' or name == 'b') and lr == 0.1"), "b");
  EXPECT_EQ(Where("not name == 'a' and not name == 'b'"), "c");
  EXPECT_EQ(Where("name in ('a', 'c')"), "ac");
  EXPECT_EQ(Where("name not in ['a', 'c']"), "b");
}

TEST_F(QueryTest, RegularExpressionsMatchAnywhere) {
  EXPECT_EQ(Where("network =~ 'Net'"), "ab");
  EXPECT_EQ(Where("network =~ '^Le'"), "a");
  EXPECT_EQ(Where("network !~ '^Le'"), "b");
  EXPECT_EQ(Where("network =~ 'Net\\d'"), "a");
}

TEST_F(QueryTest, FindsNan) {
  EXPECT_EQ(Where("isnan(first('train/loss'))"), "b");
  EXPECT_EQ(Where("not isnan(first('train/loss')) and count('train/loss')"), "a");
  EXPECT_EQ(Where("isnan(network) or isnan((lr)) or isnan(nothing)"), "");
  EXPECT_EQ(ErrorOf("isnan(last(loss)"), "query, column 17: \")\" is missing");
}

TEST_F(QueryTest, AWordAloneAlsoMatchesTheNamesOfRuns) {
  fs_.Put(std::string("root/lr0.1_B16-2/") + testing::kMindSporeName,
          testing::MindSporeScalar("acc", 1, 1));
  auto group = RunGroup::Open({"root"}, {.file_system = &fs_});
  ASSERT_THAT(group, IsOk());
  group_ = *std::move(group);
  EXPECT_EQ(Where("b16"), "lr0.1_B16-2");
  EXPECT_EQ(Where(" b16-2 "), "lr0.1_B16-2");
  EXPECT_EQ(Where("16"), "lr0.1_B16-2");
  EXPECT_EQ(Where("network"), "ab");
  EXPECT_EQ(Where("state"), "abclr0.1_B16-2");
  EXPECT_EQ(Where("true"), "abclr0.1_B16-2");
  EXPECT_EQ(Where("'b16' == name or b16"), "");  // Only alone.
  EXPECT_EQ(Where("damaged"), "");
  EXPECT_THAT(ErrorOf("b16 b17"), ::testing::HasSubstr("query, column 5"));
}

TEST_F(QueryTest, SaysWhichNamesItAsksFor) {
  const auto query = Query::Parse("last(loss) < 1 and not `my note` in ('a', lr)");
  ASSERT_THAT(query, IsOk());
  std::string names;
  for (const Query::Asked& asked : query->Names())
    names += asked.text + (asked.is_tag ? " (tag) " : " ");
  EXPECT_EQ(names, "loss (tag) my note lr ");
  const auto has = [&](const char* text, bool is_tag) {
    return Query::Has(*group_.Find("a"), {text, is_tag});
  };
  EXPECT_TRUE(has("train/loss", true) && has("lr", false) && has("state", false));
  EXPECT_FALSE(has("train/loss", false) || has("lr", true));
}

TEST_F(QueryTest, ATagThatNeedsQuotesIsSaid) {
  EXPECT_EQ(ErrorOf("last(iteration-time)"),
            "query, column 6: put the tag in quotes: last(\"iteration-time\")");
  EXPECT_EQ(ErrorOf("1 < min( a b ) and true"),
            "query, column 10: put the tag in quotes: min(\"a b\")");
  EXPECT_EQ(ErrorOf("mean(iteration-time, 100)"),
            "query, column 6: put the tag in quotes: mean(\"iteration-time\", 100)");
}

TEST_F(QueryTest, QuotesOtherNames) {
  EXPECT_EQ(Where("`my note` == 10"), "b");
  EXPECT_EQ(Where("`my note` == 'it\\'s fine'"), "a");
  EXPECT_EQ(Where("lineage.network =~ 'Res'"), "b");
}

TEST_F(QueryTest, ErrorsPointAtTheColumn) {
  EXPECT_EQ(ErrorOf("lr > "), "query, column 6: a value is missing");
  EXPECT_EQ(ErrorOf("lr > and"), "query, column 6: a value is expected, not 'and'");
  EXPECT_EQ(ErrorOf("'ü' == $"), "query, column 8: '$' has no meaning here");
  EXPECT_EQ(ErrorOf("name == 'a"), "query, column 9: the text that begins here has no closing '");
  EXPECT_EQ(ErrorOf("(lr"), "query, column 4: \")\" is missing");
  EXPECT_EQ(ErrorOf("avg('loss')"),
            "query, column 1: 'avg' is not a function (the functions are first, last, min, max, "
            "count, step, mean, median, p95, std, first_nan, isnan, rank, spread and worst)");
  EXPECT_EQ(ErrorOf("meedian('loss')"),
            "query, column 1: 'meedian' is not a function; did you mean median?");
  EXPECT_EQ(ErrorOf("mean('loss', 0)"),
            "query, column 14: a number of steps, at least 1 is expected, not '0'");
  EXPECT_EQ(ErrorOf("last('loss', 5)"),
            "query, column 12: last takes a tag only; mean, median, p95 and std also take a number "
            "of steps");
  EXPECT_EQ(ErrorOf("lr 3"),
            "query, column 4: the end, a comparison, \"and\" or \"or\" is expected, not '3'");
  EXPECT_EQ(ErrorOf("lr == 3x"), "query, column 7: this is not a number");
  EXPECT_THAT(ErrorOf("name =~ '('"), ::testing::StartsWith("query, column 9: regular expression"));
  EXPECT_THAT(ErrorOf(""), "query, column 1: a value is missing");
  EXPECT_THAT(ErrorOf(std::string(5000, '(')), ::testing::HasSubstr("nested too deeply"));
  EXPECT_THAT(ErrorOf(std::string(100'000, ' ')), ::testing::HasSubstr("64 KiB"));
}

TEST_F(QueryTest, SortsByAnyExpressionMissingOnesLast) {
  const auto sorted = [&](std::string_view key, bool descending) {
    return Names(*group_.Sorted(key, descending, clock_));
  };
  EXPECT_EQ(sorted("lr", false), "abc");
  EXPECT_EQ(sorted("lr", true), "bac");
  EXPECT_EQ(sorted("last('train/loss')", false), "abc");
  EXPECT_EQ(sorted("last_step", true), "bca");
  EXPECT_EQ(sorted("name", true), "cba");
  EXPECT_EQ(group_.Sorted("lr >").error().code(), StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace sightline
