#include "sightline/tests/profiler/cluster/made_cluster.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <utility>

#include "sightline/tests/support/support.h"

namespace sightline::testing {
namespace {

using profiler::CommunicationUse;
using profiler::DeviceStep;
using profiler::LinkUse;
using profiler::Profile;
using profiler::RankGroup;

constexpr std::int64_t kUs = 1000;
constexpr std::int64_t kMs = 1'000'000;
constexpr int kMicrobatches = 4;
constexpr int kKernels = 12;  // Of a forward or backward pass.
constexpr double kHccs = 19;  // GB/s, which is bytes a nanosecond.
constexpr double kRdma = 11;

class Maker {
 public:
  Maker(const ClusterShape& shape, const Causes& causes, std::uint32_t seed)
      : shape_(shape), causes_(causes), random_(seed) {
    for (int rank = 0; rank < shape.ranks(); ++rank) Begin(rank);
  }

  std::vector<Profile> Make() {
    for (int step = 0; step < shape_.steps; ++step) RunStep(step + 10);
    for (Profile& profile : profiles_) SumLinks(profile);
    std::vector<Profile> here;
    for (int rank = 0; rank < shape_.ranks(); ++rank) {
      const auto& missing = causes_.missing;
      if (std::find(missing.begin(), missing.end(), rank) == missing.end())
        here.push_back(std::move(profiles_[Index(rank)]));
    }
    return here;
  }

 private:
  static std::size_t Index(int number) { return static_cast<std::size_t>(number); }
  int TensorOf(int rank) const { return rank % shape_.tensor; }
  int DataOf(int rank) const { return rank / shape_.tensor % shape_.data; }
  int StageOf(int rank) const { return rank / (shape_.tensor * shape_.data); }
  int HostOf(int rank) const { return rank / shape_.hosts_of; }
  int RankAt(int stage, int data, int tensor) const {
    return (stage * shape_.data + data) * shape_.tensor + tensor;
  }

  double Noise(double part) {
    return std::uniform_real_distribution<double>(1 - part, 1 + part)(random_);
  }

  void AddGroup(Profile& profile, const std::string& name, std::vector<std::int64_t> ranks) {
    std::string id = name;
    for (const std::int64_t one : ranks) id += fmt::format("_{}", one);
    profile.groups.push_back({.id = std::move(id), .name = name, .ranks = std::move(ranks)});
  }

  void Begin(int rank) {
    Profile profile;
    profile.rank = rank;
    profile.device = rank % shape_.hosts_of;
    profile.format = profiler::SourceFormat::kTorchNpu;
    profile.path =
        fmt::format("made/node-{}_{}_20260101000000000_ascend_pt", HostOf(rank), 1000 + rank);
    if (shape_.pipeline > 1) profile.stage = StageOf(rank);
    std::vector<std::int64_t> all;
    std::vector<std::int64_t> tensor;
    std::vector<std::int64_t> data;
    std::vector<std::int64_t> stages;
    for (int other = 0; other < shape_.ranks(); ++other) {
      const bool t = TensorOf(other) == TensorOf(rank);
      const bool d = DataOf(other) == DataOf(rank);
      const bool p = StageOf(other) == StageOf(rank);
      all.push_back(other);
      if (d && p) tensor.push_back(other);
      if (t && p) data.push_back(other);
      if (t && d) stages.push_back(other);
    }
    AddGroup(profile, "default_group", all);
    AddGroup(profile, "tp", tensor);
    AddGroup(profile, "dp", data);
    AddGroup(profile, "pp", stages);
    profiles_.push_back(std::move(profile));
    now_.push_back(0);
    speeds_.push_back(1);
    gaps_.push_back(1);
  }

  const RankGroup& GroupOf(int rank, const std::string& name) const {
    const auto& groups = profiles_[Index(rank)].groups;
    return *std::find_if(groups.begin(), groups.end(),
                         [&](const RankGroup& one) { return one.name == name; });
  }

  DeviceStep& Step(int rank) { return profiles_[Index(rank)].device_steps.back(); }

  void Compute(int rank, double nanoseconds) {
    double time = nanoseconds * speeds_[Index(rank)] * Noise(0.02);
    if (causes_.slow_rank == rank || (causes_.slow_stage && *causes_.slow_stage == StageOf(rank)))
      time *= causes_.factor;
    if (StageOf(rank) == shape_.pipeline - 1) time *= causes_.heavier_last;
    const auto whole = static_cast<std::int64_t>(time);
    Step(rank).computing += whole;
    now_[Index(rank)] += whole;
  }

  void Idle(int rank, double nanoseconds) {
    double time = nanoseconds * gaps_[Index(rank)] * Noise(0.02);
    if (causes_.slow_host && *causes_.slow_host == HostOf(rank)) time *= causes_.factor;
    const auto whole = static_cast<std::int64_t>(time);
    Step(rank).idle += whole;
    now_[Index(rank)] += whole;
  }

  // Bytes a nanosecond from one rank to another, and the transport.
  std::pair<double, std::string> Link(int from, int to) {
    const bool near = HostOf(from) == HostOf(to);
    double speed = (near ? kHccs : kRdma) * Noise(0.02);
    if (causes_.slow_link == std::pair(from, to)) speed /= causes_.factor;
    return {speed, near ? "HCCS" : "RDMA"};
  }

  // Sends these bytes over a link; returns how long it takes.
  std::int64_t Send(int from, int to, double bytes, CommunicationUse& use) {
    auto [speed, transport] = Link(from, to);
    const double limit = transport == "RDMA" ? 1e6 : 16e6;
    double packet = std::min(bytes, 4 * limit);
    if (causes_.small_packets && bytes > limit / 8) {
      packet = limit / 8;
      speed /= 2;  // That is why it matters.
    }
    const auto count = std::max<std::uint64_t>(static_cast<std::uint64_t>(bytes / packet), 1);
    const auto time = static_cast<std::int64_t>(bytes / speed);
    use.links.push_back({fmt::format("{}-{}", from, to), transport, bytes, time});
    use.packets.push_back({transport, bytes / static_cast<double>(count), count, time});
    return time;
  }

  CommunicationUse NewUse(int rank, const RankGroup& group, int step, const std::string& kind) {
    CommunicationUse use;
    use.step = step;
    use.group = group.name;
    use.name = fmt::format("hcom_{}__{}_{}_1@{}", kind, group.name,
                           counts_[{rank, group.id, kind}]++, group.id);
    use.point_to_point = kind == "batchSendRecv";
    use.start = now_[Index(rank)];
    return use;
  }

  void Finish(int rank, CommunicationUse use, std::int64_t end) {
    use.elapsed = end - now_[Index(rank)];
    Step(rank).communication += use.elapsed;
    Step(rank).communication_alone += use.elapsed;
    now_[Index(rank)] = end;
    profiles_[Index(rank)].communication.push_back(std::move(use));
  }

  // A ring over the members: each sends to the next one.
  void AllReduce(const RankGroup& group, int step, double bytes) {
    if (group.ranks.size() < 2) return;
    std::int64_t begin = 0;
    std::int64_t transfer = 0;
    std::vector<CommunicationUse> uses;
    for (std::size_t i = 0; i < group.ranks.size(); ++i) {
      const int rank = static_cast<int>(group.ranks[i]);
      const int next = static_cast<int>(group.ranks[(i + 1) % group.ranks.size()]);
      uses.push_back(NewUse(rank, group, step, "allReduce"));
      transfer = std::max(transfer, Send(rank, next, bytes, uses.back()));
      begin = std::max(begin, now_[Index(rank)]);
    }
    for (std::size_t i = 0; i < group.ranks.size(); ++i) {
      uses[i].transit = transfer;
      Finish(static_cast<int>(group.ranks[i]), std::move(uses[i]), begin + transfer);
    }
  }

  // From a stage to another one, of the same column of ranks. The sender does not wait.
  void Pass(int from, int to, int step) {
    const RankGroup& group = GroupOf(from, "pp");
    CommunicationUse sent = NewUse(from, group, step, "batchSendRecv");
    CommunicationUse received = NewUse(to, group, step, "batchSendRecv");
    const std::int64_t time = Send(from, to, 64e6, sent);
    const std::int64_t end = std::max(now_[Index(from)], now_[Index(to)]) + time;
    sent.transit = received.transit = time;
    Finish(from, std::move(sent), now_[Index(from)] + time);
    Finish(to, std::move(received), end);
  }

  // Kernels of one microbatch on all ranks of a stage.
  void RunStage(int stage, int step, double kernel) {
    for (int kernels = 0; kernels < kKernels; ++kernels) {
      for (int data = 0; data < shape_.data; ++data) {
        for (int tensor = 0; tensor < shape_.tensor; ++tensor) {
          const int rank = RankAt(stage, data, tensor);
          Idle(rank, 0.2 * kMs);
          Compute(rank, kernel);
        }
        if (kernels % 4 == 3) AllReduce(GroupOf(RankAt(stage, data, 0), "tp"), step, 24e6);
      }
    }
  }

  void PassAll(int from, int to, int step) {
    for (int data = 0; data < shape_.data; ++data) {
      for (int tensor = 0; tensor < shape_.tensor; ++tensor)
        Pass(RankAt(from, data, tensor), RankAt(to, data, tensor), step);
    }
  }

  void BeginStep(int rank, int step) {
    profiles_[Index(rank)].device_steps.push_back({.number = step});
    speeds_[Index(rank)] = Noise(0.05);
    gaps_[Index(rank)] = Noise(0.05);
    const auto preparing = static_cast<std::int64_t>(200 * kUs * Noise(0.2));
    const bool is_late = causes_.late_host && *causes_.late_host == HostOf(rank);
    const std::int64_t late = is_late ? causes_.late : 0;
    Step(rank).preparing = preparing + (causes_.late_in_first_gap ? 0 : late);
    if (causes_.late_in_first_gap) Step(rank).idle += late;
    now_[Index(rank)] += preparing + late;
  }

  void RunStep(int step) {
    for (int rank = 0; rank < shape_.ranks(); ++rank) BeginStep(rank, step);
    for (int batch = 0; batch < kMicrobatches; ++batch) {
      for (int stage = 0; stage < shape_.pipeline; ++stage) {
        if (stage > 0) PassAll(stage - 1, stage, step);
        RunStage(stage, step, 0.8 * kMs);
      }
    }
    for (int batch = 0; batch < kMicrobatches; ++batch) {
      for (int stage = shape_.pipeline - 1; stage >= 0; --stage) {
        if (stage < shape_.pipeline - 1) PassAll(stage + 1, stage, step);
        RunStage(stage, step, 1.6 * kMs);
      }
    }
    for (int stage = 0; stage < shape_.pipeline; ++stage) {
      for (int tensor = 0; tensor < shape_.tensor; ++tensor)
        AllReduce(GroupOf(RankAt(stage, 0, tensor), "dp"), step, 400e6);
    }
    AllReduce(GroupOf(0, "default_group"), step, 64);
  }

  static void SumLinks(Profile& profile) {
    std::map<std::pair<std::string, std::string>, LinkUse> sums;
    for (const CommunicationUse& use : profile.communication) {
      for (const LinkUse& link : use.links) {
        LinkUse& sum = sums[{link.link, link.transport}];
        sum.link = link.link;
        sum.transport = link.transport;
        sum.bytes += link.bytes;
        sum.time += link.time;
      }
    }
    for (auto& [key, link] : sums) profile.links.push_back(std::move(link));
  }

  const ClusterShape shape_;
  const Causes causes_;
  std::mt19937 random_;
  std::vector<Profile> profiles_;
  std::vector<std::int64_t> now_;  // Of each rank, as the others.
  // Of its kernels and gaps in this step: a step as a whole is faster or slower, too.
  std::vector<double> speeds_;
  std::vector<double> gaps_;
  std::map<std::tuple<int, std::string, std::string>, int> counts_;
};

}  // namespace

std::vector<Profile> MakeCluster(const ClusterShape& shape, const Causes& causes,
                                 std::uint32_t seed) {
  return Maker(shape, causes, seed).Make();
}

namespace {

using Json = nlohmann::ordered_json;

double Us(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e3; }
double MsOf(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

std::string StepTimes(const Profile& profile) {
  std::string text =
      "Device_id,Step,Computing,Communication(Not Overlapped),Overlapped,Communication,Free,Stage,"
      "Bubble,Communication(Not Overlapped and Exclude Receive),Preparing\n";
  for (const DeviceStep& step : profile.device_steps) {
    const double stage = Us(step.computing + step.communication_alone + step.idle);
    text += fmt::format("{},{},{:.3f},{:.3f},0.0,{:.3f},{:.3f},{:.3f},0,{:.3f},{:.3f}\n",
                        *profile.device, *step.number, Us(step.computing),
                        Us(step.communication_alone), Us(step.communication), Us(step.idle), stage,
                        Us(step.communication_alone), Us(step.preparing));
  }
  return text;
}

Json Bandwidth(const CommunicationUse& use) {
  Json json = Json::object();
  for (const LinkUse& link : use.links) {
    Json& transport = json[link.transport];
    transport["Transit Size(MB)"] = link.bytes / 1e6;
    transport["Transit Time(ms)"] = MsOf(link.time);
    transport["Bandwidth(GB/s)"] = link.bytes / static_cast<double>(link.time);
  }
  for (const profiler::PacketUse& packets : use.packets) {
    json[packets.transport]["Size Distribution"][fmt::format("{}", packets.bytes / 1e6)] = {
        packets.count, MsOf(packets.time)};
  }
  return json;
}

Json Communication(const Profile& profile) {
  Json json;
  for (const CommunicationUse& use : profile.communication) {
    Json& operator_info =
        json[fmt::format("step{}", *use.step)][use.point_to_point ? "p2p" : "collective"][use.name];
    operator_info["Communication Time Info"] = {{"Start Timestamp(us)", Us(use.start)},
                                                {"Elapse Time(ms)", MsOf(use.elapsed)},
                                                {"Transit Time(ms)", MsOf(use.transit)},
                                                {"Wait Time(ms)", 0}};
    operator_info["Communication Bandwidth Info"] = Bandwidth(use);
  }
  return json;
}

// The links of all operators in one sum, as of one group that nobody lists: ranks of the training.
Json Matrix(const Profile& profile) {
  Json json;
  Json& sums = json[fmt::format("step{}", *profile.device_steps.front().number)]["collective"]
                   ["allreduce-total"];
  for (const LinkUse& link : profile.links) {
    sums[link.link] = {{"Transport Type", link.transport},
                       {"Transit Size(MB)", link.bytes / 1e6},
                       {"Transit Time(ms)", MsOf(link.time)},
                       {"Bandwidth(GB/s)", link.bytes / static_cast<double>(link.time)}};
  }
  return json;
}

Json Metadata(const Profile& profile) {
  Json json;
  for (const RankGroup& group : profile.groups) {
    const auto place = std::find(group.ranks.begin(), group.ranks.end(), *profile.rank);
    json["parallel_group_info"][group.id] = {{"group_name", group.name},
                                             {"group_rank", place - group.ranks.begin()},
                                             {"global_ranks", group.ranks}};
  }
  return json;
}

}  // namespace

void WriteRank(const Profile& profile, const std::string& folder) {
  const std::string top = folder + profile.path.substr(profile.path.rfind('/'));
  const std::string output = top + "/ASCEND_PROFILER_OUTPUT/";
  std::filesystem::create_directories(output);
  WriteFileOrDie(fmt::format("{}/profiler_info_{}.json", top, *profile.rank),
                 fmt::format(R"({{"rank_id": {}}})", *profile.rank));
  WriteFileOrDie(top + "/profiler_metadata.json", Metadata(profile).dump());
  WriteFileOrDie(output + "step_trace_time.csv", StepTimes(profile));
  WriteFileOrDie(output + "communication.json", Communication(profile).dump());
  WriteFileOrDie(output + "communication_matrix.json", Matrix(profile).dump());
}

std::vector<profiler::RankPart> PartsOf(const std::vector<Profile>& profiles) {
  std::vector<profiler::RankPart> parts;
  parts.reserve(profiles.size());
  for (const Profile& profile : profiles) parts.push_back(MeasurePart(profile));
  return parts;
}

}  // namespace sightline::testing
