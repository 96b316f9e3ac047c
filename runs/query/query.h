// Query: an expression in the small language by which runs are chosen and sorted (docs/query.md).
//
//   SIGHTLINE_ASSIGN_OR_RETURN(const Query query, Query::Parse("network =~ 'LeNet'"));
//   if (query.Holds(*run)) ...
//
// Immutable: may be used from any thread. Regular expressions are RE2's: linear time.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "sightline/base/clock.h"
#include "sightline/base/status.h"
#include "sightline/runs/model/rank_series.h"
#include "sightline/runs/model/run.h"
#include "sightline/runs/query/rank_values.h"

namespace sightline {

// The value of an expression for a run; empty if the run has no such key or tag.
using QueryValue = std::variant<std::monostate, bool, double, std::string>;

class Query {
 public:
  struct Node;  // query_parser.h
  // kInvalidArgument if `text` is not a query; the message has the column (in characters, from 1)
  // of the fault.
  static Result<Query> Parse(std::string_view text);

  // `clock` decides the run's state. With `rank`, one of ByRank(run), functions and the names of
  // steps, times and damage are of that rank, and the name `rank` is its number.
  QueryValue Evaluate(const Run& run, const Clock& clock = Clock::System(),
                      const RankSeries* rank = nullptr) const;
  // Whether the value is true. A name or function alone is true if the run has it. A query that is
  // one word is also true if the run's name contains it, in upper or lower case.
  bool Holds(const Run& run, const Clock& clock = Clock::System(),
             const RankSeries* rank = nullptr) const;

  // If the query is nothing but a function of a tag that several ranks have: its values in all of
  // them. Else no values.
  RankValues InRanks(const Run& run) const;
  // Whether the value is computed, as mean(...) and spread(...) are, so that not all of its digits
  // say something.
  bool IsStatistic() const;

  // A name or a scalar's tag that the query asks for.
  struct Asked {
    std::string text;
    bool is_tag = false;
  };
  // All of them, in the order of the query.
  std::vector<Asked> Names() const;
  // Whether the run has it; with `rank`, as in Evaluate.
  static bool Has(const Run& run, const Asked& asked, const RankSeries* rank = nullptr);

 private:
  friend class QueryParser;
  Query(std::shared_ptr<const Node> root, std::string_view word)
      : root_(std::move(root)), word_(word) {}

  std::shared_ptr<const Node> root_;
  std::string word_;  // If the query is one word, this one.
};

// The names that every run has: "name", "state", ...
std::span<const std::string> QueryNames();

// The order of values: truth values, numbers (NaN last), texts in natural order ("run2" before
// "run10"), then missing values.
bool QueryValueLess(const QueryValue& a, const QueryValue& b);
// Whether what has the value `a` is listed before what has `b`: missing values are last, also if
// the order of the others is descending.
bool IsListedBefore(const QueryValue& a, const QueryValue& b, bool descending);
// For tables: numbers in their shortest form, "" for a missing value.
std::string QueryValueText(const QueryValue& value);

}  // namespace sightline
