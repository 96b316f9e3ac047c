// Parses the constants of a dump: operands and attributes. Since they are printed for people, not
// everything can be recovered: attributes inside tuples have no types, and strings are not escaped.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace sightline::ir {

enum class ValueKind : std::uint8_t {
  kEmpty,       // Printed as nothing.
  kInteger,     // "I64(3)", "U8(1)"
  kFloat,       // "F32(2.5)", "BF16(inf)"
  kBool,        // "Bool(1)"
  kString,      // "\"text\""
  kNone,        // "None"
  kTuple,       // "(I64(1), I64(2))"
  kList,        // "[x, w]"
  kDictionary,  // "{\"k\": I64(1)}"
  kTensor,      // "Tensor(shape=[2], dtype=Int32, value=[1 2])"
  kObject,      // "UMonad[U]", "NameSpace[Entry: 'f']", "Slice[1 : 3 : None]"
  kName,        // Any other word: an object of Python, a dtype, a primitive.
};

ValueKind KindOfValue(std::string_view text);

// The text between the brackets of "I64(3)", "F32(2.5)" or "Bool(1)".
std::string_view NumberText(std::string_view text);

// Views into the text that was parsed.
struct TensorValue {
  std::string_view shape;         // "[2, 3]"
  std::string_view element_type;  // "Float32"
  std::string_view data;          // As printed; "[...]" if it was too long.
};
std::optional<TensorValue> ParseTensorValue(std::string_view text);

}  // namespace sightline::ir
