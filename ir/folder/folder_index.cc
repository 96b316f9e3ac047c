#include "sightline/ir/folder/folder_index.h"

#include <cstring>

#include "sightline/base/crc32c.h"
#include "sightline/base/replace_file.h"
#include "sightline/base/wire.h"
#include "sightline/ir/folder/pack_format.h"
#include "sightline/ir/read/read_file.h"

namespace sightline::ir {
namespace {

using wire::Field;
using wire::Scanner;

// The last byte is the version: it is raised with every change of the fields, of what is counted,
// or of what a digest puts aside.
constexpr std::string_view kMagic = "SLIRIDX\x03";
constexpr std::size_t kHeaderBytes = kMagic.size() + sizeof(std::uint32_t);
// Of some hundred thousand dumps; a larger file is not looked at.
constexpr std::uint64_t kMaxIndexBytes = std::uint64_t{64} << 20;
// What every dump has: time and digest. With it memory stays in proportion to the file's size.
constexpr std::size_t kMinDumpBytes = 3 * (1 + sizeof(std::uint64_t));

enum FolderField : std::uint32_t { kFolder = 1, kCallee = 2, kDump = 3 };

enum DumpField : std::uint32_t {
  kPath = 1,
  kBytes = 2,
  kModified = 3,
  kForm = 4,
  kEntry = 5,
  kSubgraphs = 6,
  kParameters = 7,
  kStatements = 8,
  kLocationLines = 9,
  kActors = 10,
  kSections = 11,
  kProblems = 12,
  kIsDump = 13,
  kDigestHigh = 14,
  kDigestLow = 15,
  kCounts = 16,  // Pairs of varints: index of the callee's name, count.
};

void AppendNumber(std::string& out, std::uint32_t field, std::uint64_t value) {
  if (value != 0) wire::AppendInt(out, field, static_cast<std::int64_t>(value));
}

void AppendFixed64(std::string& out, std::uint32_t field, std::uint64_t value) {
  wire::AppendKey(out, field, wire::WireType::kFixed64);
  wire::AppendFixed(out, value);
}

class Encoder {
 public:
  explicit Encoder(std::string_view folder) { wire::AppendBytes(message_, kFolder, folder); }

  void Add(const Dump& dump) {
    const DumpFigures& figures = dump.figures;
    const Summary& summary = figures.summary;
    std::string counts;
    for (const auto& [callee, count] : summary.callees) {
      wire::AppendVarint(counts, CalleeIndex(callee));
      wire::AppendVarint(counts, count);
    }
    std::string out;
    wire::AppendBytes(out, kPath, dump.path);
    AppendNumber(out, kBytes, dump.bytes);
    wire::AppendDouble(out, kModified, dump.modified_seconds);
    AppendNumber(out, kForm, static_cast<std::uint64_t>(figures.form));
    wire::AppendBytes(out, kEntry, figures.entry);
    AppendNumber(out, kSubgraphs, summary.subgraphs);
    AppendNumber(out, kParameters, summary.parameters);
    AppendNumber(out, kStatements, summary.statements);
    AppendNumber(out, kLocationLines, summary.location_lines);
    AppendNumber(out, kActors, summary.actors);
    AppendNumber(out, kSections, summary.sections);
    AppendNumber(out, kProblems, figures.problem_count);
    AppendNumber(out, kIsDump, figures.is_dump ? 1 : 0);
    AppendFixed64(out, kDigestHigh, figures.digest.high);
    AppendFixed64(out, kDigestLow, figures.digest.low);
    wire::AppendBytes(out, kCounts, counts);
    wire::AppendBytes(message_, kDump, out);
  }

  std::string File() const {
    std::string file(kMagic);
    wire::AppendFixed(file, crc32c::Value(message_));
    return file + message_;
  }

 private:
  // Names stand before the first dump that has them.
  std::uint64_t CalleeIndex(const std::string& callee) {
    const auto [found, added] = callees_.emplace(callee, callees_.size());
    if (added) wire::AppendBytes(message_, kCallee, callee);
    return found->second;
  }

  std::string message_;
  std::map<std::string, std::uint64_t> callees_;
};

bool ParseCounts(std::string_view bytes, const std::vector<std::string>& callees,
                 Summary& summary) {
  while (!bytes.empty()) {
    const auto index = TakeVarint(bytes);
    const auto count = TakeVarint(bytes);
    if (!index || !count || *index >= callees.size()) return false;
    summary.callees.emplace_hint(summary.callees.end(), callees[*index], *count);
  }
  return true;
}

bool ParseDump(std::string_view message, const std::vector<std::string>& callees, Dump& dump) {
  DumpFigures& figures = dump.figures;
  Summary& summary = figures.summary;
  figures.is_dump = false;
  Field field;
  Scanner scan(message);
  while (scan.Next(field)) {
    switch (field.number) {
      case kPath:
        dump.path = field.bytes;
        break;
      case kBytes:
        dump.bytes = field.number_value;
        break;
      case kModified:
        dump.modified_seconds = field.AsDouble();
        break;
      case kForm:
        if (field.number_value > static_cast<std::uint64_t>(Form::kActorSections)) return false;
        figures.form = static_cast<Form>(field.number_value);
        break;
      case kEntry:
        figures.entry = field.bytes;
        break;
      case kSubgraphs:
        summary.subgraphs = field.number_value;
        break;
      case kParameters:
        summary.parameters = field.number_value;
        break;
      case kStatements:
        summary.statements = field.number_value;
        break;
      case kLocationLines:
        summary.location_lines = field.number_value;
        break;
      case kActors:
        summary.actors = field.number_value;
        break;
      case kSections:
        summary.sections = field.number_value;
        break;
      case kProblems:
        figures.problem_count = field.number_value;
        break;
      case kIsDump:
        figures.is_dump = field.number_value != 0;
        break;
      case kDigestHigh:
        figures.digest.high = field.number_value;
        break;
      case kDigestLow:
        figures.digest.low = field.number_value;
        break;
      case kCounts:
        if (!ParseCounts(field.bytes, callees, summary)) return false;
        break;
      default:  // A number, not an enumerator: field numbers come from a file.
        return false;
    }
  }
  return !scan.malformed();
}

}  // namespace

FolderIndex FolderIndex::Load(FileSystem& files, const std::string& file, std::string_view folder) {
  FolderIndex index;
  const auto bytes = ReadFile(files, file, kMaxIndexBytes);
  if (!bytes || bytes->size() < kHeaderBytes || !bytes->starts_with(kMagic)) return index;
  std::uint32_t checksum = 0;
  std::memcpy(&checksum, bytes->data() + kMagic.size(), sizeof(checksum));
  std::string_view message = *bytes;
  message.remove_prefix(kHeaderBytes);
  if (crc32c::Value(message) != checksum || !index.Parse(message, folder)) index.dumps_.clear();
  return index;
}

bool FolderIndex::Parse(std::string_view message, std::string_view folder) {
  std::vector<std::string> callees;
  Field field;
  Scanner scan(message);
  while (scan.Next(field)) {
    if (field.number == kFolder) {
      if (field.bytes != folder) return false;
    } else if (field.number == kCallee) {
      callees.emplace_back(field.bytes);
    } else {
      Dump dump;
      if (field.number != kDump || field.bytes.size() < kMinDumpBytes ||
          !ParseDump(field.bytes, callees, dump))
        return false;
      std::string path = dump.path;
      dumps_.insert_or_assign(std::move(path), std::move(dump));
    }
  }
  return !scan.malformed();
}

const DumpFigures* FolderIndex::Find(const std::string& path, std::uint64_t bytes,
                                     double modified_seconds) const {
  const auto found = dumps_.find(path);
  if (found == dumps_.end() || found->second.bytes != bytes ||
      found->second.modified_seconds != modified_seconds)
    return nullptr;
  return &found->second.figures;
}

Status FolderIndex::Save(FileSystem& files, const std::string& file, std::string_view folder,
                         const std::vector<Dump>& dumps) {
  Encoder encoder(folder);
  for (const Dump& dump : dumps)
    if (dump.error.ok()) encoder.Add(dump);
  SIGHTLINE_RETURN_IF_ERROR(files.CreateDirectories(DirectoryOf(file)));
  return ReplaceFile(files, file, file + ".tmp",
                     [&](WritableFile& out) { return out.WriteAt(0, encoder.File()); });
}

}  // namespace sightline::ir
