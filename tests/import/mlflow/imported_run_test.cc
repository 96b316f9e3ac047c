#include "sightline/import/mlflow/imported_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

LineageValue Parameter(const char* text) {
  ImportedRun run;
  AddParameter("p", text, run);
  return run.parameters.at("p");
}

TEST(ImportedRun, ANumberIsANumber) {
  EXPECT_EQ(Parameter("64"), LineageValue(std::int64_t{64}));
  EXPECT_EQ(Parameter("-3"), LineageValue(std::int64_t{-3}));
  EXPECT_EQ(Parameter("0"), LineageValue(std::int64_t{0}));
  EXPECT_EQ(Parameter("0.1"), LineageValue(0.1));
  EXPECT_EQ(Parameter("1e-08"), LineageValue(1e-8));
}

TEST(ImportedRun, EverythingElseIsAText) {
  for (const char* text : {"", "-", "007", "-01", "00.5", "True", "None", "[1, 2]", "nan", "inf",
                           "1 MB", " 1", "1_000", "10000000000000000000000000"})
    EXPECT_EQ(Parameter(text), LineageValue(std::string(text))) << text;
}

TEST(ImportedRun, AFactReplacesNoParameter) {
  ImportedRun run{.id = "r1", .name = "n"};
  AddParameter("run.name", "mine", run);
  const CustomLineage lineage = LineageOf(run);
  EXPECT_EQ(lineage.at("run.name"), LineageValue("mine"));
  EXPECT_EQ(lineage.at("run.id"), LineageValue("r1"));
}

TEST(ImportedRun, TagsOfMlflowsOwnAreFactsOrCounted) {
  ImportedRun run;
  ImportReport report;
  AddTag("mlflow.user", "u", run, report);
  AddTag("mlflow.log-model.history", "[]", run, report);
  AddTag("mlflow.note.content", "", run, report);
  AddTag("mlflowers", "3", run, report);
  EXPECT_THAT(run.facts, ElementsAre(Pair("run.user", LineageValue("u")),
                                     Pair("tags.mlflowers", LineageValue("3"))));
  EXPECT_THAT(report.unread, ElementsAre(Pair("tag of MLflow's own", 1U)));
}

}  // namespace
}  // namespace sightline
