// Databases with the tables and columns that torch_npu's databases have.
#pragma once

#include <string>
#include <string_view>

#include "sightline/tests/support/made_database.h"  // IWYU pragma: export

namespace sightline::testing {

// Statements that make the tables of ascend_pytorch_profiler_<rank>.db, all empty.
extern const std::string_view kDatabaseTables;

// The same with a small training step: two operators of the host, of which one launches a kernel;
// a task of the type AI_CORE that no table describes; a collective with one task on a plane.
std::string SmallProfileSql();

}  // namespace sightline::testing
