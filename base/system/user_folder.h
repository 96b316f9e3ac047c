// Where programs keep what belongs to a user (XDG Base Directory Specification 0.8).
#pragma once

#include <string>

#include "sightline/base/status.h"

namespace sightline {

// $XDG_STATE_HOME/sightline, or else ~/.local/state/sightline: what must survive a restart.
// kNotFound if neither XDG_STATE_HOME nor the user's home is known. Not while another thread
// changes the environment.
Result<std::string> UserStateFolder();

// The same for what a user writes: $XDG_CONFIG_HOME/sightline, or else ~/.config/sightline.
Result<std::string> UserConfigFolder();

}  // namespace sightline
