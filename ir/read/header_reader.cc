#include "sightline/ir/read/header_reader.h"

#include <string>

#include "sightline/ir/read/parameter_reader.h"

namespace sightline::ir {

bool HeaderReader::Read(std::string_view line) {
  std::string_view entry = line;
  if (Consume(entry, "# IR entry: @")) {
    module_.header.entry = module_.texts.Intern(entry);
    return lines_.AddText(LineKind::kEntry, entry);
  }
  return ReadTotal(line) || ReadParameter(line) || ReadVersion1(line);
}

bool HeaderReader::ReadTotal(std::string_view line) {
  Header& header = module_.header;
  if (Consume(line, "Total number of nodes: "))
    return lines_.AddNumber(LineKind::kTotalNodes, line, &header.total_nodes);
  if (Consume(line, "Total number of cnodes: ")) {
    totals_line_ = cursor_.line_number();
    return lines_.AddNumber(LineKind::kTotalCnodes, line, &header.total_cnodes);
  }
  if (Consume(line, "# Total subgraphs: "))
    return lines_.AddNumber(LineKind::kTotalSubgraphs, line);
  if (Consume(line, "# Total subgraph: ")) return lines_.AddNumber(LineKind::kTotalSubgraph, line);
  return Consume(line, "# Total params: ") &&
         lines_.AddNumber(LineKind::kTotalParameters, line, &header.total_parameters);
}

bool HeaderReader::ReadParameter(std::string_view line) {
  if (ended_) return false;
  auto parameter = ParseHeaderParameter(line, module_.texts);
  if (!parameter) return false;
  const auto index = static_cast<std::uint32_t>(module_.parameters.size());
  // MindSpore 1: "%para1_x : <...>"
  std::string_view name = module_.texts[parameter->name];
  const bool version1 = ConsumeSuffix(name, " ");
  if (version1) parameter->name = module_.texts.Intern(std::string(name));
  module_.parameters.push_back(*parameter);
  Extend(module_.header.parameters, index);
  return version1 ? lines_.AddText(LineKind::kText, line) : lines_.Add(LineKind::kParameter, index);
}

// The lines of MindSpore 1, kept as texts.
bool HeaderReader::ReadVersion1(std::string_view line) {
  std::string_view text = line;
  if (Consume(text, "#IR entry      : @")) {
    module_.header.entry = module_.texts.Intern(text);
  } else if (Consume(text, "#Total params  : ")) {
    module_.header.total_parameters = ParseNumber(text);
    if (!module_.header.total_parameters) return false;
  } else if (!text.starts_with("#Total subgraph")) {
    return false;
  }
  return lines_.AddText(LineKind::kText, line);
}

void HeaderReader::CheckTotals() {
  const auto& total = module_.header.total_cnodes;
  if (!total || *total == module_.nodes.size()) return;
  cursor_.ReportAt(totals_line_, 1,
                   "the file has " + std::to_string(module_.nodes.size()) +
                       " statements, and says that it has " + std::to_string(*total));
}

}  // namespace sightline::ir
