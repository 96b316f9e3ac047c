// Lineage as rows of a name and a value: what the TensorBoard encoder makes text and
// hyper-parameters from. Private to this folder.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

using LineageRows = std::vector<std::pair<std::string, LineageValue>>;

// What a lineage message says, in the order to show it in; a dataset pipeline from its sources on.
// Empty for bytes that are no such message. REQUIRES: `kind` is one of the four of lineage.
LineageRows RowsOf(ValueKind kind, std::string_view message);

// Those that describe how training was set up, not what came out: hyper-parameters and custom
// pairs.
LineageRows HyperParametersOf(ValueKind kind, std::string_view message);

// A table of two columns; nothing in it is taken for Markdown or HTML.
std::string MarkdownTable(const LineageRows& rows);

}  // namespace sightline
