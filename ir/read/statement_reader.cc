#include "sightline/ir/read/statement_reader.h"

#include <algorithm>
#include <string>

#include "sightline/base/ascii.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kTypesPrefix = "      : (";
constexpr std::string_view kReturnPrefix = "  Return";
// How many times a statement's own size may be scanned.
constexpr std::int64_t kScansPerByte = 16;

// What may follow a statement without types (format 0).
bool MayFollowStatement(std::string_view text) {
  return text.empty() || text.front() == '\n' || text.front() == '}' || text.front() == '#' ||
         text.starts_with("  %") || text.starts_with(kReturnPrefix) || text.starts_with("      #");
}

std::string_view FirstLine(std::string_view text) { return text.substr(0, text.find('\n')); }

}  // namespace

bool StatementReader::ReadStatement() {
  const std::string_view line = cursor_.Line();
  Node node;
  const std::size_t head = ReadHead(line, node);
  if (head == 0) {
    cursor_.Report(0, "not a statement: expected '%N(NAME) = CALLEE(...)'");
    return false;
  }
  budget_ += kScansPerByte * static_cast<std::int64_t>(line.size());
  std::string_view text = cursor_.Rest().substr(head);
  if (budget_ <= 0) text = line.substr(head);
  if (!ChooseReading(node, text, line.size() - head)) {
    const std::size_t at = std::min(head + scanner_.failed_at(), line.size());
    cursor_.Report(at, std::string("not a statement: ") + scanner_.failure());
    return false;
  }
  SetCallee(node);
  AddOperands(node);
  node.attributes = Attributes();
  CheckNumbers(node);
  cursor_.Skip(head + scanner_.size(), scanner_.newlines());
  module_.lines.push_back({LineKind::kNode, static_cast<std::uint32_t>(module_.nodes.size())});
  node.lines.begin = static_cast<std::uint32_t>(module_.lines.size());
  module_.nodes.push_back(node);
  attached_ = true;
  return true;
}

std::size_t StatementReader::ReadHead(std::string_view line, Node& node) {
  std::string_view rest = line;
  if (rest.starts_with(kReturnPrefix)) {
    node.kind = CalleeKind::kReturn;
    return 2;
  }
  rest.remove_prefix(3);
  const auto number = ConsumeNumber(rest);
  if (!number || !Consume(rest, "(")) return 0;
  const std::size_t close = rest.find(") = ");
  if (close == std::string_view::npos) return 0;
  node.number = *number;
  node.name = Intern(rest.substr(0, close));
  return line.size() - rest.size() + close + 4;
}

// Takes the first reading with as many operands as types, or the first that can be scanned at all.
bool StatementReader::ChooseReading(const Node& node, std::string_view text,
                                    std::size_t line_size) {
  scanner_.Start(text);
  bool first = true;
  bool first_scanned = false;
  do {
    const bool scanned = scanner_.Scan();
    if (scanned && Fits(node, text)) return true;
    budget_ -= static_cast<std::int64_t>(scanner_.size());
    if (first) first_scanned = scanned && !scanner_.hides_lines();
    first = false;
  } while (budget_ > 0 && scanner_.NextReading());
  if (first_scanned) {
    scanner_.Restart();
    static_cast<void>(scanner_.Scan());
    static_cast<void>(Fits(node, text));
    if (has_types_) {
      cursor_.Report(0, "the statement has " + std::to_string(scanner_.operands().size()) +
                            " operands, and types for " + std::to_string(inputs_));
    }
    return true;
  }
  // What is wrong within the line says more than where a later one stops to fit.
  scanner_.Start(text.substr(0, line_size));
  return scanner_.Scan();
}

// A string that hides lines of a dump lost its end if the statement that follows is not the next.
bool StatementReader::IsFollowed(const Node& node, std::string_view text) {
  const std::uint32_t own = node.kind == CalleeKind::kReturn ? next_number_ : node.number;
  const std::size_t size = text.size();
  while (!text.empty() &&
         (text.front() == '\n' || text.front() == '#' || text.starts_with("      "))) {
    text.remove_prefix(std::min(text.size(), FirstLine(text).size() + 1));
  }
  budget_ -= static_cast<std::int64_t>(size - text.size());
  if (Consume(text, "  %")) return ConsumeNumber(text) == own + 1;
  if (Consume(text, "  Return(%")) {
    const auto returned = ConsumeNumber(text);
    return !returned || *returned <= own;
  }
  return true;
}

bool StatementReader::Fits(const Node& node, std::string_view text) {
  const std::string_view next = text.substr(std::min(text.size(), scanner_.size() + 1));
  has_types_ = false;
  if (scanner_.hides_lines() && !IsFollowed(node, next)) return false;
  if (!next.starts_with(kTypesPrefix)) return MayFollowStatement(next);
  const Line types = notes_.Read(FirstLine(next));
  if (types.kind == LineKind::kUnexplained) return true;
  has_types_ = true;
  inputs_ = module_.type_lines[types.index].inputs;
  const std::size_t operands = scanner_.operands().size();
  // A single operand may be printed as nothing.
  return operands == inputs_ || (operands == 0 && inputs_ == 1);
}

void StatementReader::CheckNumbers(const Node& node) {
  if (node.kind != CalleeKind::kReturn) {
    if (node.number != next_number_) {
      cursor_.Report(2, "statement %" + std::to_string(node.number) + " found, %" +
                            std::to_string(next_number_) + " expected");
    }
    next_number_ = node.number + 1;
  }
  const std::uint32_t own = node.kind == CalleeKind::kReturn ? next_number_ : node.number;
  for (std::uint32_t i = node.operands.begin; i < node.operands.end(); ++i) {
    const Operand& operand = module_.operands[i];
    if (operand.kind == OperandKind::kNode && operand.index >= own) {
      cursor_.Report(
          2, "operand %" + std::to_string(operand.index) + " does not name an earlier statement");
    }
  }
}

void StatementReader::AddOperands(Node& node) {
  node.operands.begin = static_cast<std::uint32_t>(module_.operands.size());
  for (const std::string_view text : scanner_.operands())
    module_.operands.push_back(ToOperand(text));
  if (scanner_.operands().empty() && has_types_ && inputs_ == 1)
    module_.operands.push_back({OperandKind::kValue, static_cast<std::uint32_t>(kNoText)});
  node.operands.size = static_cast<std::uint32_t>(module_.operands.size()) - node.operands.begin;
}

Operand StatementReader::ToOperand(std::string_view text) {
  OperandKind kind = OperandKind::kValue;
  if (text.size() > 1) {
    if (text.front() == '%') {
      std::string_view digits = text.substr(1);
      if (IsDigit(digits.front())) {
        if (const auto number = ParseNumber(digits)) return {OperandKind::kNode, *number};
      } else if (digits.starts_with("para")) {
        kind = OperandKind::kParameter;
        text = digits;
      }
    } else if (text.front() == '@') {
      kind = OperandKind::kGraph;
      text.remove_prefix(1);
    } else if (text.starts_with("$(@") && text.ends_with(')')) {
      kind = OperandKind::kForeign;
      text = text.substr(3, text.size() - 4);
    }
  }
  return {kind, static_cast<std::uint32_t>(Intern(text))};
}

void StatementReader::SetCallee(Node& node) {
  std::string_view callee = scanner_.callee();
  std::string_view closure;
  if (node.kind == CalleeKind::kReturn) {
    node.callee = Intern(callee);
    return;
  }
  if (callee.ends_with(']')) {
    const std::size_t begin = callee.find("[@");
    if (begin != std::string_view::npos) {
      closure = callee.substr(begin);
      callee = callee.substr(0, begin);
      node.kind = CalleeKind::kParameter;
    }
  }
  if (closure.empty() && Consume(callee, "call @")) {
    node.kind = CalleeKind::kCall;
  } else if (callee.size() > 1 && callee.front() == '%' && ParseNumber(callee.substr(1))) {
    node.kind = CalleeKind::kClosure;
    callee.remove_prefix(1);
  } else if (callee.starts_with("$(@") && callee.ends_with(')')) {
    node.kind = CalleeKind::kForeign;
    callee = callee.substr(3, callee.size() - 4);
  } else if (closure.empty() && callee.find_first_of("[{") != std::string_view::npos) {
    node.kind = CalleeKind::kMeta;
  }
  node.callee = Intern(callee);
  node.closure = Intern(closure);
}

std::uint32_t StatementReader::Attributes() {
  if (scanner_.tail().empty()) return 0;
  // Equal texts share their attributes, unless the ends of strings are ambiguous.
  const bool shared = scanner_.is_first_reading();
  if (shared) {
    if (const std::uint32_t* known = attributes_.Find(scanner_.tail())) return *known;
  }
  Range groups{static_cast<std::uint32_t>(module_.attribute_groups.size()),
               static_cast<std::uint32_t>(scanner_.groups().size())};
  auto begin = static_cast<std::uint32_t>(module_.attributes.size());
  for (const auto& group : scanner_.groups()) {
    module_.attribute_groups.push_back({Intern(group.name), {begin, group.size}});
    begin += group.size;
  }
  for (const std::string_view attribute : scanner_.attributes()) {
    const std::size_t colon = attribute.find(": ");
    const bool has_value = colon != std::string_view::npos;
    module_.attributes.push_back({Intern(attribute.substr(0, colon)),
                                  has_value ? Intern(attribute.substr(colon + 2)) : kNoText,
                                  has_value});
  }
  const auto index = static_cast<std::uint32_t>(module_.node_attributes.size());
  module_.node_attributes.push_back({groups});
  if (shared) attributes_.Insert(scanner_.tail(), index);
  return index;
}

void StatementReader::ReadNote() {
  const std::string_view text = cursor_.Line();
  Line line = notes_.Read(text);
  if (line.kind == LineKind::kUnexplained) {
    cursor_.Report(6, "unknown line below a statement");
    line.index = static_cast<std::uint32_t>(Intern(text));
  }
  cursor_.Skip(text.size());
  // A second line of types that no text tells from the first, "(<null>) -> (<null>)".
  if (line.kind == LineKind::kTypes && module_.lines.back().kind == LineKind::kTypes)
    line.kind = LineKind::kSymbolicShapes;
  module_.lines.push_back(line);
  if (attached_) ++module_.nodes.back().lines.size;
}

}  // namespace sightline::ir
