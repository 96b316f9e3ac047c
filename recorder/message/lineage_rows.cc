#include "sightline/recorder/message/lineage_rows.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <variant>

#include "sightline/base/parse_number.h"

namespace sightline {
namespace {

// The shortest decimal form of a number that is float32 in the file: 0.01, not
// 0.009999999776482582.
double Shortest(double value) {
  return ParseNumber<double>(fmt::format("{}", static_cast<float>(value))).value_or(value);
}

template <typename... Alternatives>
std::string TextOf(const std::variant<Alternatives...>& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

class RowBuilder {
 public:
  void Add(std::string name, const std::string& text) {
    if (!text.empty()) rows_.emplace_back(std::move(name), text);
  }
  template <typename T>
  void Add(std::string name, const std::optional<T>& value) {
    if (value) rows_.emplace_back(std::move(name), *value);
  }
  void AddFloat(std::string name, const std::optional<double>& value) {
    if (value) rows_.emplace_back(std::move(name), Shortest(*value));
  }
  LineageRows Take() { return std::move(rows_); }

 private:
  LineageRows rows_;
};

void AddHyperParameters(const TrainLineage& lineage, RowBuilder& rows) {
  rows.Add("network", lineage.network);
  rows.Add("optimizer", lineage.optimizer);
  rows.AddFloat("learning_rate", lineage.learning_rate);
  rows.Add("loss_function", lineage.loss_function);
  rows.Add("epoch", lineage.epoch);
  rows.Add("batch_size", lineage.batch_size);
  rows.Add("parallel_mode", lineage.parallel_mode);
  rows.Add("device_num", lineage.device_num);
  rows.Add("train_dataset_size", lineage.train_dataset_size);
}

LineageRows RowsOf(const TrainLineage& lineage) {
  RowBuilder rows;
  AddHyperParameters(lineage, rows);
  rows.Add("train_dataset_path", lineage.train_dataset_path);
  rows.AddFloat("loss", lineage.loss);
  rows.Add("model_path", lineage.model_path);
  rows.Add("model_size", lineage.model_size);
  return rows.Take();
}

LineageRows RowsOf(const EvaluationLineage& lineage) {
  RowBuilder rows;
  for (const auto& [name, value] : lineage.metrics) rows.Add(name, std::optional(value));
  rows.Add("valid_dataset_path", lineage.valid_dataset_path);
  rows.Add("valid_dataset_size", lineage.valid_dataset_size);
  return rows.Take();
}

// "Rescale(rescale: 1.0)", or only the parameters if none of them is a name.
std::string TextOf(const std::map<std::string, DatasetGraph::Parameter>& parameters,
                   const char* name_key) {
  std::vector<std::string> texts;
  for (const auto& [key, value] : parameters) {
    if (key != name_key) texts.push_back(fmt::format("{}: {}", key, TextOf(value)));
  }
  std::string text = fmt::format("{}", fmt::join(texts, ", "));
  const auto name = parameters.find(name_key);
  if (name == parameters.end()) return text;
  const std::string title = TextOf(name->second);
  return text.empty() ? title : fmt::format("{}({})", title, text);
}

void AddStages(const DatasetGraph& graph, LineageRows& rows) {
  for (const DatasetGraph& child : graph.children) AddStages(child, rows);
  std::vector<std::string> texts = {TextOf(graph.parameters, "op_type")};
  for (const auto& operation : graph.operations)
    texts.push_back(TextOf(operation.parameters, "tensor_op_name"));
  if (graph.sampler) texts.push_back(TextOf(graph.sampler->parameters, "sampler_name"));
  rows.emplace_back(fmt::format("{}", rows.size() + 1), fmt::format("{}", fmt::join(texts, "; ")));
}

// A cell of a Markdown table.
std::string CellOf(std::string_view text) {
  std::string cell;
  for (const char c : text) {
    switch (c) {
      case '<':
        cell += "&lt;";
        break;
      case '&':
        cell += "&amp;";
        break;
      case '\n':
      case '\r':
      case '\t':
        cell += ' ';
        break;
      default:
        if (std::string_view("\\`*_{}[]|").find(c) != std::string_view::npos) cell += '\\';
        cell += c;
    }
  }
  return cell;
}

}  // namespace

LineageRows RowsOf(ValueKind kind, std::string_view message) {
  LineageRows rows;
  switch (kind) {
    case ValueKind::kTrainLineage:
      return RowsOf(ParseTrainLineage(message).value_or(TrainLineage()));
    case ValueKind::kEvaluationLineage:
      return RowsOf(ParseEvaluationLineage(message).value_or(EvaluationLineage()));
    case ValueKind::kDatasetGraph:
      if (const auto graph = ParseDatasetGraph(message)) AddStages(*graph, rows);
      return rows;
    case ValueKind::kCustomLineage:
      if (const auto pairs = ParseCustomLineage(message)) rows.assign(pairs->begin(), pairs->end());
      return rows;
    case ValueKind::kScalar:
    case ValueKind::kHistogram:
    case ValueKind::kTensor:
    case ValueKind::kImage:
    case ValueKind::kGraph:
    case ValueKind::kLandscape:
    case ValueKind::kTensorBoardEvent:
      return rows;
  }
  return rows;
}

LineageRows HyperParametersOf(ValueKind kind, std::string_view message) {
  if (kind == ValueKind::kCustomLineage) return RowsOf(kind, message);
  if (kind != ValueKind::kTrainLineage) return {};
  RowBuilder rows;
  if (const auto lineage = ParseTrainLineage(message)) AddHyperParameters(*lineage, rows);
  return rows.Take();
}

std::string MarkdownTable(const LineageRows& rows) {
  std::string table = "| name | value |\n| --- | --- |\n";
  for (const auto& [name, value] : rows)
    table += fmt::format("| {} | {} |\n", CellOf(name), CellOf(TextOf(value)));
  return table;
}

}  // namespace sightline
