#include "sightline/tests/runs/reading_ways.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "sightline/export/runs/csv.h"
#include "sightline/runs/run_follower.h"
#include "sightline/runs/run_group.h"
#include "sightline/runs/source/event_source.h"
#include "sightline/tests/runs/run_text.h"
#include "sightline/tests/support/memory_file_system.h"

namespace sightline::testing {
namespace {

constexpr char kRun[] = "root/run";

std::string TextOf(const Result<std::shared_ptr<const Run>>& run) {
  return run ? Text(**run) : run.error().ToString();
}

// The scalars of a run as rows of `sightline cat --csv`, sorted. A run's times are those of its
// events; a row's too.
std::vector<std::string> RowsOf(const Run& run) {
  std::vector<std::string> rows;
  for (const auto all : {run.series(), run.superseded()}) {
    for (const auto& series : all) {
      if (!series->is_scalar()) continue;
      for (std::size_t i = 0; i < series->size(); ++i) {
        rows.push_back(fmt::format("{},{},{},{}\r\n", series->steps()[i],
                                   CsvTime(series->wall_times()[i]), CsvField(series->key().tag),
                                   CsvNumber(series->values()[i])));
      }
    }
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::string> RowsOfCat(FileSystem& file_system) {
  std::vector<std::string> rows;
  const auto sources = ListEventSources(kRun, &file_system);
  if (!sources) return rows;
  FirstMetadata metadata;
  for (const EventSource& source : *sources) {
    const auto reader = OpenEventSource(source, &file_system);
    if (!reader) continue;
    (*reader)->Inherit(std::move(metadata));
    (void)WriteScalarCsv(**reader, {}, [&](std::string_view row) {
      rows.emplace_back(row);
      return Status();
    });
    metadata = (*reader)->metadata();
  }
  std::sort(rows.begin(), rows.end());
  return rows;
}

class Ways {
 public:
  explicit Ways(std::string index_folder) : index_folder_(std::move(index_folder)) {}

  void Append(const std::string& name, std::string_view bytes) {
    const std::string path = fmt::format("{}/{}", kRun, name);
    fs_.Put(path, fs_.Get(path) + std::string(bytes));
  }

  std::string Difference() {
    const auto run = Run::Open(kRun, {.name = "run", .file_system = &fs_, .threads = 1});
    const std::string at_once = TextOf(run);
    if (run) {
      const auto rows = RowsOf(**run), printed = RowsOfCat(fs_);
      if (rows != printed) {
        return Difference("as cat prints it", fmt::format("{}", fmt::join(rows, "")),
                          fmt::format("{}", fmt::join(printed, "")));
      }
    }
    if (const std::string text = TextOf(follower_.Refresh()); text != at_once)
      return Difference("followed", at_once, text);
    // The first opening continues what the index has of the files when they were shorter.
    for (const char* way : {"continued by the index", "from the index"}) {
      auto group = RunGroup::Open(
          {"root"}, {.file_system = &fs_, .threads = 1, .index_folder = index_folder_});
      if (!group) return group.error().ToString();
      if (group->runs().empty()) return "";
      if (const std::string text = Text(*group->runs()[0]); text != at_once)
        return Difference(way, at_once, text);
      group->WriteIndex();
    }
    return "";
  }

 private:
  static std::string Difference(std::string_view way, const std::string& at_once,
                                const std::string& text) {
    return fmt::format("--- at once\n{}--- {}\n{}", at_once, way, text);
  }

  const std::string index_folder_;
  MemoryFileSystem fs_;
  RunFollower follower_{kRun, {.name = "run", .file_system = &fs_, .threads = 1}};
};

}  // namespace

std::string DifferenceOfWays(const std::vector<GrammarFile>& files, Choices& choices,
                             const std::string& index_folder) {
  Ways ways(index_folder);
  std::vector<std::string_view> rest;
  for (const GrammarFile& file : files) rest.push_back(file.bytes);
  constexpr int kBits = 6;
  for (int bit = 0; bit <= kBits; ++bit) {
    for (std::size_t i = 0; i < files.size(); ++i) {
      std::size_t length = rest[i].size();
      if (bit < kBits && length > 0)
        length = choices.Below(static_cast<std::uint32_t>(std::min<std::size_t>(length, 60'000)));
      ways.Append(files[i].name, rest[i].substr(0, length));
      rest[i].remove_prefix(length);
    }
    if (std::string difference = ways.Difference(); !difference.empty()) return difference;
  }
  return "";
}

}  // namespace sightline::testing
