// The exit codes of every verb; docs/cli.md documents them.
#pragma once

namespace sightline {

inline constexpr int kExitOk = 0;
// Done, but some bytes of the input were damaged and skipped.
inline constexpr int kExitDamage = 1;
// Not done: an input cannot be read, or the command line is wrong.
inline constexpr int kExitError = 2;

}  // namespace sightline
