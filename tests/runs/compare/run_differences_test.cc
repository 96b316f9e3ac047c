// What differs between two runs apart from their values.
#include "sightline/runs/compare/run_differences.h"

#include <gmock/gmock.h>

#include <string>
#include <vector>

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// "KIND NAME: A -> B"
std::vector<std::string> Between(const RunLineage& a, const RunLineage& b) {
  std::vector<std::string> lines;
  for (const RunDifference& one : DifferencesOf(a, b).all) {
    lines.push_back(std::string(DifferenceKindName(one.kind)) + " " + one.name + ": " + one.a +
                    " -> " + one.b);
  }
  return lines;
}

LineageValue Text(const char* text) { return std::string(text); }

TEST(RunDifferencesTest, WhatIsTheSameIsNoDifference) {
  const RunLineage lineage = {{"lr", 0.1}, {"run.host", Text("a")}};
  EXPECT_THAT(Between(lineage, lineage), IsEmpty());
  EXPECT_THAT(Between({{"batch", std::int64_t{8}}}, {{"batch", 8.0}}), IsEmpty());
  EXPECT_THAT(Between({{"lr", Text("0.1")}}, {{"lr", 0.1}}), IsEmpty()) << "from a text";
}

TEST(RunDifferencesTest, DifferencesAreNamedByKind) {
  const RunLineage a = {{"lr", 0.1},
                        {"run.command", Text("python a.py")},
                        {"run.devices", Text("Ascend 910B")},
                        {"run.git.commit", Text("a1")},
                        {"run.packages", Text("numpy==1.26.4 torch==2.1.0")},
                        {"warmup", std::int64_t{10}}};
  const RunLineage b = {{"lr", 0.2},
                        {"run.command", Text("python b.py")},
                        {"run.devices", Text("H200")},
                        {"run.git.commit", Text("b2")},
                        {"run.packages", Text("numpy==1.26.4 torch==2.4.0 triton==3.0")}};
  EXPECT_THAT(Between(a, b),
              ElementsAre("setting lr: 0.1 -> 0.2", "setting warmup: 10 -> ",
                          "code git.commit: a1 -> b2", "package torch: 2.1.0 -> 2.4.0",
                          "package triton:  -> 3.0", "machine devices: Ascend 910B -> H200",
                          "launch command: python a.py -> python b.py"));
}

TEST(RunDifferencesTest, AFrameworkIsNamedOnce) {
  EXPECT_THAT(Between({{"run.packages", Text("torch==2.1")}, {"run.torch", Text("2.1")}},
                      {{"run.packages", Text("torch==2.4")}, {"run.torch", Text("2.4")}}),
              ElementsAre("package torch: 2.1 -> 2.4"));
}

TEST(RunDifferencesTest, ResultsAndNamesOfProcessesAreNone) {
  const auto made = [](const char* text) {
    return RunLineage{{"loss", Text(text)},
                      {"run.directory", Text(text)},
                      {"run.env.MASTER_ADDR", Text(text)},
                      {"run.env.RANK", Text(text)},
                      {"run.env.SLURM_JOB_ID", Text(text)},
                      {"run.folder", Text(text)}};
  };
  EXPECT_THAT(Between(made("1"), made("2")), IsEmpty());
  EXPECT_THAT(Between({{"run.env.NCCL_ALGO", Text("Ring")}}, {{"run.env.NCCL_ALGO", Text("Tree")}}),
              ElementsAre("launch env.NCCL_ALGO: Ring -> Tree"));
}

TEST(RunDifferencesTest, WhatOtherRecordersCallARunIsNone) {
  const auto made = [](const char* text) {
    return RunLineage{{"run.id", Text(text)},        {"run.name", Text(text)},
                      {"run.project", Text(text)},   {"run.tags", Text(text)},
                      {"run.artifacts", Text(text)}, {"run.outcome", Text(text)},
                      {"run.host", Text("h")},       {"summary.best", Text(text)}};
  };
  EXPECT_THAT(Between(made("a"), made("b")), IsEmpty());
  EXPECT_THAT(Between({{"summary.freq", 1.0}}, {{"summary.freq", 2.0}}),
              ElementsAre("setting summary.freq: 1 -> 2"))
      << "no result of W&B's";
}

TEST(RunDifferencesTest, OfWhatOnlyOneRecordedNothingIsSaid) {
  const RunDifferences found =
      DifferencesOf({{"lr", 0.1}}, {{"lr", 0.1}, {"run.git.commit", Text("b2")}});
  EXPECT_THAT(found.all, IsEmpty());
  EXPECT_THAT(found.unknown_in_a, ElementsAre(DifferenceKind::kCode));
  EXPECT_THAT(found.unknown_in_b, IsEmpty());
}

}  // namespace
}  // namespace sightline
