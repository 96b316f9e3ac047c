#include "sightline/ir/model/label.h"

#include <fmt/format.h>

#include "sightline/base/ascii.h"
#include "sightline/base/utf8.h"
#include "sightline/ir/model/cursor.h"
#include "sightline/ir/model/operator_kind.h"
#include "sightline/ir/model/value.h"

namespace sightline::ir {
namespace {

constexpr std::size_t kLongestValue = 28;
constexpr std::size_t kLongestName = 44;

// The bytes of "I64(" at the front of a text; 0 where there is no number.
std::size_t NumberTypeSize(std::string_view text) {
  std::string_view rest = text;
  if (!Consume(rest, "BF") && !Consume(rest, "I") && !Consume(rest, "U") && !Consume(rest, "F"))
    return 0;
  const std::size_t before = rest.size();
  while (!rest.empty() && IsDigit(rest.front())) rest.remove_prefix(1);
  if (rest.size() == before || !Consume(rest, "(")) return 0;
  return text.size() - rest.size();
}

// `text` with its numbers bare; no more of it than will be shown.
std::string WithoutNumberTypes(std::string_view text) {
  std::string plain;
  bool in_number = false;
  for (std::size_t i = 0; i < text.size() && plain.size() <= kLongestValue;) {
    const bool begins = i == 0 || text[i - 1] == '(' || text[i - 1] == ' ' || text[i - 1] == '[';
    const std::size_t skipped = begins ? NumberTypeSize(text.substr(i)) : 0;
    if (skipped > 0) {
      in_number = true;
      i += skipped;
    } else if (in_number && text[i] == ')') {
      in_number = false;
      ++i;
    } else {
      plain += text[i++];
    }
  }
  return plain;
}

}  // namespace

std::string ShortText(std::string_view text, std::size_t max_bytes) {
  return text.size() <= max_bytes ? ToUtf8(text) : ToUtf8(text, max_bytes) + "…";
}

std::string ShortEnd(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return ToUtf8(text);
  text.remove_prefix(text.size() - max_bytes);
  // Not from within a character.
  while (!text.empty() && (static_cast<unsigned char>(text.front()) & 0xC0U) == 0x80U)
    text.remove_prefix(1);
  return "…" + ToUtf8(text);
}

std::string ShortValue(std::string_view text) {
  switch (KindOfValue(text)) {
    case ValueKind::kInteger:
    case ValueKind::kFloat:
      return ShortText(NumberText(text), kLongestValue);
    case ValueKind::kBool:
      return NumberText(text) == "1" ? "true" : "false";
    case ValueKind::kTensor: {
      const auto tensor = ParseTensorValue(text);
      if (tensor->data.size() <= kLongestValue / 2) return ToUtf8(tensor->data);
      return ShortText(fmt::format("{} {}", tensor->element_type, tensor->shape), kLongestValue);
    }
    case ValueKind::kTuple:
    case ValueKind::kList:
      return ShortText(WithoutNumberTypes(text), kLongestValue);
    case ValueKind::kEmpty:
    case ValueKind::kString:
    case ValueKind::kNone:
    case ValueKind::kDictionary:
    case ValueKind::kObject:
    case ValueKind::kName:
      break;
  }
  return ShortText(text, kLongestValue);
}

std::string NamePattern(std::string_view name) {
  std::string pattern;
  for (const char c : name) {
    if (!IsDigit(c)) {
      pattern += c;
    } else if (pattern.empty() || pattern.back() != '*') {
      pattern += '*';
    }
  }
  return pattern;
}

std::string OperatorLabel(const Module& module, const Node& node) {
  std::string_view callee = module.texts[node.callee];
  switch (node.kind) {
    case CalleeKind::kCall:
      return "call @" + ShortEnd(callee, kLongestName);
    case CalleeKind::kClosure:
    case CalleeKind::kForeign:
      return "call closure";
    case CalleeKind::kParameter:
      return "call " + ShortText(callee, kLongestName);
    case CalleeKind::kMeta:
      return ShortText(callee.substr(0, callee.find_first_of("{[")), kLongestName);
    case CalleeKind::kReturn:
    case CalleeKind::kPrimitive:
      break;
  }
  return ShortText(OperatorName(callee), kLongestName);
}

}  // namespace sightline::ir
