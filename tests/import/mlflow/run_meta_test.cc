#include "sightline/import/mlflow/run_meta.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "sightline/tests/support/support.h"

namespace sightline {
namespace {

using ::testing::ElementsAre;
using ::testing::Pair;

TEST(RunMeta, HasNamesAndValues) {
  const auto meta = ParseMeta("status: 3\nrun_name: 'a: b'\nend_time: null\ntags: []\nid: '007'\n");
  ASSERT_THAT(meta, testing::IsOk());
  EXPECT_THAT(*meta, ElementsAre(Pair("end_time", ""), Pair("id", "007"), Pair("run_name", "a: b"),
                                 Pair("status", "3")));
}

TEST(RunMeta, WhatIsNoMapIsDamaged) {
  for (const std::string& text :
       {std::string(), std::string("a"), std::string("- a"), std::string("a: 'b"),
        std::string("a: [\n"), std::string(1 << 20, '['), std::string("a\0b: c", 6)}) {
    const auto meta = ParseMeta(text);
    ASSERT_FALSE(meta) << text.substr(0, 10);
    EXPECT_EQ(meta.error().code(), StatusCode::kDataLoss);
  }
}

}  // namespace
}  // namespace sightline
