#include "sightline/ir/query/digest.h"

#include <gtest/gtest.h>

#include <string>

#include "sightline/ir/read/reader.h"
#include "sightline/tests/support/support.h"

namespace sightline::ir {
namespace {

constexpr char kDump[] = R"(# IR entry: @13_1_construct_68
# Total subgraphs: 2

# Attrs:
less_bn: 0

# Total params: 1
# Params:
%para1_x: <Tensor[Float32], (2, 4)> : [2, 4]

Node counting information:
Total number of nodes: 9
Total number of cnodes: 4

subgraph attr:
less_bn: 0
subgraph instance: 5_branch_7 : 0x555fa70ad999
# Parameters: 1, (<Tensor[Float32], (2, 4)>)
subgraph @5_branch_7 parent: [subgraph @13_1_construct_68](%para2_Parameter_31) {
  %0(CNode_61) = ReLU(%para2_Parameter_31) primitive_attrs: {side: I64(1)} cnode_primal_attrs: {unique_id: "782146", forward_node_name: "ReLU_77"}
      : (<Tensor[Float32], (2, 4)>) -> (<Tensor[Float32], (2, 4)>)
      # Scope: (Default)
  Return(%0)
      : (<Tensor[Float32], (2, 4)>)
}


subgraph attr:
less_bn: 0
subgraph instance: 13_1_construct_68 : 0x555fa70ad470
# In file /home/user/nets.py:147, 8~56/        def construct(self, x):/
subgraph @13_1_construct_68() {
  %0(CNode_62) = call @5_branch_7(%para1_x)
      : (<Tensor[Float32], (2, 4)>) -> (<Tensor[Float32], (2, 4)>)
      # Fullname with scope: (Default/r-ReLU/ReLU-op1)
      # In file /home/user/nets.py:147, 8~56/        def construct(self, x):/
  Return(%0)
      : (<Tensor[Float32], (2, 4)>)
}


)";

Digest Of(const std::string& text) {
  const auto module = ParseIr(text);
  EXPECT_THAT(module, testing::IsOk());
  EXPECT_EQ(module->problem_count, 0) << module->problems.front().message;
  return DigestOf(*module);
}

// The dump with every `from` replaced.
std::string With(const std::string& from, const std::string& to) {
  std::string text = kDump;
  EXPECT_NE(text.find(from), std::string::npos) << from;
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

TEST(Digest, PutsAsideWhatHasNoMeaning) {
  const Digest digest = Of(kDump);
  EXPECT_EQ(Of(kDump), digest);
  EXPECT_EQ(Of(With("0x555fa70ad470", "0x7f0012345678")), digest) << "addresses";
  EXPECT_EQ(Of(With("CNode_62", "CNode_9862")), digest) << "names of statements";
  EXPECT_EQ(Of(With("5_branch_7", "6_branch_1217")), digest) << "ids of subgraphs";
  EXPECT_EQ(Of(With("Parameter_31", "Parameter_32")), digest) << "ids of parameters";
  EXPECT_EQ(Of(With("782146", "9")), digest) << "unique_id";
  EXPECT_EQ(Of(With("ReLU_77", "ReLU_9")), digest) << "the id of the node that a gradient is of";
  EXPECT_EQ(Of(With("nets.py:147", "nets.py:12")), digest) << "source locations";
  EXPECT_EQ(Of(With("# Fullname with scope: (Default/r-ReLU/ReLU-op1)", "# Scope: (Default)")),
            digest)
      << "scopes";
}

TEST(Digest, NumbersThatAreNoIdsCount) {
  EXPECT_FALSE(Of(With("Parameter_31", "conv1.weight")) ==
               Of(With("Parameter_31", "conv2.weight")));
}

// A subgraph whose two parameters differ in their ids alone.
std::string Subtraction(const std::string& operands, const std::string& ids) {
  return "subgraph attr:\nsubgraph instance: f_" + ids + " : 0x1\nsubgraph @f_" + ids +
         "(%para1_x_" + ids + ", %para2_x_" + ids + "1) {\n  %0(a) = Sub(" + operands +
         ")\n  Return(%0)\n}\n";
}

TEST(Digest, TellsOperandsApartThatDifferInTheirIdsAlone) {
  const Digest digest = Of(Subtraction("%para1_x_7, %para2_x_71", "7"));
  EXPECT_EQ(Of(Subtraction("%para1_x_8, %para2_x_81", "8")), digest) << "other ids";
  EXPECT_FALSE(Of(Subtraction("%para2_x_71, %para1_x_7", "7")) == digest) << "swapped";
  EXPECT_FALSE(Of(Subtraction("%para1_x_7, %para1_x_7", "7")) == digest) << "one of them twice";
}

TEST(Digest, DiffersInWhatAPassCanChange) {
  const Digest digest = Of(kDump);
  const auto differs = [&digest](const std::string& from, const std::string& to) {
    return !(Of(With(from, to)) == digest);
  };
  EXPECT_TRUE(differs("ReLU(", "Sigmoid(")) << "callee";
  EXPECT_TRUE(differs("(CNode_61)", "(x)")) << "name";
  EXPECT_TRUE(differs("call @5_branch_7(%para1_x)", "call @5_other_7(%para1_x)")) << "subgraph";
  EXPECT_TRUE(differs(
      "  Return(%0)\n      : (<Tensor[Float32], (2, 4)>)\n}\n\n\nsubgraph",
      "  Return(%para2_Parameter_31)\n      : (<Tensor[Float32], (2, 4)>)\n}\n\n\nsubgraph"))
      << "operand";
  EXPECT_TRUE(differs("side: I64(1)", "side: I64(2)")) << "attribute";
  EXPECT_TRUE(differs("-> (<Tensor[Float32], (2, 4)>)", "-> (<Tensor[Float16], (2, 4)>)"))
      << "type";
  EXPECT_TRUE(differs("> : [2, 4]", ">  :  has_default")) << "parameter of the entry";
  EXPECT_TRUE(differs("less_bn: 0", "less_bn: 1")) << "attribute of a subgraph";
  EXPECT_TRUE(differs("      # Scope: (Default)", "      # SideEffect: { io }")) << "side effect";
}

}  // namespace
}  // namespace sightline::ir
