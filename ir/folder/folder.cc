#include "sightline/ir/folder/folder.h"

#include <algorithm>
#include <array>

#include "sightline/base/parallel.h"
#include "sightline/ir/folder/folder_order.h"
#include "sightline/ir/read/reader.h"

namespace sightline::ir {
namespace {

// Folders below the one given that belong to it.
bool IsPart(std::string_view name) {
  constexpr std::array<std::string_view, 4> kParts = {"bprop", "verbose_ir_files", "actor_set",
                                                      "om"};
  return std::find(kParts.begin(), kParts.end(), name) != kParts.end() ||
         RankOf(std::string(name) + "/").has_value();
}

Status ForPeople(const Status& status, const std::string& path) {
  if (status.code() != StatusCode::kPermissionDenied) return status;
  return {status.code(),
          path +
              " can be read by its owner only, as MindSpore leaves its dumps (folders 0700, files "
              "0400). Its owner can open it with `chmod -R a+rX`"};
}

// Lists files; changes nothing but the folder's dumps and counts.
class Lister {
 public:
  Lister(FileSystem& files, const std::string& root, Folder& folder)
      : files_(files), root_(root), folder_(folder) {}

  Status List(const std::string& below, int depth) {
    constexpr int kMaxDepth = 4;
    const std::string path = below.empty() ? root_ : JoinPath(root_, below);
    auto names = files_.List(path);
    if (!names) return ForPeople(names.error(), path);
    for (const std::string& name : *names) {
      const std::string inner = JoinPath(below, name);
      const auto info = files_.Stat(JoinPath(root_, inner));
      if (!info) {
        // Removed since it was listed, or a link to nowhere.
        if (info.error().code() == StatusCode::kNotFound) continue;
        return ForPeople(info.error(), path);
      }
      if (!info->is_directory) {
        Add(inner, name, *info);
      } else if (depth < kMaxDepth && IsPart(name)) {
        SIGHTLINE_RETURN_IF_ERROR(List(inner, depth + 1));
      }
    }
    return {};
  }

 private:
  void Add(const std::string& path, const std::string& name, const FileInfo& info) {
    auto dump_name = ParseDumpName(name);
    if (!dump_name) {
      ++folder_.other_files;
      folder_.other_bytes += info.size;
      return;
    }
    Dump dump;
    dump.path = path;
    dump.name = *std::move(dump_name);
    dump.bytes = info.size;
    dump.modified_seconds = info.modified_seconds;
    folder_.dumps.push_back(std::move(dump));
  }

  FileSystem& files_;
  const std::string& root_;
  Folder& folder_;
};

void ReadFigures(FileSystem& files, const std::string& root, int threads,
                 std::vector<Dump>& dumps) {
  std::vector<Dump*> longest_first;  // So that no thread ends long after the others.
  longest_first.reserve(dumps.size());
  for (Dump& dump : dumps) longest_first.push_back(&dump);
  std::sort(longest_first.begin(), longest_first.end(),
            [](const Dump* a, const Dump* b) { return a->bytes > b->bytes; });
  const auto count = static_cast<unsigned>(std::max(1, threads));
  ForEachInParallel(longest_first.size(), count, [&](std::size_t i) {
    Dump& dump = *longest_first[i];
    const std::string path = JoinPath(root, dump.path);
    const auto module = ReadIr(files, path);
    if (module) {
      dump.figures = FiguresOf(*module);
    } else {
      dump.error = ForPeople(module.error(), path);
    }
  });
}

}  // namespace

std::string_view NetworkOf(std::string_view entry) {
  constexpr std::string_view kDigits = "0123456789", kConstruct = "_construct";
  for (std::size_t end = 0; (end = entry.find_first_not_of(kDigits)) != std::string_view::npos;) {
    if (end == 0 || entry[end] != '_') break;
    entry.remove_prefix(end + 1);
  }
  if (const std::size_t end = entry.find_last_not_of(kDigits);
      end != std::string_view::npos && end > 0 && end + 1 < entry.size() && entry[end] == '_') {
    entry.remove_suffix(entry.size() - end);
  }
  if (entry.ends_with(kConstruct)) entry.remove_suffix(kConstruct.size());
  // Modules and functions are written small, classes are not.
  for (std::size_t i = 0; i < entry.size(); ++i) {
    const bool begins = i == 0 || entry[i - 1] == '_';
    if (begins && entry[i] >= 'A' && entry[i] <= 'Z') return entry.substr(i);
  }
  return entry;
}

DumpFigures FiguresOf(const Module& module) {
  return {module.form,       std::string(module.texts[module.header.entry]),
          Summarize(module), module.problem_count,
          HoldsDump(module), DigestOf(module)};
}

Result<Folder> ListFolder(FileSystem& files, const std::string& path) {
  Folder folder;
  SIGHTLINE_RETURN_IF_ERROR(Lister(files, path, folder).List("", 0));
  OrderDumps(folder);
  return folder;
}

Result<Folder> ReadFolder(FileSystem& files, const std::string& path,
                          const FolderOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(Folder folder, ListFolder(files, path));
  ReadFigures(files, path, options.threads, folder.dumps);
  CompareDumps(folder);
  return folder;
}

Delta DeltaOf(const Dump& before, const Dump& after) {
  const Summary& a = before.figures.summary;
  const Summary& b = after.figures.summary;
  const auto difference = [](std::uint64_t from, std::uint64_t to) {
    return static_cast<std::int64_t>(to) - static_cast<std::int64_t>(from);
  };
  Delta delta{difference(a.subgraphs, b.subgraphs),
              difference(a.parameters, b.parameters),
              difference(a.statements, b.statements),
              {}};
  std::map<std::string, std::int64_t> callees;
  for (const auto& [callee, count] : a.callees) callees[callee] -= static_cast<std::int64_t>(count);
  for (const auto& [callee, count] : b.callees) callees[callee] += static_cast<std::int64_t>(count);
  std::erase_if(callees, [](const auto& entry) { return entry.second == 0; });
  delta.callees.assign(callees.begin(), callees.end());
  return delta;
}

}  // namespace sightline::ir
