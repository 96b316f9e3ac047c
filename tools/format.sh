#!/usr/bin/env bash
# Formats the C and C++ sources in place with .clang-format; --check only reports what is not formatted (exit code 1).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

mode=(-i)
case ${1-} in
  '') ;;
  --check) mode=(--dry-run --Werror) ;;
  *) printf 'usage: tools/format.sh [--check]\n' >&2; exit 2 ;;
esac

# Tracked files and new ones, so that a file is formatted before its first commit.
git ls-files -z --cached --others --exclude-standard -- '*.h' '*.hpp' '*.cc' '*.c' |
  xargs -0 -r -n 16 -P "$(nproc)" clang-format-14 "${mode[@]}"
