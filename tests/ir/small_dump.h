// Small dumps for tests: one subgraph whose statements are a chain.
#pragma once

#include <sstream>
#include <string>

namespace sightline::testing {

// SmallDump("Add ReLU"): %0 = Add(%para1_x), %1 = ReLU(%0), and a Return.
inline std::string SmallDump(const std::string& callees) {
  std::string body;
  std::string last = "%para1_x";
  std::istringstream in(callees);
  int count = 0;
  for (std::string callee; in >> callee; ++count) {
    const std::string number = std::to_string(count);
    body.append("  %").append(number).append("(CNode_").append(number).append(") = ");
    body.append(callee).append("(").append(last).append(")");
    body += R"(
      : (<Tensor[Float32], (2)>) -> (<Tensor[Float32], (2)>)
      # Scope: (Default)
)";
    last = "%" + number;
  }
  return R"(# IR entry: @main_1
# Total subgraphs: 1

# Total params: 1
# Params:
%para1_x: <Tensor[Float32], (2)>

Node counting information:
Total number of nodes: 9
Total number of cnodes: )" +
         std::to_string(count + 1) + R"(

subgraph attr:
subgraph instance: main_1 : 0x55d0
subgraph @main_1() {
)" + body +
         "  Return(" + last + R"()
      : (<Tensor[Float32], (2)>)
}


)";
}

}  // namespace sightline::testing
