#include "sightline/profiler/analysis/operators.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profiler {
namespace {

using testing::ImportCorpus;
using testing::ImportEvents;

const OperatorRow* Find(const OperatorTable& table, const std::string& type) {
  for (const OperatorRow& row : table.rows) {
    if (row.type == type) return &row;
  }
  return nullptr;
}

// mindinsight_answers.txt: what MindInsight 2.3.1 computes of these files, times rounded to six
// digits.
// An operator of a host's thread, a call that launches, and the task that it launches.
std::string Host(const std::string& name, int start, int duration) {
  return R"({"ph":"X","cat":"cpu_op","name":")" + name + R"(","pid":1,"tid":1,"ts":)" +
         std::to_string(start) + R"(,"dur":)" + std::to_string(duration) + "},";
}
std::string Launch(int start, int correlation, int task) {
  const std::string args = R"(,"args":{"correlation":)" + std::to_string(correlation) + "}}";
  return R"({"ph":"X","cat":"cuda_runtime","name":"cudaLaunchKernel","pid":1,"tid":1,"ts":)" +
         std::to_string(start) + R"(,"dur":1)" + args +
         R"(,{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" +
         std::to_string(100 + start) + R"(,"dur":)" + std::to_string(task) + args + ",";
}

TEST(Operators, AnOperatorHasTheTimeOfTheTasksThatItLaunched) {
  const OperatorTable table = AnalyzeOperators(
      ImportEvents(Host("outer", 10, 40) + Launch(12, 1, 100) + Host("inner", 20, 10) +
                   Launch(22, 2, 200) + Launch(30, 3, 400) + Host("outer", 60, 20) +
                   Host("outer", 62, 10) + Launch(64, 4, 1'000) + Launch(75, 5, 2'000) +
                   Launch(90, 6, 4'000) +
                   R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":9000,"dur":8})"),
      OperatorGrouping::kByName);
  ASSERT_TRUE(table.has_launches);
  std::map<std::string, std::pair<std::int64_t, std::int64_t>> device;
  for (const OperatorRow& row : table.rows)
    if (!row.of_device) device[row.name] = {row.device, row.device_self};
  EXPECT_EQ(device["inner"], std::pair(200'000L, 200'000L)) << "its end is not within it";
  EXPECT_EQ(device["outer"], std::pair(3'700'000L, 3'500'000L)) << "each task once";
  EXPECT_EQ(table.device_unlaunched, 4'008'000) << "outside of operators, and without a call";
}

TEST(Operators, WithoutRecordedLaunchesTheDeviceTimeOfOperatorsIsUnknown) {
  const OperatorTable table = AnalyzeOperators(
      ImportEvents(Host("op", 0, 9) +
                   R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":8})"),
      OperatorGrouping::kByName);
  EXPECT_FALSE(table.has_launches);
}

TEST(Operators, ByTypeAreMindInsights) {
  const OperatorTable table =
      AnalyzeOperators(ImportCorpus("mindspore_2_0/ctor"), OperatorGrouping::kByType);
  EXPECT_EQ(table.source, OperatorSource::kTimestamps);
  ASSERT_EQ(table.rows.size(), 13);
  EXPECT_EQ(table.rows.front().type, "Conv2D") << "by total, descending";
  EXPECT_EQ(table.rows.front().count, 40);
  EXPECT_NEAR(static_cast<double>(table.rows.front().total), 96437.0e3, 500);
  EXPECT_NEAR(table.rows.front().average(), 2410.92e3, 5);
  EXPECT_NEAR(table.rows.front().share, 0.39518, 5e-6);
  const OperatorRow* input = Find(table, "Conv2DBackpropInput");
  ASSERT_NE(input, nullptr);
  EXPECT_EQ(input->count, 20);
  EXPECT_NEAR(static_cast<double>(input->total), 34672.4e3, 50);
  double share = 0;
  for (const OperatorRow& row : table.rows) share += row.share;
  EXPECT_NEAR(share, 1, 1e-12);
}

TEST(Operators, ByNameAreMindInsights) {
  const OperatorTable table =
      AnalyzeOperators(ImportCorpus("mindspore_2_0/ctor"), OperatorGrouping::kByName);
  ASSERT_EQ(table.rows.size(), 37);
  EXPECT_EQ(table.rows.front().name,
            "Default/network-WithLossCell/_backbone-LeNet5/conv1-Conv2d/Conv2D-op77");
  EXPECT_NEAR(static_cast<double>(table.rows.front().total), 54424.3e3, 50);
}

// table.txt: torch.profiler's own table of this trace.
TEST(Operators, OfPyTorchAreThoseOfItsTable) {
  const OperatorTable table =
      AnalyzeOperators(ImportCorpus("torch/plain.pt.trace.json.gz"), OperatorGrouping::kByType);
  EXPECT_TRUE(table.nested);
  const OperatorRow* convolution = Find(table, "aten::convolution");
  ASSERT_NE(convolution, nullptr);
  EXPECT_EQ(convolution->count, 4);
  EXPECT_EQ(convolution->total, 14876000);
  EXPECT_EQ(convolution->self, 74000);
  const OperatorRow* pool = Find(table, "aten::max_pool2d_with_indices");
  ASSERT_NE(pool, nullptr);
  EXPECT_EQ(pool->self, 9574000);
}

TEST(Operators, OfATraceWithoutOperatorsAreItsSpansAndSaidToBe) {
  const OperatorTable table =
      AnalyzeOperators(ImportEvents(R"({"ph":"X","name":"work","ts":1,"dur":4},)"
                                    R"({"ph":"X","name":"work","ts":9,"dur":2},)"
                                    R"({"ph":"X","name":"ProfilerStep#1","ts":0,"dur":20})"),
                       OperatorGrouping::kByType);
  EXPECT_TRUE(table.inferred);
  ASSERT_EQ(table.rows.size(), 1);
  EXPECT_EQ(table.rows[0].total, 6000);
  EXPECT_EQ(table.rows[0].share, 1);
}

std::string Operator(const std::string& name, int start, int duration) {
  return R"({"ph":"X","cat":"cpu_op","tid":1,"name":")" + name + R"(","ts":)" +
         std::to_string(start) + R"(,"dur":)" + std::to_string(duration) + "}";
}

// self: total without inner operators; of an inner operator that ends after the outer one, only the
// part before it did.
TEST(Operators, ThatCrossTheEndOfTheOneAroundThemTakeOffItWhatLiesWithinIt) {
  const OperatorTable table = AnalyzeOperators(
      ImportEvents(Operator("outer", 0, 100) + "," + Operator("within", 10, 20) + "," +
                   Operator("crosses", 70, 50) + "," + Operator("behind", 120, 5)),
      OperatorGrouping::kByType);
  ASSERT_NE(Find(table, "outer"), nullptr);
  EXPECT_EQ(Find(table, "outer")->total, 100'000);
  EXPECT_EQ(Find(table, "outer")->self, 50'000);
  EXPECT_EQ(Find(table, "crosses")->self, 50'000);
  EXPECT_EQ(Find(table, "behind")->self, 5'000);
  std::int64_t self = 0;
  for (const OperatorRow& row : table.rows) self += row.self;
  EXPECT_EQ(self, 125'000) << "as long as one of them runs";
}

// As current PyTorch writes mean(): its table says 1 and 90 us.
TEST(Operators, ThatOnlyCallAnotherOfTheirNameAreOneExecution) {
  const OperatorTable table = AnalyzeOperators(
      ImportEvents(Operator("aten::mean", 0, 90) + "," + Operator("aten::mean", 5, 80) + "," +
                   Operator("aten::sum", 10, 40) + "," + Operator("aten::div_", 50, 30) + "," +
                   Operator("aten::div_", 55, 20) + "," + Operator("aten::div_", 60, 10)),
      OperatorGrouping::kByType);
  EXPECT_EQ(Find(table, "aten::mean")->count, 1);
  EXPECT_EQ(Find(table, "aten::mean")->total, 90'000);
  EXPECT_EQ(Find(table, "aten::mean")->self, 20'000);
  EXPECT_EQ(Find(table, "aten::div_")->count, 1) << "of three";
  EXPECT_EQ(Find(table, "aten::div_")->total, 30'000);
  EXPECT_EQ(Find(table, "aten::div_")->self, 30'000);
}

TEST(Operators, ThatCallOthersBesidesOneOfTheirNameAreAnExecutionEach) {
  const OperatorTable table =
      AnalyzeOperators(ImportEvents(Operator("cat", 0, 90) + "," + Operator("cat", 5, 30) + "," +
                                    Operator("copy", 40, 20)),
                       OperatorGrouping::kByType);
  EXPECT_EQ(Find(table, "cat")->count, 2);
  EXPECT_EQ(Find(table, "cat")->total, 120'000);
  EXPECT_EQ(Find(table, "cat")->self, 70'000);
}

// A function that calls itself runs twice; only of operators PyTorch's table says otherwise.
TEST(Operators, SpansOfOneNameThatAreNoOperatorsAreAnExecutionEach) {
  const OperatorTable table =
      AnalyzeOperators(ImportEvents(R"({"ph":"X","name":"work","ts":0,"dur":20},)"
                                    R"({"ph":"X","name":"work","ts":5,"dur":10})"),
                       OperatorGrouping::kByType);
  EXPECT_EQ(Find(table, "work")->count, 2);
  EXPECT_EQ(Find(table, "work")->total, 30'000);
}

TEST(Operators, OneBehindTheOtherDoNotNest) {
  const OperatorTable table =
      AnalyzeOperators(ImportEvents(Operator("first", 0, 10) + "," + Operator("second", 10, 10)),
                       OperatorGrouping::kByType);
  EXPECT_FALSE(table.nested);
  EXPECT_EQ(Find(table, "first")->self, 10'000);
}

// torch.compile gives a kernel and the operator that launches it one name.
TEST(Operators, OfTheHostAndKernelsOfOneNameAreRowsOfTheirOwn) {
  const OperatorTable table = AnalyzeOperators(
      ImportEvents(Operator("triton_mul", 0, 10) + "," + Operator("aten::mm", 20, 30) +
                   R"(,{"ph":"X","cat":"kernel","pid":2,"tid":7,"name":"triton_mul","ts":5,)"
                   R"("dur":50})"),
      OperatorGrouping::kByName);
  ASSERT_EQ(table.rows.size(), 3);
  EXPECT_EQ(table.total, 40'000);
  EXPECT_EQ(table.device_total, 50'000);
  EXPECT_EQ(table.rows[0].name, "triton_mul");
  EXPECT_TRUE(table.rows[0].of_device);
  EXPECT_EQ(table.rows[0].share, 1) << "of the device's time";
  EXPECT_EQ(table.rows[2].name, "triton_mul");
  EXPECT_FALSE(table.rows[2].of_device);
  EXPECT_EQ(table.rows[2].share, 0.25) << "of the host's";

  const OperatorTable device = OfDevice(table);
  ASSERT_EQ(device.rows.size(), 1);
  EXPECT_EQ(device.total, 50'000);
  EXPECT_FALSE(device.has_both());
}

TEST(Operators, MatchingLooksAtNamesAndTypesWhateverTheirCase) {
  const OperatorTable all =
      AnalyzeOperators(ImportCorpus("mindspore_2_0/ctor"), OperatorGrouping::kByType);
  const OperatorTable found = Matching(all, "conv2dback");
  EXPECT_EQ(found.rows.size(), 2);
  EXPECT_EQ(found.total, all.total);
}

}  // namespace
}  // namespace sightline::profiler
