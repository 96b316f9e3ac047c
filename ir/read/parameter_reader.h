// Reads parameters: those of the entry graph, which have a line each in the header, and those of
// other subgraphs, which are in brackets after the subgraph's name.
#pragma once

#include <optional>
#include <string_view>

#include "sightline/ir/model/module.h"

namespace sightline::ir {

// "%para1_x: <Tensor[Float32], (2, 4)> : [2, 4]  :  has_default  :  <DEVICE>  :  IsWeight: true",
// of which only name and type are always there. Nothing if the line is none.
std::optional<Parameter> ParseHeaderParameter(std::string_view line, TextPool& texts);

// "%para3_x, %para4_u", with the types of the line above if there was one. Adds them to the
// module's parameters. Nothing, with nothing added, for another text.
std::optional<Range> AddSubgraphParameters(std::string_view list, const TypeLine& types,
                                           Module& module);

}  // namespace sightline::ir
