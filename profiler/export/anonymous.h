// Takes out of a profile what tells who made it and where, so that it can be given to others.
#pragma once

#include "sightline/profiler/model/profile.h"

namespace sightline::profiler {

// The model of `profile` with replacements in every text that an export writes (trace_export.h):
// for paths and names of files, hosts, addresses (IP, MAC, URL, e-mail) and users; and in arguments
// for all texts but those under keys that describe an operator. docs/profiles.md has the rules. The
// same text always gets the same replacement ("file3.py", "host1"), and different ones get
// different ones. Other names, times and numbers stay. Attributes are removed.
Model Anonymize(Profile profile);

}  // namespace sightline::profiler
