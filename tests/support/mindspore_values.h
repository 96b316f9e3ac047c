// tests/corpus/mindspore/values: the arrays that were given to MindSpore's SummaryRecord, and what
// it recorded.
//
//   for (const std::string& tag : MindSporeTags("histogram")) {
//     ComputeHistogram(MindSporeInput(tag).View())  // compare with MindSporeAnswer(tag)
//   }
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "sightline/recorder/tensor/npy.h"
#include "sightline/tests/support/support.h"

namespace sightline::testing {

inline constexpr std::string_view kMindSporeEventFile =
    "mindspore/values/events.out.events.summary.1795191184.0.vm_MS";

// The summary values of the event file's JSON twin, in the order of recording.
inline const std::vector<nlohmann::json>& MindSporeAnswers() {
  static const std::vector<nlohmann::json> answers = [] {
    const std::string path = CorpusPath(kMindSporeEventFile) + ".json";
    std::vector<nlohmann::json> values;
    for (const nlohmann::json& event : nlohmann::json::parse(ReadFileOrDie(path))) {
      if (event.contains("summary")) values.push_back(event["summary"]["value"][0]);
    }
    return values;
  }();
  return answers;
}

// Tags of one kind: "scalar_value", "tensor", "image" or "histogram".
inline std::vector<std::string> MindSporeTags(const std::string& kind) {
  std::vector<std::string> tags;
  for (const nlohmann::json& value : MindSporeAnswers()) {
    if (value.contains(kind)) tags.push_back(value["tag"]);
  }
  EXPECT_FALSE(tags.empty()) << kind;
  return tags;
}

inline nlohmann::json MindSporeAnswer(const std::string& tag, const std::string& kind) {
  for (const nlohmann::json& value : MindSporeAnswers()) {
    if (value["tag"] == tag) return value[kind];
  }
  ADD_FAILURE() << "no answer for " << tag;
  return {};
}

inline NpyArray MindSporeInput(const std::string& tag) {
  std::string name = tag;
  name.replace(name.find('/'), 1, "__");
  Result<NpyArray> array =
      ReadNpy(ReadFileOrDie(CorpusPath("mindspore/values/inputs/" + name + ".npy")));
  EXPECT_THAT(array, IsOk()) << tag;
  return array ? *std::move(array) : NpyArray{};
}

// Protobuf's JSON mapping: integers of 64 bits and non-finite numbers are strings.
inline double JsonNumber(const nlohmann::json& value) {
  if (!value.is_string()) return value.get<double>();
  const std::string text = value;
  return std::stod(text == "Infinity" ? "inf" : text == "-Infinity" ? "-inf" : text);
}

}  // namespace sightline::testing
