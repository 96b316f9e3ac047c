#include "sightline/ir/model/type.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace sightline::ir {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

std::string_view ElementOf(std::string_view text) { return ElementType(ParseType(text).value()); }

TEST(Type, OfAParameterHasShapeAndKey) {
  const auto type = ParseType("<Ref[Tensor[Float32]], (3, 4), ref_key=f.weight, is_parameter>");
  ASSERT_TRUE(type);
  EXPECT_EQ(type->name, "Ref[Tensor[Float32]]");
  EXPECT_EQ(type->shape, "(3, 4)");
  EXPECT_EQ(type->ref_key, "f.weight");
  EXPECT_TRUE(type->is_parameter);
  EXPECT_FALSE(type->has_value);
  EXPECT_EQ(ElementType(*type), "Float32");
}

TEST(Type, OfATupleKeepsItsCommas) {
  const auto type = ParseType(
      "<Tuple[Tensor[Float32],Int64*2], TupleShape((3), NoShape, NoShape), "
      "elements_use_flags={[const vector]{1, 1, 1}}>");
  ASSERT_TRUE(type);
  EXPECT_EQ(type->name, "Tuple[Tensor[Float32],Int64*2]");
  EXPECT_EQ(type->shape, "TupleShape((3), NoShape, NoShape)");
  EXPECT_EQ(ElementType(*type), "");
}

TEST(Type, MayBeUnknownOrWithoutShape) {
  ASSERT_TRUE(ParseType("<null>"));
  EXPECT_EQ(ParseType("<null>")->name, "");
  ASSERT_TRUE(ParseType("<Func>"));
  EXPECT_EQ(ParseType("<Func>")->shape, "");
  EXPECT_TRUE(ParseType("<Tensor[Int32], (), value=...>")->has_value);
}

TEST(Type, IsNothingElse) {
  for (const char* text : {"", "<", "Tensor", "<Tensor[Float32], (3)", "<a> <b>", "<>"})
    EXPECT_FALSE(ParseType(text)) << text;
}

TEST(ElementType, IsOfTensorsAndNumbers) {
  EXPECT_EQ(ElementOf("<Int64, NoShape>"), "Int64");
  EXPECT_EQ(ElementOf("<Any(Tensor)[Float64], NoShape>"), "Float64");
  EXPECT_EQ(ElementOf("<Tensor[BFloat16], NoShape>"), "BFloat16");
  EXPECT_EQ(ElementOf("<UMonad, NoShape>"), "");
  EXPECT_EQ(ElementOf("<String, NoShape>"), "");
}

TEST(Dimensions, AreTheSizesOfATensor) {
  EXPECT_THAT(Dimensions("(2, -1, 4)"), Optional(ElementsAre(2, -1, 4)));
  EXPECT_THAT(Dimensions("(-2)"), Optional(ElementsAre(-2)));
  EXPECT_THAT(Dimensions("()"), Optional(IsEmpty()));
  for (const char* shape : {"", "NoShape", "TupleShape((2))", "(a)", "(2", "((2))"})
    EXPECT_FALSE(Dimensions(shape)) << shape;
}

}  // namespace
}  // namespace sightline::ir
