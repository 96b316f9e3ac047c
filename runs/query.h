// Query: the small language that runs are chosen and sorted by (docs/query.md).
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const Query query, Query::Parse("lr > 0.01 and network =~
//   'LeNet'")); if (query.Holds(*run, now)) ...
//
// Immutable: may be used from any thread. Regular expressions are RE2's: linear time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "sightline/base/status.h"
#include "sightline/runs/run.h"

namespace sightline {

// What an expression is of a run; nothing where the run has no such key or tag.
using QueryValue = std::variant<std::monostate, bool, double, std::string>;

class Query {
 public:
  struct Node;  // query_parser.h
  // kInvalidArgument with the column (from 1, in characters) of what is wrong.
  static Result<Query> Parse(std::string_view text);

  QueryValue Evaluate(const Run& run, double now) const;
  // Whether that is true: a name or function alone is true where the run has it.
  bool Holds(const Run& run, double now) const;

 private:
  friend class QueryParser;
  explicit Query(std::shared_ptr<const Node> root) : root_(std::move(root)) {}

  std::shared_ptr<const Node> root_;
};

// Missing ones after all others, then truth values, numbers (NaN last), text.
bool QueryValueLess(const QueryValue& a, const QueryValue& b);
// For tables: "" for nothing, numbers in their shortest form.
std::string QueryValueText(const QueryValue& value);

}  // namespace sightline
