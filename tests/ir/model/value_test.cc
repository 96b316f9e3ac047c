#include "sightline/ir/model/value.h"

#include <gtest/gtest.h>

namespace sightline::ir {
namespace {

TEST(Value, HasAKind) {
  EXPECT_EQ(KindOfValue(""), ValueKind::kEmpty);
  EXPECT_EQ(KindOfValue("I64(-1)"), ValueKind::kInteger);
  EXPECT_EQ(KindOfValue("U8(1)"), ValueKind::kInteger);
  EXPECT_EQ(KindOfValue("F32(1e-07)"), ValueKind::kFloat);
  EXPECT_EQ(KindOfValue("BF16(inf)"), ValueKind::kFloat);
  EXPECT_EQ(KindOfValue("Bool(0)"), ValueKind::kBool);
  EXPECT_EQ(KindOfValue("\"I64(1)\""), ValueKind::kString);
  EXPECT_EQ(KindOfValue("None"), ValueKind::kNone);
  EXPECT_EQ(KindOfValue("(I64(1), I64(2))"), ValueKind::kTuple);
  EXPECT_EQ(KindOfValue("[x, w]"), ValueKind::kList);
  EXPECT_EQ(KindOfValue("{\"k\": I64(1)}"), ValueKind::kDictionary);
  EXPECT_EQ(KindOfValue("UMonad[U]"), ValueKind::kObject);
  EXPECT_EQ(KindOfValue("NameSpace[Entry: '__main__.f']"), ValueKind::kObject);
  EXPECT_EQ(KindOfValue("Float32"), ValueKind::kName);
  EXPECT_EQ(KindOfValue("I65(1)"), ValueKind::kName);
}

TEST(Value, OfANumberIsInBrackets) {
  EXPECT_EQ(NumberText("I64(-1)"), "-1");
  EXPECT_EQ(NumberText("F32(nan)"), "nan");
  EXPECT_EQ(NumberText("None"), "");
}

TEST(TensorValue, HasShapeTypeAndData) {
  const char* text = "Tensor(shape=[2, 2], dtype=Int32, value=\n[[1 2]\n [3 4]])";
  EXPECT_EQ(KindOfValue(text), ValueKind::kTensor);
  const auto tensor = ParseTensorValue(text);
  ASSERT_TRUE(tensor);
  EXPECT_EQ(tensor->shape, "[2, 2]");
  EXPECT_EQ(tensor->element_type, "Int32");
  EXPECT_EQ(tensor->data, "\n[[1 2]\n [3 4]]");
}

TEST(TensorValue, IsNothingElse) {
  EXPECT_FALSE(ParseTensorValue("Tensor(shape=[2], dtype=Int32)"));
  EXPECT_FALSE(ParseTensorValue("Tensor(shape=[2, dtype=Int32, value=1)"));
  EXPECT_FALSE(ParseTensorValue("I64(1)"));
}

}  // namespace
}  // namespace sightline::ir
