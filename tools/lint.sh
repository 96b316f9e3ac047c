#!/usr/bin/env bash
# Runs clang-tidy with .clang-tidy over the sources given, or all; needs a dev build (tools/test.sh makes it).
# Headers are checked with the sources that include them. Exit code 1 when something is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${SIGHTLINE_LINT_BUILD:-build/dev}
case ${1-} in
  -*) printf 'usage: tools/lint.sh [FILE.cc ...]\n' >&2; exit 2 ;;
esac
if [ ! -e "$build/compile_commands.json" ]; then
  printf 'lint: no %s/compile_commands.json: run cmake --preset dev && cmake --build --preset dev\n' "$build" >&2
  exit 2
fi

# Only what this configuration compiles: fuzz targets, for example, are not part of the dev build.
compiled() {
  local file
  while IFS= read -r file; do
    if grep -q -F "\"file\": \"$PWD/$file\"" "$build/compile_commands.json"; then printf '%s\0' "$file"; fi
  done
}
if [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  git ls-files --cached --others --exclude-standard -- '*.cc'
fi | compiled | xargs -0 -r -n 2 -P "$(nproc)" \
  clang-tidy-14 -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option 2> >(grep -v 'warnings generated' >&2)
