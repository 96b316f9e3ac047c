#include "sightline/ir/read/graph_reader.h"

#include <algorithm>
#include <string>

#include "sightline/base/ascii.h"
#include "sightline/ir/model/location.h"
#include "sightline/ir/read/parameter_reader.h"

namespace sightline::ir {
namespace {

constexpr std::string_view kBanner = "# =====";

// "#   1: @GRAPH:NODE{...}": numbers are four wide.
bool IsOrderLine(std::string_view line) {
  if (!Consume(line, "#")) return false;
  line.remove_prefix(std::min(line.size(), line.find_first_not_of(' ')));
  return ConsumeNumber(line) && line.starts_with(": ");
}

// "NAME : 0x55bca89fc3b0"
bool SplitAddress(std::string_view text, std::string_view& name, std::string_view& address) {
  const std::size_t colon = text.rfind(" : ");
  if (colon == std::string_view::npos) return false;
  name = text.substr(0, colon);
  address = text.substr(colon + 3);
  return true;
}

}  // namespace

void GraphReader::Read() {
  if (module_.form == Form::kFailure) section_ = Section::kReport;
  while (!cursor_.AtEnd()) ReadLine();
  if (section_ == Section::kBody) {
    EndSubgraph();
    cursor_.Report(0, "the file ends inside subgraph @" +
                          std::string(module_.texts[module_.subgraphs.back().name]));
  }
  header_.CheckTotals();
}

void GraphReader::ReadLine() {
  const std::string_view rest = cursor_.Rest();
  if (rest.front() == '\n') {
    if (section_ == Section::kAttributes || section_ == Section::kOrder) section_ = Section::kTop;
    return lines_.AddBlankLines(cursor_);
  }
  if (section_ == Section::kBody && rest.starts_with("      ")) return statements_.ReadNote();
  const std::string_view line = cursor_.Line();
  bool explained = false;
  switch (section_) {
    case Section::kBody:
      if (line.starts_with("  %") || line.starts_with("  Return(")) {
        if (statements_.ReadStatement()) return;
        // The reason was reported.
        statements_.DetachNotes();
        lines_.AddText(LineKind::kUnexplained, line);
        return cursor_.Skip(line.size());
      }
      explained = ReadBodyLine(line);
      break;
    case Section::kReport:
      explained = line.starts_with("# IR entry: @") ? ReadHeader(line)
                                                    : lines_.AddText(LineKind::kText, line);
      break;
    case Section::kJitConfig:
    case Section::kAttributes:
    case Section::kEngine:
    case Section::kOrder:
    case Section::kTop:
      explained = ReadHeading(line) || ReadHeader(line) || ReadSubgraph(line) ||
                  ReadSubgraphWord(line) || ReadComment(line) || ReadAttribute(line);
      break;
  }
  if (!explained) {
    cursor_.Report(
        0, section_ == Section::kBody ? "not a statement of a subgraph" : "not a line of a dump");
    lines_.AddText(LineKind::kUnexplained, line);
    statements_.DetachNotes();
  }
  cursor_.Skip(line.size());
}

void GraphReader::EndSubgraph() {
  section_ = Section::kTop;
  Range& nodes = module_.subgraphs.back().nodes;
  nodes.size = static_cast<std::uint32_t>(module_.nodes.size()) - nodes.begin;
}

bool GraphReader::ReadBodyLine(std::string_view line) {
  if (line == "}") {
    EndSubgraph();
    return lines_.Add(LineKind::kSubgraphEnd, 0);
  }
  std::string_view text = line;
  if (Consume(text, "#------------------------> "))
    return lines_.AddNumber(LineKind::kEvaluated, text);
  // The prototype of a node in analyze_fail.ir.
  if (line.starts_with("    #") && line.find(".prototype = ") != std::string_view::npos)
    return lines_.AddText(LineKind::kText, line);
  // The end of the last subgraph is missing.
  if (line == "subgraph attr:" || line.starts_with("subgraph @")) {
    cursor_.Report(0, "the previous subgraph has no end");
    EndSubgraph();
    statements_.DetachNotes();
    return ReadHeading(line) || ReadSubgraph(line);
  }
  return false;
}

bool GraphReader::ReadHeading(std::string_view line) {
  if (line == "# Attrs:" || line == "# attrs: " || line == "#attrs         :") {
    section_ = Section::kAttributes;
    StartAttributes(module_.header.attributes);
  } else if (line == "subgraph attr:") {
    section_ = Section::kAttributes;
    StartAttributes(next_.attributes);
  } else if (line == "jit config {") {
    section_ = Section::kJitConfig;
    StartAttributes(module_.header.jit_config);
  } else if (line == "}" && (section_ == Section::kJitConfig || section_ == Section::kEngine)) {
    section_ = Section::kTop;
  } else if (line.starts_with("SymbolEngine_") && line.ends_with(" {")) {
    section_ = Section::kEngine;
  } else if (line == "# Order:") {
    section_ = Section::kOrder;
  } else if (line != "# Params:" && line != "Node counting information:" &&
             line != "symbol engine details:") {
    return false;
  }
  return lines_.AddText(LineKind::kText, line);
}

void GraphReader::StartAttributes(Range& attributes) {
  attributes = {static_cast<std::uint32_t>(module_.attributes.size()), 0};
  attributes_ = &attributes;
}

bool GraphReader::ReadHeader(std::string_view line) {
  if (!header_.Read(line)) return false;
  section_ = Section::kTop;
  return true;
}

// "subgraph @NAME parent: [subgraph @NAME](%para3_x, %para4_u) {"
bool GraphReader::ReadSubgraph(std::string_view line) {
  if (!Consume(line, "subgraph @") || !ConsumeSuffix(line, ") {")) return false;
  const std::size_t open = line.find('(');
  if (open == std::string_view::npos) return false;
  std::string_view name = line.substr(0, open);
  const std::size_t parent = name.find(" parent: [subgraph @");
  Subgraph subgraph = next_;
  if (parent != std::string_view::npos) {
    if (!ConsumeSuffix(name, "]")) return false;
    subgraph.parent = Intern(name.substr(parent + 20));
    name = name.substr(0, parent);
  }
  subgraph.name = Intern(name);
  const auto parameters = AddSubgraphParameters(line.substr(open + 1), parameter_types_, module_);
  if (!parameters) return false;
  subgraph.parameters = *parameters;
  // The entry graph's are in the header, whatever its line of types says.
  if (parameters->size > 0 && parameter_types_.inputs != 0 &&
      parameters->size != parameter_types_.inputs) {
    cursor_.Report(0, "the subgraph has " + std::to_string(parameters->size) +
                          " parameters, and types for " + std::to_string(parameter_types_.inputs));
  }
  subgraph.nodes.begin = static_cast<std::uint32_t>(module_.nodes.size());
  subgraph.line = static_cast<std::uint32_t>(module_.lines.size());
  module_.subgraphs.push_back(subgraph);
  statements_.StartSubgraph();
  next_ = {};
  parameter_types_ = {};
  header_.End();
  section_ = Section::kBody;
  return lines_.Add(LineKind::kSubgraph, static_cast<std::uint32_t>(module_.subgraphs.size() - 1));
}

bool GraphReader::ReadSubgraphWord(std::string_view line) {
  std::string_view name;
  std::string_view address;
  if (Consume(line, "indirect: ")) return lines_.AddNumber(LineKind::kIndirect, line);
  const bool engine = Consume(line, "subgraph symbol engine: ");
  if (!engine && !Consume(line, "subgraph instance: ")) return false;
  if (!SplitAddress(line, name, address)) return false;
  section_ = Section::kTop;
  if (!engine) next_.instance = Intern(address);
  module_.attributes.push_back({Intern(name), Intern(address), true});
  return lines_.Add(engine ? LineKind::kEngine : LineKind::kInstance,
                    static_cast<std::uint32_t>(module_.attributes.size() - 1));
}

bool GraphReader::ReadParameterTypes(std::string_view line) {
  const auto number = ConsumeNumber(line);
  if (!number || !Consume(line, ", ") || !AddTypeLine(line, module_, parameter_types_))
    return false;
  if (parameter_types_.has_arrow || parameter_types_.inputs != *number) return false;
  module_.type_lines.push_back(parameter_types_);
  return lines_.Add(LineKind::kParameterTypes,
                    static_cast<std::uint32_t>(module_.type_lines.size() - 1));
}

bool GraphReader::ReadComment(std::string_view line) {
  if (section_ == Section::kOrder) {
    // A string in it may go on in the next line.
    if (IsOrderLine(line) || !line.starts_with('#')) {
      return lines_.Add(LineKind::kOrder, static_cast<std::uint32_t>(module_.texts.Append(line)));
    }
  }
  const std::string_view whole = line;
  if (!Consume(line, "# ")) {
    // The unique label of a subgraph.
    const bool label = line.size() > 2 && line.starts_with("#U") && IsDigit(line[2]);
    const bool end_of_report =
        module_.form == Form::kFailure && header_.ended() && line == "No more function graphs.";
    return (label || end_of_report) && lines_.AddText(LineKind::kText, whole);
  }
  if (Consume(line, "Parameters: ")) return ReadParameterTypes(line);
  if (Consume(line, "SideEffect: { "))
    return ConsumeSuffix(line, "}") && lines_.AddText(LineKind::kSubgraphSideEffect, line);
  if (ParseLocation(line)) return lines_.AddText(LineKind::kSubgraphLocation, line);
  const bool report = module_.form == Form::kFailure && header_.ended() &&
                      (whole.starts_with(kBanner) || line.starts_with("The "));
  return report && lines_.AddText(LineKind::kText, whole);
}

bool GraphReader::ReadAttribute(std::string_view line) {
  if (section_ == Section::kEngine) {
    return line.starts_with("  ") && line.find(" = ") != std::string_view::npos &&
           lines_.AddText(LineKind::kText, line);
  }
  if (section_ != Section::kAttributes && section_ != Section::kJitConfig) return false;
  const std::size_t colon = line.find(": ");
  if (colon == std::string_view::npos || colon == 0) return false;
  const auto index = static_cast<std::uint32_t>(module_.attributes.size());
  module_.attributes.push_back(
      {Intern(line.substr(0, colon)), Intern(line.substr(colon + 2)), true});
  Extend(*attributes_, index);
  return lines_.Add(LineKind::kAttribute, index);
}

}  // namespace sightline::ir
