// Writes to descriptors that may be pipes or terminals.
#pragma once

#include <string_view>

namespace sightline {

// Writes all of `bytes`, and waits while the descriptor takes none, even if it does not block
// (O_NONBLOCK). False: it takes no more, errno says why, and a part may have been written. Any
// thread.
bool WriteAll(int fd, std::string_view bytes);

}  // namespace sightline
