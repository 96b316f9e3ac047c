#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <unordered_set>

#include "sightline/base/wire.h"
#include "sightline/runs/reading/run_builder.h"

namespace sightline {
namespace {

using wire::Field;
using wire::Scanner;
using wire::WireType;

// The shortest decimal number that reads as this float32: 0.01 is 0.01 again.
double FromFloat(double value) {
  const std::string text = fmt::format("{}", static_cast<float>(value));
  double shortest = value;
  std::from_chars(text.data(), text.data() + text.size(), shortest);
  return shortest;
}

void AddText(const char* name, const std::string& text, RunLineage& lineage) {
  if (!text.empty()) lineage.insert_or_assign(name, text);
}

void AddCount(const char* name, const std::optional<std::int64_t>& count, RunLineage& lineage) {
  if (count) lineage.insert_or_assign(name, *count);
}

void AddTrain(std::string_view message, RunLineage& lineage) {
  const auto train = ParseTrainLineage(message);
  if (!train) return;
  AddText("network", train->network, lineage);
  AddText("optimizer", train->optimizer, lineage);
  AddText("loss_function", train->loss_function, lineage);
  if (train->learning_rate)
    lineage.insert_or_assign("learning_rate", FromFloat(*train->learning_rate));
  if (train->loss) lineage.insert_or_assign("loss", FromFloat(*train->loss));
  AddCount("epoch", train->epoch, lineage);
  AddCount("batch_size", train->batch_size, lineage);
  AddText("parallel_mode", train->parallel_mode, lineage);
  AddCount("device_num", train->device_num, lineage);
  AddText("train_dataset_path", train->train_dataset_path, lineage);
  AddCount("train_dataset_size", train->train_dataset_size, lineage);
  AddText("model_path", train->model_path, lineage);
  AddCount("model_size", train->model_size, lineage);
}

void AddEvaluation(std::string_view message, RunLineage& lineage) {
  const auto evaluation = ParseEvaluationLineage(message);
  if (!evaluation) return;
  for (const auto& [name, value] : evaluation->metrics) lineage.insert_or_assign(name, value);
  AddText("valid_dataset_path", evaluation->valid_dataset_path, lineage);
  AddCount("valid_dataset_size", evaluation->valid_dataset_size, lineage);
}

void AddCustom(std::string_view message, RunLineage& lineage) {
  const auto pairs = ParseCustomLineage(message);
  if (!pairs) return;
  for (const auto& [name, value] : *pairs) lineage.insert_or_assign(name, value);
}

// google.protobuf.Value: number_value 2, string_value 3, bool_value 4.
void AddHyperParameter(std::string_view entry, RunLineage& lineage) {
  std::string_view name;
  std::string_view message;
  Field field;
  for (Scanner scan(entry); scan.Next(field);) {
    if (field.type != WireType::kBytes) continue;
    if (field.number == 1) name = field.bytes;
    if (field.number == 2) message = field.bytes;
  }
  for (Scanner scan(message); scan.Next(field);) {
    LineageValue value;
    if (field.number == 2 && field.type == WireType::kFixed64) {
      value = field.AsDouble();
    } else if (field.number == 3 && field.type == WireType::kBytes) {
      value = std::string(field.bytes);
    } else if (field.number == 4 && field.type == WireType::kVarint) {
      value = std::string(field.number_value != 0 ? "true" : "false");
    } else {
      continue;
    }
    lineage.insert_or_assign(std::string(name), std::move(value));
  }
}

// HParamsPluginData.session_start_info (3).hparams (1), a map.
void AddHyperParameters(std::string_view message, RunLineage& lineage) {
  Field field;
  for (Scanner scan(message); scan.Next(field);) {
    if (field.number != 3 || field.type != WireType::kBytes) continue;
    Field entry;
    for (Scanner start(field.bytes); start.Next(entry);) {
      if (entry.number == 1 && entry.type == WireType::kBytes)
        AddHyperParameter(entry.bytes, lineage);
    }
  }
}

RunLineage LineageOfMessages(const std::vector<const FileContents*>& files) {
  RunLineage lineage;
  for (const FileContents* file : files) {
    for (const auto& [kind, message] : file->lineage) {
      if (kind == EventKind::kTrainLineage) AddTrain(message, lineage);
      if (kind == EventKind::kEvaluationLineage) AddEvaluation(message, lineage);
      if (kind == EventKind::kCustomLineage) AddCustom(message, lineage);
    }
  }
  // Files of Sightline repeat the same in TensorBoard's dialect.
  if (!lineage.empty()) return lineage;
  for (const FileContents* file : files) {
    for (const std::string& message : file->hyper_parameters) AddHyperParameters(message, lineage);
  }
  return lineage;
}

// What texts of the run's first step with texts say. Later files count.
RunLineage SettingsOf(const std::vector<const FirstTexts*>& texts) {
  std::optional<std::int64_t> first;
  for (const FirstTexts* of_file : texts)
    if (of_file->step) first = std::min(first.value_or(*of_file->step), *of_file->step);
  RunLineage settings;
  for (std::size_t i = texts.size(); first && i-- > 0;)
    if (texts[i]->step == first) texts[i]->AddSettingsTo(settings);
  return settings;
}

// From the newest: what comes later changed what was set before.
void AddTranslatedSettings(const std::vector<const FileContents*>& files, RunLineage& lineage) {
  std::unordered_set<std::string_view> tags;
  for (const FileContents* file : files) {
    if (!IsTranslated(file->kind)) continue;
    for (const FileSeries& series : file->series) tags.insert(series.tag);
  }
  auto file = files.rbegin();
  while (file != files.rend()) (*file++)->translated.AddSettingsTo(tags, lineage);
}

}  // namespace

RunLineage LineageOf(const std::vector<const FileContents*>& files,
                     const std::vector<const FirstTexts*>& texts) {
  RunLineage lineage = LineageOfMessages(files);
  lineage.merge(SettingsOf(texts));
  AddTranslatedSettings(files, lineage);
  return lineage;
}

}  // namespace sightline
