// Reads parameters: those of the entry graph, which the header lists a line each, and those of
// other subgraphs, which stand in brackets behind their name.
#pragma once

#include <optional>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// "%para1_x: <Tensor[Float32], (2, 4)> : [2, 4]  :  has_default  :  <DEVICE>  :  IsWeight: true",
// of which only name and type are always there. Nothing for another line.
std::optional<Parameter> ParseHeaderParameter(std::string_view line, TextPool& texts);

// "%para3_x, %para4_u", with the types of a line above when there was one. Adds them to the
// module's parameters; nothing, and nothing added, for another text.
std::optional<Range> AddSubgraphParameters(std::string_view list, const TypeLine& types,
                                           Module& module);

}  // namespace sightline::ir
