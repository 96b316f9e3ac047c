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
  return ReadTotal(line) || ReadParameter(line);
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
  module_.parameters.push_back(*parameter);
  Extend(module_.header.parameters, index);
  return lines_.Add(LineKind::kParameter, index);
}

void HeaderReader::CheckTotals() {
  const auto& total = module_.header.total_cnodes;
  if (!total || *total == module_.nodes.size()) return;
  cursor_.ReportAt(totals_line_, 1,
                   "the file has " + std::to_string(module_.nodes.size()) +
                       " statements, and says that it has " + std::to_string(*total));
}

}  // namespace sightline::ir
