#include "sightline/runs/query/query.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "sightline/base/ascii.h"
#include "sightline/base/parse_number.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/base/text/number_text.h"
#include "sightline/runs/query/query_parser.h"
#include "sightline/runs/query/series_function.h"
#include "sightline/runs/ranks/rank_stages.h"

namespace sightline {
namespace {

using Node = Query::Node;

QueryValue Missing() { return {}; }

QueryValue FromTime(const std::optional<double>& time) {
  return time ? QueryValue(*time) : Missing();
}

QueryValue FromLineage(const Run& run, std::string_view key) {
  const auto found = run.lineage().find(key);
  if (found == run.lineage().end()) return Missing();
  if (const auto* number = std::get_if<std::int64_t>(&found->second))
    return static_cast<double>(*number);
  if (const auto* number = std::get_if<double>(&found->second)) return *number;
  return std::get<std::string>(found->second);
}

template <typename AllSeries>
QueryValue LargestStep(const AllSeries& all) {
  std::optional<std::int64_t> largest;
  for (const auto& series : all)
    largest = std::max(largest.value_or(INT64_MIN), series->last_step());
  return largest ? QueryValue(static_cast<double>(*largest)) : Missing();
}

// The facts about the files of one rank; none for a name that means the same in all ranks.
std::optional<QueryValue> ByName(const RankSeries& rank, std::string_view name) {
  if (name == "rank") return static_cast<double>(rank.rank);
  if (name == "last_step") return LargestStep(rank.series);
  if (name == "damaged") return rank.damaged();
  if (name == "started") return FromTime(rank.first_wall_time());
  if (name == "ended") return FromTime(rank.last_wall_time());
  if (name == "duration") {
    const auto started = rank.first_wall_time();
    return started ? QueryValue(*rank.last_wall_time() - *started) : Missing();
  }
  return std::nullopt;
}

QueryValue ByName(const Run& run, std::string_view name, const Clock& clock) {
  constexpr std::string_view kLineage = "lineage.";
  if (name.starts_with(kLineage)) return FromLineage(run, name.substr(kLineage.size()));
  if (name == "name") return run.name();
  if (name == "directory") return run.directory();
  if (name == "state") return std::string(RunStateName(run.State(clock)));
  if (name == "damaged") return run.damaged();
  if (name == "started") return FromTime(run.first_wall_time());
  if (name == "ended") return FromTime(run.last_wall_time());
  if (name == "duration") {
    if (!run.first_wall_time()) return Missing();
    return *run.last_wall_time() - *run.first_wall_time();
  }
  if (name == "last_step") return LargestStep(run.series());
  QueryValue value = FromLineage(run, name);
  if (name == "lr" && std::holds_alternative<std::monostate>(value))
    return FromLineage(run, "learning_rate");
  return value;
}

QueryValue ByName(const Run& run, const RankSeries* rank, std::string_view name,
                  const Clock& clock) {
  const auto of_rank = rank == nullptr ? std::nullopt : ByName(*rank, name);
  return of_rank ? *of_rank : ByName(run, name, clock);
}

// Of the given rank; without one, of the lowest rank whose values are valid. The first NaN is that
// of any of these.
QueryValue OfTag(const Run& run, const Node& function, std::optional<std::int32_t> rank) {
  if (!rank) rank = OnlyValidRank(run, function.text);
  if (rank || function.function != SeriesFunction::kFirstNan) {
    const Series* const series = run.Find(ContentKind::kScalar, function.text, rank);
    return series == nullptr ? Missing() : ValueOf(*series, function.function, function.steps);
  }
  QueryValue first;
  for (const auto& series : run.OfTag(ContentKind::kScalar, function.text))
    first = std::min(first, ValueOf(*series, function.function), QueryValueLess);
  return first;
}

RankValues OfRanks(const Run& run, const Node& function) {
  const auto all = run.OfTag(ContentKind::kScalar, function.text);
  const auto only = OnlyValidRank(run, function.text);
  std::vector<std::pair<std::int32_t, double>> values;
  for (const auto& series : all) {
    const std::int32_t rank = series->key().rank;
    if (only && rank != *only) continue;
    const QueryValue value = ValueOf(*series, function.function, function.steps);
    if (const auto* number = std::get_if<double>(&value)) values.emplace_back(rank, *number);
  }
  return {std::move(values), all.size()};
}

std::optional<double> NumberOf(const QueryValue& value) {
  if (const auto* number = std::get_if<double>(&value)) return *number;
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? 1 : 0;
  if (const auto* text = std::get_if<std::string>(&value)) {
    double number = 0;
    const char* const end = text->data() + text->size();
    const auto parsed = std::from_chars(text->data(), end, number);
    if (parsed.ec == std::errc() && parsed.ptr == end && !text->empty()) return number;
  }
  return std::nullopt;
}

// Compares numbers by value, and texts by bytes. A text that is not a number is unequal to every
// number, and neither smaller nor larger.
bool Compare(Node::Kind kind, const QueryValue& a, const QueryValue& b) {
  if (a.index() == 0 || b.index() == 0) return false;
  const auto compare = [kind](const auto& left, const auto& right) {
    switch (kind) {
      case Node::Kind::kEqual:
        return left == right;
      case Node::Kind::kNotEqual:
        return left != right;
      case Node::Kind::kLess:
        return left < right;
      case Node::Kind::kLessEqual:
        return left <= right;
      case Node::Kind::kGreater:
        return left > right;
      case Node::Kind::kGreaterEqual:
        return left >= right;
      case Node::Kind::kOr:
      case Node::Kind::kAnd:
      case Node::Kind::kNot:
      case Node::Kind::kMatch:
      case Node::Kind::kNotMatch:
      case Node::Kind::kIn:
      case Node::Kind::kIsNan:
      case Node::Kind::kConstant:
      case Node::Kind::kName:
      case Node::Kind::kFunction:
      case Node::Kind::kOfRank:
      case Node::Kind::kSpread:
      case Node::Kind::kWorst:
        break;
    }
    return false;
  };
  const auto* text_a = std::get_if<std::string>(&a);
  const auto* text_b = std::get_if<std::string>(&b);
  if (text_a != nullptr && text_b != nullptr) return compare(*text_a, *text_b);
  const auto number_a = NumberOf(a);
  const auto number_b = NumberOf(b);
  if (!number_a || !number_b) return kind == Node::Kind::kNotEqual;
  return compare(*number_a, *number_b);
}

bool IsTrue(const QueryValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth;
  return value.index() != 0;
}

QueryValue EvaluateNode(const Node& node, const Run& run, const Clock& clock,
                        const RankSeries* rank) {
  const auto value_of = [&](const auto& each) { return EvaluateNode(*each, run, clock, rank); };
  const auto child = [&](std::size_t i) { return value_of(node.children[i]); };
  const auto is_true = [&](const auto& each) { return IsTrue(value_of(each)); };
  const auto& all = node.children;
  switch (node.kind) {
    case Node::Kind::kOr:
      return std::any_of(all.begin(), all.end(), is_true);
    case Node::Kind::kAnd:
      return std::all_of(all.begin(), all.end(), is_true);
    case Node::Kind::kNot:
      return !IsTrue(child(0));
    case Node::Kind::kEqual:
    case Node::Kind::kNotEqual:
    case Node::Kind::kLess:
    case Node::Kind::kLessEqual:
    case Node::Kind::kGreater:
    case Node::Kind::kGreaterEqual:
      return Compare(node.kind, child(0), child(1));
    case Node::Kind::kMatch:
    case Node::Kind::kNotMatch: {
      const QueryValue value = child(0);
      if (value.index() == 0) return false;
      return RE2::PartialMatch(QueryValueText(value), *node.pattern) ==
             (node.kind == Node::Kind::kMatch);
    }
    case Node::Kind::kIn: {
      const QueryValue value = child(0);
      return std::any_of(all.begin() + 1, all.end(), [&](const auto& each) {
        return Compare(Node::Kind::kEqual, value, value_of(each));
      });
    }
    case Node::Kind::kIsNan: {
      const QueryValue value = child(0);
      const auto* number = std::get_if<double>(&value);
      return number != nullptr && std::isnan(*number);
    }
    case Node::Kind::kConstant:
      return node.value;
    case Node::Kind::kName:
      return ByName(run, rank, node.text, clock);
    case Node::Kind::kFunction:
      return OfTag(run, node, rank == nullptr ? std::nullopt : std::optional(rank->rank));
    case Node::Kind::kOfRank:
      return OfTag(run, *node.children[0], node.rank);
    case Node::Kind::kSpread: {
      const auto spread = OfRanks(run, *node.children[0]).spread();
      return spread ? QueryValue(*spread) : Missing();
    }
    case Node::Kind::kWorst: {
      const auto worst = OfRanks(run, *node.children[0]).worst;
      return worst ? QueryValue(static_cast<double>(*worst)) : Missing();
    }
  }
  return Missing();
}

void AddNames(const Node& node, std::vector<Query::Asked>& names) {
  if (node.kind == Node::Kind::kName) names.push_back({node.text, false});
  if (node.kind == Node::Kind::kFunction) names.push_back({node.text, true});
  for (const auto& child : node.children) AddNames(*child, names);
}

}  // namespace

std::span<const std::string> QueryNames() {
  static const std::vector<std::string> names = {"name",    "directory", "state",    "damaged",
                                                 "started", "ended",     "duration", "last_step"};
  return names;
}

std::vector<Query::Asked> Query::Names() const {
  std::vector<Asked> names;
  AddNames(*root_, names);
  return names;
}

bool Query::Has(const Run& run, const Asked& asked, const RankSeries* rank) {
  if (asked.is_tag) return !run.OfTag(ContentKind::kScalar, asked.text).empty();
  return ByName(run, rank, asked.text, Clock::System()).index() != 0;
}

Result<Query> Query::Parse(std::string_view text) { return QueryParser(text).Parse(); }

QueryValue Query::Evaluate(const Run& run, const Clock& clock, const RankSeries* rank) const {
  return EvaluateNode(*root_, run, clock, rank);
}

bool Query::Holds(const Run& run, const Clock& clock, const RankSeries* rank) const {
  if (IsTrue(Evaluate(run, clock, rank))) return true;
  const auto known = QueryNames();
  if (word_.empty() || std::find(known.begin(), known.end(), word_) != known.end()) return false;
  return ContainsIgnoringCase(run.name(), LowerCase(std::string_view{word_}));
}

RankValues Query::InRanks(const Run& run) const {
  const bool several = root_->kind == Node::Kind::kFunction &&
                       run.OfTag(ContentKind::kScalar, root_->text).size() > 1;
  return several ? OfRanks(run, *root_) : RankValues();
}

bool Query::IsStatistic() const {
  const Node& node = root_->kind == Node::Kind::kOfRank ? *root_->children[0] : *root_;
  return node.kind == Node::Kind::kSpread ||
         (node.kind == Node::Kind::kFunction && sightline::IsStatistic(node.function));
}

bool IsListedBefore(const QueryValue& a, const QueryValue& b, bool descending) {
  const bool either_missing = a.index() == 0 || b.index() == 0;
  return descending && !either_missing ? QueryValueLess(b, a) : QueryValueLess(a, b);
}

bool QueryValueLess(const QueryValue& a, const QueryValue& b) {
  if (a.index() != b.index()) return a.index() != 0 && (b.index() == 0 || a.index() < b.index());
  if (const auto* number = std::get_if<double>(&a)) {
    const double other = std::get<double>(b);
    return *number < other || (std::isnan(other) && !std::isnan(*number));
  }
  const auto* text_a = std::get_if<std::string>(&a);
  return text_a != nullptr ? NaturallyLess(*text_a, std::get<std::string>(b)) : a < b;
}

std::string QueryValueText(const QueryValue& value) {
  if (const auto* truth = std::get_if<bool>(&value)) return *truth ? "true" : "false";
  if (const auto* number = std::get_if<double>(&value)) return NumberText(*number);
  if (const auto* text = std::get_if<std::string>(&value)) return *text;
  return "";
}

}  // namespace sightline
