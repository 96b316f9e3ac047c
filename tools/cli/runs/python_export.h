// sightline export --format parquet: `python3 -m sightline.export` does it, through pyarrow.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

// Becomes that program, with these arguments after its name: its exit code is ours. Python is the
// one beside this program, where a wheel put it, else the one on PATH. Returns only where there is
// none; where it lacks the package sightline it says so and ends with 2.
Status BecomePythonExport(const std::vector<std::string>& arguments);

}  // namespace sightline
