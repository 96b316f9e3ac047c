#include "sightline/ir/model/type.h"

#include "sightline/base/parse_number.h"
#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

bool IsWord(std::string_view text) {
  return !text.empty() && text.find_first_of("[](){}<>,: ") == std::string_view::npos;
}

}  // namespace

std::optional<Type> ParseType(std::string_view text) {
  if (!text.starts_with('<') || BracketedSize(text) != text.size()) return std::nullopt;
  text = text.substr(1, text.size() - 2);
  Type type;
  if (text == "null") return type;
  ListReader parts(text);
  std::string_view part;
  if (!parts.Next(type.name)) return std::nullopt;
  parts.Next(type.shape);
  while (parts.Next(part)) {
    if (Consume(part, "ref_key=")) type.ref_key = part;
    if (part == "is_parameter") type.is_parameter = true;
    if (part.starts_with("value=")) type.has_value = true;
  }
  if (!parts.ok()) return std::nullopt;
  return type;
}

std::string_view ElementType(const Type& type) {
  std::string_view name = type.name;
  for (const std::string_view outer : {"Ref[", "Any(Tensor)[", "Tensor["}) {
    std::string_view inner = name;
    if (Consume(inner, outer) && ConsumeSuffix(inner, "]")) name = inner;
  }
  const bool number = IsWord(name) && (name.starts_with("Int") || name.starts_with("UInt") ||
                                       name.starts_with("Float") || name.starts_with("BFloat") ||
                                       name.starts_with("Complex") || name == "Bool");
  return number ? name : std::string_view();
}

std::string ShortType(std::string_view text) {
  const auto type = ParseType(text);
  if (!type) return {};
  const std::string_view element = ElementType(*type);
  if (element.empty()) return std::string(type->name.substr(0, type->name.find('[')));
  if (!type->shape.starts_with('(')) return std::string(element);
  return std::string(element) + " " + std::string(type->shape);
}

std::optional<std::vector<std::int64_t>> Dimensions(std::string_view shape) {
  if (!Consume(shape, "(") || !ConsumeSuffix(shape, ")")) return std::nullopt;
  std::vector<std::int64_t> sizes;
  ListReader list(shape);
  for (std::string_view text; list.Next(text);) {
    const auto size = sightline::ParseNumber<std::int64_t>(text);
    if (!size) return std::nullopt;
    sizes.push_back(*size);
  }
  return list.ok() ? std::optional(sizes) : std::nullopt;
}

}  // namespace sightline::ir
