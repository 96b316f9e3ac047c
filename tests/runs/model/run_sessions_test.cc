#include "sightline/runs/model/run_sessions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Files = std::vector<std::optional<Session>>;
constexpr std::nullopt_t kForeign = std::nullopt;

Session Of(std::string id, int rank = 0) {
  Session session;
  session.session_id = std::move(id);
  session.rank = rank;
  return session;
}

Session Resumed(std::string id, std::int64_t step, std::string continued, int rank = 0) {
  Session session = Of(std::move(id), rank);
  session.resume_from_step = step;
  session.continues_session = std::move(continued);
  return session;
}

// From which step on the values of each file do not count; -1: all count.
std::vector<std::int64_t> Limits(const Files& files) {
  std::vector<std::int64_t> limits;
  for (const auto& limit : ResolveSessions(files).superseded_from)
    limits.push_back(limit.value_or(-1));
  return limits;
}

TEST(RunSessionsTest, ASessionIsAllItsFiles) {
  const RunSessions run = ResolveSessions({Of("a"), Of("a"), kForeign, Of("b"), Of("a")});
  ASSERT_EQ(run.sessions.size(), 2U);
  EXPECT_EQ(run.sessions[0].session.session_id, "a");
  EXPECT_EQ(run.sessions[1].session.session_id, "b");
  EXPECT_THAT(ResolveSessions({}).sessions, IsEmpty());
}

TEST(RunSessionsTest, WithoutAResumeEverythingCounts) {
  EXPECT_THAT(Limits({Of("a"), Of("b"), kForeign}), ElementsAre(-1, -1, -1));
}

TEST(RunSessionsTest, AResumeSupersedesTheTailOfTheSessionItContinues) {
  EXPECT_THAT(Limits({Of("a"), Of("a"), Resumed("b", 80, "a")}), ElementsAre(80, 80, -1));
}

TEST(RunSessionsTest, AResumeSupersedesEarlierSessionsToo) {
  EXPECT_THAT(Limits({Of("a"), Of("b"), Resumed("c", 80, "b")}), ElementsAre(80, 80, -1));
}

TEST(RunSessionsTest, ALaterResumeFromAnEarlierStepSupersedesMore) {
  EXPECT_THAT(Limits({Of("a"), Resumed("b", 80, "a"), Resumed("c", 30, "b")}),
              ElementsAre(30, 30, -1));
  EXPECT_THAT(Limits({Of("a"), Resumed("b", 30, "a"), Resumed("c", 80, "b")}),
              ElementsAre(30, 80, -1));
}

TEST(RunSessionsTest, SessionsThatRanBesideItCount) {
  // "b" was still at work when "c" was opened.
  EXPECT_THAT(Limits({Of("a"), Of("b"), Resumed("c", 80, "a")}), ElementsAre(80, -1, -1));
}

TEST(RunSessionsTest, OtherRanksAreNotConcerned) {
  EXPECT_THAT(Limits({Of("a", 0), Of("b", 1), Resumed("c", 80, "b", 1), Of("d", 2)}),
              ElementsAre(-1, 80, -1, -1));
}

TEST(RunSessionsTest, EarlierFilesOfOtherProgramsAreSuperseded) {
  EXPECT_THAT(Limits({kForeign, Resumed("a", 80, ""), kForeign}), ElementsAre(80, -1, -1));
}

TEST(RunSessionsTest, UnknownSessionsSupersedeNothing) {
  EXPECT_THAT(Limits({Of("a"), Resumed("b", 80, "gone")}), ElementsAre(-1, -1));
  EXPECT_THAT(Limits({Resumed("a", 80, "a")}), ElementsAre(-1));                     // Itself,
  EXPECT_THAT(Limits({Resumed("a", 80, "b"), Of("b")}), ElementsAre(-1, -1));        // a later one,
  EXPECT_THAT(Limits({Of("a", 1), Resumed("b", 80, "a", 0)}), ElementsAre(-1, -1));  // a rank's.
}

}  // namespace
}  // namespace sightline
