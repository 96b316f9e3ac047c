// The .ir text of MindSpore 1 and 2.0. No dump of theirs was at hand: these are written by hand in
// the form of the examples of MindSpore's documentation, "Reading IR" (r1.5: programming guide,
// read_ir_files; r1.7 and r2.0: experts tutorial, mindir).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "sightline/ir/model/location.h"
#include "sightline/ir/model/lookup.h"
#include "sightline/ir/model/type.h"
#include "sightline/ir/query/dataflow.h"
#include "sightline/ir/read/printer.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

constexpr char kVersion15[] = R"(#IR entry      : @4_run.9
#attrs         :
has_shard : 1
#Total params  : 1

%para1_image : <Tensor[Float32]x[const vector][2, 3]>

#Total subgraph : 1

subgraph attr:
has_shard : 1
subgraph @4_run.9() {
  %0([CNode]3) = Neg(%para1_image) primitive_attrs: {output_names: [output], input_names: [x]}
      : (<Tensor[Float32]x[const vector][2, 3]>) -> (<Tensor[Float32]x[const vector][2, 3]>)
      # In file /home/user/lib/neg_impl.py(20)/    return F.neg(x)/
      # In file net.py(8)/        y = -x/
  Return(%0)
      : (<Tensor[Float32]x[const vector][2, 3]>)
}
)";

constexpr char kVersion17[] = R"(#IR entry      : @1_run_wrapper.12
#attrs         :
#Total params  : 1

%para1_x : <Tensor[Float32]x()>

#Total subgraph : 2

subgraph attr:
Undeterminate : 0
subgraph @2_run.13(%para2_x) {
  %0(y) = Mul(%para2_x, Tensor(shape=[], dtype=Float32, value= 2)) {instance name: mul} primitive_attrs: {input_names: [x, y]}
      : (<Tensor[Float32]x()>, <Tensor[Float32]x()>) -> (<Tensor[Float32]x()>)
      # In file net.py(12)/        y = self.mul(x, 2)/
  Return(%0)
      : (<Tensor[Float32]x()>)
      # In file net.py(13)/        return y/
}

subgraph attr:
subgraph @1_run_wrapper.12() {
  %0([CNode]5) = call @2_run.13(%para1_x)
      : (<Tensor[Float32]x()>) -> (<Tensor[Float32]x()>)
  Return(%0)
      : (<Tensor[Float32]x()>)
}
)";

constexpr char kVersion20[] = R"(#IR entry      : @1_Default_wrapper.7
#Total subgraph: 1

#attrs         :
#Total params  : 1

%para1_x : <Tensor[Float32], (4)>

subgraph attr:
undeterminate : 0
subgraph instance: 1_Default_wrapper.7 : 0x55d0
# In file net.py:5/    def construct(self, x):/
subgraph @1_Default_wrapper.7() {
  %0(y) = ReLU(%para1_x) {instance name: relu}
      : (<Tensor[Float32], (4)>) -> (<Tensor[Float32], (4)>)
      # scope: (Default/relu-ReLU)
      # In file net.py:6/        return self.relu(x)/
  Return(%0)
      : (<Tensor[Float32], (4)>)
      # scope: (Default)
}
)";

Module Read(const std::string& text) {
  Result<Module> module = ParseIr(text);
  EXPECT_TRUE(module);
  for (const Problem& problem : module->problems)
    ADD_FAILURE() << problem.line << ": " << problem.message;
  EXPECT_EQ(PrintIr(*module), text);
  EXPECT_EQ(Dataflow(*module).unresolved(), 0);
  return *std::move(module);
}

TEST(Version1, ReadsTheFormOf15) {
  const Module module = Read(kVersion15);
  EXPECT_EQ(module.texts[module.header.entry], "4_run.9");
  EXPECT_EQ(module.header.total_parameters, 1);
  ASSERT_EQ(module.header.parameters.size, 1);
  EXPECT_EQ(module.texts[module.parameters[0].name], "image");
  ASSERT_EQ(module.header.attributes.size, 1);
  EXPECT_EQ(module.texts[module.attributes[0].key], "has_shard");
  EXPECT_EQ(module.texts[module.nodes[0].name], "[CNode]3");
  const auto type = ParseType(module.texts[module.parameters[0].type]);
  ASSERT_TRUE(type);
  EXPECT_EQ(ElementType(*type), "Float32");
  EXPECT_EQ(Dimensions(type->shape), (std::vector<std::int64_t>{2, 3}));
}

TEST(Version1, ReadsTheFormOf17) {
  const Module module = Read(kVersion17);
  ASSERT_EQ(module.subgraphs.size(), 2);
  EXPECT_EQ(module.subgraphs[0].parameters.size, 1);
  EXPECT_EQ(module.texts[module.subgraphs[0].name], "2_run.13");
  const Dataflow flow(module);
  EXPECT_EQ(flow.entry(), 1);
  ASSERT_EQ(flow.Calls(2).size(), 1);
  EXPECT_EQ(flow.Calls(2)[0], 0);
  const auto type = ParseType("<Tensor[Float32]x()>");
  ASSERT_TRUE(type);
  EXPECT_EQ(ElementType(*type), "Float32");
  EXPECT_EQ(type->shape, "()");
}

TEST(Version1, ReadsTheFormOf20) {
  const Module module = Read(kVersion20);
  EXPECT_EQ(FindScope(module, module.nodes[0]).path, "Default/relu-ReLU");
  EXPECT_EQ(module.texts[module.subgraphs[0].instance], "0x55d0");
}

TEST(Version1, LocationsHaveTheLineInBrackets) {
  const auto location = ParseLocation("In file /home/a(b)/net.py(34)/        a = f(x)(2)/");
  ASSERT_TRUE(location);
  EXPECT_EQ(location->first_line, 34);
  EXPECT_EQ(location->last_line, 34);
  EXPECT_FALSE(location->columns);
  EXPECT_EQ(location->path, "/home/a(b)/net.py");
  EXPECT_EQ(location->code, "        a = f(x)(2)");
}

}  // namespace
}  // namespace sightline::ir
