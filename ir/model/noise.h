// Noise: what may differ between two dumps of the same graph, namely addresses, and ids that count
// what the process has made. docs/ir.md, "Equal dumps".
#pragma once

#include <string>
#include <string_view>

namespace sightline::ir {

// Replaces ids in a name by "#": "13_1_construct_68" becomes "#_#_construct_#", "%para3_x" becomes
// "%para#_x", "CNode_69$a" becomes "CNode_#$a". An id is a number between "_" and other signs. A
// number that touches a letter, a dot or a sign beyond ASCII is part of the name: "conv1.weight",
// "layers.3.bias", "2↓construct". `out` is overwritten.
void WithoutIds(std::string_view text, std::string& out);

// Shortens addresses: "0x55bca90a8d00" becomes "0x". `out` is overwritten.
void WithoutAddresses(std::string_view text, std::string& out);

// Whether the attribute is an id or a time: "unique_id", "compile_phase".
bool IsIdAttribute(std::string_view key);

// Whether MindSpore made up the name, since the source has none: "CNode_12", "▲ValueNode_3".
bool IsGeneratedName(std::string_view name);

}  // namespace sightline::ir
