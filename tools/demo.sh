#!/usr/bin/env bash
# Sets up, builds, trains a small network on real data, and records the training. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
  --help)
    cat <<'TEXT'
usage: tools/demo.sh [DIRECTORY]

Sets up (tools/setup.sh), builds the program in build/release, and runs `sightline demo`: a small convolutional
network learns handwritten digits while everything about it is recorded, every step; then its loss landscapes are
drawn. Then says where the files are and how to look at them. Where a terminal reads that, it also starts the dashboard on
the run, in the background, and ends with its address.

DIRECTORY must be new or empty; default: sightline_demo/<date>-<time>.
TEXT
    exit 0
    ;;
  -*) printf "demo: unknown option '%s', see --help\n" "$1" >&2; exit 2 ;;
esac
directory=${1:-sightline_demo/$(date +%Y%m%d-%H%M%S)}

tools/setup.sh
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset release --log-level=WARNING
cmake --build --preset release -j "$(nproc)" --target sightline

sightline=build/release/tools/sightline
"$sightline" demo --landscape-size 40 --save-graphs 1 "$directory"

cat <<TEXT

In $directory are now
$(find "$directory" -mindepth 1 -maxdepth 1 -printf '  %f\n' | sort)

Look at it in TensorBoard (install it with: python3 -m venv tb && tb/bin/pip install tensorboard):
  tensorboard --logdir $directory
or here:
  $sightline info $directory
  $sightline cat --limit 3 $directory/*_MS
  $sightline verify $directory
  $sightline landscape info $directory
  $sightline ir timeline $directory/graphs
  $sightline serve $directory
TEXT

# A script gets no server that outlives it.
[ -t 1 ] || exit 0
for port in {8080..8089}; do
  address=$("$sightline" start --port "$port" --summary-base-dir "$directory" 2>/dev/null) || continue
  printf '\nThe dashboard shows it until you type  %s stop --port %s\n%s\n' "$sightline" "$port" "$address"
  exit
done
