// Texts of a dump, short enough for a picture. Private to this folder.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// At most `max_bytes` bytes of a text, with "…" in place of the rest, as well-formed UTF-8.
std::string ShortText(std::string_view text, std::size_t max_bytes);
// The same, but keeps the end.
std::string ShortEnd(std::string_view text, std::size_t max_bytes);

// A constant without the types of its numbers: "(-1, 16)" for "(I64(-1), I64(16))". For a tensor,
// its data if that is short, or else its type.
std::string ShortValue(std::string_view text);

// "*-Block" for "12-Block": equal for names that differ only in numbers.
std::string NamePattern(std::string_view name);

// A node's operator: "MatMul", "call @g", "closure". For a meta operator, only its name.
std::string OperatorLabel(const Module& module, const Node& node);

}  // namespace sightline::ir
