#include "sightline/runs/query/query_parser.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/text/spelling.h"
#include "sightline/base/trimmed.h"
#include "sightline/runs/model/key_name.h"

namespace sightline {
namespace {

using Node = Query::Node;

constexpr int kMaxDepth = 100;
constexpr std::size_t kMaxBytes = std::size_t{64} << 10U;

// What people call runs, without spaces and what a query needs.
bool IsInRunName(char c) {
  return IsInName(c) || std::string_view("-:+@%").find(c) != std::string_view::npos;
}

constexpr std::string_view kBlanks = " \t\n";

// Those that take an expression.
constexpr std::array<std::string_view, 4> kOtherFunctions = {"isnan", "rank", "spread", "worst"};

std::string UnknownFunction(std::string_view name) {
  std::vector<std::string> known = SeriesFunctionNames();
  known.insert(known.end(), kOtherFunctions.begin(), kOtherFunctions.end());
  const std::string_view meant = NearestName(name, known);
  if (!meant.empty()) return fmt::format("'{}' is not a function; did you mean {}?", name, meant);
  const std::string last = std::move(known.back());
  known.pop_back();
  return fmt::format("'{}' is not a function (the functions are {} and {})", name,
                     fmt::join(known, ", "), last);
}

std::optional<Node::Kind> ComparisonOf(std::string_view symbol) {
  using enum Node::Kind;
  constexpr std::pair<std::string_view, Node::Kind> kComparisons[] = {
      {"==", kEqual},     {"=", kEqual},   {"!=", kNotEqual},    {"<", kLess},
      {"<=", kLessEqual}, {">", kGreater}, {">=", kGreaterEqual}};
  for (const auto& [known, kind] : kComparisons) {
    if (known == symbol) return kind;
  }
  return std::nullopt;
}

std::shared_ptr<const Node> Make(Node::Kind kind,
                                 std::vector<std::shared_ptr<const Node>> children) {
  auto node = std::make_shared<Node>();
  node->kind = kind;
  node->children = std::move(children);
  return node;
}

}  // namespace

Status QueryParser::Fail(std::size_t at, std::string_view what) const {
  const auto characters = std::count_if(
      text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at, text_.size())),
      [](char c) { return (static_cast<unsigned char>(c) & 0xc0U) != 0x80; });
  return Status(StatusCode::kInvalidArgument,
                fmt::format("query, column {}: {}", characters + 1, what));
}

Status QueryParser::Unexpected(std::string_view wanted) const {
  if (token_.kind == TokenKind::kEnd) return Fail(token_.at, fmt::format("{} is missing", wanted));
  return Fail(token_.at, fmt::format("{} is expected, not '{}'", wanted, token_.text));
}

bool QueryParser::IsWord(std::string_view word) const {
  return token_.kind == TokenKind::kWord && token_.text == word;
}

bool QueryParser::IsSymbol(std::string_view symbol) const {
  return token_.kind == TokenKind::kSymbol && token_.text == symbol;
}

Status QueryParser::ReadQuoted() {
  const char quote = text_[at_];
  token_.kind = quote == '`' ? TokenKind::kQuotedName : TokenKind::kText;
  for (std::size_t i = at_ + 1; i < text_.size(); ++i) {
    if (text_[i] == quote) {
      at_ = i + 1;
      return {};
    }
    // A backslash escapes only the quote and a backslash, since regular expressions have their own.
    const bool escapes =
        text_[i] == '\\' && i + 1 < text_.size() && (text_[i + 1] == quote || text_[i + 1] == '\\');
    if (escapes) ++i;
    token_.text += text_[i];
  }
  return Fail(at_, fmt::format("the text that begins here has no closing {}", quote));
}

Status QueryParser::ReadNumber() {
  const char* const begin = text_.data() + at_;
  const char* const number = *begin == '+' ? begin + 1 : begin;
  const auto [end, error] = std::from_chars(number, text_.data() + text_.size(), token_.number);
  const bool runs_on = error == std::errc() && end != text_.data() + text_.size() && IsInName(*end);
  if (error != std::errc() || runs_on) return Fail(at_, "this is not a number");
  token_.kind = TokenKind::kNumber;
  token_.text.assign(begin, end);
  at_ += static_cast<std::size_t>(end - begin);
  return {};
}

Status QueryParser::Advance() {
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n'))
    ++at_;
  token_ = Token{TokenKind::kEnd, at_, {}, 0};
  if (at_ == text_.size()) return {};
  const char c = text_[at_];
  if (c == '\'' || c == '"' || c == '`') return ReadQuoted();
  if (IsDigit(c) || c == '-' || c == '+' || c == '.') return ReadNumber();
  if (BeginsName(c)) {
    std::size_t end = at_;
    while (end < text_.size() && IsInName(text_[end])) ++end;
    token_.kind = TokenKind::kWord;
    token_.text = text_.substr(at_, end - at_);
    at_ = end;
    return {};
  }
  constexpr std::array<std::string_view, 14> kSymbols = {"==", "!=", "<=", ">=", "=~", "!~", "=",
                                                         "<",  ">",  "(",  ")",  ",",  "[",  "]"};
  for (const std::string_view symbol : kSymbols) {
    if (!text_.substr(at_).starts_with(symbol)) continue;
    token_.kind = TokenKind::kSymbol;
    token_.text = symbol;
    at_ += symbol.size();
    return {};
  }
  return Fail(at_, fmt::format("'{}' has no meaning here", c));
}

Result<Query> QueryParser::Parse() {
  if (text_.size() > kMaxBytes)
    return Error(StatusCode::kInvalidArgument, "query: longer than 64 KiB");
  Result<NodePtr> root = ParseAll();
  const std::string_view word = Trimmed(text_, kBlanks);
  const bool is_word = !word.empty() && std::all_of(word.begin(), word.end(), IsInRunName);
  if (!is_word || word == "true" || word == "false") {
    if (!root) return Error(root.error());
    return Query(*std::move(root), "");
  }
  // A number alone would be true for every run.
  if (!root || (*root)->kind == Node::Kind::kConstant) {
    auto node = std::make_shared<Node>();
    node->kind = Node::Kind::kName;
    node->text = word;
    root = std::move(node);
  }
  return Query(*std::move(root), word);
}

Result<QueryParser::NodePtr> QueryParser::ParseAll() {
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr root, ParseOr());
  if (token_.kind != TokenKind::kEnd)
    return Error(Unexpected("the end, a comparison, \"and\" or \"or\""));
  return root;
}

Result<QueryParser::NodePtr> QueryParser::ParseOr() {
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr first, ParseAnd());
  std::vector<NodePtr> all = {std::move(first)};
  while (IsWord("or")) {
    SIGHTLINE_RETURN_IF_ERROR(Advance());
    SIGHTLINE_ASSIGN_OR_RETURN(NodePtr next, ParseAnd());
    all.push_back(std::move(next));
  }
  return all.size() == 1 ? all.front() : Make(Node::Kind::kOr, std::move(all));
}

Result<QueryParser::NodePtr> QueryParser::ParseAnd() {
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr first, ParseNot());
  std::vector<NodePtr> all = {std::move(first)};
  while (IsWord("and")) {
    SIGHTLINE_RETURN_IF_ERROR(Advance());
    SIGHTLINE_ASSIGN_OR_RETURN(NodePtr next, ParseNot());
    all.push_back(std::move(next));
  }
  return all.size() == 1 ? all.front() : Make(Node::Kind::kAnd, std::move(all));
}

Result<QueryParser::NodePtr> QueryParser::ParseNot() {
  if (!IsWord("not")) return ParseComparison();
  if (++depth_ > kMaxDepth) return Error(Fail(token_.at, "nested too deeply"));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr inner, ParseNot());
  --depth_;
  return Make(Node::Kind::kNot, {std::move(inner)});
}

Result<QueryParser::NodePtr> QueryParser::ParseComparison() {
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr left, ParseValue());
  if (IsSymbol("=~") || IsSymbol("!~")) return ParseMatch(std::move(left), IsSymbol("!~"));
  if (IsWord("in")) return ParseList(std::move(left), false);
  if (IsWord("not")) {
    SIGHTLINE_RETURN_IF_ERROR(Advance());
    if (!IsWord("in")) return Error(Unexpected("\"in\""));
    return ParseList(std::move(left), true);
  }
  const auto kind =
      token_.kind == TokenKind::kSymbol ? ComparisonOf(token_.text) : std::optional<Node::Kind>();
  if (!kind) return left;
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr right, ParseValue());
  return Make(*kind, {std::move(left), std::move(right)});
}

Result<QueryParser::NodePtr> QueryParser::ParseMatch(NodePtr left, bool negated) {
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  if (token_.kind != TokenKind::kText) return Error(Unexpected("a regular expression in quotes"));
  RE2::Options options;
  options.set_log_errors(false);
  auto pattern = std::make_shared<const RE2>(token_.text, options);
  if (!pattern->ok()) return Error(Fail(token_.at, "regular expression: " + pattern->error()));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  auto node = std::make_shared<Node>();
  node->kind = negated ? Node::Kind::kNotMatch : Node::Kind::kMatch;
  node->children = {std::move(left)};
  node->pattern = std::move(pattern);
  return node;
}

Result<QueryParser::NodePtr> QueryParser::ParseList(NodePtr left, bool negated) {
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  const bool square = IsSymbol("[");
  if (!square && !IsSymbol("(")) return Error(Unexpected("a list in parentheses"));
  std::vector<NodePtr> all = {std::move(left)};
  do {
    SIGHTLINE_RETURN_IF_ERROR(Advance());
    SIGHTLINE_ASSIGN_OR_RETURN(NodePtr next, ParseValue());
    all.push_back(std::move(next));
  } while (IsSymbol(","));
  if (!IsSymbol(square ? "]" : ")"))
    return Error(Unexpected(square ? "\",\" or \"]\"" : "\",\" or \")\""));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  NodePtr list = Make(Node::Kind::kIn, std::move(all));
  return negated ? Make(Node::Kind::kNot, {std::move(list)}) : list;
}

Result<QueryParser::NodePtr> QueryParser::ParseValue() {
  const Token token = token_;
  auto node = std::make_shared<Node>();
  switch (token.kind) {
    case TokenKind::kNumber:
      node->value = token.number;
      break;
    case TokenKind::kText:
      node->value = token.text;
      break;
    case TokenKind::kQuotedName:
      node->kind = Node::Kind::kName;
      node->text = token.text;
      break;
    case TokenKind::kWord: {
      for (const std::string_view reserved : {"and", "or", "not", "in"}) {
        if (token.text == reserved) return Error(Unexpected("a value"));
      }
      SIGHTLINE_RETURN_IF_ERROR(Advance());
      if (IsSymbol("(")) return ParseFunction(token);
      if (token.text == "true" || token.text == "false") {
        node->value = token.text == "true";
      } else {
        node->kind = Node::Kind::kName;
        node->text = token.text;
      }
      return node;
    }
    case TokenKind::kSymbol: {
      if (!IsSymbol("(")) return Error(Unexpected("a value"));
      if (++depth_ > kMaxDepth) return Error(Fail(token_.at, "nested too deeply"));
      SIGHTLINE_RETURN_IF_ERROR(Advance());
      SIGHTLINE_ASSIGN_OR_RETURN(NodePtr inner, ParseOr());
      if (!IsSymbol(")")) return Error(Unexpected("\")\""));
      SIGHTLINE_RETURN_IF_ERROR(Advance());
      --depth_;
      return inner;
    }
    case TokenKind::kEnd:
      return Error(Unexpected("a value"));
  }
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  return node;
}

// Starts at the parenthesis.
Result<QueryParser::NodePtr> QueryParser::ParseIsNan() {
  if (++depth_ > kMaxDepth) return Error(Fail(token_.at, "nested too deeply"));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr inner, ParseOr());
  if (!IsSymbol(")")) return Error(Unexpected("\")\""));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  --depth_;
  return Make(Node::Kind::kIsNan, {std::move(inner)});
}

// The token is a tag without quotes. An error if it goes on with characters that need quotes.
Status QueryParser::CheckTagIsWhole(const Token& function) const {
  const std::string_view rest = text_.substr(token_.at);
  const std::size_t close = rest.find(')');
  const std::size_t end = rest.find_first_of(",)");
  const std::string_view tag = Trimmed(rest.substr(0, end), kBlanks);
  if (close == std::string_view::npos || tag == token_.text ||
      tag.find_first_of("\"'`()") != std::string_view::npos)
    return {};
  return Fail(token_.at, fmt::format("put the tag in quotes: {}(\"{}\"{})", function.text, tag,
                                     rest.substr(end, close - end)));
}

// A whole number, which is the token.
Result<std::uint64_t> QueryParser::ParseWhole(std::string_view wanted, std::uint64_t least,
                                              std::uint64_t most) {
  const double number = token_.number;
  const bool fits = token_.kind == TokenKind::kNumber && number == std::floor(number) &&
                    number >= static_cast<double>(least) && number <= static_cast<double>(most);
  if (!fits) return Error(Unexpected(wanted));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  return static_cast<std::uint64_t>(number);
}

// Starts at the parenthesis after the name.
Result<QueryParser::NodePtr> QueryParser::ParseFunction(const Token& name) {
  if (name.text == "isnan") return ParseIsNan();
  if (name.text == "rank" || name.text == "spread" || name.text == "worst")
    return ParseOverRanks(name);
  return ParseSeriesFunction(name);
}

// Starts at the parenthesis after the name.
Result<QueryParser::NodePtr> QueryParser::ParseOverRanks(const Token& name) {
  auto node = std::make_shared<Node>();
  node->kind = name.text == "rank"     ? Node::Kind::kOfRank
               : name.text == "spread" ? Node::Kind::kSpread
                                       : Node::Kind::kWorst;
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  if (node->kind == Node::Kind::kOfRank) {
    SIGHTLINE_ASSIGN_OR_RETURN(const auto rank, ParseWhole("the number of a rank", 0, INT32_MAX));
    node->rank = static_cast<std::int32_t>(rank);
    if (!IsSymbol(",")) return Error(Unexpected("\",\" and a function"));
    SIGHTLINE_RETURN_IF_ERROR(Advance());
  }
  const Token function = token_;
  const std::string_view next = Trimmed(text_.substr(at_), kBlanks);
  const bool is_call = function.kind == TokenKind::kWord && next.starts_with("(");
  const auto is_function = [&](std::string_view other) { return other == function.text; };
  if (!is_call || std::any_of(kOtherFunctions.begin(), kOtherFunctions.end(), is_function)) {
    const std::string_view first = name.text == "rank" ? "5, " : "";
    return Error(
        Fail(function.at, fmt::format("{0} takes one function of a tag here, as in "
                                      "{0}({1}last(\"loss\")); the functions are {2}",
                                      name.text, first, fmt::join(SeriesFunctionNames(), ", "))));
  }
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  SIGHTLINE_ASSIGN_OR_RETURN(NodePtr inner, ParseSeriesFunction(function));
  if (!IsSymbol(")")) return Error(Unexpected("\")\""));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  node->children = {std::move(inner)};
  return node;
}

// Starts at the parenthesis after the name.
Result<QueryParser::NodePtr> QueryParser::ParseSeriesFunction(const Token& name) {
  const auto function = SeriesFunctionOf(name.text);
  if (!function) return Error(Fail(name.at, UnknownFunction(name.text)));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  if (token_.kind != TokenKind::kText && token_.kind != TokenKind::kWord &&
      token_.kind != TokenKind::kQuotedName)
    return Error(Unexpected("a tag"));
  if (token_.kind == TokenKind::kWord) SIGHTLINE_RETURN_IF_ERROR(CheckTagIsWhole(name));
  auto node = std::make_shared<Node>();
  node->kind = Node::Kind::kFunction;
  node->function = *function;
  node->text = token_.text;
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  if (IsSymbol(",")) {
    if (!IsStatistic(*function)) {
      return Error(Fail(token_.at, fmt::format("{} takes a tag only; mean, median, p95 and std "
                                               "also take a number of steps",
                                               name.text)));
    }
    SIGHTLINE_RETURN_IF_ERROR(Advance());
    constexpr std::uint64_t kMostSteps = std::uint64_t{1} << 53U;
    SIGHTLINE_ASSIGN_OR_RETURN(node->steps,
                               ParseWhole("a number of steps, at least 1", 1, kMostSteps));
  }
  if (!IsSymbol(")")) return Error(Unexpected("\")\""));
  SIGHTLINE_RETURN_IF_ERROR(Advance());
  return node;
}

}  // namespace sightline
