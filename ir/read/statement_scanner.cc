#include "sightline/ir/read/statement_scanner.h"

#include <array>
#include <cstring>

namespace sightline::ir {
namespace {

enum class Byte : std::uint8_t { kPlain, kOpen, kClose, kComma, kQuote, kNewline };

constexpr std::array<Byte, 256> MakeBytes() {
  std::array<Byte, 256> bytes{};
  for (const char c : {'(', '[', '{'}) bytes[static_cast<unsigned char>(c)] = Byte::kOpen;
  for (const char c : {')', ']', '}'}) bytes[static_cast<unsigned char>(c)] = Byte::kClose;
  bytes[','] = Byte::kComma;
  bytes['"'] = Byte::kQuote;
  bytes['\n'] = Byte::kNewline;
  return bytes;
}
constexpr std::array<Byte, 256> kBytes = MakeBytes();

Byte ByteOf(char c) { return kBytes[static_cast<unsigned char>(c)]; }

bool MayFollowString(char c) {
  return c == ',' || c == ')' || c == ']' || c == '}' || c == ':' || c == '\n';
}

// What is not expected inside of a constant that spans lines: the next statement, or a line below
// this one.
bool LooksLikeDump(std::string_view line) {
  return line.starts_with("      : (") || line.starts_with("      # ") ||
         line.starts_with("  Return(") || line.starts_with("}\n") ||
         (line.size() > 3 && line.starts_with("  %") && line[3] >= '0' && line[3] <= '9');
}

}  // namespace

bool StatementScanner::Scan() {
  at_ = text_.data();
  brackets_.Clear();
  operands_.clear();
  groups_.clear();
  attributes_.clear();
  strings_ = 0;
  exhausted_ = false;
  newlines_ = 0;
  hides_lines_ = false;
  return ScanCallee() && ScanList(operands_) && ScanTail();
}

bool StatementScanner::NextReading() {
  choices_.resize(strings_);
  if (exhausted_) choices_.pop_back();
  if (choices_.empty()) return false;
  ++choices_.back();
  return true;
}

bool StatementScanner::ScanCallee() {
  for (;; ++at_) {
    if (at_ == end() || *at_ == '\n') return Fail("the argument list is missing");
    const Byte byte = ByteOf(*at_);
    if (byte == Byte::kOpen) {
      // The bracket of "$(@GRAPH:NAME)" is part of the callee.
      const bool foreign = at_ != text_.data() && at_[-1] == '$';
      if (*at_ == '(' && brackets_.depth() == 0 && !foreign) break;
      if (!brackets_.Open(*at_)) return Fail("too many brackets are open");
    } else if (byte == Byte::kClose && !brackets_.Close(*at_)) {
      return Fail("a bracket does not match");
    }
  }
  callee_ = {text_.data(), size()};
  return !callee_.empty() || Fail("the callee is missing");
}

bool StatementScanner::Step() {
  switch (ByteOf(*at_)) {
    case Byte::kPlain:
    case Byte::kComma:
      break;
    case Byte::kOpen:
      if (!brackets_.Open(*at_)) return Fail("too many brackets are open");
      break;
    case Byte::kClose:
      if (!brackets_.Close(*at_)) return Fail("a bracket does not match");
      break;
    case Byte::kQuote:
      return SkipString();
    case Byte::kNewline:
      if (LooksLikeDump({at_ + 1, static_cast<std::size_t>(end() - at_ - 1)}))
        return Fail("a bracket is not closed");
      ++newlines_;
      break;
  }
  ++at_;
  return true;
}

bool StatementScanner::ScanList(std::vector<std::string_view>& items) {
  const std::size_t first = items.size();
  brackets_.Open(*at_);
  const char* item = ++at_;
  for (;;) {
    while (at_ != end() && ByteOf(*at_) == Byte::kPlain) ++at_;
    if (at_ == end()) return Fail("a bracket is not closed");
    if (*at_ == ',' && brackets_.depth() == 1 && at_ + 1 != end() && at_[1] == ' ') {
      items.emplace_back(item, static_cast<std::size_t>(at_ - item));
      at_ += 2;
      item = at_;
      continue;
    }
    if (!Step()) return false;
    if (brackets_.depth() == 0) break;
  }
  const char* close = at_ - 1;
  if (items.size() > first || close != item)
    items.emplace_back(item, static_cast<std::size_t>(close - item));
  return true;
}

bool StatementScanner::ScanTail() {
  const char* begin = at_;
  while (at_ != end() && *at_ != '\n') {
    if (!ScanGroup()) return false;
  }
  tail_ = {begin, static_cast<std::size_t>(at_ - begin)};
  return true;
}

bool StatementScanner::ScanGroup() {
  constexpr const char* kReason = "expected a group of attributes after the arguments";
  const char* begin = at_;
  while (at_ != end() && ByteOf(*at_) == Byte::kPlain) ++at_;
  if (at_ == end() || *at_ != '{') return Fail(kReason);
  std::string_view name(begin, static_cast<std::size_t>(at_ - begin));
  if (name.empty() || name.front() != ' ') return Fail(kReason);
  name.remove_prefix(1);
  if (!name.empty()) {
    if (name.size() < 3 || !name.ends_with(": ")) return Fail(kReason);
    name.remove_suffix(2);
  }
  const std::size_t first = attributes_.size();
  if (!ScanList(attributes_)) return false;
  groups_.push_back({name, static_cast<std::uint32_t>(attributes_.size() - first)});
  return true;
}

bool StatementScanner::SkipString() {
  const char before = at_[-1];
  if (before != '(' && before != '[' && before != '{' && before != ' ') {
    ++at_;
    return true;
  }
  if (strings_ == choices_.size()) choices_.push_back(0);
  std::uint32_t pass_over = choices_[strings_++];
  const char* quote = at_;
  for (;;) {
    ++quote;
    quote =
        static_cast<const char*>(std::memchr(quote, '"', static_cast<std::size_t>(end() - quote)));
    if (quote == nullptr) {
      exhausted_ = true;
      return Fail("a string is not closed");
    }
    const bool may_end = quote + 1 == end() || MayFollowString(quote[1]);
    if (may_end && pass_over-- == 0) break;
  }
  for (const char* at = at_;;) {
    at = static_cast<const char*>(std::memchr(at, '\n', static_cast<std::size_t>(quote - at)));
    if (at == nullptr) break;
    ++newlines_;
    ++at;
    hides_lines_ = hides_lines_ || LooksLikeDump({at, static_cast<std::size_t>(quote - at)});
  }
  at_ = quote + 1;
  return true;
}

}  // namespace sightline::ir
