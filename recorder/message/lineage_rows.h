// Lineage as rows of a name and a value. The TensorBoard encoder makes text and hyper-parameters
// from them.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sightline/recorder/message/lineage.h"
#include "sightline/recorder/message/value.h"

namespace sightline {

using LineageRows = std::vector<std::pair<std::string, LineageValue>>;

// Returns the rows of a lineage message, in the order to show them. A dataset pipeline begins with
// its sources. Empty for bytes of another form. REQUIRES: `kind` is one of the four kinds
// of lineage.
LineageRows RowsOf(ValueKind kind, std::string_view message);

// Returns the rows that describe how the training was set up, not its results: hyper-parameters and
// custom pairs. Empty for other kinds.
LineageRows HyperParametersOf(ValueKind kind, std::string_view message);

// Returns a table with two columns. The rows' text is escaped, so that none of it acts as Markdown
// or HTML.
std::string MarkdownTable(const LineageRows& rows);

}  // namespace sightline
