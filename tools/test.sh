#!/usr/bin/env bash
# Sets up, builds, and runs the tests. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() {
  cat <<'TEXT'
usage: tools/test.sh [--all] [--offline]
       tools/test.sh --release PART

Sets up (tools/setup.sh), builds the quick preset in build/quick and runs the C++ tests. It covers no Python, no page, no
sanitizer, no peer and no project that uses an installed Sightline: --all does, and compiles with GCC too.

  --all      also what a change must pass: formatting, clang-tidy, the page of the dashboard (its types, its
             tests, and that dist is what its sources give), the libraries' tests under the address and undefined
             behaviour sanitizers, what has threads under the thread sanitizer, every benchmark once, the conformance
             tests, which open our files with the real TensorBoard and tensorboardX, and the Python package, built and
             tested for one CPython, with a real MindSpore 2.7.0
  --offline  with --all: leaves out what needs a network, says so, and ends with 3
  --release  one of the long parts that a release must pass as well, and that nothing above covers:
             python     the Python package for CPython 3.10 to 3.13
             mindspore  trainings with MindSpore 2.7.0 and 2.10.0 and with MindFormers
             torch      trainings with the current PyTorch, Lightning and Transformers, whose packages are large; --all
                        has those that fit Debian's PyTorch
             kills      1,000 kills of a recording process, 200 while indexing, 200 while exporting
             planted    profiles of 20 programs with each planted cause of slowness, and of 20 healthy ones
             fuzz       each fuzz target for five minutes
             soak       half an hour of recording, with rotation, restarts and a follower: memory, descriptors and files
             peers      every benchmark in full beside the peers, with the figures that it must reach
             page       journeys through the dashboard in Chromium, each page with axe
             mindinsight  MindInsight 2.3.1 shows our loss landscapes
             lint       clang-tidy over every source; --all has those that changed within twelve hours
             arm        the libraries' tests for aarch64, run by qemu, with pages of 4 and of 64 KB
             install    what tools/release.sh makes, tried in freshly made Debian 11, 12 and 13, and 12 and 13 for aarch64
             writers    what TensorFlow, PyTorch, Lightning, tensorboardX, clu and flax write is read as TensorBoard reads it
  --help     this text

exit code: 0 all passed, 1 something failed, 2 wrong usage, 3 what ran passed but something was left out, which the last
lines name, 4 packages are missing (tools/setup.sh says which)
TEXT
}

all=false offline=false release=
while [ $# -gt 0 ]; do
  case $1 in
    --all) all=true ;;
    --offline) offline=true ;;
    --release)
      case ${2-} in
        python | mindspore | torch | kills | planted | fuzz | soak | peers | page | mindinsight | writers | lint | install | arm) release=$2; shift ;;
        *) printf "test: --release takes one of the parts that --help names, not '%s'\n" "${2-}" >&2; exit 2 ;;
      esac ;;
    --help) usage; exit 0 ;;
    *) printf "test: unknown argument '%s'\n" "$1" >&2; usage >&2; exit 2 ;;
  esac
  shift
done

step() { printf '\n== %s (after %d s)\n' "$*" "$SECONDS"; }

# Compiling is most of the time; ccache makes it once a change. Without ccache CMake's own default holds.
if command -v ccache >/dev/null; then
  # Paths below this folder are hashed relative to it, so that every clone shares what was compiled.
  export CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1
  export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
fi

# build_and_test <preset> <target> [ctest arguments]
build_and_test() {
  local preset=$1 target=$2
  shift 2
  step "build and test: $preset"
  local settings=()
  if [ "$preset" = quick ] && ! command -v clang++-14 >/dev/null; then # Newer systems have no Clang 14.
    settings=(-D CMAKE_C_COMPILER=gcc -D CMAKE_CXX_COMPILER=g++)
  fi
  # What ccache keeps of precompiled headers is of use in this folder only, and CI's clone is a new one.
  if $all; then settings+=(-D CMAKE_DISABLE_PRECOMPILE_HEADERS=ON); fi
  cmake --preset "$preset" "${settings[@]}" --log-level=WARNING
  if ! cmake --build --preset "$preset" -j "$(nproc)" --target "$target"; then
    [ "$preset" != dev ] || exit 1
    # Which sources can stand together is found out by their text: it may be that these cannot.
    step "once more, each source by itself: $preset"
    cmake --preset "$preset" "${settings[@]}" -D SIGHTLINE_UNITY=OFF --log-level=WARNING
    cmake --build --preset "$preset" -j "$(nproc)" --target "$target"
  fi
  ctest --preset "$preset" -j "$(nproc)" "$@" && return
  step "what failed said: $preset" # Here too, since whoever looks at a log looks at its end.
  grep -A 8 ': Failure$' "build/$preset/Testing/Temporary/LastTest.log" | head -n 60 || true
  exit 1
}

# Runs a script that ends with 3 when it left something out, and has named it.
left_out=0
may_leave_out() { "$@" || { [ $? -eq 3 ] && left_out=3; } || exit 1; }

step "set up"
case $release in
  python) tools/setup.sh --all >/dev/null; exec tests/python/run.sh all ;;
  mindspore) tools/setup.sh --all >/dev/null; exec tests/python/run.sh --mindspore 2.7.0 --mindspore 2.10.0 3.11 ;;
  torch) tools/setup.sh --all >/dev/null; exec tests/python/run.sh --torch ;;
  kills)
    tools/setup.sh --checks
    SIGHTLINE_KILL_RUNS=1000 build_and_test dev kill_test -R kill_test
    SIGHTLINE_KILL_RUNS=200 build_and_test dev runs_threads_tests -R RunIndexKillTest
    SIGHTLINE_KILL_RUNS=200 build_and_test dev export_program_test -R KilledItLeaves
    exit ;;
  planted) tools/setup.sh --checks; SIGHTLINE_PLANTED_SEEDS=20 build_and_test dev profiler_planted_test -R profiler_planted_test; exit ;;
  fuzz) tools/setup.sh --checks; exec tests/fuzz/run.sh --seconds 300 ;;
  soak) tools/setup.sh --checks; SIGHTLINE_SOAK_SECONDS=1800 build_and_test dev soak_test -R soak_test; exit ;;
  peers) tools/setup.sh --all >/dev/null; exec tests/bench/run.py ;;
  mindinsight | writers)
    tools/setup.sh --checks
    cmake --preset dev --log-level=WARNING
    cmake --build --preset dev -j "$(nproc)" --target sightline
    exec "tests/$release/run.sh" ;;
  lint)
    tools/setup.sh --checks
    cmake --preset dev --log-level=WARNING
    cmake --build --preset dev -j "$(nproc)"
    exec tools/lint.sh ;;
  arm)
    tools/release.sh --machine aarch64 --tests
    tests/install/arm.sh
    exec tests/install/arm.sh --page-size 65536 ;;
  install)
    may_leave_out tools/release.sh --machine x86_64 --machine aarch64
    may_leave_out tests/install/release.sh
    may_leave_out tests/install/release.sh --machine aarch64
    exit $left_out ;;
  page) tools/setup.sh --all --page >/dev/null; build_and_test dev serve_program_test -R serve_program_test; tests/dashboard/openapi/run.sh; exec tests/dashboard/web/run.sh --all --firefox ;;
esac
if ! $all; then
  tools/setup.sh --clang
  build_and_test quick all -LE install
  exit
fi

if $offline; then
  tools/setup.sh --checks
else
  peers_python=$(tools/setup.sh --all)
fi

step "format"
tools/format.sh --check
if ! $offline; then tools/python.sh --check; fi
step "no large file" # Profiles, dumps of memory and archives get into a commit by mistake.
large=$(git ls-files -z --cached --others --exclude-standard -- . ':!tests/corpus' |
  xargs -0 -r sh -c 'find "$@" -maxdepth 0 -size +1M' sh)
if [ -n "$large" ]; then
  printf 'test: larger than 1 MB, and not in tests/corpus: %s\n' $large >&2
  exit 1
fi
# --release kills runs 1,000; the sanitizers' builds keep the test's own number.
SIGHTLINE_KILL_RUNS=50 build_and_test dev all
step "lint"
tools/lint.sh --recent
if ! $offline; then
  step "the dashboard's page"
  web/build.sh --check
fi
build_and_test quick allocation_test -R allocation_test # Clang elides other allocations than GCC.
build_and_test asan all
build_and_test tsan threads_tests -L threads

if $offline; then
  step "benchmarks, ours only"
  python3 tests/bench/run.py --smoke --no-peers --build build/dev
  printf '\ntest: left out by --offline: the page of the dashboard, the benchmarks of the peers, tests/conformance and tests/python:\n'
  printf '  %s\n' tests/conformance/*_test.py tests/python/*/*_test.py
  exit 3
fi

step "benchmarks"
"$peers_python" tests/bench/run.py --smoke --build build/dev
step "conformance"
"$peers_python" -m pytest tests/conformance --build build/dev
step "Python package"
may_leave_out tests/python/run.sh
exit $left_out
