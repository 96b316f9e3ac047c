#include "sightline/recorder/message/lineage.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "sightline/base/json/foreign_json.h"
#include "sightline/base/utf8.h"
#include "sightline/proto/mindspore_lineage.pb.h"
#include "sightline/recorder/message/proto_util.h"

namespace sightline {
namespace {

namespace pb = mindspore;
using Json = nlohmann::json;

// Integers up to this are exact as doubles.
constexpr std::int64_t kMaxExactInteger = std::int64_t{1} << 53;

std::int32_t Int32Of(std::int64_t value) {
  using Limits = std::numeric_limits<std::int32_t>;
  return static_cast<std::int32_t>(std::clamp<std::int64_t>(value, Limits::min(), Limits::max()));
}

template <typename Message>
Result<Message> Parse(std::string_view bytes, std::string_view name) {
  Message message;
  if (ParseMessage(bytes, message)) return message;
  return Error(StatusCode::kDataLoss,
               fmt::format("{} bytes that are not a valid {}", bytes.size(), name));
}

// The value of a field, if the file has it.
template <typename T>
std::optional<T> If(bool present, T value) {
  return present ? std::optional(value) : std::nullopt;
}

// The number as Python's json module writes and reads it, which MindSpore and MindInsight use for
// metrics: numbers for which JSON has no form are NaN and Infinity.
std::string JsonNumber(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value > 0 ? "Infinity" : "-Infinity";
  return Json(value).dump();
}

std::string JsonText(std::string_view text) { return Json(ToUtf8(text)).dump(); }

// Puts NaN and Infinity into quotes, except within strings, so that a JSON parser accepts them.
std::string QuoteSpecialNumbers(std::string_view json) {
  std::string quoted;
  bool in_string = false;
  while (!json.empty()) {
    std::size_t size = 1;
    if (in_string) {
      if (json[0] == '\\') size = std::min<std::size_t>(2, json.size());
      in_string = json[0] != '"';
    } else {
      in_string = json[0] == '"';
      for (const std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
        if (json.starts_with(word)) size = word.size();
      }
    }
    const bool word = !in_string && size > 2;
    if (word) quoted += '"';
    quoted.append(json.substr(0, size));
    if (word) quoted += '"';
    json.remove_prefix(size);
  }
  return quoted;
}

std::optional<double> NumberOf(const Json& value) {
  if (value.is_number()) return value.get<double>();
  if (value == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (value == "Infinity") return std::numeric_limits<double>::infinity();
  if (value == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

// The path in {"ckpt": "model.ckpt"}.
std::string ModelPathOf(const std::string& text) {
  const auto json = ParseForeignJson<Json>(text);
  if (!json.is_object()) return text;
  const auto path = json.find("ckpt");
  return path != json.end() && path->is_string() ? path->get<std::string>() : "";
}

}  // namespace

std::string SerializeTrainLineage(const TrainLineage& lineage) {
  pb::TrainLineage out;
  auto& hyper = *out.mutable_hyper_parameters();
  if (!lineage.optimizer.empty()) hyper.set_optimizer(ToUtf8(lineage.optimizer));
  if (lineage.learning_rate) hyper.set_learning_rate(static_cast<float>(*lineage.learning_rate));
  if (!lineage.loss_function.empty()) hyper.set_loss_function(ToUtf8(lineage.loss_function));
  if (lineage.epoch) hyper.set_epoch(Int32Of(*lineage.epoch));
  if (!lineage.parallel_mode.empty()) hyper.set_parallel_mode(ToUtf8(lineage.parallel_mode));
  if (lineage.device_num) hyper.set_device_num(Int32Of(*lineage.device_num));
  if (lineage.batch_size) hyper.set_batch_size(Int32Of(*lineage.batch_size));

  auto& dataset = *out.mutable_train_dataset();
  if (!lineage.train_dataset_path.empty())
    dataset.set_train_dataset_path(ToUtf8(lineage.train_dataset_path));
  if (lineage.train_dataset_size)
    dataset.set_train_dataset_size(Int32Of(*lineage.train_dataset_size));

  auto& algorithm = *out.mutable_algorithm();
  if (!lineage.network.empty()) algorithm.set_network(ToUtf8(lineage.network));
  if (lineage.loss) algorithm.set_loss(static_cast<float>(*lineage.loss));

  // MindSpore always writes the path.
  auto& model = *out.mutable_model();
  model.set_path(fmt::format("{{\"ckpt\": {}}}",
                             lineage.model_path.empty() ? "null" : JsonText(lineage.model_path)));
  if (lineage.model_size) model.set_size(*lineage.model_size);
  return out.SerializeAsString();
}

Result<TrainLineage> ParseTrainLineage(std::string_view message) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto in, Parse<pb::TrainLineage>(message, "TrainLineage"));
  TrainLineage lineage;
  lineage.network = in.algorithm().network();
  lineage.loss = If(in.algorithm().has_loss(), in.algorithm().loss());
  lineage.optimizer = in.hyper_parameters().optimizer();
  lineage.learning_rate =
      If(in.hyper_parameters().has_learning_rate(), in.hyper_parameters().learning_rate());
  lineage.loss_function = in.hyper_parameters().loss_function();
  lineage.epoch = If(in.hyper_parameters().has_epoch(), in.hyper_parameters().epoch());
  lineage.parallel_mode = in.hyper_parameters().parallel_mode();
  lineage.device_num =
      If(in.hyper_parameters().has_device_num(), in.hyper_parameters().device_num());
  lineage.batch_size =
      If(in.hyper_parameters().has_batch_size(), in.hyper_parameters().batch_size());
  lineage.train_dataset_path = in.train_dataset().train_dataset_path();
  lineage.train_dataset_size =
      If(in.train_dataset().has_train_dataset_size(), in.train_dataset().train_dataset_size());
  lineage.model_path = ModelPathOf(in.model().path());
  lineage.model_size = If(in.model().has_size(), in.model().size());
  return lineage;
}

std::string SerializeEvaluationLineage(const EvaluationLineage& lineage) {
  pb::EvaluationLineage out;
  std::string metrics;
  for (const auto& [name, value] : lineage.metrics) {
    metrics +=
        fmt::format("{}{}: {}", metrics.empty() ? "" : ", ", JsonText(name), JsonNumber(value));
  }
  out.set_metric("{" + metrics + "}");
  auto& dataset = *out.mutable_valid_dataset();
  if (!lineage.valid_dataset_path.empty())
    dataset.set_valid_dataset_path(ToUtf8(lineage.valid_dataset_path));
  if (lineage.valid_dataset_size)
    dataset.set_valid_dataset_size(Int32Of(*lineage.valid_dataset_size));
  return out.SerializeAsString();
}

Result<EvaluationLineage> ParseEvaluationLineage(std::string_view message) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto in,
                             Parse<pb::EvaluationLineage>(message, "EvaluationLineage"));
  EvaluationLineage lineage;
  const auto metrics = ParseForeignJson<Json>(QuoteSpecialNumbers(in.metric()));
  if (metrics.is_object()) {
    for (const auto& [name, value] : metrics.items()) {
      if (const auto number = NumberOf(value)) lineage.metrics[name] = *number;
    }
  }
  lineage.valid_dataset_path = in.valid_dataset().valid_dataset_path();
  lineage.valid_dataset_size =
      If(in.valid_dataset().has_valid_dataset_size(), in.valid_dataset().valid_dataset_size());
  return lineage;
}

std::string SerializeCustomLineage(const CustomLineage& pairs) {
  pb::UserDefinedInfo out;
  for (const auto& [name, value] : pairs) {
    const std::string key = ToUtf8(name);
    // Each pair has a message of its own, as in MindSpore.
    pb::UserDefinedInfo& info = *out.add_user_info();
    if (const auto* number = std::get_if<double>(&value)) {
      (*info.mutable_map_double())[key] = *number;
    } else if (const auto* text = std::get_if<std::string>(&value)) {
      (*info.mutable_map_str())[key] = ToUtf8(*text);
    } else {
      const std::int64_t integer = std::get<std::int64_t>(value);
      if (Int32Of(integer) == integer) {
        (*info.mutable_map_int32())[key] = Int32Of(integer);
      } else if (integer >= -kMaxExactInteger && integer <= kMaxExactInteger) {
        (*info.mutable_map_double())[key] = static_cast<double>(integer);
      } else {
        (*info.mutable_map_str())[key] = std::to_string(integer);
      }
    }
  }
  return out.SerializeAsString();
}

Result<CustomLineage> ParseCustomLineage(std::string_view message) {
  SIGHTLINE_ASSIGN_OR_RETURN(const auto in, Parse<pb::UserDefinedInfo>(message, "UserDefinedInfo"));
  CustomLineage pairs;
  const auto add = [&pairs](const pb::UserDefinedInfo& info) {
    for (const auto& [key, value] : info.map_int32()) pairs[key] = std::int64_t{value};
    for (const auto& [key, value] : info.map_double()) pairs[key] = value;
    for (const auto& [key, value] : info.map_str()) pairs[key] = value;
  };
  add(in);
  for (const pb::UserDefinedInfo& info : in.user_info()) add(info);
  return pairs;
}

}  // namespace sightline
