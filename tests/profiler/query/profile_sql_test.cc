#include "sightline/profiler/query/profile_sql.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using ::testing::ElementsAre;
using testing::ImportEvents;
using ::testing::IsEmpty;
using testing::IsOk;
using testing::IsStatus;

// Three spans on two threads, an instant, a counter of two values, and an arrow.
constexpr const char* kEvents =
    R"({"ph":"X","name":"b","cat":"cpu_op","pid":1,"tid":1,"ts":10,"dur":5,"args":{"n":7}},)"
    R"({"ph":"X","name":"a","cat":"kernel","pid":0,"tid":7,"ts":12,"dur":2},)"
    R"({"ph":"X","name":"b","cat":"cpu_op","pid":1,"tid":1,"ts":20,"dur":9},)"
    R"({"ph":"i","name":"mark","pid":1,"tid":1,"ts":13},)"
    R"({"ph":"C","name":"m","pid":1,"ts":11,"args":{"x":1}},)"
    R"({"ph":"C","name":"m","pid":1,"ts":14,"args":{"x":2.5}},)"
    R"({"ph":"s","name":"launch","cat":"ac2g","id":3,"pid":1,"tid":1,"ts":11})";

std::string TextOf(const SqlValue& value) {
  if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::to_string(*integer);
  if (const auto* real = std::get_if<double>(&value)) return fmt::format("{}", *real);
  if (const auto* text = std::get_if<std::string_view>(&value)) return std::string(*text);
  return "null";
}

// The rows of a query, their values joined by blanks.
std::vector<std::string> Ask(const Model& model, const std::string& query) {
  std::vector<std::string> rows;
  ProfileSql sql(model);
  EXPECT_THAT(sql.Run(query, {.row =
                                  [&](std::span<const SqlValue> values) {
                                    std::string& row = rows.emplace_back();
                                    for (const SqlValue& value : values)
                                      row += (row.empty() ? "" : " ") + TextOf(value);
                                  }}),
              IsOk());
  return rows;
}

Status Refused(const Model& model, const std::string& query) {
  return ProfileSql(model).Run(query, {});
}

TEST(ProfileSqlTest, EachTableHasTheEventsOfTheProfile) {
  const Profile profile = ImportEvents(kEvents);
  const Model& model = profile.model;
  EXPECT_THAT(
      Ask(model,
          "select start, duration, name, kind, category, process, thread, depth, "
          "args ->> 'n' from spans order by start"),
      ElementsAre("0 5000 b operator cpu_op 1 1 0 7", "2000 2000 a kernel kernel 0 7 0 null",
                  "10000 9000 b operator cpu_op 1 1 0 null"));
  EXPECT_THAT(Ask(model, "select time, name from instants"), ElementsAre("3000 mark"));
  EXPECT_THAT(Ask(model, "select time, name, value from counters"),
              ElementsAre("1000 m/x 1", "4000 m/x 2.5"));
  EXPECT_THAT(Ask(model, "select time, id, name, phase from flows"),
              ElementsAre("1000 ac2g:3 launch start"));
  EXPECT_THAT(Ask(model,
                  "select process, thread, kind, spans from lanes where spans > 0 order by "
                  "process"),
              ElementsAre("0 7 stream 1", "1 1 thread 2"));
}

TEST(ProfileSqlTest, NamesHaveTheirCountsTotalsAndQuartiles) {
  std::string events = R"({"ph":"X","name":"z","ts":0,"dur":1})";
  for (int i = 1; i <= 9; ++i) {
    events += R"(,{"ph":"X","name":"n","ts":)" + std::to_string(10 * i) + R"(,"dur":)" +
              std::to_string(i) + "}";
  }
  const Profile profile = ImportEvents(events);
  EXPECT_THAT(
      Ask(profile.model, "select * from names"),
      ElementsAre("n 9 45000 1000 3000 5000 7000 9000", "z 1 1000 1000 1000 1000 1000 1000"));
}

TEST(ProfileSqlTest, RowsComeInTheOrderOfNamesWithoutASort) {
  const Profile profile = ImportEvents(kEvents);
  const Model& model = profile.model;
  EXPECT_THAT(Ask(model, "select name, start from spans order by name"),
              ElementsAre("a 2000", "b 0", "b 10000"));
  EXPECT_THAT(Ask(model, "select name from spans order by name desc"), ElementsAre("b", "b", "a"));
  EXPECT_THAT(Ask(model, "select name, sum(duration) from spans group by name"),
              ElementsAre("a 2000", "b 14000"));
  for (const std::string& plan :
       Ask(model, "explain query plan select name, count(*) from spans group by name"))
    EXPECT_THAT(plan, ::testing::Not(::testing::HasSubstr("TEMP B-TREE")));
}

TEST(ProfileSqlTest, AProfileWithoutEventsHasNoRows) {
  const Model empty;
  for (const SqlTable& table : SqlTables())
    EXPECT_THAT(Ask(empty, "select * from " + std::string(table.name)), IsEmpty()) << table.name;
}

TEST(ProfileSqlTest, NothingCanBeChangedOrReached) {
  const Profile profile = ImportEvents(kEvents);
  for (const char* query :
       {"create table t(x)", "attach 'other.db' as other", "pragma temp_store = 2",
        "insert into spans(name) values('x')", "drop table spans", "vacuum into 'copy.db'", "begin",
        "select load_extension('x')"}) {
    EXPECT_EQ(Refused(profile.model, query).code(), StatusCode::kInvalidArgument) << query;
  }
}

TEST(ProfileSqlTest, AQueryThatIsWrongIsRefusedInWords) {
  const Profile profile = ImportEvents(kEvents);
  EXPECT_THAT(Refused(profile.model, "selct"),
              IsStatus(StatusCode::kInvalidArgument, "syntax error"));
  EXPECT_THAT(Refused(profile.model, "select absent from spans"),
              IsStatus(StatusCode::kInvalidArgument, "no such column: absent"));
  EXPECT_THAT(Refused(profile.model, " -- nothing"),
              IsStatus(StatusCode::kInvalidArgument, "the query is empty"));
  EXPECT_THAT(Refused(profile.model, "select 1; select 2"),
              IsStatus(StatusCode::kInvalidArgument, "more than one statement"));
}

}  // namespace
}  // namespace sightline::profiler
