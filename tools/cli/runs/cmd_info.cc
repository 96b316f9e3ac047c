// sightline info: the runs in and below a directory, and what they hold.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sightline/base/byte_size.h"
#include "sightline/base/json/json_line.h"
#include "sightline/base/text/natural_order.h"
#include "sightline/base/text/rank_text.h"
#include "sightline/runs/model/nonfinite_note.h"
#include "sightline/runs/model/rank_series.h"
#include "sightline/runs/run_group.h"
#include "sightline/tools/cli/runs/file_notes.h"
#include "sightline/tools/cli/runs/journal_notes.h"
#include "sightline/tools/cli/runs/rank_gaps.h"
#include "sightline/tools/cli/runs/run_commands.h"
#include "sightline/tools/cli/terminal/exit_code.h"
#include "sightline/tools/cli/terminal/text.h"

namespace sightline {
namespace {

struct InfoOptions {
  std::string directory;
  bool json = false;
  bool join = true;
};

constexpr char kHelp[] = R"(Shows which runs are in and below a directory, and what is in them.

A run is a directory that holds event files, of MindSpore or TensorBoard or both. Shows tags with
kind, number of values and steps, other events, and every file with its damage. Values that a
running or killed recorder has not written into its files yet count too. Of a run of several ranks,
shows which have NaN or damage, and which miss steps. Changes nothing.
)";

constexpr char kExamples[] = R"(Examples:
  sightline info ./output
  sightline info --json ./output | jq '.runs[].tags[].tag'

Exit codes: 0 shown (damage is in the table), 2 the directory or a file cannot be read.)";

// Lines about sessions, files and journals; --json has all of them.
constexpr std::size_t kShownSessions = 8;
constexpr std::size_t kShownFiles = 32;
constexpr std::size_t kShownJournals = 8;
constexpr std::size_t kShownKeys = 6;

constexpr std::string_view kMindSpore = "MindSpore";
constexpr std::string_view kTensorBoard = "TensorBoard";

// The facts about one tag: its series of all ranks together.
struct TagSummary {
  std::string tag;
  ContentKind kind = ContentKind::kUnknown;
  std::string plugin;
  std::int64_t first_step = 0;  // Of those that count.
  std::int64_t last_step = 0;
  RecordedCounts counting;
  RecordedCounts superseded;
  std::string display_name;  // TensorBoard's, if it differs from the tag.
  std::size_t ranks = 0;     // That have the tag.
  // Of the values that are not finite:
  std::vector<std::int32_t> nonfinite;  // Their ranks,
  std::string nonfinite_note;           // which and how many they are in the first of these,
  std::int64_t nonfinite_from = 0;      // and the first step in any,
  std::int32_t nonfinite_first = 0;     // with its rank.
};

void AddNonFinite(const Series& series, TagSummary& tag) {
  std::string note = NonFiniteNote(series, 0, series.size());
  if (note.empty()) return;
  const auto values = series.values();
  const auto found = std::find_if_not(values.begin(), values.end(),
                                      [](double value) { return std::isfinite(value); });
  const std::int64_t step = series.steps()[static_cast<std::size_t>(found - values.begin())];
  if (tag.nonfinite.empty()) tag.nonfinite_note = std::move(note);
  if (tag.nonfinite.empty() || step < tag.nonfinite_from) {
    tag.nonfinite_from = step;
    tag.nonfinite_first = series.key().rank;
  }
  tag.nonfinite.push_back(series.key().rank);
}

// A value that both dialects have counts once.
std::uint64_t Once(const RecordedCounts& counts) {
  return std::max({counts.in_mindspore, counts.in_tensorboard, counts.in_others});
}

struct RunSummary {
  std::vector<TagSummary> tags;  // Those with values, by kind, then by tag.
  std::uint64_t superseded_values = 0;
  std::string_view other_recorder;  // "W&B", if another recorder wrote the run.
};

RunSummary SummaryOf(const Run& run) {
  std::map<std::tuple<ContentKind, std::string, std::string>, TagSummary> tags;
  const auto of = [&](const Series& series) -> TagSummary& {
    const SeriesKey& key = series.key();
    return tags[{key.kind, key.plugin, key.tag}];
  };
  const auto add = [](const RecordedCounts& from, RecordedCounts& to) {
    to.in_mindspore += from.in_mindspore;
    to.in_tensorboard += from.in_tensorboard;
    to.in_others += from.in_others;
  };
  for (const auto& series : run.series()) {
    TagSummary& tag = of(*series);
    const bool first = Once(tag.counting) == 0;
    tag.first_step = first ? series->first_step() : std::min(tag.first_step, series->first_step());
    tag.last_step = first ? series->last_step() : std::max(tag.last_step, series->last_step());
    add(series->recorded(), tag.counting);
    ++tag.ranks;
    if (series->is_scalar()) AddNonFinite(*series, tag);
  }
  for (const auto& series : run.superseded()) add(series->recorded(), of(*series).superseded);
  RunSummary summary;
  for (const RunFile& file : run.files())
    if (IsTranslated(file.kind)) summary.other_recorder = EventFileKindName(file.kind);
  for (auto& [key, tag] : tags) {
    summary.superseded_values += Once(tag.superseded);
    if (Once(tag.counting) == 0) continue;
    std::tie(tag.kind, tag.plugin, tag.tag) = key;
    const auto shown = run.display_names().find(tag.tag);
    if (shown != run.display_names().end()) tag.display_name = shown->second;
    summary.tags.push_back(std::move(tag));
  }
  std::stable_sort(summary.tags.begin(), summary.tags.end(),
                   [](const TagSummary& a, const TagSummary& b) {
                     return std::tie(a.kind, a.plugin) != std::tie(b.kind, b.plugin)
                                ? std::tie(a.kind, a.plugin) < std::tie(b.kind, b.plugin)
                                : NaturallyLess(a.tag, b.tag);
                   });
  return summary;
}

std::string Dialects(const RunSummary& summary, const TagSummary& tag) {
  const RecordedCounts& counts = tag.counting;
  if (counts.in_others > 0) return std::string(summary.other_recorder);
  if (counts.in_mindspore > 0 && counts.in_tensorboard > 0)
    return fmt::format("{} + {}", kMindSpore, kTensorBoard);
  return std::string(counts.in_mindspore > 0 ? kMindSpore : kTensorBoard);
}

std::string KindOf(const TagSummary& tag) {
  return tag.kind == ContentKind::kPlugin ? tag.plugin : std::string(ContentKindName(tag.kind));
}

nlohmann::ordered_json ToJson(const RunFile& file) {
  nlohmann::ordered_json json = {{"file", file.path},
                                 {"kind", file.KindName()},
                                 {"records", file.records},
                                 {"bytes", file.bytes},
                                 {"journal_records", file.journal_records},
                                 {"regions", nlohmann::ordered_json::array()}};
  for (const SkippedRegion& region : file.damage) {
    json["regions"].push_back({{"offset", region.offset},
                               {"length", region.length},
                               {"reason", SkipReasonName(region.reason)}});
  }
  for (const auto& [kind, count] : file.unread) json["not_read"][kind] = count;
  if (!file.status.ok()) json["error"] = file.status.message();
  if (file.session) {
    json["session"] = {
        {"writer", file.session->writer},         {"version", file.session->version},
        {"session_id", file.session->session_id}, {"rank", file.session->rank},
        {"world_size", file.session->world_size}, {"segment", file.session->segment}};
  }
  return json;
}

nlohmann::ordered_json ToJson(const RunSession& of) {
  const Session& session = of.session;
  nlohmann::ordered_json json = {{"session_id", session.session_id},
                                 {"writer", session.writer},
                                 {"version", session.version},
                                 {"rank", session.rank},
                                 {"world_size", session.world_size}};
  if (session.resume_from_step) json["resume_from_step"] = *session.resume_from_step;
  if (!session.continues_session.empty()) json["continues_session"] = session.continues_session;
  if (of.superseded_from) json["superseded_from"] = *of.superseded_from;
  return json;
}

// Of a joined run, those of its parts.
std::vector<LeftJournal> JournalsOf(const Run& run) {
  if (run.parts().empty()) return ListJournals(FileSystem::Local(), run.directory());
  std::vector<LeftJournal> all;
  for (const RunPart& part : run.parts()) {
    auto journals = JournalsOf(*part.run);
    all.insert(all.end(), journals.begin(), journals.end());
  }
  return all;
}

nlohmann::ordered_json ToJson(const Run& run, const RunSummary& summary) {
  nlohmann::ordered_json json = {{"name", run.name()}, {"directory", run.directory()}};
  if (!run.parts().empty()) json["parts"] = run.parts().size();
  if (!run.lineage_differs().empty()) json["lineage_differs"] = run.lineage_differs();
  if (run.first_wall_time()) json["first_wall_time"] = *run.first_wall_time();
  if (run.last_wall_time()) json["last_wall_time"] = *run.last_wall_time();
  json["tags"] = nlohmann::ordered_json::array();
  for (const TagSummary& tag : summary.tags) {
    json["tags"].push_back({{"tag", tag.tag},
                            {"kind", KindOf(tag)},
                            {"values", Once(tag.counting)},
                            {"first_step", tag.first_step},
                            {"last_step", tag.last_step},
                            {"in_mindspore", tag.counting.in_mindspore},
                            {"in_tensorboard", tag.counting.in_tensorboard},
                            {"in_others", tag.counting.in_others},
                            {"superseded", Once(tag.superseded)}});
    if (!tag.display_name.empty()) json["tags"].back()["display_name"] = tag.display_name;
  }
  json["superseded_values"] = summary.superseded_values;
  json["sessions"] = nlohmann::ordered_json::array();
  for (const RunSession& session : run.sessions()) json["sessions"].push_back(ToJson(session));
  json["events"] = nlohmann::ordered_json::object();
  for (const auto& [kind, count] : run.event_counts())
    json["events"][std::string(EventKindName(kind))] = count;
  json["files"] = nlohmann::ordered_json::array();
  for (const RunFile& file : run.files()) json["files"].push_back(ToJson(file));
  json["journals"] = JournalsToJson(JournalsOf(run));
  return json;
}

std::string Heading(const Run& run, const RunSummary& summary, const Style& style) {
  std::string heading = style.Bold(Printable(run.name() == "." ? run.directory() : run.name()));
  if (run.first_wall_time()) {
    heading += fmt::format("  {} to {}", FormatTime(*run.first_wall_time()),
                           FormatTime(*run.last_wall_time()));
  }
  if (!run.parts().empty())
    heading += fmt::format("\n  joined of {} directories", run.parts().size());
  if (const auto keys = run.lineage_differs(); !keys.empty()) {
    heading += "\n  lineage of the lowest rank; others differ in " +
               Printable(Listed(keys, kShownKeys, "key"));
  }
  for (std::size_t i = 0; i < std::min(run.sessions().size(), kShownSessions); ++i) {
    const Session& session = run.sessions()[i].session;
    heading += fmt::format("\n  {} {}, ", Printable(session.writer), Printable(session.version));
    if (session.world_size != 0)  // Else it is no process of a training.
      heading += fmt::format("rank {} of {}, ", session.rank, session.world_size);
    heading += "session " + Printable(session.session_id);
    if (session.resume_from_step)
      heading += fmt::format(", resumed from step {}", *session.resume_from_step);
    if (const auto& from = run.sessions()[i].superseded_from)
      heading += fmt::format(", superseded from step {} on", *from);
  }
  if (run.sessions().size() > kShownSessions)
    heading += "\n  and " + Count(run.sessions().size() - kShownSessions, "more session");
  if (summary.superseded_values != 0) {
    heading += fmt::format("\n  {} superseded by later sessions: not counted below",
                           Count(summary.superseded_values, "value"));
  }
  return heading + "\n";
}

// "965 NaN since step 36", with the rank if others have the tag too.
std::string NonFinite(const TagSummary& tag) {
  if (tag.nonfinite.empty()) return "";
  if (tag.nonfinite.size() > 1) {
    return fmt::format("NaN or infinite in {}, the first at step {} in rank {}",
                       RankText(tag.nonfinite), tag.nonfinite_from, tag.nonfinite_first);
  }
  const bool says_rank = tag.ranks > 1 || tag.nonfinite_first != 0;
  return tag.nonfinite_note +
         (says_rank ? fmt::format(" in rank {}", tag.nonfinite_first) : std::string());
}

// The ranks of a run of several, and what some of them lack.
std::string RankNotes(const Run& run, const Style& style) {
  const std::vector<RankSeries> ranks = ByRank(run);
  if (ranks.size() < 2) return "";
  std::vector<std::int32_t> numbers;
  std::vector<std::int32_t> damaged;
  for (const RankSeries& rank : ranks) {
    numbers.push_back(rank.rank);
    if (rank.damaged()) damaged.push_back(rank.rank);
  }
  std::string notes = fmt::format("\n  {}\n", RankText(numbers));
  const auto add = [&](const std::string& note) { notes += "    " + style.Red(note) + "\n"; };
  if (!damaged.empty()) add("damage in " + RankText(damaged));
  for (const std::string& gap : GapsOfRanks(run)) add(gap);
  return notes;
}

std::string TagTable(const RunSummary& summary, const Style& style) {
  using enum Table::Align;
  Table table({{"tag", kLeft},
               {"kind", kLeft},
               {"values", kRight},
               {"steps", kLeft},
               {"recorded for", kLeft},
               {"", kLeft}},
              2);
  for (const TagSummary& tag : summary.tags) {
    const std::string steps = tag.first_step == tag.last_step
                                  ? fmt::to_string(tag.first_step)
                                  : fmt::format("{} to {}", tag.first_step, tag.last_step);
    const std::string name =
        tag.display_name.empty()
            ? Printable(tag.tag)
            : fmt::format("{} (\"{}\")", Printable(tag.tag), Printable(tag.display_name));
    table.AddRow({name, Printable(KindOf(tag)), fmt::to_string(Once(tag.counting)), steps,
                  Dialects(summary, tag), tag.nonfinite.empty() ? "" : style.Red(NonFinite(tag))});
  }
  return summary.tags.empty() ? "" : "\n" + table.ToString(style);
}

// The name of one event of the kind, for counts.
std::string NounOf(EventKind kind) {
  switch (kind) {
    case EventKind::kGraph:
    case EventKind::kTrainLineage:
    case EventKind::kEvaluationLineage:
    case EventKind::kDatasetGraph:
    case EventKind::kCustomLineage:
    case EventKind::kLogMessage:
    case EventKind::kSessionLog:
    case EventKind::kMetaGraph:
      return std::string(EventKindName(kind));
    case EventKind::kEmpty:
    case EventKind::kVersion:
    case EventKind::kSummary:
    case EventKind::kExplain:
    case EventKind::kRunMetadata:
    case EventKind::kOther:
      break;
  }
  return fmt::format("{} event", EventKindName(kind));
}

// Events that do not hold values.
std::string OtherEvents(const Run& run) {
  std::vector<std::string> others;
  for (const auto& [kind, count] : run.event_counts()) {
    const bool plain =
        kind == EventKind::kSummary || kind == EventKind::kVersion || kind == EventKind::kEmpty;
    if (!plain) others.push_back(Count(count, NounOf(kind)));
  }
  return others.empty() ? "" : fmt::format("\n  also: {}\n", fmt::join(others, ", "));
}

// What of another recorder's file was not read: "3 x image-file, 1 x artifact".
std::string NotRead(const RunFile& file) {
  std::vector<std::string> kinds;
  for (const auto& [kind, count] : file.unread)
    kinds.push_back(fmt::format("{} x {}", count, Printable(kind)));
  return Listed(kinds, kShownKeys, "kind");
}

std::string Condition(const RunFile& file, const Style& style) {
  if (!file.foreign_type.empty()) return "left out";
  std::vector<std::string> notes;
  if (file.journal_records > 0)
    notes.push_back(Count(file.journal_records, "record") + " still in the journal");
  if (!file.status.ok())
    notes.push_back(style.Red("cannot be read: " + Printable(file.status.message())));
  if (!file.damage.empty()) {
    std::uint64_t lost = 0;
    for (const SkippedRegion& region : file.damage) lost += region.length;
    notes.push_back(
        style.Red(fmt::format("{}, {} lost; see sightline verify",
                              Count(file.damage.size(), "damaged region"), FormatByteSize(lost))));
  }
  if (notes.empty()) notes.emplace_back("sound");
  if (!file.unread.empty()) notes.push_back("not read: " + NotRead(file));
  return fmt::format("{}", fmt::join(notes, "; "));
}

std::string FileTable(const Run& run, const Style& style) {
  using enum Table::Align;
  Table table(
      {{"file", kLeft}, {"kind", kLeft}, {"records", kRight}, {"size", kRight}, {"", kLeft}}, 2);
  const auto is_sound = [](const RunFile& file) {
    return file.status.ok() && file.damage.empty() && file.foreign_type.empty();
  };
  // If there are many files, those about which there is something to say.
  const auto files = run.files();
  const auto unsound = static_cast<std::size_t>(
      std::count_if(files.begin(), files.end(), [&](const auto& file) { return !is_sound(file); }));
  std::size_t room[] = {kShownFiles - std::min(kShownFiles, unsound), kShownFiles};
  std::size_t left_out[] = {0, 0};
  for (const RunFile& file : files) {
    const std::size_t kind = is_sound(file) ? 0 : 1;
    if (room[kind] == 0) {
      ++left_out[kind];
      continue;
    }
    --room[kind];
    // The files of a joined run lie in directories below its own.
    const bool below = !run.parts().empty() && file.path.starts_with(run.directory() + "/");
    std::string_view name = file.path;
    name = below ? name.substr(run.directory().size() + 1) : BaseName(name);
    table.AddRow({Printable(name), file.KindName(), fmt::to_string(file.records),
                  FormatByteSize(file.bytes), Condition(file, style)});
  }
  std::string text = "\n" + table.ToString(style);
  if (left_out[1] != 0) text += "  and " + Count(left_out[1], "more file") + " like these\n";
  if (left_out[0] != 0) text += "  and " + Count(left_out[0], "more sound file") + "\n";
  return text;
}

std::string NotesOnJournals(const Run& run) {
  auto journals = JournalsOf(run);
  const std::size_t more = journals.size() - std::min(kShownJournals, journals.size());
  journals.erase(journals.end() - static_cast<std::ptrdiff_t>(more), journals.end());
  const std::string notes = JournalNotes(journals, 2);
  return more == 0 ? notes : notes + "  and " + Count(more, "more journal") + "\n";
}

int Info(const InfoOptions& options) {
  const auto found = FileSystem::Local().Stat(options.directory);
  if (found && !found->is_directory) {
    std::fprintf(stderr,
                 "sightline info: %s is a file: name its directory; `sightline verify` and "
                 "`sightline cat` read single files\n",
                 Printable(options.directory).c_str());
    return kExitError;
  }
  int exit_code = kExitOk;
  const Style style(stdout);
  nlohmann::ordered_json json = {{"directory", options.directory},
                                 {"runs", nlohmann::ordered_json::array()}};
  std::string text;
  const auto show = [&](const std::shared_ptr<const Run>& run) {
    for (const RunFile& file : run->files()) exit_code = file.status.ok() ? exit_code : kExitError;
    const RunSummary summary = SummaryOf(*run);
    if (options.json) {
      json["runs"].push_back(ToJson(*run, summary));
    } else {
      text += (text.empty() ? "" : "\n") + Heading(*run, summary, style) + RankNotes(*run, style) +
              TagTable(summary, style) + OtherEvents(*run) + FileTable(*run, style) +
              NotesOnJournals(*run);
    }
  };
  const auto group = RunGroup::Visit({options.directory}, {.join = options.join}, show);
  if (!group) {
    std::fprintf(stderr, "sightline info: %s\n", Printable(group.error().message()).c_str());
    return kExitError;
  }
  if (options.json) {
    text = IndentedJson(json) + "\n";
  } else if (text.empty()) {
    text = NothingFound({options.directory}) +
           "`sightline ir info` reads graph dumps, `sightline profile info` profiles\n";
  }
  std::fputs(text.c_str(), stdout);
  return exit_code;
}

}  // namespace

void AddInfoCommand(CLI::App& app, int& exit_code) {
  auto options = std::make_shared<InfoOptions>();
  CLI::App* command = app.add_subcommand("info", kHelp);
  command->footer(kExamples);
  command->add_option("DIR", options->directory, "A run, or a directory above runs")->required();
  command->add_flag(
      "!--no-join", options->join,
      "Each directory is a run, also the ranks of a training and the curves of add_scalars");
  command->add_flag("--json", options->json, "Everything as one JSON object");
  command->callback([options, &exit_code] { exit_code = Info(*options); });
}

}  // namespace sightline
