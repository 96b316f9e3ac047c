// Colours and fonts of pictures. Private to this folder.
#pragma once

#include <array>
#include <string_view>

#include "sightline/ir/model/operator_kind.h"

namespace sightline::ir {

struct Colours {
  std::string_view fill;
  std::string_view line;
};

// The colours of a node's box.
Colours ColoursOf(OperatorKind kind);
// The kind in the legend: "matrix products".
std::string_view MeaningOf(OperatorKind kind);
// In the order of the legend.
inline constexpr std::array kLegendOrder = {OperatorKind::kMatrix,  OperatorKind::kMath,
                                            OperatorKind::kShape,   OperatorKind::kState,
                                            OperatorKind::kControl, OperatorKind::kCommunication};

inline constexpr Colours kGroupColours = {"#ffffff", "#6b7684"};
inline constexpr Colours kParameterColours = {"#e3f1f0", "#5f9c98"};
inline constexpr Colours kScopeColours = {"#fafbfc", "#d3d8de"};
inline constexpr Colours kSubgraphColours = {"#faf8fd", "#cfc4e6"};

// Viewers use the first font that they have; graphviz measures texts with it.
inline constexpr std::string_view kDotFont = "fontname=\"Helvetica,Arial,sans-serif\"";

}  // namespace sightline::ir
