// What a forked child gives up of its parent's. One thread.
#pragma once

#include <vector>

namespace sightline {

// Closes every descriptor above that of standard error, except `kept`: a child may outlive this
// process, and keeps no lock and no pipe that is not its own. Does nothing where the kernel's
// headers have no close_range(2).
void CloseDescriptorsExcept(std::vector<int> kept);

}  // namespace sightline
