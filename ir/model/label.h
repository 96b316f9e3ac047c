// Texts of a dump, short enough for a picture. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// At most `max_bytes` bytes of a text and "…" in place of the rest, as well-formed UTF-8.
std::string ShortText(std::string_view text, std::size_t max_bytes);
// The same, but it is the end that is kept.
std::string ShortEnd(std::string_view text, std::size_t max_bytes);

// A constant without the types of its numbers: "(-1, 16)" of "(I64(-1), I64(16))"; of a tensor the
// data where that is short, or else its type.
std::string ShortValue(std::string_view text);

// "*-Block" of "12-Block": what names that differ in their numbers have in common.
std::string NamePattern(std::string_view name);

// What a node does: "MatMul", "call @g", "closure". Of a meta operator its name alone.
std::string OperatorLabel(const Module& module, const Node& node);

}  // namespace sightline::ir
