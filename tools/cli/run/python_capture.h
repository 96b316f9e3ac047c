// Lets the Python programs that a command starts record through Sightline, without a change to
// them: a folder in front of PYTHONPATH has a sitecustomize.py, which Python imports when it
// starts. It waits until one of the writers is imported that sightline.capture() knows, and then
// calls that.
#pragma once

#include <string>
#include <vector>

#include "sightline/base/status.h"

namespace sightline {

// Sets the environment of this process, and so of the commands that it starts; writes the file
// below `folder`. Does nothing if SIGHTLINE_CAPTURE is 0. Not while another thread reads the
// environment.
Status CapturePython(const std::string& folder);

// The option by which a command that is Python itself is not captured: "-I", "-E" or "-S", alone or
// among others ("-uE"). Empty if there is none, or if the command is something else.
std::string OptionWithoutCapture(const std::vector<std::string>& command);

}  // namespace sightline
