#include "sightline/collectors/config/option_reader.h"

#include <gtest/gtest.h>

#include <functional>

namespace sightline {
namespace {

// Options as a source without YAML makes them.
OptionMap Options() {
  return {{"count", {std::int64_t{3}, "3"}},
          {"word", {std::string("npy"), "'npy'"}},
          {"nothing", {OptionValue::None(), "None"}},
          {"object", {OptionValue::Other(), "<object>"}},
          {"number", {1.5, "1.5"}},
          {"list", {OptionList{}, "[]"}},
          {"map", {OptionMap{{"inside", {true, "True"}}}, "{'inside': True}"}}};
}

std::string FaultsOf(const std::function<void(OptionReader&)>& read) {
  const OptionMap options = Options();
  Faults faults;
  OptionReader reader(options, "Thing", faults);
  read(reader);
  return std::string(faults.ToStatus().message());
}

TEST(OptionReaderTest, ReadsWhatIsGivenAndLeavesTheRest) {
  const OptionMap options = Options();
  Faults faults;
  OptionReader reader(options, "Thing", faults);
  int count = 0;
  std::optional<double> number;
  std::optional<std::int64_t> nothing = 7;
  std::string absent = "as it was";
  bool inside = false;
  reader.Integer("count", count);
  reader.Number("number", number);
  reader.Integer("nothing", nothing);
  reader.String("absent", absent);
  reader.Map("map")->Bool("inside", inside);
  EXPECT_TRUE(faults.ToStatus().ok());
  EXPECT_EQ(count, 3);
  EXPECT_EQ(number, 1.5);
  EXPECT_EQ(nothing, 7);
  EXPECT_EQ(absent, "as it was");
  EXPECT_TRUE(inside);
  EXPECT_FALSE(reader.Map("nothing").has_value());
}

TEST(OptionReaderTest, AValueOfAnotherTypeIsAFaultWithItsText) {
  EXPECT_EQ(FaultsOf([](OptionReader& reader) {
              int count = 0;
              reader.Integer("object", count);
              reader.Integer("number", count);
              bool inside = false;
              reader.Map("list");
              reader.Bool("word", inside);
            }),
            "object is <object>, but must be a whole number; number is 1.5, but must be a whole "
            "number; list is [], but must be a map; word is 'npy', but must be true or false");
}

TEST(OptionReaderTest, WhatNobodyAskedForIsUnknown) {
  EXPECT_EQ(FaultsOf([](OptionReader& reader) {
              for (const char* known : {"count", "word", "nothing", "object", "number"})
                reader.Know(known);
              reader.Know("list");
              auto map = reader.Map("map");
              map->Know("outside");
              map->ReportUnknown();
              reader.ReportUnknown();
            }),
            "map has the unknown key 'inside'; known are outside");
  EXPECT_EQ(FaultsOf([](OptionReader& reader) {
              for (const char* known : {"count", "word", "nothing", "object", "number", "list"})
                reader.Know(known);
              reader.ReportUnknown();
            }),
            "Thing has the unknown parameter 'map'; known are count, word, nothing, object, "
            "number, list");
}

TEST(ParseShareTest, TakesPercentages) {
  EXPECT_EQ(ParseShare("1%"), 0.01);
  EXPECT_EQ(ParseShare("12.5  %"), 0.125);
  for (const char* text : {"", "%", "1", "0.01", "one%", "1%%", "1% "})
    EXPECT_EQ(ParseShare(text), std::nullopt) << text;
}

}  // namespace
}  // namespace sightline
