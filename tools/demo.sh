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
drawn. Then says where the files are and how to look at them.

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
"$sightline" demo --landscape-size 40 "$directory"

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
TEXT
