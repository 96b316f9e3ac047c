#!/usr/bin/env bash
# Builds the dashboard's page into dashboard/web/dist. See --help.
set -euo pipefail
web=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: dashboard/web/build.sh [--check]

Builds the page from its sources into dashboard/web/dist, which is committed, so that building Sightline needs no
Node. The same sources give the same bytes. Node and the packages that package-lock.json names lie in
${XDG_CACHE_HOME:-~/.cache}/sightline, where tools/setup.sh --web puts them; nothing is written into the repository
but dist.

  --check  write nothing: check the types, run the tests, build, and compare with the dist that is committed
  --help   this text

exit code: 0 built, or all is as it should be; 1 it is not; 2 wrong usage
TEXT
}

check=false
case ${1-} in
  "") ;;
  --check) check=true ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

# Two lines: the folder with node's program, and the folder that holds node_modules.
paths=$("$web/../../tools/setup.sh" --web)
PATH=$(sed -n 1p <<<"$paths"):$PATH
modules=$(sed -n 2p <<<"$paths")/node_modules

# The sources are copied beside a link to the packages: Node looks for packages beside the file that asks.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$web"/{src,test,index.html,package.json,tsconfig.json,vite.config.ts,vitest.config.ts} "$work/"
ln -s "$modules" "$work/node_modules"
cd "$work"

if $check; then
  node node_modules/typescript/bin/tsc --noEmit
  node node_modules/vitest/vitest.mjs run
fi
node node_modules/vite/bin/vite.js build --logLevel warn

# What a first look loads, without the pages that come when they are opened: at most 150 KB of script and style.
first=$(grep -o 'assets/[A-Za-z0-9_-]*\.\(js\|css\)' dist/index.html | sort -u | sed 's|^|dist/|' | xargs cat | gzip -9 | wc -c)
printf 'web: script and style of the first load: %d bytes with gzip\n' "$first"
if [ "$first" -gt 150000 ]; then
  printf 'web: more than the 150000 that are allowed\n' >&2
  exit 1
fi

if $check; then
  if ! diff -r dist "$web/dist" >/dev/null; then
    printf 'web: dashboard/web/dist is not what its sources give; run dashboard/web/build.sh and commit it\n' >&2
    exit 1
  fi
  printf 'web: dist is what its sources give\n'
else
  rm -rf "$web/dist"
  cp -r dist "$web/dist"
fi
