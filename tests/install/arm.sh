#!/usr/bin/env bash
# Runs the tests that tools/release.sh --machine aarch64 --tests made. See --help.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

usage() {
  cat <<'TEXT'
usage: tests/install/arm.sh [--page-size BYTES] [ROOM ...]

Runs the tests of each ROOM (default: base recorder collectors landscape ir runs profiler) in build/tests-aarch64 by qemu, in
namespaces of their own, with the C library of Debian's libc6-arm64-cross. --page-size 16384 and 65536 are those of other
kernels (default: this machine's). Then compares what the programs of build/dist for both machines say of the same files, if
they are there (same.py). Needs root. What qemu cannot do is left out: this script names each such test with its reason.

exit code: 0 all passed, 1 something failed, 2 wrong usage, 3 nothing was run, since only root can make namespaces
TEXT
}

page_size=$(getconf PAGESIZE)
case ${1-} in
  --page-size) page_size=${2-}; shift 2 || { usage >&2; exit 2; } ;;
  --help) usage; exit 0 ;;
esac
[[ $page_size =~ ^[0-9]+$ ]] || { usage >&2; exit 2; }
rooms=("$@")
[ ${#rooms[@]} -gt 0 ] || rooms=(base recorder collectors landscape ir runs profiler)

tests=build/tests-aarch64
[ -d "$tests" ] || { echo "arm: $tests is missing; tools/release.sh --machine aarch64 --tests makes it" >&2; exit 1; }
if [ "$(id -u)" -ne 0 ]; then
  echo "arm: LEFT OUT: everything, since only root can make namespaces" >&2
  exit 3
fi

left_out=(
  ProcessStatTest.ThisProcessHasOne # qemu tells no resident pages.
  # A child of qemu gets the mappings that MADV_DONTFORK keeps from it, and with them the file's lock.
  RecorderProcessTest.AForkedChildDoesNotKeepADeadParentsJournalLocked
  JournalReplayTest.AChildThatOutlivesAKilledReplayKeepsNoLockOfIt
  # Its vfork is a fork, so that a program that is missing looks like one that ends with 127.
  Svg.WithoutGraphvizTheErrorSaysWhatToInstall
  Svg.NoShellReadsTheProgramsName
)
join() { local IFS=$1; shift; printf '%s' "$*"; }
if [ "$page_size" != "$(getconf PAGESIZE)" ]; then
  left_out+=(
    BackgroundThreadTest.LeavesTheProcessorToWhoeverHasItWhenItWakes # sched_getparam takes no address on the first stack.
    SeriesMemoryTest.ChartsOfFarPointsStayBelowTheLimit              # What MADV_DONTNEED gives back stays resident.
  )
fi
apart() { tests/install/apart.sh aarch64 bash -c 'mount -t proc proc /proc && exec "$@"' bash "$@"; }

for room in "${rooms[@]}"; do
  printf '\n== %s, pages of %d bytes (after %d s)\n' "$room" "$page_size" "$SECONDS"
  # A room is a list of tests, or a whole program.
  apart env QEMU_LD_PREFIX=/usr/aarch64-linux-gnu QEMU_PAGESIZE="$page_size" GTEST_FILTER="-$(join : "${left_out[@]}")" \
    ctest --test-dir "$tests/tests/$room" -j "$(nproc)" --output-on-failure --progress --exclude-regex "$(join '|' "${left_out[@]}")"
done
programs=(build/dist/sightline-*-linux-{x86_64,aarch64})
if [ -e "${programs[0]}" ] && [ -e "${programs[1]}" ]; then
  printf '\n== the same by both programs (after %d s)\n' "$SECONDS"
  apart env QEMU_LD_PREFIX=/usr/aarch64-linux-gnu QEMU_PAGESIZE="$page_size" python3 tests/install/same.py "${programs[@]}"
fi
