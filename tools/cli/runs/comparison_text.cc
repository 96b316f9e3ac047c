#include "sightline/tools/cli/runs/comparison_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "sightline/base/text/number_text.h"
#include "sightline/base/text/rank_text.h"
#include "sightline/base/utf8.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

// Tags that are alike, and tags that only one run has; --json has all of them.
constexpr std::size_t kShownAlike = 20;
constexpr std::size_t kShownTags = 6;
constexpr std::size_t kWidestValue = 60;

struct Section {
  std::vector<std::string> heading;
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string> notes;  // Lines below the table.
};

// "leaves at step 412 (0.023, reference 0.021)", with the rank if there are several.
std::string LeavingText(const ComparedTag& tag) {
  const ComparedRank& first = tag.first();
  const StepPair& at = *first.found.leaves;
  std::string text = fmt::format("leaves at step {} ({}, reference {})", at.step, NumberText(at.b),
                                 NumberText(at.a));
  if (tag.ranks.size() > 1) {
    const auto leaving = std::count_if(
        tag.ranks.begin(), tag.ranks.end(),
        [](const ComparedRank& rank) { return rank.found.verdict == SeriesVerdict::kLeaves; });
    text += fmt::format(" in rank {}; {} of {} ranks leave", first.rank, leaving, tag.ranks.size());
  }
  return text;
}

std::string VerdictText(const ComparedTag& tag) {
  std::string text;
  switch (tag.verdict()) {
    case SeriesVerdict::kAlike:
      text = "alike";
      break;
    case SeriesVerdict::kWithinNoise:
      text = "within the noise";
      break;
    case SeriesVerdict::kTooFewSteps:
      text = tag.ranks.empty() ? "no common rank" : "too few common steps";
      break;
    case SeriesVerdict::kLeaves:
      text = LeavingText(tag);
      break;
  }
  std::uint64_t single = 0;
  const StepPair* first_single = nullptr;
  for (const ComparedRank& rank : tag.ranks) {
    single += rank.found.single;
    if (first_single == nullptr && rank.found.first_single)
      first_single = &*rank.found.first_single;
  }
  if (first_single != nullptr) {
    text +=
        fmt::format("; {} beyond, the first {}", Count(single, "single step"), first_single->step);
  }
  if (!tag.only_in_a.empty()) text += fmt::format("; {} missing", RankText(tag.only_in_a));
  if (!tag.ranks.empty() && tag.first().found.alike_if_shifted) {
    text += fmt::format("; alike if {} is added to its steps", *tag.first().found.alike_if_shifted);
  }
  return text;
}

std::string StepsText(const SeriesComparison& found) {
  std::string text = Count(found.joined, "step");
  if (found.only_in_a != 0) text += fmt::format(", {} only in A", found.only_in_a);
  if (found.only_in_b != 0) text += fmt::format(", {} only in B", found.only_in_b);
  return text;
}

std::string NameOf(const ComparedTag& tag) {
  return tag.tag == tag.tag_b ? tag.tag : fmt::format("{} ({} in B)", tag.tag, tag.tag_b);
}

Section TagsOf(const ComparisonReport& report) {
  Section section{
      {"tag", "verdict", "in both", "mean difference", "last in A", "last in B"}, {}, {}};
  std::size_t alike = 0;
  for (const ComparedTag& tag : report.found.tags) {
    alike += tag.alike() ? 1U : 0U;
    if (tag.alike() && alike > kShownAlike) continue;
    std::vector<std::string> row = {NameOf(tag), VerdictText(tag)};
    row.resize(section.heading.size());
    if (!tag.ranks.empty()) {
      const SeriesComparison& found = tag.first().found;
      row[2] = StepsText(found);
      if (found.mean_difference) row[3] = PercentText(*found.mean_difference);
      if (found.last) row[4] = NumberText(found.last->a);
      if (found.last) row[5] = NumberText(found.last->b);
    }
    section.rows.push_back(std::move(row));
  }
  if (alike > kShownAlike) {
    section.notes.push_back(fmt::format("and {} alike", Count(alike - kShownAlike, "more tag")));
  }
  for (const auto& [side, tags] :
       {std::pair("A", &report.found.only_in_a), std::pair("B", &report.found.only_in_b)}) {
    if (!tags->empty()) {
      section.notes.push_back(
          fmt::format("only in {}: {}", side, Listed(*tags, kShownTags, "tag")));
    }
  }
  if (!report.found.left_out.empty()) {
    section.notes.push_back(
        fmt::format("left out, since they measure the machine: {} (--tag chooses them)",
                    Listed(report.found.left_out, kShownTags, "tag")));
  }
  return section;
}

std::string Shortened(const std::string& text) {
  return text.size() <= kWidestValue ? text : ToUtf8(text, kWidestValue) + "...";
}

Section DifferencesIn(const ComparisonReport& report) {
  Section section{{"what differs", "", "A", "B"}, {}, {}};
  const RunDifferences& differences = report.found.differences;
  for (const RunDifference& one : differences.all) {
    const auto cell = [](const std::string& text) { return text.empty() ? "-" : Shortened(text); };
    section.rows.push_back(
        {std::string(DifferenceKindName(one.kind)), one.name, cell(one.a), cell(one.b)});
  }
  for (const auto& [side, kinds] :
       {std::pair("A", &differences.unknown_in_a), std::pair("B", &differences.unknown_in_b)}) {
    std::vector<std::string> names;
    for (const DifferenceKind kind : *kinds) names.emplace_back(DifferenceKindName(kind));
    if (!names.empty()) {
      section.notes.push_back(
          fmt::format("{} recorded nothing about: {}", side, Listed(names, names.size())));
    }
  }
  if (section.rows.empty() && section.notes.empty())
    section.notes.emplace_back("what both recorded about settings, code and machine is the same");
  return section;
}

std::string LikeText(const ComparisonReport& report) {
  return report.like == 0 ? "" : fmt::format(", and {} like it", Count(report.like, "run"));
}

std::string AlikeText(const RunComparison& found, const std::string& within) {
  const std::string tags = Count(found.tags.size(), "tag");
  const auto follow = std::count_if(found.tags.begin(), found.tags.end(), [](const auto& tag) {
    return tag.verdict() == SeriesVerdict::kAlike;
  });
  if (static_cast<std::size_t>(follow) == found.tags.size())
    return fmt::format("Alike: B follows A within {} in {}.", within, tags);
  return fmt::format("Alike: B follows A within {} in {} of {}, and within the noise in all.",
                     within, follow, tags);
}

std::string HeadlineOf(const ComparisonReport& report) {
  const RunComparison& found = report.found;
  const std::string within = PercentText(report.tolerance);
  switch (found.verdict) {
    case RunVerdict::kAlike:
      return AlikeText(found, within);
    case RunVerdict::kNothingToCompare:
      return found.tags.empty() ? "Nothing to compare: no tag is common."
                                : "Nothing to compare: fewer than half of the steps are common.";
    case RunVerdict::kDiffers:
      break;
  }
  const auto leaving = std::count_if(found.tags.begin(), found.tags.end(), [](const auto& tag) {
    return tag.verdict() == SeriesVerdict::kLeaves;
  });
  if (leaving == 0) {
    return fmt::format("Not alike: B follows A within {} where both can be compared.", within);
  }
  const ComparedTag& first = found.tags.front();
  return fmt::format("Not alike: {} of {} {} A by more than {}{}, {} first, at step {}.", leaving,
                     Count(found.tags.size(), "tag"), leaving == 1 ? "leaves" : "leave", within,
                     report.like == 0 ? "" : " and the noise", first.tag,
                     first.first().found.leaves->step);
}

std::string TextOf(const Section& section, const Style& style) {
  std::string text;
  if (!section.rows.empty()) {
    std::vector<std::pair<std::string, Table::Align>> columns;
    columns.reserve(section.heading.size());
    for (const std::string& title : section.heading)
      columns.emplace_back(title, Table::Align::kLeft);
    Table table(columns, 0);
    for (std::vector<std::string> row : section.rows) {
      for (std::string& cell : row) cell = Printable(cell);
      table.AddRow(std::move(row));
    }
    text += "\n" + table.ToString(style);
  }
  if (!section.notes.empty()) text += "\n";
  for (const std::string& note : section.notes) text += Printable(note) + "\n";
  return text;
}

// A cell or a line: signs that Markdown or HTML would obey are escaped, line breaks are blanks.
std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '\n' || c == '\r') {
      escaped += ' ';
      continue;
    }
    if (std::string_view("\\`*_{}[]<>()#!|~&@").find(c) != std::string_view::npos) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string MarkdownOf(const Section& section) {
  std::string text;
  const auto add_row = [&](const std::vector<std::string>& cells) {
    text += "|";
    for (const std::string& cell : cells) text += " " + Escaped(cell) + " |";
    text += "\n";
  };
  if (!section.rows.empty()) {
    text += "\n";
    add_row(section.heading);
    add_row(std::vector<std::string>(section.heading.size(), "---"));
    for (const auto& row : section.rows) add_row(row);
  }
  for (const std::string& note : section.notes) text += "\n" + Escaped(note) + "\n";
  return text;
}

}  // namespace

std::string PercentText(double share) { return fmt::format("{:.3g} %", share * 100); }

std::string ComparisonText(const ComparisonReport& report) {
  const Style style(stdout);
  return style.Bold(Printable(HeadlineOf(report))) + "\n" +
         fmt::format("A, the reference: {}{}\nB: {}\n", Printable(report.a), LikeText(report),
                     Printable(report.b)) +
         TextOf(TagsOf(report), style) + TextOf(DifferencesIn(report), style);
}

std::string ComparisonMarkdown(const ComparisonReport& report) {
  return fmt::format("**{}**\n\n- A, the reference: {}{}\n- B: {}\n", Escaped(HeadlineOf(report)),
                     Escaped(report.a), LikeText(report), Escaped(report.b)) +
         MarkdownOf(TagsOf(report)) + MarkdownOf(DifferencesIn(report));
}

}  // namespace sightline
