#!/usr/bin/env bash
# Sets up, builds, trains a small network on real data, and records the training. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

case ${1-} in
  --help)
    cat <<'TEXT'
usage: tools/demo.sh [DIRECTORY]

Sets up (tools/setup.sh), builds the release preset in build/release, and runs `sightline demo`: a small
convolutional network learns handwritten digits while everything about it is recorded, every step, into
DIRECTORY (default: demo_run), which must be new or empty. Then says how to look at it.
TEXT
    exit 0
    ;;
  -*) printf "demo: unknown option '%s', see --help\n" "$1" >&2; exit 2 ;;
esac
directory=${1:-demo_run}

tools/setup.sh
if command -v ccache >/dev/null; then
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi
cmake --preset release --log-level=WARNING
cmake --build --preset release -j "$(nproc)" --target sightline

sightline=build/release/tools/sightline
"$sightline" demo "$directory"

cat <<TEXT

The files are in $directory:
$(find "$directory" -maxdepth 1 -mindepth 1 -printf '  %f\n' | sort)

Look at them:
  tensorboard --logdir $directory          # TensorBoard; if missing: python3 -m venv tb && tb/bin/pip install tensorboard
  $sightline info $directory
  $sightline cat $directory/*_MS | head
TEXT
