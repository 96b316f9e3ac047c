#include "sightline/profiler/import/import_profile.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/ascend/device_tasks.h"
#include "sightline/profiler/import/ascend_db/database_reader.h"
#include "sightline/profiler/import/chrome/chrome_reader.h"
#include "sightline/profiler/import/chrome/json_cursor.h"
#include "sightline/profiler/import/folder/cluster_folder.h"
#include "sightline/profiler/import/folder/csv_file.h"
#include "sightline/profiler/import/folder/mindspore_folder.h"
#include "sightline/profiler/import/folder/msprof_folder.h"
#include "sightline/profiler/import/mindspore/mindspore_operators.h"
#include "sightline/profiler/import/mindspore/recorded_queues.h"
#include "sightline/profiler/import/perfetto/perfetto_reader.h"
#include "sightline/profiler/import/profile_search.h"
#include "sightline/profiler/import/snapshot/snapshot_reader.h"
#include "sightline/profiler/import/source/byte_source.h"
#include "sightline/profiler/import/source/device_lanes.h"
#include "sightline/profiler/import/source/read_source.h"
#include "sightline/profiler/import/source/span_kind.h"
#include "sightline/profiler/import/xplane/xplane_reader.h"

namespace sightline::profiler {
namespace {

constexpr std::size_t kNamedInErrors = 5;

// Sets the type of each operator to which the source gives none.
void SetOperatorTypes(Model& model) {
  std::vector<NameId> types(model.names.size(), kNoName);
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    const SpanKind kind = model.spans.kind[i];
    if (kind != SpanKind::kOperator && kind != SpanKind::kKernel) continue;
    if (model.spans.type[i] != kNoName) continue;
    const NameId name = model.spans.name[i];
    NameId& type = types[static_cast<std::uint32_t>(name)];
    if (type == kNoName) type = model.names.Intern(OperatorTypeFromName(model.names[name]));
    model.spans.type[i] = type;
  }
}

// MindSpore 2.0's timeline has only the last part of an operator's name, and its tables have the
// full name. The spans get the full name, unless several operators could be meant.
void SetFullNames(Profile& profile) {
  Model& model = profile.model;
  std::vector<NameId> full_names(model.names.size(), kNoName);
  for (const ListedOperator& listed : profile.operators) {
    const std::string_view name = model.names[listed.name];
    const NameId last_part = model.names.Find(name.substr(name.rfind('/') + 1));
    if (last_part == kNoName) continue;
    NameId& full_name = full_names[static_cast<std::uint32_t>(last_part)];
    full_name = full_name == kNoName ? listed.name : last_part;
  }
  for (std::size_t i = 0; i < model.spans.size(); ++i) {
    const SpanKind kind = model.spans.kind[i];
    if (kind != SpanKind::kOperator && kind != SpanKind::kKernel) continue;
    NameId& name = model.spans.name[i];
    const NameId full_name = full_names[static_cast<std::uint32_t>(name)];
    if (full_name != kNoName) name = full_name;
  }
}

Status ReadDatabaseFile(const ImportTarget& target, const std::string& path) {
  ParallelGroups groups;
  return ReadDatabase(target, path, {}, groups);
}

Status ReadSnapshotFile(const ImportTarget& target, const std::string& path, std::uint64_t size) {
  Status status = ReadSource(target, path, [&](ByteSource& source) {
    return ReadMemorySnapshot(source, size, target.builder, target.profile);
  });
  if (!target.profile.has_clock)
    target.profile.files.back().note = "no times: a time is the number of an event";
  return status;
}

// The file's bytes for one of the smallest spans, from which the number of spans is guessed, so
// that few columns grow, and are copied, while a file is read. Our own spans take 27 bytes in a
// Perfetto trace.
constexpr std::uint64_t kChromeSpan = 60;
constexpr std::uint64_t kPerfettoSpan = 16;
constexpr std::uint64_t kXplaneSpan = 16;

// A file of the folder stands for it.
ClusterFolder OpenClusterFolder(const FoundProfile& found, FileSystem& file_system) {
  const auto info = file_system.Stat(found.path);
  const bool is_folder = info && info->is_directory;
  return {file_system, is_folder ? found.path : DirectoryOf(found.path)};
}

Status Read(const ImportTarget& target, const FoundProfile& found, const ImportOptions& options) {
  FileSystem& file_system = target.file_system;
  const auto info = file_system.Stat(found.path);
  const std::uint64_t size = info ? info->size : 0;
  switch (found.format) {
    case SourceFormat::kMindSpore:
    case SourceFormat::kTorchNpu:
      return ReadMindSporeFolder(target, found.path, options.for_ranks);
    case SourceFormat::kMindSporeOld:
      return ReadOldMindSporeFolder(target, found.path, options.rank);
    case SourceFormat::kKernelDetails:
      return info && info->is_directory ? ReadMsprofFolder(target, found.path)
                                        : ReadCsvFile(target, found.path);
    case SourceFormat::kAscendDatabase:
      return ReadDatabaseFile(target, found.path);
    case SourceFormat::kClusterOutput:
      return OpenClusterFolder(found, file_system).ReadRank(target, options.rank);
    case SourceFormat::kChromeTrace:
      target.builder.ReserveSpans(size / kChromeSpan);
      return ReadSource(target, found.path, [&](ByteSource& source) {
        return ChromeReader(source, target.builder).Read();
      });
    case SourceFormat::kPerfetto:
      target.builder.ReserveSpans(size / kPerfettoSpan);
      return ReadSource(target, found.path, [&](ByteSource& source) {
        return PerfettoReader(source, target.builder).Read();
      });
    case SourceFormat::kMemorySnapshot:
      return ReadSnapshotFile(target, found.path, size);
    case SourceFormat::kXplane:
      target.builder.ReserveSpans(size / kXplaneSpan);
      return ReadSource(target, found.path, [&](ByteSource&) {
        return ReadXplane([&] { return OpenByteSource(file_system, found.path); }, target.builder);
      });
  }
  return {};
}

// The rank in the label of a process, as our recorder writes it: "rank 11 of 16".
std::optional<std::int64_t> RankInLabel(std::string_view label) {
  constexpr std::string_view kBefore = "rank ";
  if (!label.starts_with(kBefore)) return std::nullopt;
  label.remove_prefix(kBefore.size());
  return ParseNumber<std::int64_t>(label.substr(0, label.find(' ')));
}

// The rank in a trace of torch.profiler, as its member distributedInfo has it. A process that is
// alone has rank 0 of a world of 1, which says nothing.
std::optional<std::int64_t> RankInDistributedInfo(std::string_view json) {
  const auto number = [&](std::string_view key) {
    return ParseNumber<std::int64_t>(JsonField(json, key));
  };
  return number("world_size").value_or(1) > 1 ? number("rank") : std::nullopt;
}

// The rank of the process that wrote a trace; none if the trace does not say it, or is of several.
std::optional<std::int64_t> RankOfTrace(const Model& model) {
  std::set<std::int64_t> ranks;
  for (const auto& [key, text] : model.attributes) {
    if (key != "distributedInfo") continue;
    if (const auto rank = RankInDistributedInfo(text)) ranks.insert(*rank);
  }
  for (const Lane& lane : model.lanes)
    if (const auto rank = RankInLabel(model.names[lane.labels])) ranks.insert(*rank);
  return ranks.size() == 1 && *ranks.begin() >= 0 ? std::optional(*ranks.begin()) : std::nullopt;
}

// `read` fills the profile.
template <typename ReadInto>
Result<Profile> Import(const FoundProfile& found, FileSystem& file_system, ReadInto read) {
  Profile profile;
  profile.path = found.path;
  profile.format = found.format;
  ModelBuilder builder;
  const Status status = read(ImportTarget{file_system, builder, profile});
  // The events before the damage count, and profile.files names the rest.
  if (!status.ok() && builder.events_modelled() == 0) return Error(status.WithContext(found.path));
  profile.model = std::move(builder).Finish();
  if (profile.model.events_modelled == 0 && profile.model.events_in > 0) {
    const NotUnderstood& first = profile.model.not_understood.front();
    return Error(StatusCode::kInvalidArgument, found.path + ": not a profile: none of its " +
                                                   std::to_string(profile.model.events_in) +
                                                   " events is understood: " + first.reason);
  }
  if (!profile.rank) profile.rank = RankOfTrace(profile.model);
  ClassifyByLane(profile.model);
  ClassifyDeviceTasks(profile.model);
  SeparateDevices(profile.model);
  if (found.format == SourceFormat::kMindSporeOld) SetFullNames(profile);
  SetOperatorTypes(profile.model);
  if (profile.data.operators.empty() && profile.data.batches.empty())
    profile.data = RecordedQueues(profile.model);
  return profile;
}

Result<Profile> Import(const FoundProfile& found, const ImportOptions& options) {
  return Import(found, *options.file_system,
                [&](const ImportTarget& target) { return Read(target, found, options); });
}

// Whether a file that begins so is a Perfetto trace, which begins with the key of a packet. JSON
// may begin with the same byte, a line end, but continues differently.
bool HasPackets(std::string_view begin) {
  const std::size_t at = begin.find_first_not_of(" \t\r\n");
  return begin.starts_with('\x0a') && at != std::string_view::npos && begin[at] != '[' &&
         begin[at] != '{';
}

// The format by the file's name, or else by its beginning. Chrome's JSON may have any name.
SourceFormat FindFormat(FileSystem& file_system, const std::string& path) {
  std::string_view name = path;
  name.remove_prefix(name.rfind('/') + 1);
  if (const auto format = FormatFromName(name)) return *format;
  if (name.ends_with(".csv")) return SourceFormat::kKernelDetails;
  const auto source = OpenByteSource(file_system, path);
  if (!source) return SourceFormat::kChromeTrace;
  std::array<char, 64> buffer{};
  const std::string_view begin(buffer.data(), (*source)->Read(buffer).value_or(0));
  if (IsDatabase(begin) || name.ends_with(".db")) return SourceFormat::kAscendDatabase;
  if (IsPickle(begin)) return SourceFormat::kMemorySnapshot;
  return HasPackets(begin) ? SourceFormat::kPerfetto : SourceFormat::kChromeTrace;
}

Status SeveralFound(const std::string& path, const std::vector<FoundProfile>& found) {
  std::string message = path + ": there are " + std::to_string(found.size()) +
                        " profiles in or below it; name one of them:";
  for (std::size_t i = 0; i < std::min(found.size(), kNamedInErrors); ++i)
    message += "\n  " + found[i].path;
  if (found.size() > kNamedInErrors) message += "\n  ...";
  return {StatusCode::kInvalidArgument, message};
}

// The one profile at the path.
Result<FoundProfile> FindOne(const std::string& path, FileSystem& file_system) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FileInfo info, file_system.Stat(path));
  if (!info.is_directory) return FoundProfile{path, FindFormat(file_system, path)};
  const std::vector<FoundProfile> found = FindProfiles(path, &file_system);
  if (found.empty()) {
    const auto names = file_system.List(path);
    if (!names) return Error(names.error());
    return Error(StatusCode::kNotFound, path + ": no profile was found in or below it");
  }
  if (found.size() > 1) return Error(SeveralFound(path, found));
  return found.front();
}

}  // namespace

Result<Profile> ImportProfile(const std::string& path, const ImportOptions& options) {
  SIGHTLINE_ASSIGN_OR_RETURN(const FoundProfile found, FindOne(path, *options.file_system));
  return Import(found, options);
}

void ImportRanks(const std::string& path, const ImportOptions& options,
                 const std::function<void(Result<Profile>)>& use) {
  const auto found = FindOne(path, *options.file_system);
  if (!found) return use(Error(found.error()));
  if (found->format == SourceFormat::kClusterOutput) {
    const ClusterFolder folder = OpenClusterFolder(*found, *options.file_system);
    // Without ranks, the error says why.
    for (std::size_t i = 0; i == 0 || i < folder.ranks().size(); ++i) {
      const auto rank = folder.ranks().empty() ? std::nullopt : std::optional(folder.ranks()[i]);
      use(Import(*found, *options.file_system,
                 [&](const ImportTarget& target) { return folder.ReadRank(target, rank); }));
    }
    return;
  }
  std::vector<std::int64_t> ranks;
  for (std::size_t i = 0; i == 0 || i < ranks.size(); ++i) {
    ImportOptions of_rank = options;
    of_rank.rank = i == 0 ? std::nullopt : std::optional(ranks[i]);
    auto profile = Import(*found, of_rank);
    if (i == 0 && profile) ranks = profile->ranks;
    use(std::move(profile));
  }
}

}  // namespace sightline::profiler
