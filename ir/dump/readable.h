// Changes the texts of a framework so that a reader of the dump parses each as it was meant.
#pragma once

#include <string>
#include <string_view>

namespace sightline::ir {

// Characters that would end a name - blanks, brackets, commas, colons, quotes - become '_'.
std::string CleanName(std::string_view text);

// A callee: a name, or a name with a group after it, as in "DoSignature[Add]".
std::string ReadableCallee(std::string_view primitive);

// The key of an attribute or the name of a group of them, which may have blanks ("instance name").
std::string ReadableKey(std::string_view key);

// "<Tensor[Float32], (2)>", or "<null>" if the text would not be read as a type.
std::string ReadableType(std::string_view type);

// Newlines become blanks.
std::string OneLine(std::string_view text);

// Whether a list with this text between commas has it as one item.
bool IsItem(std::string_view text);

}  // namespace sightline::ir
