#!/usr/bin/env bash
# Builds the dashboard's page into web/dist. See --help.
set -euo pipefail
web=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

usage() {
  cat <<'TEXT'
usage: web/build.sh [--check | --format]

Builds the page from its sources into web/dist, and the charts of exported HTML into web/dist_export. Both are
committed, so building Sightline needs no Node. The same sources give the same bytes. tools/setup.sh --web puts
Node and the packages of package-lock.json into ${XDG_CACHE_HOME:-~/.cache}/sightline. Only these two folders of the
repository are written.

  --check   write nothing: check format, rules (biome.jsonc) and types, run the tests, build, and compare the result
            with what is committed
  --format  format the sources and apply the fixes that change no behaviour; build nothing
  --help    this text

exit code: 0 built, or all is as it should be; 1 it is not; 2 wrong usage
TEXT
}

check=false format=false
case ${1-} in
  "") ;;
  --check) check=true ;;
  --format) format=true ;;
  --help) usage; exit 0 ;;
  *) usage >&2; exit 2 ;;
esac

# Two lines: the folder with node's program, and the folder that holds node_modules.
paths=$("$web/../tools/setup.sh" --web)
PATH=$(sed -n 1p <<<"$paths"):$PATH
modules=$(sed -n 2p <<<"$paths")/node_modules

if $format; then
  cd "$web"
  exec node "$modules/@biomejs/biome/bin/biome" check --write --error-on-warnings
fi

# The sources are copied beside a link to the packages: Node looks for packages beside the file that asks.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$web"/{src,test,index.html,package.json,biome.jsonc,tsconfig.json,vite.config.ts,vite.export.config.ts,vitest.config.ts} "$work/"
ln -s "$modules" "$work/node_modules"
cd "$work"

if $check; then
  node node_modules/@biomejs/biome/bin/biome ci --error-on-warnings
  node node_modules/typescript/bin/tsc --noEmit
  node node_modules/vitest/vitest.mjs run
fi
node node_modules/vite/bin/vite.js build --logLevel warn
node node_modules/vite/bin/vite.js build --logLevel warn --config vite.export.config.ts
if grep -qi '</\(script\|style\)' dist_export/*; then
  printf 'web: what is written into an exported page must not end its own element\n' >&2
  exit 1
fi

# What a first look loads, without the pages that come when they are opened: at most 150 KB of script and style.
first=$(grep -o 'assets/[A-Za-z0-9_-]*\.\(js\|css\)' dist/index.html | sort -u | sed 's|^|dist/|' | xargs cat | gzip -9 | wc -c)
printf 'web: script and style of the first load: %d bytes with gzip\n' "$first"
if [ "$first" -gt 150000 ]; then
  printf 'web: more than the 150000 that are allowed\n' >&2
  exit 1
fi

if $check; then
  for folder in dist dist_export; do
    if ! diff -r "$folder" "$web/$folder" >/dev/null; then
      printf 'web: web/%s is not what its sources give; run web/build.sh and commit it\n' "$folder" >&2
      exit 1
    fi
  done
  printf 'web: dist is what its sources give\n'
else
  rm -rf "$web/dist" "$web/dist_export"
  cp -r dist dist_export "$web/"
fi
