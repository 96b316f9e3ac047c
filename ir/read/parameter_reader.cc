#include "sightline/ir/read/parameter_reader.h"

#include "sightline/ir/model/brackets.h"
#include "sightline/ir/model/cursor.h"

namespace sightline::ir {

std::optional<Parameter> ParseHeaderParameter(std::string_view line, TextPool& texts) {
  if (!Consume(line, "%para")) return std::nullopt;
  Parameter parameter;
  const auto number = ConsumeNumber(line);
  const std::size_t colon = line.find(": <");
  if (!number || !line.starts_with('_') || colon == std::string_view::npos) return std::nullopt;
  parameter.number = *number;
  parameter.name = texts.Intern(line.substr(1, colon - 1));
  line.remove_prefix(colon + 2);
  const auto take = [&](TextId& text) {
    const std::size_t size = BracketedSize(line);
    text = texts.Intern(line.substr(0, size));
    line.remove_prefix(size);
    return size > 0;
  };
  if (!take(parameter.type)) return std::nullopt;
  if (Consume(line, " : ") && !take(parameter.shape)) return std::nullopt;
  parameter.has_default = Consume(line, "  :  has_default");
  if (Consume(line, "  :  ")) {
    if (!take(parameter.device) || !Consume(line, "  :  IsWeight: ")) return std::nullopt;
    parameter.is_weight = Consume(line, "true");
    if (!parameter.is_weight && !Consume(line, "false")) return std::nullopt;
  }
  if (!line.empty()) return std::nullopt;
  return parameter;
}

std::optional<Range> AddSubgraphParameters(std::string_view list, const TypeLine& types,
                                           Module& module) {
  Range range{static_cast<std::uint32_t>(module.parameters.size()), 0};
  for (bool more = !list.empty(); more; ++range.size) {
    // Names may hold commas.
    const std::size_t comma = list.find(", %para");
    std::string_view text = list.substr(0, comma);
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 2);
    const auto number = Consume(text, "%para") ? ConsumeNumber(text) : std::nullopt;
    if (!number || !Consume(text, "_")) {
      module.parameters.resize(range.begin);
      return std::nullopt;
    }
    Parameter parameter;
    parameter.number = *number;
    parameter.name = module.texts.Intern(text);
    if (range.size < types.inputs) parameter.type = module.types[types.begin + range.size];
    module.parameters.push_back(parameter);
  }
  return range;
}

}  // namespace sightline::ir
