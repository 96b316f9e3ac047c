#!/usr/bin/env bash
# Makes the pictures of the dashboard in docs/pictures. See --help.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
root=$(cd "$here/../../.." && pwd)

usage() {
  cat <<'TEXT'
usage: tests/dashboard/web/pictures.sh [--program FILE] [--every DIR]

Records two runs of the demo with the program (build/release/tools/sightline unless given), serves them, and takes the
pictures dashboard_*.png of docs/pictures in headless Chromium.

  --every DIR  instead, every page at 1440, 1000 and 390 pixels, light and dark, English and Chinese, into DIR, for
               somebody to look at; needs the fonts that tools/setup.sh --page installs
  --help       this text

exit code: 0 taken, 1 something failed, 2 wrong usage, 4 Chromium or the program is missing
TEXT
}

program=$root/build/release/tools/sightline every=
while [ $# -gt 0 ]; do
  case $1 in
    --program) program=${2-}; shift 2 || { usage >&2; exit 2; } ;;
    --every) every=${2-}; shift 2 || { usage >&2; exit 2; } ;;
    --help) usage; exit 0 ;;
    *) usage >&2; exit 2 ;;
  esac
done
chromium=$(command -v chromium || true)
if [ -z "$chromium" ] || [ ! -x "$program" ]; then
  printf 'pictures: needs chromium and %s\n' "$program" >&2
  exit 4
fi

paths=$("$root/tools/setup.sh" --web)
PATH=$(sed -n 1p <<<"$paths"):$PATH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/home" "$work/node"
# Its name is in the pictures.
output=/tmp/output
mkdir "$output" || { printf 'pictures: %s is in the way\n' "$output" >&2; exit 1; }
trap 'rm -rf "$work" "$output"' EXIT
cp "$here"/*.mjs "$work/node/"
ln -s "$(sed -n 2p <<<"$paths")/node_modules" "$work/node/node_modules"
export HOME=$work/home XDG_STATE_HOME=$work/home/state XDG_CACHE_HOME=$work/home/cache XDG_CONFIG_HOME=$work/home/config
"$program" demo --epochs 6 --overhead-pairs 0 --landscape-size 20 --json "$output/digits-short" >/dev/null 2>&1
"$program" demo --epochs 12 --overhead-pairs 0 --landscape-size 40 --profile --json "$output/digits" >/dev/null 2>&1
node "$work/node/pictures.mjs" "$program" "$output" "$chromium" "$root/docs/pictures" "$every"
