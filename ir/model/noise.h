// What differs between two dumps of one graph without meaning anything: ids, which count what the
// process has made, and addresses. docs/ir.md, "Equal dumps".
#pragma once

#include <string>
#include <string_view>

namespace sightline::ir {

// "13_1_construct_68" is "#_#_construct_#", "%para3_x" "%para#_x", "CNode_69$a" "CNode_#$a":
// numbers that stand alone between "_" and other signs. Those that touch a letter, a dot or a sign
// beyond ASCII are a part of the name: "conv1.weight", "layers.3.bias", "2↓construct". `out` is
// replaced.
void WithoutIds(std::string_view text, std::string& out);

// "0x55bca90a8d00" is "0x". `out` is replaced.
void WithoutAddresses(std::string_view text, std::string& out);

// Whether the attribute is an id or a time: "unique_id", "compile_phase".
bool IsIdAttribute(std::string_view key);

// Whether MindSpore made the name up, since the source has none: "CNode_12", "▲ValueNode_3".
bool IsGeneratedName(std::string_view name);

}  // namespace sightline::ir
