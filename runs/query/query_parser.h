// The syntax tree of a Query, and its parser. Private to this folder.
//
//   or := and ("or" and)*          and := not ("and" not)*          not := "not" not | comparison
//   comparison := value [("==" | "=" | "!=" | "<" | "<=" | ">" | ">=") value
//                        | ("=~" | "!~") text
//                        | ["not"] "in" ("(" list ")" | "[" list "]")]
//   list := value ("," value)*     text := 'text' | "text"
//   value := number | text | "true" | "false" | name | `name` | function | "isnan" "(" or ")"
//            | "rank" "(" number "," function ")" | ("spread" | "worst") "(" function ")"
//            | "(" or ")"
//   function := SeriesFunction "(" tag ["," number] ")"
//
// A text of letters, digits and _ . / - : + @ % alone, without spaces, that is not a query is a
// name as well, so that people can type a part of a run's name.
#pragma once

#include <re2/re2.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/runs/query/query.h"
#include "sightline/runs/query/series_function.h"

namespace sightline {

struct Query::Node {
  enum class Kind : std::uint8_t {
    kOr,
    kAnd,
    kNot,
    kEqual,
    kNotEqual,
    kLess,
    kLessEqual,
    kGreater,
    kGreaterEqual,
    kMatch,
    kNotMatch,
    kIn,        // children: the value, then the list.
    kIsNan,     // children: the value.
    kConstant,  // value
    kName,      // text
    kFunction,  // text: the tag; function; steps
    kOfRank,    // children: a function; rank
    kSpread,    // children: a function.
    kWorst,     // children: a function.
  };

  Kind kind = Kind::kConstant;
  std::vector<std::shared_ptr<const Node>> children = {};
  QueryValue value = {};
  std::string text = {};
  SeriesFunction function = SeriesFunction::kLast;
  std::optional<std::size_t> steps = std::nullopt;  // The last ones, which count.
  std::int32_t rank = 0;
  std::shared_ptr<const RE2> pattern = nullptr;
};

class QueryParser {
 public:
  explicit QueryParser(std::string_view text) : text_(text) {}
  Result<Query> Parse();

 private:
  using NodePtr = std::shared_ptr<const Query::Node>;
  enum class TokenKind : std::uint8_t { kEnd, kWord, kQuotedName, kNumber, kText, kSymbol };
  struct Token {
    TokenKind kind = TokenKind::kEnd;
    std::size_t at = 0;  // Offset in the text.
    std::string text;
    double number = 0;
  };

  Status Advance();
  Status ReadQuoted();
  Status ReadNumber();
  Status Fail(std::size_t at, std::string_view what) const;
  Status Unexpected(std::string_view wanted) const;
  bool IsWord(std::string_view word) const;
  bool IsSymbol(std::string_view symbol) const;

  Result<NodePtr> ParseAll();
  Result<NodePtr> ParseOr();
  Result<NodePtr> ParseAnd();
  Result<NodePtr> ParseNot();
  Result<NodePtr> ParseComparison();
  Result<NodePtr> ParseMatch(NodePtr left, bool negated);
  Result<NodePtr> ParseList(NodePtr left, bool negated);
  Result<NodePtr> ParseValue();
  Result<NodePtr> ParseFunction(const Token& name);
  Result<NodePtr> ParseIsNan();
  Result<NodePtr> ParseOverRanks(const Token& name);
  Result<NodePtr> ParseSeriesFunction(const Token& name);
  Result<std::uint64_t> ParseWhole(std::string_view wanted, std::uint64_t least,
                                   std::uint64_t most);
  Status CheckTagIsWhole(const Token& function) const;

  std::string_view text_;
  std::size_t at_ = 0;
  Token token_;
  int depth_ = 0;
};

}  // namespace sightline
