#include "sightline/export/runs/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <string_view>

#include "sightline/proto/tensorboard.pb.h"
#include "sightline/tests/support/records.h"
#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

// A file of TensorBoard's events, and its scalars as CSV.
class ScalarCsvTest : public ::testing::Test {
 protected:
  void Add(std::int64_t step, const std::string& tag, float value) {
    AddValue(step, tag).set_simple_value(value);
    End();
  }
  tensorboard::Summary::Value& AddValue(std::int64_t step, const std::string& tag) {
    event_.set_step(step);
    event_.set_wall_time(1.5);
    auto* const value = event_.mutable_summary()->add_value();
    value->set_tag(tag);
    return *value;
  }
  void End() {
    bytes_ += testing::FrameRecord(event_.SerializePartialAsString());
    event_.Clear();
  }
  EventReader Open() const {
    return EventReader(std::make_unique<testing::BytesFile>(bytes_), EventFileKind::kTensorBoard);
  }
  std::string Csv(const ScalarCsvOptions& options = {}) const {
    EventReader reader = Open();
    std::string text;
    EXPECT_THAT(WriteScalarCsv(reader, options,
                               [&](std::string_view row) {
                                 text += row;
                                 return Status();
                               }),
                testing::IsOk());
    return text;
  }

  tensorboard::Event event_;
  std::string bytes_;
};

TEST_F(ScalarCsvTest, EachScalarIsARowInTheFilesOrder) {
  Add(7, "loss", 0.5F);
  AddValue(3, "rate").set_simple_value(2);
  AddValue(3, "accuracy").set_simple_value(-1);
  End();
  EXPECT_EQ(Csv(), "7,1.5,loss,0.5\r\n3,1.5,rate,2\r\n3,1.5,accuracy,-1\r\n");
}

TEST_F(ScalarCsvTest, OtherValuesAndEventsAreLeftOut) {
  AddValue(1, "weights").mutable_histo()->set_num(3);
  AddValue(1, "loss").set_simple_value(1);
  End();
  event_.set_file_version("brain.Event:2");
  End();
  EXPECT_EQ(Csv(), "1,1.5,loss,1\r\n");
}

TEST_F(ScalarCsvTest, NumbersReadBackAsTheyAre) {
  Add(-1, "a", 0.1F);
  Add(std::numeric_limits<std::int64_t>::max(), "b", 1e30F);
  auto& value = AddValue(1, "c");
  value.mutable_metadata()->mutable_plugin_data()->set_plugin_name("scalars");
  value.mutable_tensor()->set_dtype(tensorboard::DT_DOUBLE);
  value.mutable_tensor()->add_double_val(0.1);
  event_.set_wall_time(1795189336.123456);
  End();
  EXPECT_EQ(Csv(),
            "-1,1.5,a,0.10000000149011612\r\n"
            "9223372036854775807,1.5,b,1.0000000150474662e+30\r\n"
            "1,1795189336.123456,c,0.1\r\n");
}

TEST_F(ScalarCsvTest, WhatIsNoNumberHasAName) {
  for (const float value : {NAN, -NAN, INFINITY, -INFINITY}) Add(1, "a", value);
  EXPECT_EQ(Csv(), "1,1.5,a,nan\r\n1,1.5,a,nan\r\n1,1.5,a,inf\r\n1,1.5,a,-inf\r\n");
}

TEST_F(ScalarCsvTest, TagsAreQuotedWhereTheyMustBe) {
  Add(1, "a,b", 1);
  Add(1, "say \"x\"", 1);
  Add(1, "two\nlines", 1);
  Add(1, "\r", 1);
  Add(1, " kept; as it\tis ", 1);
  Add(1, "\xe6\xa0\x87 \xff", 1);
  EXPECT_EQ(Csv(),
            "1,1.5,\"a,b\",1\r\n1,1.5,\"say \"\"x\"\"\",1\r\n1,1.5,\"two\nlines\",1\r\n"
            "1,1.5,\"\r\",1\r\n1,1.5, kept; as it\tis ,1\r\n"
            "1,1.5,\xe6\xa0\x87 \xef\xbf\xbd,1\r\n");
}

TEST_F(ScalarCsvTest, ForSpreadsheetsNoTextIsAFormula) {
  for (const char* tag : {"=1+1", "+1", "-loss", "@SUM(A1)", "\tx", "\r=x", "a=1", ""})
    Add(-1, tag, -2);
  EXPECT_EQ(Csv({.tag_filter = {}, .text = CsvText::kForSpreadsheets}),
            "-1,1.5,'=1+1,-2\r\n-1,1.5,'+1,-2\r\n-1,1.5,'-loss,-2\r\n-1,1.5,'@SUM(A1),-2\r\n"
            "-1,1.5,'\tx,-2\r\n-1,1.5,\"'\r=x\",-2\r\n-1,1.5,a=1,-2\r\n-1,1.5,,-2\r\n");
}

TEST_F(ScalarCsvTest, TheTagFilterKeepsRows) {
  Add(1, "loss", 1);
  Add(1, "rate", 1);
  EXPECT_EQ(Csv({.tag_filter = [](std::string_view tag) { return tag == "rate"; }}),
            "1,1.5,rate,1\r\n");
}

TEST_F(ScalarCsvTest, TheLimitCountsRows) {
  AddValue(1, "a").set_simple_value(1);
  AddValue(1, "b").set_simple_value(1);
  End();
  Add(2, "a", 1);
  EXPECT_EQ(Csv({.tag_filter = {}, .limit = 0}), "");
  EXPECT_EQ(Csv({.tag_filter = {}, .limit = 1}), "1,1.5,a,1\r\n");
  EXPECT_EQ(Csv({.tag_filter = {}, .limit = 3}), "1,1.5,a,1\r\n1,1.5,b,1\r\n2,1.5,a,1\r\n");
}

TEST_F(ScalarCsvTest, AFailingWriteEndsTheWork) {
  Add(1, "a", 1);
  EventReader reader = Open();
  EXPECT_THAT(WriteScalarCsv(reader, {},
                             [](std::string_view) { return Status(StatusCode::kIoError, "pipe"); }),
              testing::IsStatus(StatusCode::kIoError, "pipe"));
}

}  // namespace
}  // namespace sightline
