#include "sightline/profiler/cluster/part_json.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "sightline/base/json/json_line.h"

namespace sightline::profiler {
namespace {

using Json = nlohmann::ordered_json;

// `Type` as the writer has it, const, or as the reader has it.
template <typename Either, typename Type>
concept EitherOf = std::is_same_v<std::remove_const_t<Either>, Type>;

// The members of each struct are listed once, for the writer and the reader, so that neither
// forgets one.
class Writer {
 public:
  template <typename Value>
  void operator()(const char* key, const Value& value) {
    json_[key] = ToJson(value);
  }
  Json Take() && { return std::move(json_); }

  template <typename Value>
  static Json ToJson(const Value& value) {
    if constexpr (std::is_arithmetic_v<Value> || std::is_same_v<Value, std::string>) {
      return Json(value);
    } else {
      Writer writer;
      Visit(writer, value);
      return std::move(writer).Take();
    }
  }
  template <typename Value>
  static Json ToJson(const std::optional<Value>& value) {
    return value ? ToJson(*value) : Json();
  }
  template <typename Value>
  static Json ToJson(const std::vector<Value>& values) {
    Json json = Json::array();
    for (const Value& value : values) json.push_back(ToJson(value));
    return json;
  }

 private:
  Json json_ = Json::object();
};

// Throws Json::exception for what the writer did not write.
class Reader {
 public:
  explicit Reader(const Json& json) : json_(json) {}

  template <typename Value>
  void operator()(const char* key, Value& value) {
    FromJson(json_.at(key), value);
  }

  template <typename Value>
  static void FromJson(const Json& json, Value& value) {
    if constexpr (std::is_class_v<Value>) {
      Reader reader(json);
      Visit(reader, value);
    } else if constexpr (std::is_same_v<Value, bool>) {
      value = json.get_ref<const Json::boolean_t&>();
    } else if constexpr (std::is_integral_v<Value>) {
      // get() would also take a fraction, which may be too large to be converted.
      value = static_cast<Value>(json.get_ref<const Json::number_integer_t&>());
    } else {
      // JSON has no infinity: the writer wrote null.
      value = json.is_null() ? std::numeric_limits<Value>::infinity() : json.get<Value>();
    }
  }
  static void FromJson(const Json& json, std::string& value) {
    value = json.get_ref<const std::string&>();
  }
  template <typename Value>
  static void FromJson(const Json& json, std::optional<Value>& value) {
    value.reset();
    if (!json.is_null()) FromJson(json, value.emplace());
  }
  template <typename Value>
  static void FromJson(const Json& json, std::vector<Value>& values) {
    for (const Json& one : json.get_ref<const Json::array_t&>())
      FromJson(one, values.emplace_back());
  }

 private:
  const Json& json_;
};

void Visit(auto& visit, EitherOf<LinkUse> auto& link) {
  visit("link", link.link);
  visit("transport", link.transport);
  visit("bytes", link.bytes);
  visit("time", link.time);
}

void Visit(auto& visit, EitherOf<PacketUse> auto& packets) {
  visit("transport", packets.transport);
  visit("bytes", packets.bytes);
  visit("count", packets.count);
  visit("time", packets.time);
}

void Visit(auto& visit, EitherOf<RankGroup> auto& group) {
  visit("id", group.id);
  visit("communicator", group.communicator);
  visit("name", group.name);
  visit("ranks", group.ranks);
  visit("inferred", group.inferred);
}

void Visit(auto& visit, EitherOf<DeviceUse> auto& step) {
  visit("number", step.number);
  visit("total", step.total);
  visit("computing", step.computing);
  visit("communication", step.communication);
  visit("communication_alone", step.communication_alone);
  visit("copy_alone", step.copy_alone);
  visit("idle", step.idle);
  visit("idle_for_host", step.idle_for_host);
  visit("idle_between", step.idle_between);
  visit("preparing", step.preparing);
  visit("bubble", step.bubble);
}

void Visit(auto& visit, EitherOf<PartCommunication> auto& one) {
  visit("step", one.step);
  visit("name", one.name);
  visit("group", one.group);
  visit("kind", one.kind);
  visit("bytes", one.bytes);
  visit("point_to_point", one.point_to_point);
  visit("start", one.start);
  visit("duration", one.duration);
  visit("rdma", one.rdma);
  visit("retries", one.retries);
}

void Visit(auto& visit, EitherOf<RankUse> auto& use) {
  visit("rank", use.rank);
  visit("is_named_rank", use.is_named_rank);
  visit("path", use.path);
  visit("steps", use.steps);
  visit("step", use.step);
  visit("data_wait", use.data_wait);
  visit("knows_data_wait", use.knows_data_wait);
  visit("communication", use.communication);
  visit("computing", use.computing);
  visit("preparing", use.preparing);
  visit("stage", use.stage);
  visit("flops", use.flops);
  visit("links", use.links);
}

void Visit(auto& visit, EitherOf<RankPart> auto& part) {
  visit("use", part.use);
  visit("host", part.host);
  visit("host_id", part.host_id);
  visit("device", part.device);
  visit("steps", part.steps);
  visit("groups", part.groups);
  visit("communication", part.communication);
  visit("packets", part.packets);
}

void Visit(auto& visit, EitherOf<UnreadRank> auto& unread) {
  visit("path", unread.path);
  visit("error", unread.error);
}

void Visit(auto& visit, EitherOf<ClusterParts> auto& parts) {
  visit("parts", parts.parts);
  visit("unread", parts.unread);
  visit("damage", parts.damage);
}

}  // namespace

std::string PartsToJson(const ClusterParts& parts) { return JsonLine(Writer::ToJson(parts)); }

Result<ClusterParts> PartsFromJson(std::string_view text) {
  try {
    ClusterParts parts;
    Reader::FromJson(Json::parse(text), parts);
    return parts;
  } catch (const Json::exception& failure) {
    return Error(
        StatusCode::kInvalidArgument,
        std::string("not the part of a cluster that this version writes: ") + failure.what());
  }
}

}  // namespace sightline::profiler
