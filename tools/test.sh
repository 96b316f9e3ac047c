#!/usr/bin/env bash
# Sets up, builds, and runs the tests. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/test.sh [--all] [--offline]

Sets up (tools/setup.sh), builds the dev preset in build/dev and runs every test of ctest.

  --all      also what a change must pass: formatting and clang-tidy, the tests under the address, undefined
             behaviour and thread sanitizers, seconds of fuzzing, every benchmark once, and the conformance
             tests, which open our files with the real TensorBoard and tensorboardX, and the Python package, built
             and tested for each CPython that is found
  --offline  with --all: leaves out what needs a network, says so, and ends with 3
  --help     this text

exit code: 0 all passed, 1 something failed, 2 wrong usage, 3 what ran passed but --offline left something out,
4 packages are missing (tools/setup.sh says which)
TEXT
}

all=false offline=false
for argument in "$@"; do
  case $argument in
    --all) all=true ;;
    --offline) offline=true ;;
    --help) usage; exit 0 ;;
    *) printf "test: unknown argument '%s'\n" "$argument" >&2; usage >&2; exit 2 ;;
  esac
done

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# Compiling is most of the time; ccache makes it once a change. Without ccache CMake's own default holds.
if command -v ccache >/dev/null; then
  # Paths below this folder are hashed relative to it, so that every clone shares what was compiled.
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

# build_and_test <preset> [ctest arguments]
build_and_test() {
  local preset=$1
  shift
  step "build and test: $preset"
  cmake --preset "$preset" --log-level=WARNING
  cmake --build --preset "$preset" -j "$(nproc)"
  ctest --preset "$preset" -j "$(nproc)" "$@"
}

step "set up"
if ! $all; then
  tools/setup.sh
  build_and_test dev
  exit
fi

if $offline; then
  tools/setup.sh --checks
else
  peers_python=$(tools/setup.sh --all)
fi

step "format"
tools/format.sh --check
# As many kills as docs/durability.md promises; the sanitizers' builds keep the test's own number.
SIGHTLINE_KILL_RUNS=200 build_and_test dev
step "lint"
tools/lint.sh
build_and_test asan
build_and_test tsan

step "fuzz"
tests/fuzz/run.sh --seconds 10

if $offline; then
  step "benchmarks, ours only"
  python3 tests/bench/run.py --smoke --no-peers --build build/dev
  printf '\ntest: left out by --offline: the benchmarks of the peers, tests/conformance and tests/python:\n'
  printf '  %s\n' tests/conformance/*_test.py tests/python/*_test.py tests/python/*/*_test.py
  exit 3
fi

step "benchmarks"
"$peers_python" tests/bench/run.py --smoke --build build/dev
step "conformance"
"$peers_python" -m pytest tests/conformance --build build/dev
step "Python package"
tests/python/run.sh
