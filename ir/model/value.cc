#include "sightline/ir/model/value.h"

#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/cursor.h"

namespace sightline::ir {
namespace {

// "I64" for "I64(3)"; empty if the text is not a word with a pair of brackets after it.
std::string_view TypeOfNumber(std::string_view text) {
  const std::size_t open = text.find('(');
  if (open == std::string_view::npos || !text.ends_with(')')) return {};
  return text.substr(0, open);
}

bool IsWidth(std::string_view text) {
  return text == "8" || text == "16" || text == "32" || text == "64";
}

}  // namespace

ValueKind KindOfValue(std::string_view text) {
  if (text.empty()) return ValueKind::kEmpty;
  if (text == "None") return ValueKind::kNone;
  switch (text.front()) {
    case '"':
      return ValueKind::kString;
    case '(':
      return ValueKind::kTuple;
    case '[':
      return ValueKind::kList;
    case '{':
      return ValueKind::kDictionary;
    default:
      break;
  }
  if (ParseTensorValue(text)) return ValueKind::kTensor;
  std::string_view type = TypeOfNumber(text);
  if (type == "Bool") return ValueKind::kBool;
  if ((Consume(type, "I") || Consume(type, "U")) && IsWidth(type)) return ValueKind::kInteger;
  type = TypeOfNumber(text);
  if ((Consume(type, "BF") || Consume(type, "F")) && IsWidth(type)) return ValueKind::kFloat;
  const bool object = text.ends_with(']') && text.find('[') != std::string_view::npos;
  return object ? ValueKind::kObject : ValueKind::kName;
}

std::string_view NumberText(std::string_view text) {
  const std::size_t open = TypeOfNumber(text).size();
  return open == 0 ? std::string_view() : text.substr(open + 1, text.size() - open - 2);
}

std::optional<TensorValue> ParseTensorValue(std::string_view text) {
  if (!Consume(text, "Tensor(shape=") || !ConsumeSuffix(text, ")")) return std::nullopt;
  TensorValue tensor;
  const std::size_t size = BracketedSize(text);
  tensor.shape = text.substr(0, size);
  text.remove_prefix(size);
  if (size == 0 || !Consume(text, ", dtype=")) return std::nullopt;
  const std::size_t comma = text.find(", value=");
  if (comma == std::string_view::npos) return std::nullopt;
  tensor.element_type = text.substr(0, comma);
  tensor.data = text.substr(comma + 8);
  return tensor;
}

}  // namespace sightline::ir
