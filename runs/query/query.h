// Query: an expression in the small language by which runs are chosen and sorted (docs/query.md).
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const Query query, Query::Parse("network =~ 'LeNet'"));
//   if (query.Holds(*run)) ...
//
// Immutable: may be used from any thread. Regular expressions are RE2's: linear time.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <variant>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/run.h"

namespace sightline {

// The value of an expression for a run; empty if the run has no such key or tag.
using QueryValue = std::variant<std::monostate, bool, double, std::string>;

class Query {
 public:
  struct Node;  // query_parser.h
  // kInvalidArgument if `text` is not a query; the message has the column (in characters, from 1)
  // of the fault.
  static Result<Query> Parse(std::string_view text);

  // `clock` decides the run's state.
  QueryValue Evaluate(const Run& run, const Clock& clock = Clock::System()) const;
  // Whether the value is true. A name or function alone is true if the run has it.
  bool Holds(const Run& run, const Clock& clock = Clock::System()) const;

 private:
  friend class QueryParser;
  explicit Query(std::shared_ptr<const Node> root) : root_(std::move(root)) {}

  std::shared_ptr<const Node> root_;
};

// The order of values: truth values, numbers (NaN last), texts, then missing values.
bool QueryValueLess(const QueryValue& a, const QueryValue& b);
// For tables: numbers in their shortest form, "" for a missing value.
std::string QueryValueText(const QueryValue& value);

}  // namespace sightline
