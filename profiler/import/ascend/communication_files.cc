#include "sightline/profiler/import/ascend/communication_files.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/parse_number.h"
#include "sightline/profiler/import/source/csv_rows.h"
#include "sightline/profiler/import/source/decimal_time.h"

namespace sightline::profiler {
namespace {

using nlohmann::json;

constexpr int kMicrosecondScale = 3;
constexpr int kMillisecondScale = 6;
constexpr double kNanosecondsPerMillisecond = 1e6;
constexpr double kMegabyte = 1e6;
constexpr double kKilobyte = 1e3;

// The number in this member, or 0 if it is missing.
double NumberIn(const json& object, const char* key) {
  if (!object.is_object()) return 0;
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

// Converts milliseconds; an impossible number becomes 0.
std::int64_t Nanoseconds(double milliseconds) {
  const double nanoseconds = milliseconds * kNanosecondsPerMillisecond;
  return nanoseconds >= 0 && nanoseconds < static_cast<double>(kMaxTime)
             ? static_cast<std::int64_t>(nanoseconds)
             : 0;
}

// Microseconds since the epoch; an impossible number becomes 0.
std::int64_t StartIn(const json& times) {
  constexpr double kNanosecondsPerMicrosecond = 1e3;
  const double nanoseconds = NumberIn(times, "Start Timestamp(us)") * kNanosecondsPerMicrosecond;
  return nanoseconds >= 0 && nanoseconds < static_cast<double>(kMaxTime)
             ? static_cast<std::int64_t>(nanoseconds)
             : 0;
}

// Calls `use` for each operator with its step, whether it is point to point, its name and its
// object.
template <typename Use>
Status ForEachOperator(std::string_view text, Use use) {
  const json parsed = ParseForeignJson<json>(text);
  if (!parsed.is_object())
    return {StatusCode::kDataLoss, "not a JSON object, or nested too deeply"};
  for (const auto& [step, kinds] : parsed.items()) {
    for (const char* kind : {"p2p", "collective"}) {
      if (!kinds.is_object() || !kinds.contains(kind)) continue;
      for (const auto& [name, operator_info] : kinds[kind].items()) {
        if (!name.starts_with("Total Op Info") && !name.starts_with("total"))
          use(StepOfKey(step), kind[0] == 'p', name, operator_info);
      }
    }
  }
  return {};
}

// {"8.388608": [2, 0.80264]}: megabytes of a packet, how many there were, milliseconds of all.
void AddPackets(const std::string& transport, const json& sizes, CommunicationUse& use) {
  if (!sizes.is_object()) return;
  for (const auto& [size, numbers] : sizes.items()) {
    const auto megabytes = ParseNumber<double>(size);
    const bool sound = megabytes && *megabytes > 0 && numbers.is_array() && numbers.size() >= 2 &&
                       numbers[0].is_number_unsigned() && numbers[1].is_number();
    if (!sound) continue;
    use.packets.push_back({transport, *megabytes * kMegabyte, numbers[0].get<std::uint64_t>(),
                           Nanoseconds(numbers[1].get<double>())});
  }
}

void AddLinks(const json& transports, CommunicationUse& use) {
  if (!transports.is_object()) return;
  for (const auto& [transport, info] : transports.items()) {
    if (info.is_object() && info.contains("Size Distribution"))
      AddPackets(transport, info["Size Distribution"], use);
    LinkUse link;
    link.transport = transport;
    link.bytes = NumberIn(info, "Transit Size(MB)") * kMegabyte;
    link.time = Nanoseconds(NumberIn(info, "Transit Time(ms)"));
    if (link.bytes > 0 || link.time > 0) use.links.push_back(std::move(link));
  }
  LeaveOutSums(use.links);
  LeaveOutSums(use.packets);
}

// "hcom_allReduce__586_0_1@175226" -> "175226"; empty if there is none.
std::string_view GroupNamed(std::string_view name) {
  const std::size_t at = name.rfind('@');
  return at == std::string_view::npos ? std::string_view() : name.substr(at + 1);
}

// What the newer matrix adds to the kind of an operator: "total", "top1", "middle", "bottom2".
std::string_view SelectionIn(std::string_view name) {
  name = name.substr(0, name.rfind('@'));
  const std::size_t dash = name.rfind('-');
  if (dash == std::string_view::npos) return {};
  const std::string_view selection = name.substr(dash + 1);
  const bool is_one = selection == "total" || selection == "middle" ||
                      selection.starts_with("top") || selection.starts_with("bottom");
  return is_one ? selection : std::string_view();
}

std::vector<LinkUse> LinksIn(const json& links, const ParallelGroup* group) {
  std::vector<LinkUse> found;
  for (const auto& [link, info] : links.items()) {
    LinkUse use;
    use.link = ParallelGroups::GlobalLink(link, group);
    if (info.is_object() && info.contains("Transport Type") && info["Transport Type"].is_string())
      use.transport = info["Transport Type"].get<std::string>();
    use.bytes = NumberIn(info, "Transit Size(MB)") * kMegabyte;
    use.time = Nanoseconds(NumberIn(info, "Transit Time(ms)"));
    found.push_back(std::move(use));
  }
  return found;
}

// {"0-1": {"SDMA": [milliseconds, kilobytes, ...]}}
void AddHcclLinks(std::string_view text, CommunicationUse& use) {
  const json links = ParseForeignJson<json>(text);
  if (!links.is_object()) return;
  for (const auto& [name, transports] : links.items()) {
    if (!transports.is_object()) continue;
    for (const auto& [transport, numbers] : transports.items()) {
      if (!numbers.is_array() || numbers.size() < 2 || !numbers[0].is_number() ||
          !numbers[1].is_number())
        continue;
      use.links.push_back({name, transport, std::max(numbers[1].get<double>(), 0.0) * kKilobyte,
                           Nanoseconds(numbers[0].get<double>())});
    }
  }
}

}  // namespace

std::optional<std::int64_t> StepOfKey(std::string_view key) {
  constexpr std::string_view kStart = "step";
  if (key.starts_with(kStart)) key.remove_prefix(kStart.size());
  return ParseNumber<std::int64_t>(key);
}

namespace {

template <typename Use>
void LeaveOutSumsOf(std::vector<Use>& uses) {
  const bool has_parts = std::any_of(uses.begin(), uses.end(), [](const Use& use) {
    return use.bytes > 0 &&
           (use.transport == "HCCS" || use.transport == "PCIE" || use.transport == "SIO");
  });
  if (has_parts) std::erase_if(uses, [](const Use& use) { return use.transport == "SDMA"; });
}

}  // namespace

void LeaveOutSums(std::vector<LinkUse>& links) { LeaveOutSumsOf(links); }
void LeaveOutSums(std::vector<PacketUse>& packets) { LeaveOutSumsOf(packets); }

namespace {

// Adds the ends of the links "0-1" to the ranks, which stay ordered.
void AddEnds(const std::vector<LinkUse>& links, std::vector<std::int64_t>& ranks) {
  std::set<std::int64_t> all(ranks.begin(), ranks.end());
  for (const LinkUse& link : links) {
    const auto ends = EndsOfLink(link.link);
    if (!ends) continue;
    all.insert(ends->first);
    all.insert(ends->second);
  }
  ranks.assign(all.begin(), all.end());
}

}  // namespace

void NoteMembers(std::string_view id, const std::vector<LinkUse>& links, Profile& profile) {
  if (id.empty()) return;
  auto group = std::find_if(profile.groups.begin(), profile.groups.end(),
                            [&](const RankGroup& one) { return one.id == id; });
  if (group == profile.groups.end()) {
    profile.groups.push_back({.id = std::string(id), .inferred = true});
    group = std::prev(profile.groups.end());
  }
  if (group->inferred) AddEnds(links, group->ranks);
}

Status ReadCommunication(std::string_view text, const ParallelGroups& groups, ModelBuilder& builder,
                         Profile& profile) {
  return ForEachOperator(text, [&](std::optional<std::int64_t> step, bool point_to_point,
                                   const std::string& name, const json& info) {
    const bool sound = info.is_object() && info.contains("Communication Time Info");
    if (!sound) return builder.NotUnderstand("an operator without times", name);
    const json& times = info["Communication Time Info"];
    CommunicationUse use;
    use.step = step;
    use.name = name;
    use.point_to_point = point_to_point;
    const ParallelGroup* group = groups.Find(GroupNamed(name));
    if (group != nullptr) use.group = group->name;
    use.start = StartIn(times);
    use.elapsed = Nanoseconds(NumberIn(times, "Elapse Time(ms)"));
    use.transit = Nanoseconds(NumberIn(times, "Transit Time(ms)"));
    use.wait = Nanoseconds(NumberIn(times, "Wait Time(ms)"));
    if (info.contains("Communication Bandwidth Info"))
      AddLinks(info["Communication Bandwidth Info"], use);
    profile.communication.push_back(std::move(use));
    builder.CountEvent();
  });
}

Status ReadCommunicationMatrix(std::string_view text, const ParallelGroups& groups,
                               ModelBuilder& builder, Profile& profile) {
  std::map<std::pair<std::int64_t, std::string>, CommunicationUse*> known;
  for (CommunicationUse& use : profile.communication)
    known.emplace(std::pair(use.step.value_or(-1), use.name), &use);
  return ForEachOperator(text, [&](std::optional<std::int64_t> step, bool /*point_to_point*/,
                                   const std::string& name, const json& links) {
    const std::string_view selection = SelectionIn(name);
    const ParallelGroup* group = groups.Find(GroupNamed(name));
    if (group == nullptr && links.is_object())
      NoteMembers(GroupNamed(name), LinksIn(links, group), profile);
    if (!selection.empty() && links.is_object()) {
      std::vector<LinkUse> sums;
      if (selection == "total") sums = LinksIn(links, group);
      profile.links.insert(profile.links.end(), sums.begin(), sums.end());
      return builder.CountEvent();
    }
    const auto found = known.find({step.value_or(-1), name});
    if (found == known.end() || !links.is_object())
      return builder.NotUnderstand("links of an operator that is not in communication.json", name);
    // The figures of each link are more exact than the sums of each transport.
    found->second->links = LinksIn(links, group);
    builder.CountEvent();
  });
}

void ReadHccl(ByteWindow& window, ModelBuilder& builder, Profile& profile) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t number = rows.FindColumn({"step_num"});
  const std::size_t transit = rows.FindColumn({"communication_cost"});
  const std::size_t wait = rows.FindColumn({"wait_cost"});
  const std::size_t links = rows.FindColumn({"link_info"});
  while (rows.Next()) {
    const auto step = ParseNumber<std::int64_t>(rows.cell(number));
    const auto transit_time = ParseDuration(rows.cell(transit), kMillisecondScale);
    const auto wait_time = ParseDuration(rows.cell(wait), kMillisecondScale);
    if (!transit_time || !wait_time || (!step && rows.cell(number) != "-")) {
      builder.NotUnderstand("a step without communication times", rows.cell(number));
      continue;
    }
    builder.CountEvent();
    if (!step) continue;
    CommunicationUse use;
    use.step = step;
    use.name = "all";
    use.transit = *transit_time;
    use.wait = *wait_time;
    AddHcclLinks(rows.cell(links), use);
    profile.communication.push_back(std::move(use));
  }
}

namespace {

// The columns of step_trace_time.csv.
class StepColumns {
 public:
  explicit StepColumns(const CsvRows& header)
      : number_(header.FindColumn({"Step"})),
        computing_(header.FindColumn({"Computing"})),
        alone_(header.FindColumn({"Communication(Not Overlapped)"})),
        communication_(header.FindColumn({"Communication"})),
        idle_(header.FindColumn({"Free"})),
        without_receive_(header.FindColumn({"Communication(Not Overlapped and Exclude Receive)"})),
        preparing_(header.FindColumn({"Preparing"})) {}

  // The step of this row. A row without computing and communication times counts as not understood.
  std::optional<DeviceStep> Read(const CsvRows& row, ModelBuilder& builder) const {
    const auto computing = ParseDuration(row.cell(computing_), kMicrosecondScale);
    const auto communication = ParseDuration(row.cell(communication_), kMicrosecondScale);
    if (!computing || !communication) {
      builder.NotUnderstand("a step without computing and communication times", row.cell(number_));
      return std::nullopt;
    }
    DeviceStep step;
    step.number = ParseNumber<std::int64_t>(row.cell(number_));
    step.computing = *computing;
    step.communication = *communication;
    step.communication_alone = ParseDuration(row.cell(alone_), kMicrosecondScale).value_or(0);
    step.idle = ParseDuration(row.cell(idle_), kMicrosecondScale).value_or(0);
    step.preparing = ParseDuration(row.cell(preparing_), kMicrosecondScale).value_or(0);
    if (const auto others = ParseDuration(row.cell(without_receive_), kMicrosecondScale))
      step.receive_alone = std::max<std::int64_t>(step.communication_alone - *others, 0);
    return step;
  }

 private:
  std::size_t number_, computing_, alone_, communication_, idle_, without_receive_, preparing_;
};

}  // namespace

void ReadStepTimes(ByteWindow& window, ModelBuilder& builder, Profile& profile) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t device = rows.FindColumn({"Device_id"});
  const StepColumns columns(rows);
  while (rows.Next()) {
    const auto step = columns.Read(rows, builder);
    if (!step) continue;
    if (const auto id = ParseNumber<std::int64_t>(rows.cell(device))) profile.device = id;
    profile.device_steps.push_back(*step);
    builder.CountEvent();
  }
}

void ReadClusterStepTimes(ByteWindow& window, ModelBuilder& builder, ClusterSteps& steps) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const StepColumns columns(rows);
  const std::size_t type = rows.FindColumn({"Type"});
  const std::size_t index = rows.FindColumn({"Index"});
  const std::size_t stage = rows.FindColumn({"PP Index"});
  while (rows.Next()) {
    if (rows.cell(type) == "stage") {
      steps.AddStage(rows.cell(index));
      continue;
    }
    const auto rank = ParseNumber<std::int64_t>(rows.cell(index));
    if (!rank || *rank < 0) {
      builder.NotUnderstand("a row without the number of a rank", rows.cell(index));
      continue;
    }
    const auto step = columns.Read(rows, builder);
    if (!step) continue;
    steps.of_ranks[*rank].push_back(*step);
    if (const auto its = ParseNumber<std::int64_t>(rows.cell(stage))) steps.stages[*rank] = *its;
  }
}

void ReadClusterSteps(ByteWindow& window, ModelBuilder& builder, Profile& profile) {
  CsvRows rows(window);
  if (!rows.Next()) return;
  const std::size_t computing = rows.FindColumn({"computation_time"});
  const std::size_t alone = rows.FindColumn({"communication_alone_time"});
  const std::size_t receive = rows.FindColumn({"receive_alone_time"});
  std::vector<DeviceStep> steps;
  while (rows.Next()) {
    const auto computing_time = ParseDuration(rows.cell(computing), kMillisecondScale);
    const auto alone_time = ParseDuration(rows.cell(alone), kMillisecondScale);
    if (!computing_time || !alone_time) {
      builder.NotUnderstand("a step without computation_time and communication_alone_time",
                            rows.cell(0));
      continue;
    }
    DeviceStep step;
    step.number = static_cast<std::int64_t>(steps.size()) + 1;
    step.computing = *computing_time;
    step.communication = step.communication_alone = *alone_time;
    step.receive_alone = ParseDuration(rows.cell(receive), kMillisecondScale).value_or(0);
    steps.push_back(step);
    builder.CountEvent();
  }
  if (!steps.empty()) steps.pop_back();
  profile.device_steps.insert(profile.device_steps.end(), steps.begin(), steps.end());
}

}  // namespace sightline::profiler
