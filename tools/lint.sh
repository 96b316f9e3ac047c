#!/usr/bin/env bash
# Runs clang-tidy with .clang-tidy over the sources given, or all, or with --recent those that changed in the twelve
# hours before the last commit or are not committed; needs a dev build (tools/test.sh makes it). Headers are checked with the
# sources that include them. Exit code 1 when something is found.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

build=${SIGHTLINE_LINT_BUILD:-build/dev}
recent=false
case ${1-} in
  --recent) recent=true; shift ;;
  -*) printf 'usage: tools/lint.sh [--recent | FILE.cc ...]\n' >&2; exit 2 ;;
esac
if [ ! -e "$build/compile_commands.json" ]; then
  printf 'lint: no %s/compile_commands.json: run cmake --preset dev && cmake --build --preset dev\n' "$build" >&2
  exit 2
fi

# clang-tidy goes through every header's syntax tree for every file, which is nearly all of its time: files that can
# stand together are checked as one (tools/lint_groups.py). Where they cannot after all, each is checked by itself.
check() {
  local out=$1 file=$2 log
  shift 2
  if log=$(tidy "$out" "$file"); then return; fi
  if [ $# -gt 1 ] && [[ $log == *clang-diagnostic-error* ]]; then
    tidy "$build" "$@"
    return
  fi
  printf '%s\n' "$log"
  return 1
}
tidy() {
  local database=$1
  shift
  # A name of one file may be a parameter's in the next; within a file the compiler's own -Wshadow sees it.
  clang-tidy-14 -p "$database" --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-shadow "$@" \
    2> >(grep -v 'generated' >&2)
}
export -f check tidy
export build

# A header stands for its source, or else for the first source that includes it.
recent_sources() {
  local file
  { git log --since="$(date --date="$(git log -1 --format=%cI) - 12 hours" --iso-8601=seconds)" --name-only --format=
    git diff --name-only HEAD
    git ls-files --others --exclude-standard; } | sort --unique | while IFS= read -r file; do
    case $file in
      *.cc) ;;
      *.h)
        if [ -e "${file%.h}.cc" ]; then file=${file%.h}.cc; else
          file=$(git grep --files-with-matches --fixed-strings "#include \"sightline/$file\"" -- '*.cc' || true)
          file=${file%%$'\n'*}
        fi ;;
      *) continue ;;
    esac
    [ ! -e "$file" ] || printf '%s\n' "$file"
  done | sort --unique
}

if $recent; then
  recent_sources
elif [ $# -gt 0 ]; then
  printf '%s\n' "$@"
else
  git ls-files --cached --others --exclude-standard -- '*.cc'
fi | xargs python3 tools/lint_groups.py "$build" "$build/lint" |
  xargs -r -d '\n' -n 1 -P "$(nproc)" bash -c 'check "$build/lint" $0'
