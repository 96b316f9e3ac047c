#!/usr/bin/env bash
# Journeys through the dashboard's page in Chromium, on the real program. See --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

usage() {
  cat <<'TEXT'
usage: tests/dashboard/web/run.sh [--program FILE] [--all] [--firefox] [--only TEXT] [--shots DIR]

Serves recorded runs of tests/corpus with the program (build/dev/tools/sightline unless given), and walks through the
dashboard's page in headless Chromium: overview, scalars, lineage, landscape, profiles, queries, and no token.

  --all        also the other journeys, and each page at 1440 and 390 pixels with axe; slow on a loaded machine
  --firefox    then the main journey in Firefox as well
  --only TEXT  only the journeys whose names hold TEXT
  --shots DIR  keep pictures there: of each page with --all, of what failed always
  --help       this text

exit code: 0 all as it should be, 1 something is not, 2 wrong usage, 4 a browser or the program is missing
TEXT
}

program=$root/build/dev/tools/sightline shots= all= only= firefox=
while [ $# -gt 0 ]; do
  case $1 in
    --program) program=${2-}; shift 2 || { usage >&2; exit 2; } ;;
    --shots) shots=${2-}; shift 2 || { usage >&2; exit 2; } ;;
    --all) all=yes; shift ;;
    --firefox) firefox=yes; shift ;;
    --only) only=${2-}; shift 2 || { usage >&2; exit 2; } ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
chromium=$(command -v chromium || true)
if [ -z "$chromium" ]; then
  printf 'journeys: no chromium is here; Debian has it in the package chromium\n' >&2
  exit 4
fi
if [ -n "$firefox" ] && ! command -v firefox-esr >/dev/null; then
  printf 'journeys: no firefox-esr is here; tools/setup.sh --page installs it\n' >&2
  exit 4
fi
if [ ! -x "$program" ]; then
  printf 'journeys: %s is not there; build the target sightline\n' "$program" >&2
  exit 4
fi

paths=$("$root/tools/setup.sh" --web)
PATH=$(sed -n 1p <<<"$paths"):$PATH
modules=$(sed -n 2p <<<"$paths")/node_modules

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/runs" "$work/home" "$work/node"
cp -r "$root"/tests/corpus/mindspore/{lenet,lenet_landscape,values} "$work/runs/"
cp -r "$root/tests/corpus/tensorboard" "$work/runs/tensorboard"
cp -r "$root/tests/corpus/profiler" "$work/runs/profiles"
cp -r "$root/tests/corpus/ir/control_flow_grad" "$work/runs/dumps"
cp -r "$root/tests/corpus/wild" "$work/"
# Of long ago: no run counts as one that is being recorded, and turns into one that ended while a journey looks at it.
find "$work/runs" "$work/wild" -exec touch -d 2020-01-01T00:00:00Z {} +
cp "$here"/*.mjs "$work/node/"
ln -s "$modules" "$work/node/node_modules"
export HOME=$work/home XDG_STATE_HOME=$work/home/state XDG_CACHE_HOME=$work/home/cache XDG_CONFIG_HOME=$work/home/config
node "$work/node/journeys.mjs" "$program" "$work/runs" "$chromium" "$shots" "$all" "$only"
[ -z "$firefox" ] || node "$work/node/firefox.mjs" "$program" "$work/runs" "$(command -v firefox-esr)" "$shots"
