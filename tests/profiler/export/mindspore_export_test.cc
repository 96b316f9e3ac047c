#include "sightline/profiler/export/mindspore_export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "sightline/profiler/analysis/operators.h"
#include "sightline/profiler/analysis/steps.h"
#include "sightline/tests/profiler/import/profiles.h"

namespace sightline::profile {
namespace {

using ::testing::HasSubstr;
using testing::ImportCorpus;
using testing::ImportEvents;

constexpr TimeRange kAll = {-kMaxTime, kMaxTime};

// The profile, exported as MindSpore 2.0's folder and read again.
Profile Again(const Profile& profile, TimeRange range = kAll) {
  testing::MemoryFileSystem files;
  for (const ExportedFile& file : ExportMindSpore(profile, range))
    files.Put("profiler/" + file.name, file.content);
  auto again = ImportProfile(files, "profiler");
  EXPECT_THAT(again, testing::IsOk());
  return again ? *std::move(again) : Profile();
}

std::string FileOf(const Profile& profile, const std::string& name) {
  for (const ExportedFile& file : ExportMindSpore(profile, kAll)) {
    if (file.name == name) return file.content;
  }
  return "";
}

TEST(MindSporeExport, KeepsOperatorsToTheNanosecond) {
  const Profile profile = ImportCorpus("mindspore_2_7/dynamic_ascend_ms");
  const Profile again = Again(profile);
  EXPECT_EQ(again.format, SourceFormat::kMindSporeOld);
  const OperatorTable before = OperatorsOf(profile, OperatorGrouping::kByName);
  const OperatorTable after = OperatorsOf(again, OperatorGrouping::kByName);
  ASSERT_EQ(after.rows.size(), before.rows.size());
  // The trace, which the export is made of, has microseconds with three digits.
  for (std::size_t i = 0; i < before.rows.size(); ++i) {
    EXPECT_EQ(after.rows[i].name, before.rows[i].name);
    EXPECT_EQ(after.rows[i].count, before.rows[i].count);
    EXPECT_NEAR(static_cast<double>(after.rows[i].total), static_cast<double>(before.rows[i].total),
                2000);
    EXPECT_EQ(after.rows[i].shapes, before.rows[i].shapes);
  }
}

constexpr char kOurs[] =
    R"({"ph":"X","name":"step 1","cat":"step","tid":1,"ts":0,"dur":100},)"
    R"({"ph":"X","name":"Default/fc/MatMul-op1","cat":"operator","tid":2,"ts":20,"dur":30.5,)"
    R"x("args":{"type":"MatMul","shapes":"(32, 1) (6, 1)"}},)x"
    R"({"ph":"X","name":"Gradients/Mul;-op2","cat":"operator","tid":2,"ts":60,"dur":10}, )"
    R"({"ph":"X","name":"Default/fc/MatMul-op1","cat":"operator","tid":2,"ts":80,"dur":10})";

TEST(MindSporeExport, HasTheColumnsThatMindInsightReads) {
  const Profile profile = ImportEvents(kOurs);
  EXPECT_THAT(FileOf(profile, "cpu_op_type_info_0.csv"),
              HasSubstr("\nMatMul,2,2,0.040500,0.020250,0.80198\n"));
  EXPECT_THAT(FileOf(profile, "cpu_op_detail_info_0.csv"),
              HasSubstr("\nHost,MatMul,MatMul-op1,Default/fc/MatMul-op1,2,0.040500,0.020250,"
                        "0.80198,Default,0\n"));
  EXPECT_THAT(FileOf(profile, "cpu_op_execute_timestamp_0.txt"),
              HasSubstr("Default/fc/MatMul-op1;HostCpuOps;20000,0.030500,0 80000,0.010000,0 \n"));
  EXPECT_THAT(FileOf(profile, "cpu_framework_0.txt"),
              HasSubstr("MatMul;MatMul-op1;0;input_1:[32, 1];input_2:[6, 1];\n"));
  EXPECT_THAT(FileOf(profile, "cpu_op_detail_info_0.csv"), HasSubstr("Gradients/Mul_-op2"))
      << "a semicolon would end the name";
}

TEST(MindSporeExport, KeepsTheStepTrace) {
  const Profile profile = ImportEvents(kOurs);
  const Step before = StepsOf(profile).steps.front();
  const StepTable after = StepsOf(Again(profile));
  EXPECT_EQ(after.source, StepSource::kRecorded);
  ASSERT_EQ(after.steps.size(), 1);
  EXPECT_EQ(after.steps[0].gap, before.gap);
  EXPECT_EQ(after.steps[0].work, before.work);
  EXPECT_EQ(after.steps[0].tail, before.tail);
}

TEST(MindSporeExport, KeepsTheDataPipeline) {
  const Profile profile = ImportCorpus("mindspore_2_0/minddata_slowgen");
  const Profile again = Again(profile);
  ASSERT_EQ(again.data.operators.size(), profile.data.operators.size());
  EXPECT_EQ(again.data.operators[6].queue_sizes, profile.data.operators[6].queue_sizes);
  ASSERT_EQ(again.data.batches.size(), profile.data.batches.size());
  EXPECT_EQ(again.data.batches[3].get, profile.data.batches[3].get);
  EXPECT_EQ(again.data.batches[3].queue_capacity, profile.data.batches[3].queue_capacity);
}

TEST(MindSporeExport, OfARangeHasTheOperatorsThatBeginInIt) {
  EXPECT_EQ(Again(ImportEvents(kOurs), {50'000, 70'000}).operators.size(), 1);
}

TEST(MindSporeExport, OfAProfileWithoutOperatorsHasItsSpans) {
  const Profile again =
      Again(ImportEvents(R"({"ph":"X","name":"forward","tid":1,"ts":0,"dur":100})"));
  ASSERT_EQ(again.operators.size(), 1);
  EXPECT_EQ(again.model.names[again.operators[0].name], "forward");
}

}  // namespace
}  // namespace sightline::profile
