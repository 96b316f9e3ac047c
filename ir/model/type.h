// Parses the types of a dump:
//
//   <Ref[Tensor[Float32]], (3, 4), ref_key=f.weight, is_parameter>
//   <Tuple[Int64*2], TupleShape(NoShape, NoShape), elements_use_flags={[const vector]{1, 1}}>
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace sightline::ir {

// Views into the text that was parsed.
struct Type {
  std::string_view name;     // "Ref[Tensor[Float32]]", "Int64", "Func"; empty for <null>: unknown.
  std::string_view shape;    // "(3, 4)", "NoShape", "TupleShape(...)"; empty if there is none.
  std::string_view ref_key;  // The parameter that a Ref refers to.
  bool is_parameter = false;
  bool has_value = false;  // "value=...": a constant.
};

// None if `text` is not a type.
std::optional<Type> ParseType(std::string_view text);

// The element type of a tensor, of a reference to one, or of a number: "Float32" for
// "Ref[Tensor[Float32]]" and for "Float32". Empty for tuples, functions and everything else.
std::string_view ElementType(const Type& type);

// "Float32 (2, 4)" for a tensor, "Int64" for a number, "Tuple" or "Func" for anything else. Empty
// for <null> and for a text that is not a type.
std::string ShortType(std::string_view text);

// The sizes in "(3, 4)" or "()". An unknown size is -1; a single -2 means that their number is
// unknown. None for other shapes.
std::optional<std::vector<std::int64_t>> Dimensions(std::string_view shape);

}  // namespace sightline::ir
